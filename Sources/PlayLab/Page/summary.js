// What an event says, in one line: its kind, its rating, its text.

import { bytes, duration, moment, shortAddress, valueText } from "./format.js";

/** The kinds of events, for the filter. */
export const kinds = {
  life: "Life of the ad",
  billing: "Beacons and verdicts",
  input: "Taps and links",
  video: "Video",
  network: "Requests",
  script: "Console and scripts",
  mraid: "MRAID",
  layout: "Layout and visibility",
  other: "Other",
};

const join = (...parts) => parts.filter((part) => part !== null && part !== undefined && part !== "").join(" · ");

/** What a beacon's key says: spot and event, without the ad's id and the counters. */
function beacon(key) {
  const parts = String(key ?? "").split("/");
  if (parts.length < 4) return String(key ?? "");
  return parts.slice(1, -2).filter((part) => part !== "-").join(" ");
}

const quartiles = { 0: "start", 25: "first quartile", 50: "midpoint", 75: "third quartile", 100: "complete" };

function fetchText(event) {
  const failed = isFailedFetch(event);
  return join(
    `${event.what ?? "request"} ${event.status ?? "no answer"}`,
    shortAddress(event.url),
    failed ? event.reason : null,
    duration(event.ms),
    event.bytes ? bytes(event.bytes) : null,
    event.redirects?.length ? `${event.redirects.length} redirects`.replace(/^1 redirects$/, "1 redirect") : null,
  );
}

export const isFailedFetch = (event) => !event.status || event.status >= 400 || event.status < 100;

const place = (event) => (event.url ? `${shortAddress(event.url, 60)}${event.line ? `:${event.line}` : ""}` : null);

const levelRatings = { error: "bad", warn: "warn", warning: "warn" };

const argumentsText = (event) => (event.arguments ?? []).map(valueText).join(", ");

const tapRatings = { click: "good", blocked: "bad", none: "plain" };

/** For each event its kind, its rating (or a function of the event), and the function that makes its text. */
const table = {
  loadStarted: ["life", "plain", () => "the load started"],
  loaded: [
    "life",
    "good",
    (e) => join(
      e.kind,
      e.size,
      e.duration ? `lasts ${duration(e.duration)}` : null,
      e.closeTimeout ? `close delay ${duration(e.closeTimeout)}` : null,
      e.skipOffset ? `skip after ${duration(e.skipOffset)}` : null,
    ),
  ],
  loadFailed: ["life", "bad", (e) => e.reason ?? e.message ?? "the load failed"],
  shown: [
    "life",
    "good",
    (e) => join(
      e.rendered ? `drawn at ${e.rendered}` : null,
      e.requested ? `requested ${e.requested}` : null,
      e.container ? `container ${e.container}` : null,
    ),
  ],
  showFailed: ["life", "bad", (e) => e.reason ?? e.message ?? "the show failed"],
  view: ["billing", "good", (e) => join("counted", e.policy)],
  paid: [
    "billing",
    "good",
    (e) => join(e.price !== undefined ? `${e.price} ${e.currency ?? ""}`.trim() : null, e.bidder),
  ],
  click: ["billing", "good", () => "counted"],
  rewarded: [
    "billing",
    "good",
    (e) => join(
      e.amount !== undefined ? `${e.amount} ${e.currency ?? e.item ?? ""}`.trim() : "the reward is due",
      e.reason,
    ),
  ],
  tap: [
    "input",
    (e) => tapRatings[e.outcome] ?? "plain",
    (e) => join(
      e.x === null || e.x === undefined ? null : `at ${Math.round(e.x)}, ${Math.round(e.y)}`,
      e.target,
      e.outcome,
      e.url && shortAddress(e.url),
      e.reason,
    ),
  ],
  linkOpened: ["input", "plain", (e) => shortAddress(e.url)],
  blocked: ["input", "bad", (e) => join(e.kind, e.detail)],
  closeAvailable: ["life", "plain", (e) => `can be closed (${e.rule ?? "no rule"})`],
  closed: ["life", "plain", (e) => join(e.reason ? `by ${e.reason}` : null, e.rule)],
  expired: ["life", "warn", () => "the ad's lifetime is over"],
  skipAvailable: ["video", "plain", () => "can be skipped"],
  skipped: ["video", "plain", () => "by the user"],
  quartile: [
    "video",
    "plain",
    (e) => join(quartiles[e.q] ?? (e.q === undefined ? null : `${e.q} %`), e.spot > 1 ? `spot ${e.spot}` : null),
  ],
  mediaStall: [
    "video",
    "warn",
    (e) => join(`stalled for ${duration(e.ms)}`, e.position !== undefined ? `at ${valueText(e.position)}` : null),
  ],
  issue: ["life", "warn", (e) => join(e.code, e.message, e.place)],
  beaconRecorded: ["billing", "plain", (e) => join(beacon(e.key), shortAddress(e.url))],
  beaconDelivered: ["billing", "good", (e) => join(beacon(e.key), e.attempts > 1 ? `attempt ${e.attempts}` : null)],
  beaconUnconfirmed: ["billing", "warn", (e) => join(beacon(e.key), e.reason)],
  beaconDead: ["billing", "bad", (e) => join(beacon(e.key), e.reason)],
  beaconWithheld: ["billing", "plain", (e) => join(beacon(e.key), shortAddress(e.url))],
  verdict: [
    "billing",
    (e) => (e.fired ? "good" : "plain"),
    (e) => join(`${e.of} ${e.fired ? "fired" : "did not fire"}`, e.reason),
  ],
  fetch: ["network", (e) => (isFailedFetch(e) ? "bad" : "plain"), fetchText],
  requestFailed: ["network", "bad", (e) => join(shortAddress(e.url), e.reason)],
  scriptError: ["script", "bad", (e) => join(e.message, place(e))],
  console: ["script", (e) => levelRatings[e.level] ?? "plain", (e) => join(e.level, e.text, place(e))],
  longTask: ["script", "warn", (e) => `the creative's scripts ran for ${duration(e.ms)}`],
  mraid: [
    "mraid",
    (e) => (e.type === "error" ? "bad" : "plain"),
    (e) => `${e.direction === "in" ? "creative →" : "→ creative"} ${e.type}(${argumentsText(e)})`,
  ],
  layout: [
    "layout",
    "plain",
    (e) => join(e.width === undefined ? null : `${e.width}x${e.height} at ${e.x}, ${e.y}`, e.mode),
  ],
  scroll: ["layout", "plain", (e) => `to ${e.x}, ${e.y}`],
  visible: [
    "layout",
    (e) => (e.ratio > 0 ? "plain" : "warn"),
    (e) => `${Math.round((Number(e.ratio) || 0) * 100)} % visible`,
  ],
  blank: ["life", "bad", (e) => join("nothing of the creative was visible", e.reason ?? e.detail)],
  auctionStarted: ["life", "plain", () => "the auction started"],
  bid: [
    "life",
    "plain",
    (e) => join(e.bidder, e.price !== undefined ? `${e.price} ${e.currency ?? ""}`.trim() : null, e.outcome, e.reason),
  ],
  auctionEnded: ["life", "plain", (e) => join(e.winner ? `won by ${e.winner}` : null, e.reason)],
  offerFailed: ["life", "warn", (e) => e.reason ?? ""],
  report: ["other", "plain", (e) => e.path ?? ""],
};

