// An event in one line: its kind, its rating, its text. The names and members are those of `yabbi-play help events`.

import {
  bytes, duration, finite, isKnownSize, isSet, moment, placeText, plural, shortAddress, valueText,
} from "./format.js";

/** The kinds of events, for the filter. */
export const kinds = {
  life: "Life of the ad",
  billing: "Beacons and verdicts",
  input: "Taps and links",
  video: "Video",
  network: "Requests",
  script: "Console and scripts",
  message: "Messages of ad and host",
  layout: "Layout and visibility",
  other: "Other",
};

/** The protocols between a creative and its host. */
export const protocols = { mraid: "MRAID", omid: "OMID", simid: "SIMID", vpaid: "VPAID" };

const join = (...parts) => parts.filter(isSet).map(valueText).join(" · ");
const words = (...parts) => parts.filter(isSet).map(valueText).join(" ");

/** `text(value)`, or null if the value is not known. */
const known = (value, text) => (isSet(value) ? text(value) : null);

/** The spot and event in a beacon's key, which has the form `ad/path/event/ordinal/index`. */
function beacon(key) {
  if (!isSet(key)) return "request of the creative";
  const parts = valueText(key).split("/");
  return parts.length < 4 ? parts.join("/") : parts.slice(1, -2).filter((part) => part !== "-").join(" ");
}

const quartiles = { 0: "start", 25: "first quartile", 50: "midpoint", 75: "third quartile", 100: "complete" };

const isCancelled = (event) => !isSet(event.status) && event.reason === "cancelled";

/** A request as the report rates it: without a response, or with a status from 400, it is a warning. */
function fetchRating(event) {
  if (isCancelled(event)) return "plain";
  return Number.isFinite(event.status) && event.status < 400 ? "plain" : "warn";
}

/** The status of a request, or in a word why it has none. */
export const statusText = (event) => (
  isSet(event.status) ? valueText(event.status) : isCancelled(event) ? "cancelled" : "failed"
);

/** The redirects of a request. */
export const redirectsOf = (event) => (
  Array.isArray(event.redirects) ? event.redirects.filter((each) => each !== null && typeof each === "object") : []
);

const fetchText = (event) => join(
  words(event.what ?? "request", statusText(event)),
  shortAddress(event.url),
  isCancelled(event) ? null : event.reason,
  known(event.ms, duration),
  isKnownSize(event.bytes) && event.bytes > 0 ? bytes(event.bytes) : null,
  redirectsOf(event).length > 0 ? plural(redirectsOf(event).length, "redirect") : null,
);

const levelRatings = { error: "bad", warning: "warn" };

const tapRatings = { click: "good", nothing: "warn" };

/** The entry of a table for a value of an event. */
const entry = (table, name) => (typeof name === "string" && Object.hasOwn(table, name) ? table[name] : undefined);

/** The arguments of a message: those of a call have names, those of an event have an order. */
function argumentsText(value) {
  if (Array.isArray(value)) return value.map(valueText).join(", ");
  if (value === null || typeof value !== "object") return isSet(value) ? valueText(value) : "";
  return Object.entries(value).filter(([, each]) => isSet(each)).map(
    ([name, each]) => `${name} ${valueText(each)}`,
  ).join(", ");
}

const isReply = (event) => event.direction !== "in" && event.type === "reply" && isSet(event.arguments?.call);

/** A message of a protocol in its parts: whether the creative sent it, its name, and the rest. */
export function messageParts(event) {
  const isCall = event.direction === "in";
  if (!isReply(event)) return { isCall, name: valueText(event.type), text: argumentsText(event.arguments) };
  const { call, outcome, reason } = event.arguments;
  return { isCall, name: valueText(call), text: [outcome, reason].filter(isSet).map(valueText).join(": ") };
}

function messageText(event) {
  const { isCall, name, text } = messageParts(event);
  if (isReply(event)) return `← ${name} ${text}`;
  return `${isCall ? "→" : "←"} ${name}(${text})`;
}

/** An error of a load or a show. */
const failure = (event) => join(
  event.code,
  event.message,
  known(event.vast, (code) => `VAST error ${valueText(code)}`),
  placeText(event),
);

const money = (event) => known(event.price, (price) => words(price, event.currency));

/** A time in milliseconds, or a share of the duration such as "25%". */
const time = (value) => (typeof value === "number" ? duration(value) : valueText(value));

