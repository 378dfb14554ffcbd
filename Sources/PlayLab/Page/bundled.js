// The source "Bundled": the creatives that come with the command, with a filter.

import { byId, make } from "./dom.js";

const list = byId("bundled");
const filter = byId("bundled-filter");

let creatives = [];
let chosen = "";
let onChange = () => {};

export function setBundled(values, saved, changed) {
  creatives = values;
  chosen = values.some((each) => each.name === saved) ? saved : values[0]?.name ?? "";
  onChange = changed;
  show();
}

export const chosenBundled = () => chosen;

function show() {
  const text = filter.value.trim().toLowerCase();
  const found = creatives.filter((each) => `${each.name} ${each.title} ${each.format}`.toLowerCase().includes(text));
  list.replaceChildren(...found.map((each) => {
    const input = make("input", { type: "radio", name: "bundled", value: each.name, checked: each.name === chosen });
    input.addEventListener("change", () => {
      chosen = each.name;
      onChange();
    });
    return make(
      "label",
      {},
      input,
      make("span", {}, make("b", {}, each.title), make("small", {}, `${each.name} · ${each.format}`)),
    );
  }));
  if (found.length === 0) {
    list.append(make(
      "p",
      { class: "empty" },
      creatives.length === 0 ? "No creatives are installed." : "No creative matches. Clear the filter to see all.",
    ));
  }
}

filter.addEventListener("input", show);
filter.addEventListener("keydown", (event) => {
  if (event.key === "ArrowDown") {
    event.preventDefault();
    (list.querySelector("input:checked") ?? list.querySelector("input"))?.focus();
  }
});
