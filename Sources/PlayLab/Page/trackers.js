// The panel Trackers: each with its outcome, why, and where it comes from.

import { badge, byId, emptyNote, filterField, filterText, make, sign } from "./dom.js";
import { isSet, moment, plural, valueText } from "./format.js";

const panel = byId("panel-trackers");
const outcomes = {
  fired: "fired",
  counted: "counted",
  notFired: "not fired",
  withheld: "withheld",
  pending: "pending",
};
const undelivered = "fired, not delivered";

const search = filterField("Filter trackers", () => refresh());
const filters = {
  "": "All outcomes",
  fired: "Fired",
  undelivered: "Fired, not delivered",
  counted: "Counted",
  notFired: "Not fired",
  withheld: "Withheld",
  pending: "Pending",
};
const which = make(
  "select",
  { "aria-label": "Which trackers", on: { change: () => refresh() } },
  Object.entries(filters).map(([value, label]) => make("option", { value }, label)),
);
const total = make("span", { class: "total" });
const whole = make("input", {
  type: "checkbox",
  on: { change: () => table.classList.toggle("whole-addresses", whole.checked) },
});
const empty = emptyNote();
const body = make("tbody");
const column = (text) => make("th", { scope: "col", class: text === "Time" ? "num" : null }, text);
const head = make("thead", {}, make("tr", {}, ["Event", "Outcome", "From", "Time"].map(column)));
const table = make("table", { class: "trackers" }, head, body);
const scroller = make("div", { class: "panel-scroll", tabindex: "0", role: "region", "aria-label": "Trackers" }, table);
panel.append(
  make(
    "div",
    { class: "panel-bar" },
    search,
    which,
    make("label", { class: "check" }, whole, " whole addresses"),
    total,
  ),
  empty,
  scroller,
);

let ad = null;

/** The row of the document that shows a tracker, by what it shows: what didn't change isn't made again. */
let shown = new Map();

const isUndelivered = (tracker) => tracker.outcome === "fired" && tracker.rating === "bad";

/** The outcome in words: a tracker that fired may not have reached its server. */
function outcomeText(tracker) {
  if (isUndelivered(tracker)) return undelivered;
  return Object.hasOwn(outcomes, tracker.outcome) ? outcomes[tracker.outcome] : valueText(tracker.outcome);
}

const isOfFilter = (tracker, name) => name === ""
  || (name === "undelivered" ? isUndelivered(tracker) : tracker.outcome === name);

/** A name that breaks between its words: at slashes, hyphens and capitals. */
const breakable = (name) => valueText(name).split(/(?<=[/-])|(?=[A-Z])/).flatMap((part) => [part, make("wbr", {})]);

/** The start of an address, and its end, in which trackers differ. */
function startAndEnd(text) {
  const url = valueText(text);
  return url.length <= 70 ? url : `${url.slice(0, 26)}…${url.slice(-40)}`;
}

function makeRow(tracker) {
  return make("tr", {},
    make("th", { scope: "row" }, breakable(tracker.event)),
    make(
      "td",
      {},
      badge(tracker.rating, sign(tracker.rating), outcomeText(tracker)),
      isSet(tracker.reason) ? make("span", { class: "reason" }, tracker.reason) : null,
    ),
    make(
      "td",
      {},
      make("span", { class: "from" }, tracker.from),
      make(
        "span",
        { class: "address", title: tracker.url },
        make("span", { class: "whole" }, tracker.url),
        make("span", { class: "short", "aria-hidden": "true" }, startAndEnd(tracker.url)),
      ),
    ),
    make("td", { class: "num" }, Number.isFinite(tracker.t) ? `${moment(tracker.t)} s` : ""));
}

function refresh() {
  const text = filterText(search);
  const all = ad?.trackers ?? [];
  const chosen = all.filter(
    (tracker) => isOfFilter(tracker, which.value)
      && (!text || JSON.stringify(tracker).toLowerCase().includes(text)),
  );
  const next = new Map();
  let before = null;
  for (const tracker of chosen) {
    let key = JSON.stringify(tracker);
    while (next.has(key)) key += " ";
    const row = shown.get(key) ?? makeRow(tracker);
    next.set(key, row);
    if (before ? before.nextSibling !== row : body.firstChild !== row) {
      if (before) before.after(row); else body.prepend(row);
    }
    before = row;
  }
  for (const [key, row] of shown) if (!next.has(key)) row.remove();
  shown = next;
  const counts = new Map();
  for (const tracker of all) counts.set(outcomeText(tracker), (counts.get(outcomeText(tracker)) ?? 0) + 1);
  total.textContent = [...counts].map(([outcome, count]) => `${count} ${outcome}`).join(", ");
  table.hidden = chosen.length === 0;
  empty.hidden = chosen.length > 0;
  empty.textContent = !ad
    ? "Each tracker of the ad appears here with what became of it. Run an ad to see them."
    : all.length > 0
      ? `None of ${plural(all.length, "tracker")} matches the filter.`
      : "This ad has no trackers so far.";
}

export const trackersPanel = {
  setAd(value) {
    ad = value;
    refresh();
  },
  refresh,
};