const number = (value) => (Number.isFinite(value) ? String(Math.round(value * 10) / 10) : valueText(value));

const size = (event) => (isSet(event.width) ? `${number(event.width)}x${number(event.height)}` : null);

const point = (event) => (isSet(event.x) ? `${number(event.x)}, ${number(event.y)}` : null);

/** What a blank creative waited for and what had failed; each member is a list. */
function blankText(event) {
  const part = (list, noun, first) => (
    Array.isArray(list) && list.length > 0 ? `${plural(list.length, noun)}: ${first(list[0])}` : null
  );
  return join(
    "nothing of the creative was visible",
    part(event.requests, "failed request", (each) => join(shortAddress(each?.url), each?.reason)),
    part(event.errors, "script error", (each) => join(each?.message, placeText(each ?? {}))),
    part(event.waiting, "pending request", (each) => shortAddress(each)),
  );
}

const closeRules = {
  immediate: "there is no close delay",
  closeTimeout: "the close delay is over",
  watchdog: "the watchdog's time limit was reached",
  completed: "the video was played to its end",
  endCard: "its end card was displayed",
  skipOffset: "the skip offset was reached",
  failed: "the creative failed",
  crashed: "the creative crashed or stopped responding",
  creative: "a creative can always close itself",
  host: "the app can always close an ad",
  stage: "its view or window was removed",
};

const closeReasons = {
  user: "by the user (close button)",
  skipped: "skipped by the user",
  creative: "by the creative",
  host: "by the app",
  stageGone: "its view or window was removed",
  destroyed: "the app destroyed the ad",
  neverShown: "without being shown",
};

/** The rules that tell more of a close than its reason: not those by which users close ads anyway. */
const tellingRules = new Set(["watchdog", "completed", "endCard", "skipOffset", "failed", "crashed"]);

/** Why an ad was closed; the rule that allowed it only if the reason does not imply it. */
function closedText(event) {
  const rule = entry(closeRules, event.rule) ?? event.rule;
  const isTelling = event.reason === "user"
    ? tellingRules.has(event.rule) || !entry(closeRules, event.rule)
    : !entry(closeReasons, event.reason);
  return join(
    entry(closeReasons, event.reason) ?? known(event.reason, (by) => words("by", by)),
    isTelling ? rule : null,
    event.rewarded === true ? "rewarded" : null,
  );
}

const verdictTexts = {
  fired: "fired", counted: "counted", notFired: "not fired", withheld: "withheld",
  measured: "measured", notMeasured: "not measured",
};

/** Whether an event's tracker fired, or the event was counted. */
const isGoodVerdict = (event) => (
  isSet(event.outcome) ? ["fired", "counted", "measured"].includes(event.outcome) : event.fired === true
);

const isLost = (event) => typeof event.reason === "string" && event.reason.includes("not delivered yet");

function verdictText(event) {
  const outcome = isSet(event.outcome) ? event.outcome : event.fired === true ? "fired" : "notFired";
  const text = entry(verdictTexts, outcome) ?? valueText(outcome);
  return join(isSet(event.of) ? `${valueText(event.of)}: ${text}` : text, event.reason);
}

const hostTexts = {
  covered: "the app covers the ad",
  uncovered: "the app no longer covers the ad",
  background: "the app is in the background",
  foreground: "the app is in the foreground again",
  offline: "the device is offline",
  online: "the device is online again",
  volume: "the device has another volume",
  obstructed: "views of the app are over a part of the ad",
  unobstructed: "no view of the app is over the ad any more",
};

/** What the app or its device did. */
function hostText(event) {
  if (event.what === "resized") {
    return known(size(event), (text) => `the screen is ${text}`) ?? "the screen has another size";
  }
  return entry(hostTexts, event.what) ?? unknownText(event);
}

