// Draws the lanes of the timeline: phases, events, visibility, network, and the axis.

import { finite } from "./format.js";

const lane = { phases: [2, 14], events: [20, 20], visible: [44, 12], network: [60, 16], axis: 80 };

/** The height of the drawing in CSS pixels. */
const lanesHeight = 94;

const probe = document.createElement("span");
probe.hidden = true;
document.documentElement.append(probe);
let colours = null;

/** A theme's colours are computed once; a changed theme drops them. */
export function dropColours() { colours = null; }

function colour(name) {
  colours ??= new Map();
  if (!colours.has(name)) {
    probe.style.color = `var(--${name})`;
    colours.set(name, getComputedStyle(probe).color);
  }
  return colours.get(name);
}

const steps = [100, 200, 500, 1000, 2000, 5000, 10000, 20000, 30000, 60000, 120000, 300000, 600000, 1800000, 3600000];

/** A length of the axis that has room for `time` and doesn't change with every event. */
export function axisEnd(time, hasEnded) {
  if (hasEnded) return Math.max(100, time);
  for (const each of [2000, 5000, 10000, 20000, 30000, 60000, 120000, 300000, 600000]) {
    if (time < each * 0.95) return each;
  }
  return Math.ceil((time * 1.1) / 600000) * 600000;
}

function label(milliseconds, step) {
  if (step < 1000) return `${(milliseconds / 1000).toFixed(1)} s`;
  return milliseconds < 60000 || step < 60000 ? `${milliseconds / 1000} s` : `${milliseconds / 60000} min`;
}

const bucketLength = 50;

/** What the timeline keeps of the events, however many come. */
export class LaneData {
  phases = [];

  /** For each 50 ms with events, how many there were and the worst rating. */
  marks = new Map();
  visible = [];
  requests = [];
  #most = 20000;
  #ratio = null;
  #hidden = new Set();

  append(rows, speed) {
    for (const row of rows) {
      switch (row.event) {
        case "loadStarted": this.phases.push({ name: "loading", t: row.t }); break;
        case "loaded": this.phases.push({ name: "waiting", t: row.t }); break;
        case "shown": this.phases.push({ name: "on screen", t: row.t }); break;
        case "closed": case "expired": case "loadFailed": case "showFailed": this.phases.push({
          name: "over",
          t: row.t,
        }); break;
        case "visible":
          this.#ratio = finite(row.data.ratio);
          this.#addVisible(row.t);
          break;
        case "host": this.#host(row); break;
        case "fetch": this.requests.push({
          end: row.t,
          start: Math.max(0, row.t - finite(row.data.ms) * speed),
          rating: row.rating,
          what: row.data.what,
        }); break;
      }
      if (row.event !== "fetch") this.#mark(row);
    }
    for (const list of [this.requests, this.visible]) {
      if (list.length > this.#most) list.splice(0, list.length - this.#most * 0.9);
    }
  }

  /** A covered ad, and one of an app in the background, is not visible until that is over. */
  #host({ t, data }) {
    switch (data.what) {
      case "covered": case "background": this.#hidden.add(data.what); break;
      case "uncovered": this.#hidden.delete("covered"); break;
      case "foreground": this.#hidden.delete("background"); break;
      default: return;
    }
    if (this.#ratio !== null) this.#addVisible(t);
  }

  #addVisible(t) { this.visible.push({ t, ratio: this.#hidden.size > 0 ? 0 : this.#ratio }); }

  #mark({ t, rating }) {
    const bucket = Math.floor(t / bucketLength);
    const known = this.marks.get(bucket);
    if (!known) this.marks.set(bucket, { t, rating, count: 1 });
    else {
      known.count += 1;
      if (weight[rating] > weight[known.rating]) known.rating = rating;
    }
  }
}

const phaseColours = { loading: "loading", waiting: "waiting", "on screen": "showing", over: "plain-bg" };
const phaseInks = { loading: "ink", waiting: "ink", "on screen": "on-showing", over: "ink" };
const weight = { plain: 0, good: 1, warn: 2, bad: 3 };

