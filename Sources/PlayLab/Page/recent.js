// The list of the lab's ads, newest first.

import { adAddress, address, getJSON } from "./api.js";
import { byId, emptyNote, make, sign } from "./dom.js";
import { runAgain } from "./form.js";

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

/** Runs an ad once more, with the options it had. */
export async function again(id) {
  let options = {};
  try {
    options = (await getJSON(adAddress(id))).options ?? {};
  } catch {
    // Without its options it runs with the defaults; a lab that is gone is told by the run.
  }
  runAgain(id, options);
}

function item(ad) {
  const state = states[ad.state] ?? ad.state;
  const source = typeof ad.source === "string" ? ad.source : ad.source?.kind ?? "";
  const isCurrent = ad.id === current;
  return make("li", { class: isCurrent ? "current" : null },
    make(
      "button",
      { class: "open", type: "button", "aria-current": isCurrent && "true", on: { click: () => onOpen(ad.id) } },
      make("span", { class: "title" }, sign(ad.rating), make("span", {}, ad.title || ad.id)),
      make("small", {}, [clock(ad.startedAt), state, ad.device, source].filter(Boolean).join(" · ")),
    ),
    make(
      "button",
      {
        type: "button",
        class: "again",
        "aria-label": `Run ${ad.title || ad.id} again`,
        on: { click: () => again(ad.id) },
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
    // The banner tells when the lab is gone.
  }
}

setInterval(refreshRecent, 5000);
render();