/** For each event its kind, its rating (or a function of the event), and the function that makes its text. */
const table = {
  loadStarted: ["life", "plain", () => "the load started"],
  loaded: [
    "life",
    "good",
    (e) => join(
      e.kind,
      e.size,
      known(e.duration, (value) => `lasts ${time(value)}`),
      known(e.closeTimeout, (value) => `close delay ${time(value)}`),
      known(e.skipOffset, (value) => `skip after ${time(value)}`),
    ),
  ],
  loadFailed: ["life", "bad", failure],
  shown: [
    "life",
    "good",
    (e) => join(
      known(e.rendered, (value) => `drawn at ${valueText(value)}`),
      known(e.requested, (value) => `requested ${valueText(value)}`),
      known(e.container, (value) => `container ${valueText(value)}`),
    ),
  ],
  showFailed: ["life", "bad", failure],
  view: ["billing", "good", (e) => join("counted", e.policy)],
  paid: ["billing", "good", (e) => join(money(e), e.precision)],
  click: ["billing", "good", () => "counted"],
  rewarded: [
    "billing",
    "good",
    (e) => join(
      words(e.amount, e.type) || "the reward is earned",
      known(e.transaction, (id) => words("transaction", id)),
    ),
  ],
  tap: [
    "input",
    (e) => entry(tapRatings, e.outcome) ?? "plain",
    (e) => join(known(point(e), (at) => `at ${at}`), e.target, e.outcome, known(e.url, shortAddress), e.reason),
  ],
  linkOpened: ["input", "plain", (e) => join(shortAddress(e.url), e.opened === false ? "not opened" : e.mode)],
  blocked: ["input", "bad", (e) => join(e.kind, e.detail)],
  closeAvailable: ["life", "plain", (e) => join("can be closed", entry(closeRules, e.rule) ?? e.rule)],
  closed: ["life", "plain", closedText],
  expired: ["life", "bad", () => "the ad's lifetime is over"],
  skipAvailable: ["video", "plain", () => "can be skipped"],
  skipped: ["video", "plain", () => "by the user"],
  quartile: [
    "video",
    "plain",
    (e) => join(
      entry(quartiles, valueText(e.q)) ?? known(e.q, (q) => `${valueText(q)} %`),
      finite(e.spot, 1) > 1 ? `spot ${e.spot}` : null,
    ),
  ],
  mediaStall: [
    "video",
    "warn",
    (e) => join(
      `stalled for ${duration(e.ms)}`,
      known(e.position, (seconds) => `at ${Number.isFinite(seconds) ? duration(seconds * 1000) : valueText(seconds)}`),
    ),
  ],
  captions: [
    "video",
    (e) => (Array.isArray(e.issues) && e.issues.length > 0 ? "warn" : "plain"),
    (e) => join(
      words(e.state, known(e.language, (language) => `in ${valueText(language)}`)),
      e.format,
      Array.isArray(e.issues) && e.issues.length > 0 ? e.issues.map(valueText).join("; ") : null,
    ),
  ],
  issue: ["life", "warn", (e) => join(e.code, e.message, e.place)],
  beaconRecorded: ["billing", "plain", (e) => join(beacon(e.key), shortAddress(e.url))],
  beaconDelivered: [
    "billing",
    "good",
    (e) => join(beacon(e.key), finite(e.attempts) > 1 ? `attempt ${e.attempts}` : null),
  ],
  beaconUnconfirmed: ["billing", "warn", (e) => join(beacon(e.key), e.reason)],
  beaconDead: ["billing", "bad", (e) => join(beacon(e.key), e.reason)],
  beaconWithheld: ["billing", "plain", (e) => join(beacon(e.key), shortAddress(e.url))],
  verdict: ["billing", (e) => (isLost(e) || e.outcome === "notMeasured" ? "warn" : isGoodVerdict(e) ? "good" : "plain"), verdictText],
  fetch: ["network", fetchRating, fetchText],
  requestFailed: ["network", "bad", (e) => join(shortAddress(e.url), e.reason)],
  scriptError: ["script", "bad", (e) => join(e.message, placeText(e))],
  console: ["script", (e) => entry(levelRatings, e.level) ?? "plain", (e) => join(e.level, e.text, placeText(e))],
  longTask: ["script", "warn", (e) => `a script kept the page busy for ${duration(e.ms)}`],
  scriptCall: [
    "script",
    (e) => (e.purpose === "fingerprint" ? "warn" : "plain"),
    (e) => join(entry(purposes, e.purpose) ?? e.purpose, e.name),
  ],
  mediaStart: [
    "script",
    (e) => (e.audible === true && e.afterGesture !== true ? "warn" : "plain"),
    (e) => join(
      words(e.element, "started", e.afterGesture === true ? "after a press" : "by itself"),
      e.audible === true ? "with sound" : "silent",
    ),
  ],
  painted: ["layout", "plain", (e) => `first content after ${duration(e.ms)}`],
  use: [
    "script",
    "plain",
    (e) => join(
      words("processor", duration(e.cpu)),
      known(e.memory, (count) => words("memory", bytes(count))),
      known(e.animationEnd, (seconds) => words("animations until", duration(finite(seconds) * 1000))),
      e.endless === true ? "animations without an end" : null,
      e.changing === true ? "still changing" : null,
      Array.isArray(e.cookies) && e.cookies.length > 0 ? `cookies: ${e.cookies.length}` : null,
    ),
  ],
  layout: ["layout", "plain", (e) => join(known(size(e), (text) => words(text, "at", point(e))), e.mode)],
  host: ["layout", "plain", hostText],
  scroll: ["layout", "plain", (e) => `to ${point(e) ?? "an unknown place"}`],
  visible: [
    "layout",
    (e) => (finite(e.ratio) > 0 ? "plain" : "warn"),
    (e) => `${Number.isFinite(e.ratio) ? Math.round(e.ratio * 100) : valueText(e.ratio)} % visible`,
  ],
  blank: ["life", "bad", blankText],
  auctionStarted: ["life", "plain", () => "the auction started"],
  bid: ["life", "plain", (e) => join(e.bidder, money(e), e.outcome, e.reason, known(e.ms, duration))],
  auctionEnded: [
    "life",
    "plain",
    (e) => join(known(e.winner, (name) => words("won by", name)) ?? "no offer", money(e), known(e.ms, duration)),
  ],
  offerFailed: ["life", "warn", failure],
  omitted: [
    "other",
    "warn",
    (e) => (entry(table, e.kind) ? `further events “${e.kind}” are not listed` : words("not listed:", e.kind)),
  ],
  ignored: ["other", "plain", (e) => join(e.input, e.reason)],
  simulated: ["other", "plain", (e) => join(e.host, bytes(e.bytes))],
  told: ["other", "plain", (e) => join(e.what, e.uid, known(e.cid, (cid) => words("cid", cid)))],
  socket: ["network", "plain", (e) => join(e.state, known(e.url, shortAddress))],
};

