// The panel Source: the documents of the ad with line numbers, and the linter's findings inline and in a list.

import { adAddress, getJSON } from "./api.js";
import { badge, byId, emptyNote, make } from "./dom.js";
import { plural } from "./format.js";

const panel = byId("panel-document");
const ratings = { error: "bad", warning: "warn" };
const weights = { error: 0, warning: 1, info: 2 };
/** The rating of a severity of the linter. */
const ratingOf = (severity) => ratings[severity] ?? "plain";

const mostLines = 5000;
const blockLines = 200;
const longestLine = 20000;

const choice = make("select", { "aria-label": "Document", on: { change: () => show() } });
const wrap = make("input", {
  type: "checkbox",
  checked: true,
  on: { change: () => code.classList.toggle("wrapped", wrap.checked) },
});
const total = make("span", { class: "total" });
const facts = make("p", { class: "note" });
const empty = emptyNote();
const findingsList = make("ol", { class: "findings" });
const findingsBox = make(
  "div",
  { class: "findings-scroll", tabindex: "0", role: "region", "aria-label": "Findings" },
  findingsList,
);
const code = make("div", { class: "code wrapped", tabindex: "0", role: "region", "aria-label": "Document" });
const split = make("div", { class: "source-split" }, code, findingsBox);
panel.append(
  make("div", { class: "panel-bar" }, choice, make("label", { class: "check" }, wrap, " wrap"), total),
  facts,
  empty,
  split,
);

let ad = null;
let documents = [];
let loadedFor = null;
let isStale = true;
let isShown = true;
let request = 0;
let onCount = () => {};

/** The end of what a finding marks: the word, tag or value that begins at its column. */
function markedEnd(text, start) {
  const match = /^(?:<\/?[\w:-]+|"[^"]*"?|'[^']*'?|[\w:-]+(?==)|[^\s<>"']+|\S)/.exec(text.slice(start, start + 200));
  return start + Math.max(1, match?.[0].length ?? 1);
}

function codeLine(text, findings) {
  const visible = text.length > longestLine ? text.slice(0, longestLine) : text;
  const element = make("code", {});
  let end = 0;
  const marks = findings.filter(
    (finding) => finding.column > 0 && finding.column - 1 < visible.length,
  ).sort((a, b) => a.column - b.column || weights[a.severity] - weights[b.severity]);
  for (const finding of marks) {
    const start = finding.column - 1;
    if (start < end) continue;
    element.append(visible.slice(end, start));
    end = markedEnd(visible, start);
    element.append(make(
      "mark",
      { class: ratingOf(finding.severity), title: finding.title },
      visible.slice(start, end),
    ));
  }
  element.append(visible.slice(end));
  if (visible.length < text.length) {
    element.append(make("span", { class: "cut" }, ` … ${plural(text.length - visible.length, "character")} more`));
  }
  return element;
}

function findingText(finding) {
  const place = finding.line
    ? `line ${finding.line}${finding.column ? `, column ${finding.column}` : ""}`
    : "the whole document";
  return [
    badge(ratingOf(finding.severity), finding.severity),
    make("b", {}, ` ${finding.title}`),
    finding.count > 1 ? make("span", { class: "soft" }, ` × ${finding.count}`) : null,
    make("span", { class: "where" }, place), make("span", { class: "finding-message" }, finding.message ?? ""),
    finding.fix ? make("span", { class: "fix" }, make("b", {}, "Fix: "), finding.fix) : null,
  ];
}

/** The element of a line that may not be there yet: long documents begin with their first lines. */
let lineElements = [];
let appendUpTo = () => {};

function goTo(line) {
  appendUpTo(line);
  const element = lineElements[line - 1] ?? lineElements.at(-1);
  if (!element) return;
  const scroll = () => {
    code.scrollTop += element.getBoundingClientRect().top - code.getBoundingClientRect().top - code.clientHeight / 3;
  };
  scroll();
  // The real height of a block is known when it is in sight, and then the line has moved.
  requestAnimationFrame(() => requestAnimationFrame(scroll));
  code.querySelector(".line.current")?.classList.remove("current");
  element.classList.add("current");
}

/** The lines of a text; the end of its last line begins no other. */
function linesOf(text) {
  const lines = text.split(/\r\n|\n|\r/);
  if (lines.length > 1 && lines.at(-1) === "") lines.pop();
  return lines;
}

