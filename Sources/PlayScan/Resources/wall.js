// Draws the cards in view only: ten thousand creatives are ten thousand small arrays, and a screen of elements.
const { head, creatives: rows } = JSON.parse(document.getElementById("data").textContent);
const byId = (id) => document.getElementById(id);
const levels = ["fail", "warn", "pass"];

const creatives = rows.map(([id, source, kind, title, level, picture, ms, reasons, values], index) => ({
  id, source, kind: kind ?? "none", title, level, picture, ms, values, index,
  reasons: reasons.map(([rule, severity, message, line, known]) => ({ rule, level: severity, message, line, known })),
}));
const column = new Map(head.measures.map((measure, index) => [measure.name, index]));
const value = (creative, name) => creative.values[column.get(name)];
for (const creative of creatives) {
  const texts = [creative.id, creative.source, creative.title ?? "", ...creative.reasons.map((each) => `${each.rule} ${each.message}`)];
  creative.words = texts.concat(value(creative, "hosts") ?? []).join("\n").toLowerCase();
}

/** An element with classes and content. */
function make(name, { text, title, ...attributes } = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, each] of Object.entries(attributes)) element.setAttribute(key, each);
  if (text !== undefined) element.textContent = text;
  if (title) element.title = title;
  element.append(...children);
  return element;
}

const rounded = (number, parts = 1) => Math.round(number * parts) / parts;
const size = (bytes) => (bytes < 1000 ? `${bytes} B` : bytes < 1e6 ? `${rounded(bytes / 1000, 10)} kB` : `${rounded(bytes / 1e6, 10)} MB`);
function valueText(measure, each) {
  if (typeof each === "boolean") return each ? "yes" : "no";
  if (typeof each !== "number") return String(each);
  switch (measure.unit) {
    case "bytes": return size(each);
    case "milliseconds": return `${rounded(each)} ms`;
    case "seconds": return `${rounded(each, 10)} s`;
    case "percent": return `${rounded(each)} %`;
    default: return String(rounded(each, 10));
  }
}

// Filters.

const orders = {
  severity: ["Verdict", (a, b) => levels.indexOf(a.level) - levels.indexOf(b.level) || a.index - b.index],
  bytes: ["Whole load", (a, b) => (value(b, "bytes.total") ?? -1) - (value(a, "bytes.total") ?? -1)],
  cpu: ["Processor time", (a, b) => (value(b, "cpu") ?? -1) - (value(a, "cpu") ?? -1)],
  requests: ["Requests", (a, b) => (value(b, "requests.total") ?? -1) - (value(a, "requests.total") ?? -1)],
  id: ["Id", (a, b) => (a.id < b.id ? -1 : a.id > b.id ? 1 : 0)],
};
const state = { levels: new Set(levels), kind: "", rule: "", order: "severity", text: "" };
let shown = [];

function count(of) {
  const counts = new Map();
  for (const creative of creatives) for (const each of new Set(of(creative))) counts.set(each, (counts.get(each) ?? 0) + 1);
  return [...counts].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1));
}

function choices(select, all, list) {
  select.append(make("option", { value: "", text: `${all} (${creatives.length})` }));
  for (const [name, number] of list) select.append(make("option", { value: name, text: `${name} (${number})` }));
}

function setUp() {
  const total = (level) => head.counts[level];
  byId("title").textContent = `${head.total} ${head.total === 1 ? "creative" : "creatives"}: ${levels.map((level) => `${total(level)} ${level}`).join(", ")}`;
  document.title = `Scan: ${total("fail")} of ${head.total} fail`;
  const omitted = head.total > creatives.length ? ` · ${head.total - creatives.length} more are in journal.jsonl` : "";
  byId("made").textContent = `Policy ${head.policy} (${head.policyVersion}) · ${head.made.replace("T", " ").slice(0, 16)} UTC · yabbi-play ${head.version}${omitted}`;
  for (const level of levels) {
    const box = make("input", { type: "checkbox", value: level });
    box.checked = true;
    box.addEventListener("change", () => {
      if (box.checked) state.levels.add(level);
      else state.levels.delete(level);
      refresh();
    });
    byId("levels").append(make("label", { class: level }, box, `${level} ${total(level)}`));
  }
  choices(byId("kind"), "All kinds", count((each) => [each.kind]));
  choices(byId("rule"), "All", count((each) => each.reasons.map((reason) => reason.rule)));
  for (const [name, [text]] of Object.entries(orders)) byId("order").append(make("option", { value: name, text }));
  for (const name of ["kind", "rule", "order"]) {
    byId(name).addEventListener("change", () => {
      state[name] = byId(name).value;
      refresh();
    });
  }
  let waiting = 0;
  byId("search").addEventListener("input", () => {
    clearTimeout(waiting);
    waiting = setTimeout(() => {
      state.text = byId("search").value.trim().toLowerCase();
      refresh();
    }, 120);
  });
  byId("filters").addEventListener("submit", (event) => event.preventDefault());
}

function refresh() {
  const words = state.text.split(/\s+/).filter(Boolean);
  shown = creatives.filter((each) => state.levels.has(each.level)
    && (state.kind === "" || each.kind === state.kind)
    && (state.rule === "" || each.reasons.some((reason) => reason.rule === state.rule))
    && words.every((word) => each.words.includes(word)));
  shown.sort(orders[state.order][1]);
  byId("count").textContent = shown.length === creatives.length ? `All ${shown.length} are listed.`
    : `${shown.length} of ${creatives.length} are listed.`;
  drawn.clear();
  wall.replaceChildren();
  draw();
}

