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

/** For so long after a connection, in milliseconds, events may be those of the past. */
const settlingTime = 1000;

/** More than so many milliseconds an event is not late. */
const greatestLag = 500;

/**
 * Emits "rows" (the new rows, at most once a frame), "state", "trackers", "verdict", "strip", "picture", "clock" and
 * "end".
 */
export class Ad extends Emitter {
  events = new Rows(mostEvents);
  requests = new Rows(mostSpecial);
  console = new Rows(mostSpecial);
  messages = new Rows(mostSpecial);
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
  #lastMoment = 0;
  #hasState = false;
  #stream;
  #pictures;
  #clockTime = 0;
  #clockSetAt = null;

  constructor(id) {
    super();
    this.id = id;
    this.openedAt = performance.now();
    this.#stream = new EventStream(id, (name, data) => this.#receive(name, data));
    this.#pictures = new PictureStream(
      id,
      (bitmap, time) => {
        this.#advanceClock(time);
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
      this.#advanceClockFromStart();
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

  /**
   * The latest moment of the ad's time. It runs with real time and the ad's speed until the ad has ended; while the
   * connection is broken, it stands still.
   */
  get now() {
    if (this.hasEnded || this.isGone || this.#clockSetAt === null) return this.#clockTime;
    const until = this.#stream.lostAt ?? performance.now();
    return this.#clockTime + Math.max(0, until - this.#clockSetAt) * this.speed;
  }

  /** Something is known of a moment: the ad's time is at least that. */
  #advanceClock(time) {
    this.#lastMoment = Math.max(this.#lastMoment, finite(time));
    if (Number.isFinite(time) && (this.#clockSetAt === null || time > this.now)) this.#setClock(time);
  }

  /** An event that arrives as it happens is at the ad's present time, which was estimated if it is much earlier. */
  #synchronizeClock(time) {
    const { connectedAt } = this.#stream;
    const isLive = connectedAt !== null && performance.now() - connectedAt > settlingTime;
    if (isLive && this.now - time > greatestLag * this.speed) this.#setClock(time);
    this.#advanceClock(time);
  }

  /** An ad that was running before this page opened it may have had no event for long: its start tells its time. */
  #advanceClockFromStart() {
    if (this.hasEnded || this.state.state === "ended" || this.#clockSetAt === null) return;
    const time = (Date.now() - this.startedAt) * this.speed;
    if (time > this.now + 3000 * this.speed && time < 86400000 * this.speed) this.#setClock(time);
  }

  #setClock(time) {
    this.#clockTime = time;
    this.#clockSetAt = performance.now();
  }

  /** The ad's time does not go on: its last moment is that of what is known last. */
  #stopClock() {
    this.hasEnded = true;
    this.#clockTime = this.#lastMoment;
  }

  #receive(name, data) {
    switch (name) {
      case "message": {
        if (typeof data?.event !== "string") break;
        const row = new EventRow((this.#number += 1), data, this.#lastTime);
        this.#lastTime = row.t;
        this.#synchronizeClock(row.t);
        if (this.hasEnded) this.#stopClock();
        this.#pending.push(row);
        this.#schedule();
        break;
      }
      case "state":
        this.state = data ?? {};
        this.stateAt = performance.now();
        this.speed = finite(this.state.speed, 1);
        if (this.state.state === "ended") this.#stopClock();
        else if (!this.#hasState) {
          this.#hasState = true;
          this.#advanceClockFromStart();
        }
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
        this.#advanceClock(this.strip.frames.at(-1)?.t);
        if (this.hasEnded) this.#stopClock();
        this.emit("strip", this.strip);
        break;
      case "end":
        this.#stopClock();
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
    this.messages.append(rows.filter(
      (row) => row.kind === "message" || (row.event === "layout" && this.messages.total > 0),
    ));
    this.emit("rows", rows);
  };
}
