// The source "Placement": a provider and its fields.

import { byId, make } from "./dom.js";
import { Pairs } from "./pairs.js";

const select = byId("provider");
const fields = byId("placement-fields");

let providers = [];
let values = {};
let pairs = new Map();
let onChange = () => {};

/** `saved` are values by provider and field. */
export function setProviders(list, saved, changed) {
  providers = list;
  values = saved;
  onChange = changed;
  select.replaceChildren(...list.map((provider) => make("option", { value: provider.name }, provider.title)));
  if (providers.some((provider) => provider.name === saved.provider)) select.value = saved.provider;
  showFields();
}

function field(name, title, { secret = false, repeatable = false, required = false, example = "" } = {}) {
  const provider = select.value;
  const known = values[provider]?.[name];
  const id = `placement-${name}`;
  if (repeatable) {
    const container = make("div", { id, class: "pairs wide", role: "group", "aria-label": title, "data-field": name });
    fields.append(make("span", { class: "label wide" }, title), container);
    const rows = new Pairs(container, [title], remember);
    rows.set((Array.isArray(known) ? known : []).map((value) => [value]));
    pairs.set(name, rows);
    return;
  }
  const input = make("input", {
    id,
    "data-field": name,
    type: secret ? "password" : "text",
    placeholder: example,
    value: typeof known === "string" ? known : "",
    spellcheck: "false",
    autocomplete: secret ? "new-password" : "off",
  });
  input.addEventListener("input", remember);
  fields.append(make("label", { for: id }, title, required ? " (required with an endpoint)" : ""), input);
}

function showFields() {
  fields.replaceChildren();
  pairs = new Map();
  const provider = providers.find((each) => each.name === select.value);
  if (!provider) return;
  field("endpoint", "Endpoint (empty: the built-in server)", { example: provider.placeholderEndpoint });
  if (provider.takesUnit) field("unit", "Placement");
  for (const each of provider.fields ?? []) field(each.name, each.title, each);
}

/** The fields that are filled. */
export function placementFields() {
  const result = {};
  for (const input of fields.querySelectorAll(":scope > input")) {
    if (input.value.trim()) result[input.dataset.field] = input.value.trim();
  }
  for (const [name, rows] of pairs) {
    const list = rows.get().map(([value]) => value);
    if (list.length > 0) result[name] = list;
  }
  return result;
}

/** The values to store: all but secrets, which are never stored. */
export function placementToStore() {
  const stored = { provider: select.value };
  for (const provider of providers) {
    const secrets = new Set((provider.fields ?? []).filter((each) => each.secret).map((each) => each.name));
    stored[provider.name] = Object.fromEntries(Object.entries(values[provider.name] ?? {}).filter(
      ([name]) => !secrets.has(name),
    ));
  }
  return stored;
}

function remember() {
  values[select.value] = placementFields();
  onChange();
}

select.addEventListener("change", () => {
  showFields();
  onChange();
});
