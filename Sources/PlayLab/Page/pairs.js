// Rows of a name and a value: macros, headers, cookies; and repeated single values.

import { make } from "./dom.js";

/** Fills `container` with rows, always with an empty one at the end. `onChange` is called when a value changes. */
export class Pairs {
  #container;
  #rows = make("div", { class: "pair-rows" });
  #labels;
  #onChange;

  constructor(container, labels, onChange) {
    this.#container = container;
    this.#labels = labels;
    this.#onChange = onChange;
    container.append(this.#rows);
    this.set([]);
  }

  /** `[[name, value]]` of the rows that are not empty; one without a name too, so that the server's error shows it. */
  get() {
    return [...this.#rows.children].map((row) => [...row.querySelectorAll("input")].map(
      (input) => input.value.trim(),
    )).filter((pair) => pair.some((text) => text !== ""));
  }

  set(pairs) {
    this.#rows.replaceChildren();
    for (const pair of pairs) this.#add(pair);
    this.#add([]);
  }

  #add(pair) {
    const number = this.#rows.childElementCount + 1;
    const inputs = this.#labels.map((label, index) => make("input", {
      "aria-label": `${label} ${number}`,
      placeholder: label.toLowerCase(),
      value: pair[index] ?? "",
      spellcheck: "false",
      autocomplete: "off",
    }));
    const remove = make("button", { type: "button", class: "icon", "aria-label": `Remove row ${number}` }, "✕");
    const row = make("div", { class: `pair-row of-${inputs.length}` }, inputs, remove);
    remove.addEventListener("click", () => {
      const neighbour = row.nextElementSibling ?? row.previousElementSibling;
      if (row !== this.#rows.lastElementChild) row.remove(); else for (const input of inputs) input.value = "";
      (neighbour ?? row).querySelector("input").focus();
      this.#onChange();
    });
    row.addEventListener("input", () => {
      if (row === this.#rows.lastElementChild && inputs.some((input) => input.value)) this.#add([]);
      this.#onChange();
    });
    this.#rows.append(row);
  }
}
