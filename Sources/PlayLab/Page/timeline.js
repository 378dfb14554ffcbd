// The timeline: lanes, a film strip, and a scrubber that shows any past moment.

import { adAddress } from "./api.js";
import { beforeNextFrame, byId, make } from "./dom.js";
import { about, moment } from "./format.js";
import { axisEnd, drawLanes, dropColours, LaneData } from "./lanes.js";
import { firstFrom } from "./rows.js";

const scrubber = byId("scrubber");
const canvas = byId("lanes");
const film = byId("film");
const cursor = byId("cursor");
const time = byId("timeline-time");
const liveButton = byId("timeline-live");
const documentButton = byId("timeline-document");

let ad = null;
let data = new LaneData();
let end = 2000;
let chosen = null;
let hovered = null;
let listener = () => {};

/** `onMoment(time)` is called with the chosen moment, or null for the present. */
export function onMoment(value) { listener = value; }

export const chosenMoment = () => chosen;

export function setTimelineAd(value) {
  ad = value;
  data = new LaneData();
  chosen = null;
  hovered = null;
  film.replaceChildren();
  thumbnails.clear();
  scrubber.setAttribute("aria-disabled", String(!ad));
  update();
}

export function appendToTimeline(rows) {
  data.append(rows, ad?.speed ?? 1);
  update();
}

export const updateTimeline = () => update();

let drawnAt = 0;
let timer = 0;

/** Draws with the next frame, and not more often than every 100 ms unless `isUrgent`. */
function update(isUrgent = false) {
  const wait = drawnAt + 100 - performance.now();
  if (isUrgent === true || wait <= 0) beforeNextFrame(render);
  else if (!timer) {
    timer = setTimeout(() => {
      timer = 0;
      beforeNextFrame(render);
    }, wait);
  }
}

function render() {
  drawnAt = performance.now();
  const now = ad?.now ?? 0;
  end = ad ? axisEnd(now, ad.hasEnded) : 2000;
  drawLanes(canvas, data, end, now);
  renderFilm();
  renderCursor(now);
}

function renderCursor(now) {
  const at = chosen ?? now;
  cursor.hidden = !ad;
  cursor.classList.toggle("past", chosen !== null);
  cursor.style.left = `${Math.min(100, (at / end) * 100)}%`;
  scrubber.setAttribute("aria-valuemax", String(Math.round(now)));
  scrubber.setAttribute("aria-valuenow", String(Math.round(at)));
  scrubber.setAttribute("aria-valuetext", describe());
  const shown = hovered ?? at;
  const isPast = hovered !== null || chosen !== null;
  const note = isPast ? eventsNear(shown) : ad?.hasEnded ? "· ended" : "· live";
  time.textContent = ad
    ? `${moment(shown)} s ${note}`
    : "Run an ad; then point or drag here to see any moment of it.";
  liveButton.disabled = chosen === null;
  liveButton.textContent = ad?.hasEnded ? "Last picture" : "Live";
  documentButton.disabled = !ad || documentAt(chosen ?? now) === null;
}

function describe() {
  if (!ad) return "no ad";
  if (chosen === null) return ad.hasEnded ? "the end" : "live";
  return `${about(chosen)} ${eventsNear(chosen)}`;
}

/** What happened within a few pixels of a moment. */
function eventsNear(at) {
  const reach = (end / Math.max(200, scrubber.clientWidth)) * 5;
  const { items } = ad.events;
  const first = firstFrom(items, at - reach);
  const count = firstFrom(items, at + reach) - first;
  const texts = items.slice(first, first + Math.min(3, count)).map(
    (row) => `${row.name}${row.text ? ` ${row.text}` : ""}`.slice(0, 60),
  );
  if (count > 3) texts.push(`and ${count - 3} more`);
  return texts.length > 0 ? `· ${texts.join(" · ")}` : "";
}

// The film strip

const thumbnails = new Map();

