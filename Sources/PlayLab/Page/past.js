// Past moments: their picture on the screen, their row among the events, their document.

import { adAddress, getText } from "./api.js";
import { byId, copy } from "./dom.js";
import { about } from "./format.js";
import { setInputAd } from "./input.js";
import { keptPicture } from "./pictures.js";
import { drawLatest, drawPast, hasPicture, showMoment } from "./screen.js";
import { chosenMoment, documentAt, goLive, onMoment, pictureAt } from "./timeline.js";

let currentAd = () => null;
let events = null;
let onLive = () => {};

/** `ad()` is the ad on screen, `panel` that of its events; `showLive()` is called on return to the present. */
export function setUpPast(ad, panel, showLive) {
  currentAd = ad;
  events = panel;
  onLive = showLive;
  onMoment(show);
}

let wantedPicture = null;

function show(time) {
  const ad = currentAd();
  setInputAd(time === null && ad && !ad.hasEnded ? ad : null);
  events.markMoment(time);
  if (time === null) {
    wantedPicture = null;
    drawLatest();
    if (ad) events.list.follow();
    onLive();
    return;
  }
  if (hasPicture()) byId("message").hidden = true;
  showMoment(time);
  const frame = pictureAt(time);
  if (frame) showPast(frame.n, time);
}

/** Fetches one picture at a time; of those chosen meanwhile, the latest one is next. */
async function showPast(number, time) {
  if (wantedPicture) {
    wantedPicture = { number, time };
    return;
  }
  wantedPicture = { number, time };
  while (wantedPicture && chosenMoment() !== null) {
    const wanted = wantedPicture;
    const shown = currentAd();
    try {
      const bitmap = await keptPicture(shown.id, wanted.number);
      if (shown !== currentAd() || chosenMoment() === null) bitmap.close(); else drawPast(bitmap, chosenMoment());
    } catch {
      // A picture that is not kept any more leaves the one before.
    }
    if (wantedPicture === wanted) break;
  }
  wantedPicture = null;
}

byId("live").addEventListener("click", () => {
  goLive();
  byId("screen").focus();
});

byId("timeline-document").addEventListener("click", async () => {
  const ad = currentAd();
  const at = chosenMoment() ?? ad.now;
  const kept = documentAt(at);
  if (!kept) return;
  const text = byId("dom-text");
  byId("dom-title").textContent = `DOM at ${about(kept.t)}`;
  text.textContent = "…";
  byId("dom-dialog").showModal();
  try {
    text.textContent = await getText(adAddress(ad.id, "document", { n: kept.n }));
  } catch (error) {
    text.textContent = error.message;
  }
});
byId("dom-copy").addEventListener("click", (event) => copy(byId("dom-text").textContent, event.currentTarget));
