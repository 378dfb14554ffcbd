// The buttons under the ad: what its user and its device can do. Each is there only while it applies.

import { adAddress, postJSON } from "./api.js";
import { announce, byId, make } from "./dom.js";
import { setFit } from "./screen.js";

const bar = byId("controls");
const sizes = ["320x50", "300x250", "320x480", "728x90", "390x844", "820x1180"];

let ad = null;
let isFit = true;

function button(name, onClick, attributes = {}) {
  return make("button", { type: "button", ...attributes, on: { click: onClick } }, name);
}

async function act(action) {
  if (!ad) return;
  try {
    await postJSON(adAddress(ad.id, "do"), { action });
    byId("control-error").textContent = "";
  } catch (error) {
    byId("control-error").textContent = error.message;
    announce(error.message);
  }
}

const close = button("Close", () => act("close"));
const skip = button("Skip", () => act("skip"));
const sound = button("Sound", () => act(ad?.state.video?.muted ? "unmute" : "mute"));
const play = button("Pause", () => act(ad?.state.video?.paused ? "resume" : "pause"));
const cover = button("Cover", () => act(ad?.state.covered ? "uncover" : "cover"));
const background = button("Background", () => act(ad?.state.background ? "foreground" : "background"));
const offline = button("Offline", () => act(ad?.state.offline ? "online" : "offline"));
const rotate = button("Rotate", () => act("rotate"));
const resize = make(
  "select",
  { "aria-label": "Resize" },
  make("option", { value: "" }, "Resize"),
  sizes.map((size) => make("option", { value: size }, size.replace("x", " × "))),
);
resize.addEventListener("change", () => {
  if (resize.value) act(`resize ${resize.value}`);
  resize.value = "";
});
const end = button("End", () => act("end"), { title: "End this ad, whatever its rules say" });
const zoomButton = button("100 %", () => {
  isFit = !isFit;
  setFit(isFit);
  zoomButton.textContent = isFit ? "100 %" : "Fit";
  zoomButton.setAttribute("aria-label", isFit ? "Zoom to 100 %" : "Zoom to fit");
  byId("stage").classList.toggle("actual", !isFit);
}, { "aria-label": "Zoom to 100 %" });
const error = make("p", { id: "control-error", class: "field-error", role: "alert" });

const userGroup = make("div", { class: "control-group" }, close, skip, play, sound, end);
const deviceGroup = make("div", { class: "control-group" }, cover, background, offline, rotate, resize, zoomButton);
bar.append(userGroup, deviceGroup, error);

/** Longer than this, in seconds, a countdown is not continued without a state of the server. */
const longestGap = 2;

/** The seconds of the ad's time since its last state; 0 while its countdowns do not advance. */
function elapsedTime() {
  const { state, stateAt, speed } = ad;
  const isStill = state.covered || state.background || state.video?.paused;
  if (isStill || !Number.isFinite(stateAt)) return 0;
  return Math.min(longestGap, (performance.now() - stateAt) / 1000) * speed;
}

/** "Close", or "Close in 3 s" and disabled. Between two states of the server the countdown is continued. */
function countDown(element, name, isPossible, left, elapsed) {
  element.hidden = !isPossible && (left === null || left === undefined);
  const remaining = left === null || left === undefined ? 0 : Math.max(0, left - elapsed);
  element.disabled = !isPossible;
  element.textContent = isPossible ? name : `${name} in ${Math.max(1, Math.ceil(remaining))} s`;
}

function toggle(element, isOn) {
  element.setAttribute("aria-pressed", String(Boolean(isOn)));
}

export function updateControls() {
  const isLive = ad && !ad.hasEnded && !ad.isGone && ad.state.state !== "ended";
  bar.hidden = !ad;
  bar.classList.toggle("over", !isLive);
  if (!isLive) {
    // A pressed button that goes away leaves the keyboard at the ad's title.
    if (userGroup.contains(document.activeElement) || deviceGroup.contains(document.activeElement)) {
      byId("ad-title").focus();
    }
    for (const each of [close, skip, play, sound, cover, background, offline, rotate, resize, end]) each.hidden = true;
    return;
  }
  const { state } = ad;
  const isShown = state.state === "shown";
  const elapsed = elapsedTime();
  countDown(close, "Close", isShown && state.closable, isShown ? state.closeIn : null, elapsed);
  countDown(skip, "Skip", isShown && state.skippable, isShown ? state.skipIn : null, elapsed);
  play.hidden = sound.hidden = !state.video;
  play.textContent = state.video?.paused ? "Play" : "Pause";
  sound.textContent = state.video?.muted ? "Sound on" : "Sound off";
  for (const each of [cover, background, offline, rotate, resize]) each.hidden = !isShown;
  toggle(cover, state.covered);
  toggle(background, state.background);
  toggle(offline, state.offline);
  end.hidden = false;
}

export function setControlsAd(value) {
  ad = value;
  error.textContent = "";
  updateControls();
}

setInterval(() => { if (ad && !document.hidden && !ad.hasEnded) updateControls(); }, 250);