/** Pictures are chosen by powers of two, so that a growing strip keeps those it has and drops every other one. */
function renderFilm() {
  const frames = ad?.strip.frames ?? [];
  const height = film.clientHeight;
  const size = ad?.state.screen ?? { width: 390, height: 844 };
  const width = Math.max(18, Math.min(110, (height * size.width) / size.height)) + 3;
  const wanted = new Set();
  let taken = -Infinity;
  const room = (width / Math.max(1, film.clientWidth)) * end;
  for (const frame of frames) {
    // A picture is placed at its time, and left out where it would cover the one before.
    if (frame.t - taken < room) continue;
    taken = frame.t;
    wanted.add(frame.n);
    let image = thumbnails.get(frame.n);
    if (!image) {
      image = make("img", { src: adAddress(ad.id, "frame", { n: frame.n }), alt: "", draggable: "false" });
      image.addEventListener("load", () => image.classList.add("here"));
      image.addEventListener("error", () => { image.hidden = true; });
      thumbnails.set(frame.n, image);
      film.append(image);
    }
    image.style.left = `${(frame.t / end) * 100}%`;
    image.style.width = `${width - 3}px`;
  }
  for (const [number, image] of thumbnails) {
    if (wanted.has(number)) continue;
    image.remove();
    thumbnails.delete(number);
  }
}

/** The last kept picture, or document, up to a moment. */
function lastUpTo(list, at) {
  let found = null;
  for (const each of list) {
    if (each.t <= at && (!found || each.t >= found.t)) found = each;
  }
  return found;
}

export const pictureAt = (at) => (ad ? lastUpTo(ad.strip.frames, at) ?? ad.strip.frames[0] ?? null : null);

export const documentAt = (at) => (ad ? lastUpTo(ad.strip.documents, at) ?? ad.strip.documents[0] ?? null : null);

// Scrubbing

function choose(at) {
  if (!ad) return;
  const now = ad.now;
  chosen = at === null || at >= now ? null : Math.max(0, at);
  listener(chosen);
  update(true);
}

export const goLive = () => choose(null);

const timeAt = (event) => {
  const box = scrubber.getBoundingClientRect();
  return ((event.clientX - box.left) / box.width) * end;
};

scrubber.addEventListener("pointerdown", (event) => {
  if (!ad || event.button !== 0) return;
  scrubber.setPointerCapture(event.pointerId);
  choose(timeAt(event));
});

scrubber.addEventListener("pointermove", (event) => {
  if (!ad) return;
  if (scrubber.hasPointerCapture(event.pointerId)) choose(timeAt(event));
  hovered = Math.min(ad.now, Math.max(0, timeAt(event)));
  update();
});

scrubber.addEventListener("pointerleave", () => {
  hovered = null;
  update();
});

/** The kept picture before or after a moment. */
function neighbour(at, direction) {
  const frames = ad.strip.frames.map((frame) => frame.t).sort((a, b) => a - b);
  return direction > 0 ? frames.find((each) => each > at + 1) ?? ad.now : frames.findLast((each) => each < at - 1) ?? 0;
}

scrubber.addEventListener("keydown", (event) => {
  if (!ad) return;
  const at = chosen ?? ad.now;
  const step = Math.max(10, end / 100);
  const next = {
    ArrowLeft: event.shiftKey ? neighbour(at, -1) : at - step,
    ArrowRight: event.shiftKey ? neighbour(at, 1) : at + step,
    ArrowDown: at - step,
    ArrowUp: at + step,
    PageDown: at - step * 10,
    PageUp: at + step * 10,
    Home: 0,
    End: Infinity,
  }[event.key];
  if (next === undefined) return;
  event.preventDefault();
  choose(Math.max(0, next));
});

liveButton.addEventListener("click", goLive);
new ResizeObserver(() => update(true)).observe(scrubber);

export function themeChanged() {
  dropColours();
  update(true);
}

setInterval(() => { if (ad && !ad.hasEnded && !document.hidden) update(); }, 100);