export function drawLanes(canvas, data, end, now) {
  const width = canvas.clientWidth;
  if (width === 0) return;
  const ratio = devicePixelRatio || 1;
  const pixels = [Math.round(width * ratio), Math.round(lanesHeight * ratio)];
  if (canvas.width !== pixels[0] || canvas.height !== pixels[1]) [canvas.width, canvas.height] = pixels;
  const context = canvas.getContext("2d");
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.clearRect(0, 0, width, lanesHeight);
  const x = (time) => (time / end) * width;
  drawAxis(context, width, end, x);
  context.font = "600 10.5px system-ui, sans-serif";
  context.textBaseline = "middle";
  data.phases.forEach((phase, index) => {
    const from = x(phase.t);
    const to = x(Math.max(phase.t, data.phases[index + 1]?.t ?? Math.max(now, phase.t)));
    if (phase.name === "over" && index === data.phases.length - 1) return;
    context.fillStyle = colour(phaseColours[phase.name]);
    context.fillRect(from, lane.phases[0], Math.max(1, to - from), lane.phases[1]);
    if (to - from > context.measureText(phase.name).width + 10) {
      context.fillStyle = colour(phaseInks[phase.name]);
      context.fillText(phase.name, from + 5, lane.phases[0] + lane.phases[1] / 2 + 0.5);
    }
  });
  drawVisible(context, data.visible, now, x);
  drawMarks(context, data.marks, width, x);
  const seen = new Set();
  for (const request of data.requests) {
    const from = x(request.start);
    const to = Math.max(from + 2, x(request.end));
    const row = request.what === "beacon" ? 2 : request.what === "creative" ? 1 : 0;
    const key = `${Math.round(from)} ${Math.round(to)} ${row} ${request.rating}`;
    if (seen.has(key)) continue;
    seen.add(key);
    const isProblem = request.rating !== "plain";
    context.fillStyle = colour(isProblem ? request.rating : request.what === "beacon" ? "good" : "showing");
    context.fillRect(from, lane.network[0] + row * 5.5, to - from, 4.5);
  }
}

function drawAxis(context, width, end, x) {
  const step = steps.find((each) => x(each) >= 64) ?? steps.at(-1);
  context.font = "11px system-ui, sans-serif";
  context.textBaseline = "middle";
  for (let time = 0; time <= end; time += step) {
    const place = Math.round(x(time)) + 0.5;
    context.fillStyle = colour("line");
    context.fillRect(place - 0.5, 0, 1, lane.axis);
    const text = label(time, step);
    const room = context.measureText(text).width;
    context.fillStyle = colour("soft");
    if (place - room / 2 < 0) context.fillText(text, 0, lane.axis + 7);
    else if (place + room / 2 <= width) context.fillText(text, place - room / 2, lane.axis + 7);
  }
}

function drawVisible(context, visible, now, x) {
  context.fillStyle = colour("visibility");
  visible.forEach(({ t, ratio }, index) => {
    const to = visible[index + 1]?.t ?? Math.max(now, t);
    const height = Math.max(0, Math.min(1, ratio)) * lane.visible[1];
    context.fillRect(x(t), lane.visible[0] + lane.visible[1] - height, Math.max(1, x(to) - x(t)), height);
    if (height === 0) context.fillRect(x(t), lane.visible[0] + lane.visible[1] - 1, Math.max(1, x(to) - x(t)), 1);
  });
}

/** One mark for a pixel: the worst of the events there; more events make a taller mark. */
function drawMarks(context, marks, width, x) {
  const columns = new Map();
  for (const { t, rating, count } of marks.values()) {
    const column = Math.round(x(t) / 2);
    const known = columns.get(column);
    if (!known) columns.set(column, { rating, count });
    else {
      known.count += count;
      if (weight[rating] > weight[known.rating]) known.rating = rating;
    }
  }
  const middle = lane.events[0] + lane.events[1] / 2;
  for (const [column, { rating, count }] of columns) {
    const height = Math.min(lane.events[1], 8 + Math.log2(count) * 2);
    context.fillStyle = colour(rating === "plain" ? "mark" : rating);
    context.beginPath();
    context.roundRect(Math.min(width - 3, column * 2 - 1.5), middle - height / 2, 3, height, 1.5);
    context.fill();
  }
}
