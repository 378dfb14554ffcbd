// One ad of the lab: its connections, and everything that is known about it.

import { adAddress, getJSON } from "./api.js";
import { beforeNextFrame } from "./dom.js";
import { Emitter } from "./emitter.js";
import { PictureStream } from "./pictures.js";
import { EventStream } from "./stream.js";
import { EventRow } from "./summary.js";

/** Beyond these the oldest rows are dropped. */
const mostEvents = 20000;
const mostSpecial = 5000;

/** A list of rows that grows at its end and loses its oldest. */
class Rows {
  items = [];
  dropped = 0;
  bad = 0;
  #most;

  constructor(most) { this.#most = most; }

  get total() { return this.items.length + this.dropped; }

  append(rows) {
    for (const row of rows) {
      this.items.push(row);
      if (row.rating === "bad") this.bad += 1;
    }
    if (this.items.length > this.#most) {
      const surplus = this.items.length - Math.floor(this.#most * 0.9);
      this.items.splice(0, surplus);
      this.dropped += surplus;
    }
  }
}

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

  /** Connects, and reads the options that the ad was run with. */
  async open() {
    this.resume();
    try {
      const summary = await getJSON(adAddress(this.id));
      this.summary = summary;
      this.speed = Number(summary.options?.speed) || 1;
      this.startedAt = Date.parse(summary.startedAt);
      this.emit("summary", summary);
    } catch {
      // The stream tells whether the ad or the lab is gone.
    }
  }

  /** A hidden page holds no connection: a browser allows six to a host, and other pages of the lab need theirs. */
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

  /** The latest moment of the ad's time; it advances between the server's messages while the ad lives. */
  get now() {
    const isRunning = !this.hasEnded && !this.isGone && ["loading", "shown"].includes(this.state.state);
    return this.#clockTime + (isRunning ? Math.min(2000, performance.now() - this.#clockSetAt) * this.speed : 0);
  }

  /** The latest moment that the server told. */
  get lastTime() { return this.#clockTime; }

  #setClock(time) {
    if (!Number.isFinite(time) || time < this.#clockTime) return;
    this.#clockTime = time;
    this.#clockSetAt = performance.now();
  }

  #receive(name, data) {
    switch (name) {
      case "message": {
        if (typeof data?.event !== "string") break;
        const row = new EventRow((this.#number += 1), data);
        this.#setClock(row.t);
        this.#pending.push(row);
        this.#schedule();
        break;
      }
      case "state":
        this.state = data;
        this.stateAt = performance.now();
        if (data.state === "ended") this.hasEnded = true;
        this.emit("state", data);
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
        this.strip = { frames: data.frames ?? [], documents: data.documents ?? [] };
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

  /** Few rows are shown with the next frame; those of a flood ten times a second, which leaves time for the user. */
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