const names = {
  loadStarted: "load started", loadFailed: "load failed", showFailed: "show failed", linkOpened: "link",
  closeAvailable: "close available", skipAvailable: "skip available", mediaStall: "media stall",
  beaconRecorded: "beacon recorded", beaconDelivered: "beacon delivered", beaconUnconfirmed: "beacon unconfirmed",
  beaconDead: "beacon dead", beaconWithheld: "beacon withheld", requestFailed: "request failed",
  scriptError: "script error", longTask: "long task", mraid: "MRAID", auctionStarted: "auction started",
  auctionEnded: "auction ended", offerFailed: "offer failed",
};

const known = new Set(["t", "ad", "provider", "event"]);

/** One event of an ad. Its texts are made when they are needed, as most rows of a flood are never seen. */
export class EventRow {
  #text = null;

  constructor(number, data) {
    this.number = number;
    this.data = data;
    this.t = Number(data.t) || 0;
    this.event = String(data.event);
    const entry = Object.hasOwn(table, this.event) ? table[this.event] : null;
    this.kind = entry?.[0] ?? "other";
    const rating = entry?.[1] ?? "plain";
    this.rating = typeof rating === "function" ? rating(data) : rating;
  }

  get name() { return Object.hasOwn(names, this.event) ? names[this.event] : this.event; }

  get time() { return moment(this.t); }

  get text() {
    if (this.#text === null) {
      const entry = Object.hasOwn(table, this.event) ? table[this.event] : null;
      this.#text = entry ? entry[2](this.data) : unknownText(this.data);
      if (this.#text.length > 400) this.#text = `${this.#text.slice(0, 399)}…`;
    }
    return this.#text;
  }

  /** Whether the row or its JSON contains `text`, which is in lower case. */
  contains(text) {
    return this.name.toLowerCase().includes(text)
      || this.text.toLowerCase().includes(text)
      || JSON.stringify(this.data).toLowerCase().includes(text);
  }
}

function unknownText(data) {
  return Object.entries(data).filter(([name]) => !known.has(name)).map(
    ([name, value]) => `${name} ${valueText(value)}`,
  ).join(", ");
}
