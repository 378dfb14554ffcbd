// The screen of the ad: draws its pictures into the device frame, in the size of the screen's points.

import { about, isSet, valueText } from "./format.js";
import { byId, make, reducesMotion } from "./dom.js";

const canvas = byId("screen");
const context = canvas.getContext("2d", { alpha: false });
const stage = byId("stage");
const frame = byId("device-frame");
const rings = byId("rings");

let size = { width: 390, height: 844 };
let isFit = true;
let last = null;
let isPast = false;
let drawn = 0;

export const screenSize = () => size;

export function setScreenSize(value) {
  if (!value?.width || !value?.height) return;
  size = value;
  canvas.setAttribute("aria-label", `The ad's screen, ${size.width} by ${size.height} points`);
  layOut();
}

export function setFit(value) {
  isFit = value;
  layOut();
}

function layOut() {
  const border = 18;
  const room = { width: stage.clientWidth - border - 12, height: stage.clientHeight - border - 12 };
  if (room.width <= 0 || room.height <= 0) return;
  const zoom = isFit ? Math.min(1, room.width / size.width, room.height / size.height) : 1;
  canvas.style.width = `${size.width * zoom}px`;
  canvas.style.height = `${size.height * zoom}px`;
  frame.classList.toggle("small", size.height * zoom < 120);
  fitPicture();
}

new ResizeObserver(layOut).observe(stage);

/** Draws a picture and keeps it as the latest. While a past moment is shown, it is kept only. */
export function drawLive(bitmap) {
  last?.close();
  last = bitmap;
  if (!isPast) paint(bitmap);
}

function paint(bitmap) {
  if (canvas.width !== bitmap.width || canvas.height !== bitmap.height) {
    canvas.width = bitmap.width;
    canvas.height = bitmap.height;
  }
  context.drawImage(bitmap, 0, 0);
  fitPicture();
  // How many pictures were drawn, for tests and measurements.
  canvas.dataset.drawn = String((drawn += 1));
}

/** A picture of another shape than the screen, as from before a rotation, keeps its shape. */
function fitPicture() {
  const difference = (canvas.width / canvas.height) / (size.width / size.height);
  canvas.classList.toggle("other-shape", Math.abs(difference - 1) > 0.02);
}

export const hasPicture = () => last !== null;

export function drawPast(bitmap, time) {
  isPast = true;
  paint(bitmap);
  bitmap.close();
  showMoment(time);
}

/** Shows which past moment it is, also before its picture is there. */
export function showMoment(time) {
  isPast = true;
  frame.classList.remove("over");
  byId("moment").hidden = false;
  byId("moment-text").textContent = `at ${about(time)} –`;
}

export function drawLatest() {
  isPast = false;
  byId("moment").hidden = true;
  if (last) paint(last);
}

export function clearScreen() {
  last?.close();
  last = null;
  isPast = false;
  byId("moment").hidden = true;
  rings.replaceChildren();
  frame.hidden = true;
  context.fillStyle = "#888";
  context.fillRect(0, 0, canvas.width, canvas.height);
}

/** Shows the device, greyed if its ad has ended. */
export function showDevice(isOver) {
  if (frame.hidden) {
    frame.hidden = false;
    layOut();
  }
  frame.classList.toggle("over", isOver && !isPast);
}

/** A ring where a tap landed, with its outcome. */
export function ring({ data, rating }) {
  if (!Number.isFinite(data.x) || !Number.isFinite(data.y)) return;
  const text = isSet(data.outcome) ? valueText(data.outcome).slice(0, 20) : "";
  const element = make("span", { class: `ring ${rating}` }, make("span", {}, text));
  element.style.left = `${(data.x / size.width) * 100}%`;
  element.style.top = `${(data.y / size.height) * 100}%`;
  rings.append(element);
  while (rings.childElementCount > 8) rings.firstElementChild.remove();
  setTimeout(() => element.remove(), reducesMotion() ? 1500 : 900);
}
