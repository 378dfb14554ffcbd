// The panel Structure: the tree of the ad's documents.

import { adAddress, getJSON } from "./api.js";
import { byId, emptyNote, make } from "./dom.js";

const panel = byId("panel-structure");
const tree = make("ul", { class: "tree" });
const setAll = (isOpen) => { for (const each of tree.querySelectorAll("details")) each.open = isOpen; };
const bar = make("div", { class: "panel-bar" },
  make("button", { type: "button", on: { click: () => setAll(true) } }, "Open all"),
  make("button", { type: "button", on: { click: () => setAll(false) } }, "Close all"));
const empty = emptyNote();
panel.append(
  bar,
  empty,
  make("div", { class: "panel-scroll tree-scroll", tabindex: "0", role: "region", "aria-label": "Structure" }, tree),
);

let ad = null;
let isStale = true;
let request = 0;
/** The JSON of the nodes that the tree shows; empty if it shows none. */
let shown = "";
let onCount = () => {};

const mostNodes = 5000;
let left = 0;

function node(value, depth) {
  if ((left -= 1) < 0) return null;
  const label = [
    make("span", { class: "node" }, value.text),
    value.detail ? make("span", { class: "detail" }, value.detail) : null,
  ];
  const children = value.children ?? [];
  if (children.length === 0) return make("li", { class: "leaf" }, label);
  return make(
    "li",
    {},
    make(
      "details",
      { open: depth < 8 },
      make("summary", {}, label),
      make("ul", {}, children.map((child) => node(child, depth + 1))),
    ),
  );
}

const count = (nodes) => nodes.reduce((sum, each) => sum + 1 + count(each.children ?? []), 0);

function show(nodes, text) {
  left = mostNodes;
  tree.replaceChildren(...nodes.map((each) => node(each, 0)).filter(Boolean));
  if (left < 0) {
    tree.append(make("li", { class: "leaf" }, `The first ${mostNodes.toLocaleString("en")} entries are shown.`));
  }
  bar.hidden = nodes.length === 0;
  empty.hidden = nodes.length > 0;
  empty.textContent = text ?? (
    ad
      ? "This ad has no structure to show. VAST, VMAP and ad responses have one."
      : "The tree of VAST, VMAP or an ad response appears here. Run one to see it."
  );
}

export const structurePanel = {
  set onCount(listener) { onCount = listener; },

  setAd(value) {
    ad = value;
    isStale = true;
    request += 1;
    shown = "";
    show([]);
  },

  invalidate() { isStale = true; },

  async refresh() {
    if (!isStale || !ad) return;
    isStale = false;
    const number = (request += 1);
    try {
      const { nodes = [] } = await getJSON(adAddress(ad.id, "structure"));
      if (number !== request) return;
      onCount(count(nodes));
      const text = JSON.stringify(nodes);
      if (text !== shown) show(nodes);
      shown = text;
    } catch (error) {
      if (number !== request) return;
      shown = "";
      show([], error.message);
    }
  },
};
