// What the user does on the ad's screen goes to the ad: pointer, wheel, keys.

import { adAddress, postJSON } from "./api.js";
import { byId } from "./dom.js";
import { screenSize } from "./screen.js";

const canvas = byId("screen");

let ad = null;
let queue = [];
let isSending = false;
let pressed = null;
let hasSentKey = false;

/** Sets the ad to which input is sent; null for none, as when it has ended or a past moment is shown. */
export function setInputAd(value) {
  if (ad === value) return;
  ad = value;
  queue = [];
  pressed = null;
}

/** Sends one input at a time, in order. Only the latest move waits, and wheel steps are added up. */
function send(input) {
  if (!ad) return;
  const previous = queue.at(-1);
  if (previous?.type === "move" && input.type === "move") queue[queue.length - 1] = input;
  else if (previous?.type === "scroll" && input.type === "scroll") {
    queue[queue.length - 1] = { ...input, dx: previous.dx + input.dx, dy: previous.dy + input.dy };
  } else queue.push(input);
  if (!isSending) drain();
}

async function drain() {
  isSending = true;
  while (queue.length > 0 && ad) {
    const input = queue.shift();
    try {
      await postJSON(adAddress(ad.id, "input"), input);
    } catch {
      // The ad has ended or the lab is gone; both are shown elsewhere.
      queue = [];
    }
  }
  isSending = false;
}

/** A place on the page as a point of the ad's screen. */
function point(event) {
  const box = canvas.getBoundingClientRect();
  const { width, height } = screenSize();
  const clamp = (value, most) => Math.round(Math.min(most, Math.max(0, value)) * 10) / 10;
  return {
    x: clamp(((event.clientX - box.left) / box.width) * width, width - 1),
    y: clamp(((event.clientY - box.top) / box.height) * height, height - 1),
  };
}

canvas.addEventListener("pointerdown", (event) => {
  if (!ad || !event.isPrimary || event.button !== 0) return;
  event.preventDefault();
  canvas.focus({ preventScroll: true });
  hasSentKey = true;
  canvas.setPointerCapture(event.pointerId);
  pressed = event.pointerId;
  send({ type: "press", ...point(event) });
});

canvas.addEventListener("pointermove", (event) => {
  if (!event.isPrimary || (event.pointerType !== "mouse" && pressed !== event.pointerId)) return;
  send({ type: "move", ...point(event) });
});

for (const type of ["pointerup", "pointercancel"]) {
  canvas.addEventListener(type, (event) => {
    if (pressed !== event.pointerId) return;
    pressed = null;
    send({ type: "release", ...point(event) });
  });
}

canvas.addEventListener("contextmenu", (event) => {
  if (ad) event.preventDefault();
});

canvas.addEventListener("wheel", (event) => {
  if (!ad || event.ctrlKey) return;
  event.preventDefault();
  const unit = event.deltaMode === 1 ? 16 : event.deltaMode === 2 ? screenSize().height : 1;
  send({ type: "scroll", ...point(event), dx: event.deltaX * unit, dy: event.deltaY * unit });
}, { passive: false });

/** The modifier keys as bits: Alt 1, Control 2, Meta 4, Shift 8. */
const modifiers = (event) =>
  (event.altKey ? 1 : 0) + (event.ctrlKey ? 2 : 0) + (event.metaKey ? 4 : 0) + (event.shiftKey ? 8 : 0);

canvas.addEventListener("focus", () => { hasSentKey = false; });

for (const [type, phase] of [["keydown", "down"], ["keyup", "up"]]) {
  canvas.addEventListener(type, (event) => {
    if (!ad || event.ctrlKey || event.metaKey || event.isComposing) return;
    if (event.key === "Escape") {
      if (phase === "down") leave();
      event.preventDefault();
      return;
    }
    // Until a key or press was sent to the ad, Tab moves the focus on as usual; afterwards it is sent to the ad.
    if (event.key === "Tab" && !hasSentKey) return;
    if (event.key === "Shift" && !hasSentKey) return;
    event.preventDefault();
    hasSentKey = true;
    const text = phase === "down" ? (event.key.length === 1 ? event.key : event.key === "Enter" ? "\r" : "") : "";
    send({ type: "key", phase, key: event.key, code: event.code, text, modifiers: modifiers(event) });
  });
}

function leave() {
  const next = byId("controls").querySelector("button:not([disabled]):not([hidden])");
  if (next) next.focus(); else canvas.blur();
}