// The wall.

const wall = byId("wall");
const gap = 14;
const height = 296;
const drawn = new Map();

function layout() {
  const width = wall.clientWidth;
  const columns = Math.max(1, Math.floor((width + gap) / (250 + gap)));
  return { columns, card: (width - gap * (columns - 1)) / columns };
}

function draw() {
  const { columns, card } = layout();
  wall.style.height = `${Math.ceil(shown.length / columns) * (height + gap)}px`;
  const top = -wall.getBoundingClientRect().top;
  const first = Math.max(0, Math.floor((top - 600) / (height + gap)) * columns);
  const last = Math.min(shown.length, Math.ceil((top + innerHeight + 600) / (height + gap)) * columns);
  for (const [index, element] of drawn) {
    if (index < first || index >= last) {
      element.remove();
      drawn.delete(index);
    }
  }
  for (let index = first; index < last; index++) {
    const element = drawn.get(index) ?? cardOf(shown[index], index);
    const [row, place] = [Math.floor(index / columns), index % columns];
    Object.assign(element.style, { left: `${place * (card + gap)}px`, top: `${row * (height + gap)}px`, width: `${card}px`, height: `${height}px` });
    if (!drawn.has(index)) {
      // In the order of the list, so that the Tab key follows it.
      const after = [...wall.children].find((other) => Number(other.dataset.index) > index);
      wall.insertBefore(element, after ?? null);
      drawn.set(index, element);
    }
  }
}

function pictureOf(creative) {
  if (!creative.picture) return "no picture";
  return make("img", { src: creative.picture, alt: "", loading: "lazy", decoding: "async" });
}

function cardOf(creative, index) {
  const reason = creative.reasons.find((each) => !each.known) ?? creative.reasons[0];
  const more = creative.reasons.length - 1;
  const facts = [creative.kind, value(creative, "size"), value(creative, "bytes.total") === undefined || value(creative, "bytes.total") === null
    ? null : size(value(creative, "bytes.total"))].filter(Boolean).join(" · ");
  const element = make("button", { type: "button", class: "card", "data-index": index },
    make("span", { class: "picture" }, pictureOf(creative)),
    make("span", { class: "text" },
      make("b", { text: creative.id, title: creative.id }),
      make("span", { class: "line" }, make("span", { class: `badge ${creative.level}`, text: creative.level }), facts),
      make("span", { class: "reason", text: reason ? `${reason.message}${more > 0 ? ` (and ${more} more)` : ""}` : creative.title ?? "" })));
  element.addEventListener("click", () => open(index));
  return element;
}

addEventListener("scroll", draw, { passive: true });
addEventListener("resize", draw);

// Details.

const dialog = byId("details");
let opened = 0;

function list(values) {
  return make("ul", {}, ...values.map((text) => make("li", { text })));
}

function open(index) {
  opened = index;
  const creative = shown[index];
  byId("details-title").textContent = creative.id;
  byId("previous").disabled = index === 0;
  byId("next").disabled = index === shown.length - 1;
  const reasons = make("ul", { class: "reasons" }, ...creative.reasons.map((reason) => make("li", {},
    make("span", { class: `badge ${reason.level}`, text: reason.known ? `${reason.level}, known` : reason.level }), " ",
    make("code", { text: reason.rule }), ` ${reason.message}${reason.line ? ` (line ${reason.line})` : ""}`)));
  const rowsOf = head.measures.flatMap((measure, at) => {
    const each = creative.values[at];
    if (each === null || each === undefined || (Array.isArray(each) && each.length === 0)) return [];
    const cell = Array.isArray(each) ? list(each) : valueText(measure, each);
    return [make("tr", {}, make("th", { scope: "row", text: measure.title, title: `${measure.name}: ${measure.summary}` }), make("td", {}, cell))];
  });
  const facts = make("div", {},
    make("p", { class: "source", text: creative.title ? `${creative.title} · ${creative.source}` : creative.source }),
    creative.reasons.length > 0 ? reasons : make("p", { text: "Nothing is wrong by this policy." }),
    make("table", {}, make("tbody", {}, ...rowsOf)));
  const body = byId("details-body");
  body.classList.toggle("pictured", Boolean(creative.picture));
  const picture = creative.picture ? [make("div", {}, make("img", { src: creative.picture, alt: `Picture of ${creative.id}` }))] : [];
  body.replaceChildren(...picture, facts);
  if (!dialog.open) dialog.showModal();
  dialog.scrollTop = 0;
}

const step = (by) => {
  if (opened + by >= 0 && opened + by < shown.length) open(opened + by);
};
byId("previous").addEventListener("click", () => step(-1));
byId("next").addEventListener("click", () => step(1));
byId("close").addEventListener("click", () => dialog.close());
dialog.addEventListener("click", (event) => {
  if (event.target === dialog) dialog.close();
});
dialog.addEventListener("keydown", (event) => {
  if (event.key === "ArrowLeft") step(-1);
  if (event.key === "ArrowRight") step(1);
});

setUp();
refresh();