function show() {
  isShown = true;
  const document_ = documents[Number(choice.value)] ?? documents[0];
  code.replaceChildren();
  findingsList.replaceChildren();
  lineElements = [];
  split.hidden = !document_;
  facts.hidden = !document_;
  empty.hidden = Boolean(document_);
  if (!document_) {
    choice.hidden = true;
    total.textContent = "";
    empty.textContent = ad
      ? "The documents of this ad appear here once they are fetched."
      : "The tag, each wrapper's answer and what the linter found appear here. Run an ad to see them.";
    return;
  }
  choice.hidden = false;
  const lines = linesOf(document_.text);
  facts.textContent = [
    document_.kind,
    document_.url,
    plural(lines.length, "line"),
    document_.truncated ? "cut: the document is longer" : null,
  ].filter(Boolean).join(" · ");
  const byLine = new Map();
  for (const finding of document_.findings ?? []) {
    if (!finding.line) continue;
    const line = Math.min(finding.line, lines.length);
    if (!byLine.has(line)) byLine.set(line, []);
    byLine.get(line).push(finding);
  }
  const digits = String(lines.length).length;
  code.style.setProperty("--digits", String(digits));
  const more = make("button", {
    type: "button",
    class: "more",
    on: { click: () => appendUpTo(lineElements.length + mostLines) },
  });
  code.append(more);
  appendUpTo = (wanted) => {
    const last = Math.min(lines.length, Math.max(wanted, mostLines));
    // The lines are in blocks, of which the browser lays out only those in sight.
    const added = document.createDocumentFragment();
    let block = null;
    for (let index = lineElements.length; index < last; index += 1) {
      const findings = byLine.get(index + 1) ?? [];
      const worst = findings.map((finding) => finding.severity).sort((a, b) => weights[a] - weights[b])[0];
      const element = make("div", { class: `line${worst ? ` ${ratingOf(worst)}` : ""}` },
        make("span", { class: "number", "data-number": index + 1 }), codeLine(lines[index], findings));
      for (const finding of findings) {
        element.append(make(
          "p",
          { class: `inline-finding ${ratingOf(finding.severity)}` },
          make("b", {}, finding.title),
          finding.message ? ": " : "",
          make("span", {}, finding.message ?? ""),
          finding.fix ? make("span", { class: "fix-inline" }, `Fix: ${finding.fix}`) : null,
        ));
      }
      lineElements.push(element);
      if (!block || index % blockLines === 0) added.append((block = make("div", { class: "block" })));
      block.append(element);
    }
    more.before(added);
    more.hidden = lineElements.length >= lines.length;
    more.textContent = `Show more of ${plural(lines.length, "line")}`;
  };
  appendUpTo(0);
  const isChecked = Boolean(document_.findings);
  const findings = [...(document_.findings ?? [])].sort(
    (a, b) => (weights[a.severity] ?? 3) - (weights[b.severity] ?? 3) || (a.line ?? 0) - (b.line ?? 0),
  );
  for (const finding of findings) {
    const content = findingText(finding);
    findingsList.append(make("li", {}, finding.line
      ? make("button", { type: "button", class: "finding", on: { click: () => goTo(finding.line) } }, content)
      : make("div", { class: "finding" }, content)));
  }
  findingsBox.hidden = false;
  if (!isChecked) {
    const note = "A file beside the ad's page, which is not checked. The linter checks pages, VAST and ad responses.";
    findingsList.append(make("li", {}, make("p", { class: "note" }, note)));
  } else if (findings.length === 0) {
    findingsList.append(make("li", {}, make("p", { class: "fine" }, "✓ The linter found nothing in this document.")));
  }
  total.textContent = findings.length > 0
    ? plural(findings.reduce((sum, finding) => sum + (finding.count ?? 1), 0), "finding")
    : "";
}

/** The index of the first document, or of the markup in it if it is an ad response. */
function firstToShow() {
  return documents.length > 1 && documents[0].kind === "answer" && documents[1].url === null ? 1 : 0;
}

async function loadDocuments() {
  isStale = false;
  const wanted = ad;
  const number = (request += 1);
  if (!wanted) {
    documents = [];
    show();
    return;
  }
  try {
    const answer = await getJSON(adAddress(wanted.id, "source"));
    if (number !== request) return;
    const isSame = loadedFor === wanted && JSON.stringify(answer.documents) === JSON.stringify(documents);
    if (isSame) return;
    const chosen = loadedFor === wanted ? choice.value : "";
    loadedFor = wanted;
    documents = answer.documents ?? [];
    choice.replaceChildren(...documents.map(
      (each, index) => make(
        "option",
        { value: index },
        `${each.name}${each.findings?.length ? ` (${each.findings.length})` : ""}`,
      ),
    ));
    if (answer.omitted > 0) {
      choice.append(make("option", { disabled: true }, `and ${plural(answer.omitted, "document")} more, not kept`));
    }
    choice.value = documents[chosen] ? chosen : String(firstToShow());
    onCount(documents.flatMap((each) => each.findings ?? []));
    if (panel.hidden) isShown = false; else show();
  } catch (error) {
    if (number !== request) return;
    documents = [];
    show();
    empty.textContent = error.message;
  }
}

export const documentPanel = {
  /** Called with all findings when they are known. */
  set onFindings(listener) { onCount = listener; },

  setAd(value) {
    ad = value;
    documents = [];
    loadedFor = null;
    isStale = true;
    request += 1;
    show();
  },

  /** Something was fetched: what is shown may be out of date. */
  invalidate() { isStale = true; },

  refresh() {
    if (!isShown && !panel.hidden) show();
    if (isStale) loadDocuments();
  },
};
