// The separators between columns: dragged, or moved by arrow keys.

import { byId } from "./dom.js";
import { load, save } from "./store.js";

const main = document.querySelector("main");
const widths = load("columns", {});

const splitters = [
  {
    element: byId("split-left"),
    name: "left",
    column: document.querySelector(".source"),
    direction: 1,
    least: 250,
    most: () => main.clientWidth - 260 - rightWidth(),
  },
  {
    element: byId("split-right"),
    name: "right",
    column: document.querySelector(".results"),
    direction: -1,
    least: 320,
    most: () => main.clientWidth - 260 - leftWidth(),
  },
];
const leftWidth = () => splitters[0].column.clientWidth;
const rightWidth = () => splitters[1].column.clientWidth;

function set(splitter, width) {
  const most = Math.max(splitter.least, splitter.most());
  const value = Math.round(Math.min(most, Math.max(splitter.least, width)));
  widths[splitter.name] = value;
  main.style.setProperty(`--${splitter.name}`, `${value}px`);
  describe(splitter);
}

function describe(splitter) {
  splitter.element.setAttribute("aria-valuemin", String(splitter.least));
  splitter.element.setAttribute("aria-valuemax", String(Math.max(splitter.least, Math.round(splitter.most()))));
  splitter.element.setAttribute("aria-valuenow", String(splitter.column.clientWidth));
}

/** Makes the separators work, and restores the widths that were chosen. */
export function setUpSplitters() {
  for (const splitter of splitters) {
    const { element } = splitter;
    element.addEventListener("pointerdown", (event) => {
      event.preventDefault();
      element.setPointerCapture(event.pointerId);
      const start = { x: event.clientX, width: splitter.column.clientWidth };
      const move = (moved) => set(splitter, start.width + (moved.clientX - start.x) * splitter.direction);
      const end = () => {
        element.removeEventListener("pointermove", move);
        save("columns", widths);
      };
      element.addEventListener("pointermove", move);
      element.addEventListener("pointerup", end, { once: true });
      element.addEventListener("pointercancel", end, { once: true });
    });
    element.addEventListener("keydown", (event) => {
      const step = { ArrowLeft: -24, ArrowRight: 24 }[event.key];
      if (!step) return;
      event.preventDefault();
      set(splitter, splitter.column.clientWidth + step * splitter.direction);
      save("columns", widths);
    });
    element.addEventListener("dblclick", () => {
      delete widths[splitter.name];
      main.style.removeProperty(`--${splitter.name}`);
      save("columns", widths);
    });
    if (Number.isFinite(widths[splitter.name])) set(splitter, widths[splitter.name]);
  }
  // In a narrower window, columns that were widened become narrower.
  new ResizeObserver(() => {
    for (const splitter of splitters) {
      if (Number.isFinite(widths[splitter.name])) set(splitter, widths[splitter.name]); else describe(splitter);
    }
  }).observe(main);
}
