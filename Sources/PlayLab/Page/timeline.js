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
  ratios.clear();
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
    (row) => `${row.name}${row.text ? `: ${row.text}` : ""}`.slice(0, 60),
  );
  if (count > 3) texts.push(`and ${count - 3} more`);
  return texts.length > 0 ? `· ${texts.join(" · ")}` : "";
}

// The film strip

/** The images by the time at which they are, and the aspect ratios of pictures by their number. */
const thumbnails = new Map();
const ratios = new Map();

/** The width of a thumbnail in pixels, with its gap, as `.film img` limits it. */
function thumbnailWidth(number, height) {
  if (!ratios.has(number)) {
    // A picture that is new has the shape of the screen; a loaded one tells its own.
    const { width, height: length } = ad.state.screen ?? {};
    ratios.set(number, width > 0 && length > 0 ? width / length : 0.5);
  }
  return Math.max(18, Math.min(110, height * ratios.get(number))) + 3;
}

/**
 * The pictures that have room on the strip, each with its place. Of those that would cover each other the last is
 * shown, at the time of the first: so places stay as they are when pictures are added.
 */
function filmPlaces() {
  const frames = (ad?.strip.frames ?? []).filter((frame) => Number.isFinite(frame?.t));
  const scale = end / Math.max(1, film.clientWidth);
  const height = film.clientHeight;
  const places = [];
  for (let index = 0; index < frames.length;) {
    const { t } = frames[index];
    let shown = frames[index].n;
    index += 1;
    while (index < frames.length && frames[index].t - t < thumbnailWidth(shown, height) * scale) {
      shown = frames[index].n;
      index += 1;
    }
    places.push({ t, number: shown });
  }
  return places;
}

function makeThumbnail() {
  const image = make("img", { alt: "", draggable: "false" });
  image.addEventListener("load", () => {
    image.classList.add("here");
    image.hidden = false;
    const ratio = image.naturalWidth / image.naturalHeight;
    const number = Number(image.dataset.number);
    if (!(ratio > 0) || ratios.get(number) === ratio) return;
    ratios.set(number, ratio);
    update();
  });
  image.addEventListener("error", () => { image.hidden = true; });
  return image;
}

function renderFilm() {
  const places = filmPlaces();
  const wanted = new Set(places.map((place) => place.t));
  for (const [t, image] of thumbnails) {
    if (wanted.has(t)) continue;
    image.remove();
    thumbnails.delete(t);
  }
  for (const { t, number } of places) {
    let image = thumbnails.get(t);
    if (!image) {
      thumbnails.set(t, (image = makeThumbnail()));
      film.append(image);
    }
    // The picture before stays until this one is loaded.
    if (image.dataset.number !== String(number)) {
      image.dataset.number = String(number);
      image.src = adAddress(ad.id, "frame", { n: number });
    }
    image.style.left = `${(t / end) * 100}%`;
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
