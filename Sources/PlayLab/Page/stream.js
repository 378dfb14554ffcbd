// The event stream of an ad: read while the page is visible, and taken up again where it stopped.

import { adAddress, request } from "./api.js";

const longestPause = 15000;

export class EventStream {
  #id;
  #handle;
  #lastId = 0;
  #abort = null;
  #timer = 0;
  #failures = 0;
  #isOver = false;
  #connectedAt = null;
  #lostAt = null;

  /**
   * `handle(name, data)` is called with each message. The name of an event's JSON line is "message"; "gone" means that
   * the lab does not have the ad.
   */
  constructor(id, handle) {
    this.#id = id;
    this.#handle = handle;
  }

  /** Since when the stream is connected; null if it was not yet, or is not now. */
  get connectedAt() { return this.#connectedAt; }

  /** When the connection broke, if it did. */
  get lostAt() { return this.#lostAt; }

  start() {
    if (this.#isOver || this.#abort) return;
    clearTimeout(this.#timer);
    this.#abort = new AbortController();
    this.#read(this.#abort.signal);
  }

  /** Closes the connection; `start` continues after the last event that was read. */
  pause() {
    clearTimeout(this.#timer);
    this.#abort?.abort();
    this.#abort = null;
    this.#connectedAt = null;
  }

  stop() {
    this.#isOver = true;
    this.pause();
  }

  async #read(signal) {
    try {
      const response = await request(adAddress(this.#id, "events", { after: this.#lastId }), { signal });
      if (response.status === 404 || response.status === 410 || response.status === 403) {
        this.#isOver = true;
        this.#handle("gone", null);
        return;
      }
      if (!response.ok) throw new Error(`the lab answered ${response.status}`);
      this.#connectedAt = performance.now();
      this.#lostAt = null;
      const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
      let rest = "";
      for (;;) {
        const { value, done } = await reader.read();
        if (done) break;
        this.#failures = 0;
        rest = this.#drain(rest + value, signal);
        if (this.#isOver) {
          this.#abort?.abort();
          return;
        }
      }
    } catch {
      // The connection broke, or was paused: that is handled below.
    }
    if (signal.aborted || this.#isOver) return;
    this.#connectedAt = null;
    this.#lostAt ??= performance.now();
    this.#abort = null;
    const pause = Math.min(longestPause, 500 * 2 ** this.#failures);
    this.#failures += 1;
    this.#timer = setTimeout(() => this.start(), pause);
  }

  /** Handles the whole messages of `text`, and returns what remains. */
  #drain(text, signal) {
    const messages = text.split(/\r?\n\r?\n/);
    const rest = messages.pop();
    for (const message of messages) {
      if (signal.aborted) break;
      this.#message(message);
    }
    return rest;
  }

  #message(message) {
    let name = "message";
    let id = null;
    const data = [];
    for (const line of message.split(/\r?\n/)) {
      const colon = line.indexOf(":");
      if (colon <= 0) continue;
      const value = line[colon + 1] === " " ? line.slice(colon + 2) : line.slice(colon + 1);
      switch (line.slice(0, colon)) {
        case "event": name = value; break;
        case "id": id = Number(value); break;
        case "data": data.push(value); break;
      }
    }
    if (data.length === 0) return;
    let value;
    try {
      value = JSON.parse(data.join("\n"));
    } catch {
      return;
    }
    // An event that was read already comes twice if the connection breaks between it and its number.
    if (name === "message" && Number.isFinite(id)) {
      if (id <= this.#lastId) return;
      this.#lastId = id;
    }
    if (name === "end") this.#isOver = true;
    this.#handle(name, value);
  }
}
