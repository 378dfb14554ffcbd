// Elements. Text from servers and creatives enters as text nodes and attributes, never as markup.

import { valueText } from "./format.js";

/** The element of `index.html` with this id. */
export const byId = (id) => document.getElementById(id);

/**
 * Creates an element. `attributes` may have `on`, an object of event listeners; an attribute that is null, undefined or
 * false is left out, and one that is true is empty. Children are nodes or text; null is left out. Other values, which
 * events may have, become text as JSON.
 */
export function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name === "on") {
      for (const [type, listener] of Object.entries(value)) element.addEventListener(type, listener);
    } else if (value !== null && value !== undefined && value !== false) {
      element.setAttribute(name, value === true ? "" : valueText(value));
    }
  }
  for (const child of children.flat(Infinity)) {
    if (child === null || child === undefined || child === false) continue;
    element.append(child instanceof Node ? child : valueText(child));
  }
  return element;
}

/** A sign for a rating, so that colour is never the only difference. */
const signs = { good: "✓", warn: "!", bad: "✕", plain: "–" };

const ratingNames = { good: "good", warn: "warning", bad: "bad", plain: "neutral" };

/** The rating, if it is one; "plain" for any other value. */
export const knownRating = (value) => (typeof value === "string" && Object.hasOwn(signs, value) ? value : "plain");

/** The sign of a rating, with its name for screen readers. */
export function sign(rating) {
  const known = knownRating(rating);
  return make(
    "span", { class: `sign ${known}` },
    make("span", { "aria-hidden": "true" }, signs[known]),
    make("span", { class: "visually-hidden" }, `${ratingNames[known]}: `),
  );
}

export const badge = (rating, ...content) => make("span", { class: `badge ${knownRating(rating)}` }, content);

/** A field that filters a list: `onInput` is called with each change. */
export const filterField = (label, onInput) => make("input", {
  type: "search",
  class: "filter",
  placeholder: "Filter",
  "aria-label": label,
  autocomplete: "off",
  on: { input: onInput },
});

/** What is looked for, as `contains` of a row compares it. */
export const filterText = (field) => field.value.trim().toLowerCase();

/** What an empty panel shows: what would be here, and what to do for it. */
export const emptyNote = (...text) => make("p", { class: "empty" }, ...text);

/** Calls `task`; an error goes to the console, and the caller continues. */
export function runReporting(task) {
  try {
    task();
  } catch (error) {
    reportError(error);
  }
}

let frameTasks = new Set();

/** Runs `task` before the next frame of this page, once for any number of calls. An error stops no other task. */
export function beforeNextFrame(task) {
  if (frameTasks.size === 0) {
    requestAnimationFrame(() => {
      const tasks = frameTasks;
      frameTasks = new Set();
      for (const each of tasks) runReporting(each);
    });
  }
  frameTasks.add(task);
}

/** Shows a text to screen readers, politely. */
export function announce(text) {
  const status = byId("status");
  if (status.textContent !== text) status.textContent = text;
}

/** Copies `text`, and shows on `button` for a moment whether that worked. */
export async function copy(text, button) {
  const label = button.dataset.label ?? button.textContent;
  button.dataset.label = label;
  try {
    await navigator.clipboard.writeText(text);
    button.textContent = "Copied";
  } catch {
    button.textContent = "Not allowed: select the text and copy it";
  }
  announce(button.textContent);
  setTimeout(() => { button.textContent = label; }, 2000);
}

export const reducesMotion = () => matchMedia("(prefers-reduced-motion: reduce)").matches;
