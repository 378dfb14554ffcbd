// One ad of the lab: its connections, and everything that is known about it.

import { adAddress, getJSON } from "./api.js";
import { beforeNextFrame } from "./dom.js";
import { Emitter } from "./emitter.js";
import { finite } from "./format.js";
import { PictureStream } from "./pictures.js";
import { Rows } from "./rows.js";
import { EventStream } from "./stream.js";
import { EventRow } from "./summary.js";

/** Beyond these the oldest rows are dropped. */
const mostEvents = 20000;
const mostSpecial = 5000;

/**
 * Emits "rows" (the new rows, at most once a frame), "state", "trackers", "verdict", "strip", "picture", "clock" and
 * "end".
 */
export class Ad extends Emitter {
  events = new Rows(mostEvents);
  requests = new Rows(mostSpecial);
  console = new Rows(mostSpecial);
  mraid = new Rows(mostSpecial);
  trackers = [];
  verdict = null;
  state = { state: "fetching", screen: null };
  strip = { frames: [], documents: [] };
  speed = 1;
  hasEnded = false;
  isGone = false;

  #pending = [];
  #number = 0;
  #lastTime = 0;
  #timer = 0;
  #flushedAt = 0;
  #lastCount = 0;
  #stream;
  #pictures;
  #clockTime = 0;
  #clockSetAt = performance.now();

  constructor(id) {
    super();
    this.id = id;
    this.openedAt = performance.now();
    this.#stream = new EventStream(id, (name, data) => this.#receive(name, data));
    this.#pictures = new PictureStream(
      id,
      (bitmap, time) => {
        this.#setClock(time);
        this.emit("picture", { bitmap, time });
      },
      () => this.emit("picturesOver"),
    );
  }

  /** Connects, and reads the ad's title and start. */
  async open() {
    this.resume();
    try {
      this.summary = await getJSON(adAddress(this.id));
      this.startedAt = Date.parse(this.summary.startedAt);
      this.emit("summary", this.summary);
    } catch {
      // Without them the page shows the ad's id; the event stream finds out whether the ad or the lab is gone.
    }
  }

  /** Closes the connections of a hidden page: a browser allows six to a host, for all pages of the lab together. */
  pause() {
    this.#stream.pause();
    this.#pictures.pause();
  }

  resume() {
    if (document.hidden) return;
    this.#stream.start();
    this.#pictures.start();
  }

  close() {
    this.removeAll();
    clearTimeout(this.#timer);
    this.#stream.stop();
    this.#pictures.stop();
  }

  /** The latest moment of the ad's time. It advances between the server's messages until the ad has ended. */
  get now() {
    const isRunning = !this.hasEnded && !this.isGone && ["loading", "shown"].includes(this.state.state);
    return this.#clockTime + (isRunning ? Math.min(2000, performance.now() - this.#clockSetAt) * this.speed : 0);
  }

  #setClock(time) {
    if (!Number.isFinite(time) || time < this.#clockTime) return;
    this.#clockTime = time;
    this.#clockSetAt = performance.now();
  }

  #receive(name, data) {
    switch (name) {
      case "message": {
        if (typeof data?.event !== "string") break;
        const row = new EventRow((this.#number += 1), data, this.#lastTime);
        this.#lastTime = row.t;
        this.#setClock(row.t);
        this.#pending.push(row);
        this.#schedule();
        break;
      }
      case "state":
        this.state = data ?? {};
        this.stateAt = performance.now();
        this.speed = finite(this.state.speed, 1);
        if (this.state.state === "ended") this.hasEnded = true;
        this.emit("state", this.state);
        break;
      case "trackers":
        this.trackers = Array.isArray(data) ? data : [];
        this.emit("trackers", this.trackers);
        break;
      case "verdict":
        this.verdict = data;
        this.emit("verdict", data);
        break;
      case "strip":
        this.strip = { frames: data?.frames ?? [], documents: data?.documents ?? [] };
        this.#setClock(this.strip.frames.at(-1)?.t);
        this.emit("strip", this.strip);
        break;
      case "end":
        this.hasEnded = true;
        this.#flush();
        this.emit("end");
        break;
      case "gone":
        this.isGone = true;
        this.#pictures.stop();
        this.emit("gone");
        break;
    }
  }

  /** Shows few rows with the next frame, and many ten times a second, so that the page stays usable. */
  #schedule() {
    if (this.#timer) return;
    const wait = this.#lastCount > 20 ? this.#flushedAt + 100 - performance.now() : 0;
    if (wait <= 0) beforeNextFrame(this.#flush);
    else {
      this.#timer = setTimeout(() => {
        this.#timer = 0;
        beforeNextFrame(this.#flush);
      }, wait);
    }
  }

  #flush = () => {
    if (this.#pending.length === 0) return;
    this.#flushedAt = performance.now();
    this.#lastCount = this.#pending.length;
    const rows = this.#pending;
    this.#pending = [];
    this.events.append(rows);
    this.requests.append(rows.filter((row) => row.event === "fetch"));
    this.console.append(rows.filter(
      (row) => row.kind === "script" || row.event === "requestFailed" || row.event === "blocked",
    ));
    this.mraid.append(rows.filter((row) => row.kind === "mraid" || (row.event === "layout" && this.mraid.total > 0)));
    this.emit("rows", rows);
  };
}
