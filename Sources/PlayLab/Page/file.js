// The source "File": chosen by a button, or dropped anywhere on the page.

import { announce, byId } from "./dom.js";
import { bytes } from "./format.js";

const input = byId("file");
const note = byId("file-note");
const dropNote = byId("drop-note");

let file = null;
let onFile = () => {};

/** Calls `listener` when a file was chosen or dropped. */
export function onChosenFile(listener) { onFile = listener; }

export const chosenFile = () => file;

function choose(value) {
  file = value;
  note.textContent = file
    ? `${file.name}, ${bytes(file.size)}. Run shows it.`
    : "Or drop a file anywhere on this page. Run shows it.";
  note.classList.toggle("chosen", Boolean(file));
  if (file) {
    announce(`${file.name} is selected. Press Run to show it.`);
    onFile(file);
  }
}

input.addEventListener("change", () => choose(input.files[0] ?? null));

/** The file's bytes in base64. */
export function base64(value) {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.addEventListener("load", () => resolve(reader.result.slice(reader.result.indexOf(",") + 1)));
    reader.addEventListener("error", () => reject(
      new Error(`${value.name} can't be read: ${reader.error?.message ?? "it has changed"}. Choose it again.`),
    ));
    reader.readAsDataURL(value);
  });
}

const hasFiles = (event) => [...(event.dataTransfer?.types ?? [])].includes("Files");

let depth = 0;

addEventListener("dragenter", (event) => {
  if (!hasFiles(event)) return;
  event.preventDefault();
  depth += 1;
  dropNote.hidden = false;
});
addEventListener("dragover", (event) => { if (hasFiles(event)) event.preventDefault(); });
addEventListener("dragleave", (event) => {
  if (!hasFiles(event)) return;
  depth = Math.max(0, depth - 1);
  dropNote.hidden = depth === 0;
});
addEventListener("drop", (event) => {
  depth = 0;
  dropNote.hidden = true;
  if (!hasFiles(event)) return;
  event.preventDefault();
  const dropped = event.dataTransfer.files[0];
  if (!dropped) return;
  input.value = "";
  choose(dropped);
});
