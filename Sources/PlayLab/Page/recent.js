// The list of the lab's ads, newest first.

import { adAddress, address, getJSON, postJSON } from "./api.js";
import { announce, byId, emptyNote, make, sign } from "./dom.js";
import { runAgain } from "./form.js";
import { cut, isSet, shortAddress, timeOfDay, valueText } from "./format.js";
import { deviceTitle } from "./options.js";

const list = byId("recent");

let ads = [];
let current = null;
let shown = "";
let onOpen = () => {};

export const recentAds = () => ads;

const titleOf = (ad) => (isSet(ad.title) ? valueText(ad.title) : ad.id);

/** What tells an ad from the others: its title, its device, when it was started, and its id. */
export const runName = (ad) => [
  cut(titleOf(ad), 40), deviceTitle(ad.device), timeOfDay(ad.startedAt), ad.id,
].filter(isSet).map(valueText).join(", ");

export function setUpRecent(open) { onOpen = open; }

export function setCurrent(id) {
  current = id;
  render();
}

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

async function end(ad) {
  try {
    await postJSON(adAddress(ad.id, "do"), { action: "end" });
  } catch (error) {
    announce(error.message);
  }
  refreshRecent();
}

const action = (ad, name, label, text, perform) => make(
  "button",
  { type: "button", class: name, "data-ad": ad.id, "aria-label": `${label}: ${runName(ad)}`, on: { click: perform } },
  text,
);

function item(ad) {
  const state = states[ad.state] ?? ad.state;
  const isCurrent = ad.id === current;
  const facts = [ad.id, timeOfDay(ad.startedAt), deviceTitle(ad.device), state, sourceText(ad.source)];
  return make("li", { class: isCurrent ? "current" : null },
    make(
      "button",
      {
        class: "open",
        type: "button",
        title: runName(ad),
        "data-ad": ad.id,
        "aria-current": isCurrent && "true",
        on: { click: () => onOpen(ad.id) },
      },
      make("span", { class: "title" }, sign(ad.rating), make("span", {}, titleOf(ad))),
      make("small", {}, facts.filter(isSet).map(valueText).join(" · ")),
    ),
    ad.state === "ended" ? null : action(ad, "end", "End", "End", () => end(ad)),
    action(ad, "again", "Run again", "again", () => runAgain(ad.id)));
}

function render() {
  const key = JSON.stringify([
    ads.map((ad) => [ad.id, ad.title, ad.source, ad.state, ad.rating, ad.device, ad.startedAt]), current,
  ]);
  if (key === shown) return;
  shown = key;
  const focused = list.contains(document.activeElement) ? document.activeElement : null;
  const scrolled = list.scrollTop;
  if (ads.length === 0) list.replaceChildren(emptyNote("Ads that you run are listed here."));
  else list.replaceChildren(make("ul", {}, ads.map(item)));
  list.scrollTop = scrolled;
  if (!focused) return;
  // The same button; if it is gone, as that of an ad that has ended, the one that opens the ad.
  const buttons = [...list.querySelectorAll("button")].filter((button) => button.dataset.ad === focused.dataset.ad);
  (buttons.find((button) => button.className === focused.className) ?? buttons[0])?.focus();
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
