// The form: a source with its options, sent by Run; errors appear beside their field.

import { address, postJSON } from "./api.js";
import { chosenBundled, setBundled } from "./bundled.js";
import { byId, make } from "./dom.js";
import { chosenFile, onChosenFile } from "./file.js";
import { bytes } from "./format.js";
import { optionProblem, optionsToStore, restoreOptions, runOptions, secretOptions, setOptions } from "./options.js";
import { placementFields, placementToStore, setProviders } from "./placement.js";
import { load, save } from "./store.js";
import { makeTabs } from "./tabs.js";

const form = byId("form");
const run = byId("run");
const formError = byId("form-error");

let kind = "markup";
let isSending = false;
let mostBytes = 33554432;
let onRun = () => {};
let isRestoring = true;

const selectKind = makeTabs(byId("source-tabs"), (name) => {
  kind = name;
  store();
});

/** Fills the form from the lab's options and what was entered before. `listener(id)` is called with each new ad. */
export function setUpForm(options, listener) {
  onRun = listener;
  mostBytes = options.limits?.bodyBytes ?? mostBytes;
  const stored = load("form", {});
  setOptions(options, store);
  restoreOptions({ ...stored.options, ...load("secrets", {}, "sessionStorage") });
  byId("text").value = stored.text ?? "";
  byId("url").value = stored.url ?? "";
  setProviders(options.providers ?? [], stored.placement ?? {}, store);
  setBundled(options.bundled ?? [], stored.bundled, store);
  for (const id of ["text", "url"]) byId(id).addEventListener("input", store);
  for (const group of document.querySelectorAll(".group")) group.addEventListener("toggle", store);
  if (/Mac|iP/.test(navigator.platform)) run.querySelector("kbd").textContent = "⌘ ↵";
  isRestoring = false;
  selectKind(stored.kind ?? "markup");
}

let storeTimer = 0;

/** Stores the form a moment after the last change. */
function store() {
  clearTimeout(storeTimer);
  if (!isRestoring) storeTimer = setTimeout(storeNow, 250);
}

addEventListener("pagehide", () => { if (!isRestoring) storeNow(); });

function storeNow() {
  const stored = {
    kind,
    text: byId("text").value,
    url: byId("url").value,
    placement: placementToStore(),
    bundled: chosenBundled(),
    options: optionsToStore(),
  };
  // A very long paste has no room in the store; the rest is kept without it.
  if (!save("form", stored)) save("form", { ...stored, text: "" });
  save("secrets", secretOptions(), "sessionStorage");
}

onChosenFile(() => selectKind("file"));

class FieldError extends Error {
  constructor(field, message) {
    super(message);
    this.field = field;
  }
}

async function source() {
  switch (kind) {
    case "url": {
      const text = byId("url").value.trim();
      if (!text) throw new FieldError("url", "No address was entered. Enter the http or https address of a tag.");
      return { kind, text };
    }
    case "file": {
      const file = chosenFile();
      if (!file) throw new FieldError("file", "No file was chosen. Choose one, or drop it on this page.");
      if (file.size > mostBytes) {
        throw new FieldError(
          "file",
          `${file.name} has ${bytes(file.size)}; the lab takes up to ${bytes(mostBytes)}. Choose a smaller one.`,
        );
      }
      return { kind, name: file.name, data: await file.data() };
    }
    case "placement": return { kind, provider: byId("provider").value, fields: placementFields() };
    case "bundled": {
      if (!chosenBundled()) throw new FieldError(null, "No creative was chosen. Choose one of the list.");
      return { kind, name: chosenBundled() };
    }
    default: {
      const text = byId("text").value;
      if (!text.trim()) throw new FieldError("text", "Nothing was pasted. Paste a tag, VAST, VMAP, or an ad response.");
      return { kind: "markup", text };
    }
  }
}

/** The ids of what describes a field: its note, and its error. */
const describedBy = (element) => (element.getAttribute("aria-describedby") ?? "").split(" ").filter(Boolean);

function clearErrors() {
  formError.hidden = true;
  formError.textContent = "";
  for (const note of form.querySelectorAll(".beside")) note.remove();
  for (const element of form.querySelectorAll("[aria-invalid]")) {
    element.removeAttribute("aria-invalid");
    const notes = describedBy(element).filter((id) => byId(id));
    if (notes.length > 0) element.setAttribute("aria-describedby", notes.join(" "));
    else element.removeAttribute("aria-describedby");
  }
}

/** The element of the field with this name, in the source that is shown or in the options. */
function fieldElement(name) {
  const candidates = [...form.querySelectorAll("[data-field], [data-option], [data-consent]")];
  const found = candidates.filter(
    (element) => [element.dataset.field, element.dataset.option, element.dataset.consent].includes(name),
  );
  return found.find((element) => !element.closest("[hidden]")) ?? null;
}

const sourceFields = {
  source: { markup: "text", url: "url", file: "file", placement: "provider" },
  data: { file: "file" },
  name: { file: "file" },
  consent: { default: "tcf" },
};

function showError(error, field) {
  const name = field ? sourceFields[field]?.[kind] ?? sourceFields[field]?.default ?? field : null;
  const element = name ? fieldElement(name) : null;
  if (!element) {
    formError.textContent = error.message;
    formError.hidden = false;
    return;
  }
  const group = element.closest("details");
  if (group) group.open = true;
  const id = `error-${name}`;
  const note = make("p", { class: "field-error beside", id, role: "alert" }, error.message);
  (element.closest(".pair, .drop") ?? element).after(note);
  const input = element.matches("input, select, textarea") ? element : element.querySelector("input");
  input?.setAttribute("aria-invalid", "true");
  input?.setAttribute("aria-describedby", [...describedBy(input), id].join(" "));
  input?.focus();
}

/**
 * Posts what `makeOrder` returns, a source with options, and shows the ad. If it is that of the form, an error appears
 * beside its field.
 */
async function post(makeOrder, isOfForm) {
  if (isSending) return;
  isSending = true;
  run.disabled = true;
  clearErrors();
  try {
    const { id } = await postJSON(address("/ads"), await makeOrder());
    onRun(id);
  } catch (error) {
    showError(error, isOfForm ? error.field : null);
  } finally {
    isSending = false;
    run.disabled = false;
  }
}

/** Runs an ad of the lab once more; the server has its source and options. */
export const runAgain = (id) => post(() => ({ source: { kind: "ad", id } }), false);

async function order() {
  const problem = optionProblem();
  if (problem) throw new FieldError(problem.field, problem.message);
  return { source: await source(), options: runOptions() };
}

form.addEventListener("submit", (event) => {
  event.preventDefault();
  post(order, true);
});

addEventListener("keydown", (event) => {
  if (
    event.key !== "Enter" || !(event.ctrlKey || event.metaKey) || event.repeat || document.querySelector("dialog[open]")
  ) return;
  event.preventDefault();
  post(order, true);
}, true);
