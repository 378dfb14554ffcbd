// The panel Requests: a waterfall over the network's real time.

import { byId, emptyNote, filterField, filterText, make, sign } from "./dom.js";
import { bytes, duration, finite, hostAndPath, isKnownSize, isSet, moment, plural, valueText } from "./format.js";
import { jsonDetails, RowList } from "./rowlist.js";
import { droppedText } from "./rows.js";
import { redirectsOf, statusText } from "./summary.js";

const panel = byId("panel-requests");
const whats = ["tag", "load", "wrapper", "media", "creative", "beacon"];

const nothingYet = "Requests appear here with their network time: the tag, its wrappers, what the creative fetches, "
  + "and beacons. Run an ad to see them.";

const search = filterField("Filter requests", () => refresh());
const what = make("select", { "aria-label": "Which requests", on: { change: () => refresh() } },
  make("option", { value: "" }, "All"),
  make("option", { value: "chain" }, "Tag and wrappers"),
  make("option", { value: "failed" }, "Failed"),
  whats.map((name) => make("option", { value: name }, name)));
const total = make("span", { class: "total" });
const speedNote = make("p", { class: "note", hidden: true });
const dropNote = make("p", { class: "note", hidden: true });
const empty = emptyNote(nothingYet);
const head = make("div", { class: "waterfall-head", "aria-hidden": "true" });
const scroller = make("div", { class: "panel-scroll waterfall" });
const list = new RowList(scroller, { label: "requests", line, details });

panel.append(make("div", { class: "panel-bar" }, search, what, total), speedNote, dropNote, empty, head, scroller);

let ad = null;
let end = 1;

/** One request, or a redirect on the way to it. */
function makeItem(row, depth, redirect) {
  return { row, depth, redirect, rating: redirect ? "plain" : row.rating };
}

function bar({ data, rating }) {
  const element = make("span", { class: `wait ${rating === "plain" ? valueText(data.what) : rating}` });
  element.style.left = `${(finite(data.at) / end) * 100}%`;
  element.style.width = `max(2px, ${(finite(data.ms) / end) * 100}%)`;
  return make("span", { class: "track", "aria-hidden": "true" }, element);
}

/** When a host is shortened in its middle, so many characters are left, and so many of them are its end. */
const shortHost = 11;
const hostEnd = 6;

/** Host and path in a row: the host is shortened first. */
function addressParts(host, path) {
  const at = Math.max(0, host.length - hostEnd);
  const name = make("b", { class: "host" }, make("span", {}, host.slice(0, at)), make("span", {}, host.slice(at)));
  name.style.minWidth = `${Math.min(host.length, shortHost)}ch`;
  return [host ? name : null, make("span", { class: "path" }, path)];
}

function line(item) {
  const { data } = item.row;
  const indent = make("span", { class: "indent" });
  indent.style.width = `${Math.min(item.depth, 8) * 12}px`;
  if (item.redirect) {
    const { host, path } = hostAndPath(item.redirect.url);
    return [
      make("span", { class: "what soft" }, "redirect"),
      make(
        "span",
        { class: "url soft", title: item.redirect.url },
        indent,
        item.depth > 0 ? "↳ " : null,
        addressParts(host, path),
      ),
      make("span", { class: "status soft" }, item.redirect.status),
      make("span", { class: "size" }),
      make("span", { class: "took" }),
      make("span", { class: "track" }),
    ];
  }
  const { host, path } = hostAndPath(data.url);
  return [
    make(
      "span",
      { class: "what" },
      data.what ?? "request",
      isSet(data.kind) && data.kind !== data.what ? make("small", {}, " ", data.kind) : null,
    ),
    make(
      "span",
      { class: "url", title: data.url },
      indent,
      item.depth > 0 ? "↳ " : null,
      addressParts(host, path),
    ),
    make(
      "span",
      { class: "status" },
      item.rating === "plain" ? null : sign(item.rating),
      statusText(data),
    ),
    make("span", { class: "size" }, bytes(data.bytes)),
    make("span", { class: "took" }, duration(data.ms)),
    bar(item.row),
  ];
}

function details(item) {
  const { data } = item.row;
  const facts = make("dl", { class: "facts" });
  const add = (name, value) => {
    if (isSet(value)) facts.append(make("dt", {}, name), make("dd", {}, value));
  };
  add("address", data.url);
  add("method", data.method);
  add("status", data.status ?? "no answer");
  add("reason", data.reason);
  add("type", data.type);
  add("size", isKnownSize(data.bytes) ? `${bytes(data.bytes)} (${data.bytes.toLocaleString("en")} bytes)` : "unknown");
  add("network time", `${duration(data.ms)}, begun ${duration(data.at)} after the start`);
  add("ad time at its end", `${moment(item.row.t)} s`);
  for (const redirect of redirectsOf(data)) add(`redirect ${valueText(redirect.status)}`, redirect.url);
  return [facts, jsonDetails(data)];
}

function keeps(row) {
  const text = filterText(search);
  if (text && !row.contains(text)) return false;
  if (!what.value) return true;
  if (what.value === "failed") return row.rating !== "plain";
  if (what.value === "chain") return ["tag", "load", "wrapper"].includes(row.data.what);
  return row.data.what === what.value;
}

/** All rows in the order in which they began; wrappers go under the tag, and a request under its redirects. */
function refresh() {
  const rows = (ad?.requests.items ?? []).filter(keeps).sort((a, b) => finite(a.data.at) - finite(b.data.at));
  const items = [];
  end = 1;
  let sum = 0;
  for (const row of rows) {
    const { data } = row;
    let depth = data.what === "wrapper" ? 1 : 0;
    // The request is to where its redirects have led.
    for (const redirect of redirectsOf(data)) {
      items.push(known(row, depth, redirect));
      depth += 1;
    }
    items.push(known(row, depth, null));
    end = Math.max(end, finite(data.at) + finite(data.ms));
    sum += isKnownSize(data.bytes) ? data.bytes : 0;
  }
  list.rows = items;
  total.textContent = rows.length > 0 ? `${plural(rows.length, "request")}, ${bytes(sum)}` : "";
  empty.hidden = rows.length > 0;
  empty.textContent = ad?.requests.items.length > 0 && rows.length === 0
    ? "No request matches the filter."
    : nothingYet;
  head.hidden = rows.length === 0;
  head.replaceChildren(
    ...["what", "host and path", "status", "size", "time"].map((text, index) => make(
      "span",
      { class: index > 2 ? "num" : "" },
      text,
    )),
    make(
      "span",
      { class: "axis" },
      make("span", {}, "0"),
      make("span", {}, duration(end / 2)),
      make("span", {}, duration(end)),
    ),
  );
  const isFast = ad && ad.speed !== 1;
  speedNote.hidden = !isFast;
  if (isFast) {
    speedNote.textContent = "Bars and times are network time. The ad's own time runs "
      + `${ad.speed} times as fast; a request's details name both.`;
  }
  dropNote.textContent = droppedText(ad?.requests.dropped ?? 0, "request");
  dropNote.hidden = dropNote.textContent === "";
}

/** The items by their row or redirect, kept so that opened ones stay open. */
const knownItems = new WeakMap();

function known(row, depth, redirect) {
  const key = redirect ?? row;
  let item = knownItems.get(key);
  if (!item) knownItems.set(key, (item = makeItem(row, depth, redirect)));
  item.depth = depth;
  return item;
}

export const requestsPanel = {
  setAd(value) {
    ad = value;
    list.clear();
    refresh();
  },
  refresh,
};
