// Lists of an ad's events in the order of their times.

import { plural } from "./format.js";

/** A list of rows that grows at its end and drops its oldest beyond a limit. */
export class Rows {
  items = [];
  dropped = 0;
  bad = 0;
  warn = 0;
  #most;

  constructor(most) { this.#most = most; }

  get total() { return this.items.length + this.dropped; }

  append(rows) {
    for (const row of rows) {
      this.items.push(row);
      if (row.rating === "bad") this.bad += 1;
      if (row.rating === "warn") this.warn += 1;
    }
    if (this.items.length > this.#most) {
      const surplus = this.items.length - Math.floor(this.#most * 0.9);
      this.items.splice(0, surplus);
      this.dropped += surplus;
    }
  }
}

/** The index of the first row at or after a moment. */
export function firstFrom(rows, time) {
  let low = 0;
  let high = rows.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (rows[middle].t < time) low = middle + 1; else high = middle;
  }
  return low;
}

/** A note about the rows that a list has dropped; empty if it has all. */
export const droppedText = (count, noun) => (
  count > 0 ? `The oldest ${plural(count, noun)} were dropped from this list.` : ""
);