for (const protocol of Object.keys(protocols)) {
  table[protocol] = [
    "message",
    (e) => (e.type === "error" || e.arguments?.outcome === "refused" ? "warn" : "plain"),
    messageText,
  ];
}

const purposes = { fingerprint: "fingerprinting", storage: "storage", permission: "permission", worker: "worker" };

const names = {
  ...protocols,
  loadStarted: "load started", loadFailed: "load failed", showFailed: "show failed", linkOpened: "link",
  closeAvailable: "close available", skipAvailable: "skip available", mediaStall: "media stall",
  beaconRecorded: "beacon recorded", beaconDelivered: "beacon delivered", beaconUnconfirmed: "beacon unconfirmed",
  beaconDead: "beacon dead", beaconWithheld: "beacon withheld", requestFailed: "request failed",
  scriptCall: "browser interface", mediaStart: "media start", painted: "first content", use: "use",
  scriptError: "script error", longTask: "long task", auctionStarted: "auction started",
  auctionEnded: "auction ended", offerFailed: "offer failed", told: "sent by the page",
  host: "app and device",
};

const ownMembers = new Set(["t", "ad", "provider", "event"]);
const longestText = 400;

/** One event of an ad. Its text is made when it is shown: most rows of many never are. */
export class EventRow {
  #text = null;

  /** `time` is that of the event before, for an event that has none. */
  constructor(number, data, time) {
    this.number = number;
    this.data = data;
    this.t = finite(data.t, time);
    this.event = data.event;
    const [kind, rating] = entry(table, this.event) ?? ["other", "plain"];
    this.kind = kind;
    this.rating = typeof rating === "function" ? rating(data) : rating;
  }

  get name() { return entry(names, this.event) ?? this.event; }

  get time() { return moment(this.t); }

  get text() {
    if (this.#text === null) {
      const make = entry(table, this.event)?.[2] ?? unknownText;
      const text = make(this.data);
      this.#text = text.length > longestText ? `${text.slice(0, longestText - 1)}…` : text;
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
  return Object.entries(data).filter(([name]) => !ownMembers.has(name)).map(
    ([name, value]) => `${name} ${valueText(value)}`,
  ).join(", ");
}
