// The list of the lab's ads, newest first.

import { address, getJSON } from "./api.js";
import { byId, emptyNote, make, sign } from "./dom.js";
import { runAgain } from "./form.js";
import { isSet, shortAddress, valueText } from "./format.js";
import { deviceTitle } from "./options.js";

const list = byId("recent");

let ads = [];
let current = null;
let shown = "";
let onOpen = () => {};

export const recentAds = () => ads;

export function setUpRecent(open) { onOpen = open; }

export function setCurrent(id) {
  current = id;
  render();
}

const clock = (text) => {
  const date = new Date(text);
  return Number.isNaN(date.getTime())
    ? ""
    : date.toLocaleTimeString([], { hour: "2-digit", minute: "2-digit", second: "2-digit", hour12: false });
};

const states = { fetching: "fetching", loading: "loading", shown: "on screen", ended: "" };

/** The source of an ad in a few words. The list has only the start of a pasted text. */
function sourceText(source) {
  switch (source?.kind) {
    case "markup": return "pasted";
    case "url": return shortAddress(source.text, 60);
    case "file": case "bundled": return source.name;
    case "placement": return [source.provider, source.fields?.unit].filter(isSet).map(valueText).join(" ");
    default: return "";
  }
}

function item(ad) {
  const state = states[ad.state] ?? ad.state;
  const isCurrent = ad.id === current;
  return make("li", { class: isCurrent ? "current" : null },
    make(
      "button",
      { class: "open", type: "button", "aria-current": isCurrent && "true", on: { click: () => onOpen(ad.id) } },
      make("span", { class: "title" }, sign(ad.rating), make("span", {}, ad.title || ad.id)),
      make("small", {}, [clock(ad.startedAt), state, deviceTitle(ad.device), sourceText(ad.source)].filter(isSet).map(
        valueText,
      ).join(" · ")),
    ),
    make(
      "button",
      {
        type: "button",
        class: "again",
        "aria-label": `Run ${ad.title || ad.id} again`,
        on: { click: () => runAgain(ad.id) },
      },
      "again",
    ));
}

function render() {
  const key = JSON.stringify([ads.map((ad) => [ad.id, ad.title, ad.source, ad.state, ad.rating, ad.device]), current]);
  if (key === shown) return;
  shown = key;
  const focused = list.contains(document.activeElement)
    ? [...list.querySelectorAll("button")].indexOf(document.activeElement)
    : -1;
  if (ads.length === 0) list.replaceChildren(emptyNote("Ads that you run are listed here."));
  else list.replaceChildren(make("ul", {}, ads.map(item)));
  if (focused >= 0) list.querySelectorAll("button")[focused]?.focus();
}

/** Reads the list; other pages of the lab run ads too. */
export async function refreshRecent() {
  if (document.hidden) return;
  try {
    ads = (await getJSON(address("/ads"))).ads ?? [];
    render();
  } catch {
    // The banner appears when the lab is gone.
  }
}

setInterval(refreshRecent, 5000);
render();
