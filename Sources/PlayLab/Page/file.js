// The source "File": a file or folder, chosen by a button or dropped anywhere on the page.

import { announce, byId } from "./dom.js";
import { filesOfEntry, filesOfInput } from "./folder.js";
import { bytes, plural } from "./format.js";
import { zip, zipSize } from "./zip.js";

const input = byId("file");
const folderInput = byId("folder");
const note = byId("file-note");
const dropNote = byId("drop-note");

/** What was chosen: its name, its size as it is sent, and a function that returns its bytes in base64. */
let chosen = null;
let onChosen = () => {};
/** The number of the last choice: reading a folder takes time, and something else may be chosen meanwhile. */
let choice = 0;

/** Calls `listener` when a file or folder was chosen or dropped. */
export function onChosenFile(listener) { onChosen = listener; }

export const chosenFile = () => chosen;

/** Shows what was chosen, or a note about why nothing is; only `used` keeps what it shows. */
function choose(value, text, used) {
  choice += 1;
  chosen = value;
  // The same file or folder can be chosen again.
  for (const each of [input, folderInput]) if (each !== used) each.value = "";
  note.textContent = text ?? "Or drop a file or folder anywhere on this page. Run shows it.";
  note.classList.toggle("chosen", Boolean(value));
  if (!value) return;
  announce(`${value.name} is selected. Press Run to show it.`);
  onChosen();
}

function chooseFile(file, used) {
  if (!file) return choose(null);
  const value = { name: file.name, size: file.size, data: () => base64(file) };
  return choose(value, `${file.name}, ${bytes(file.size)}. Run shows it.`, used);
}

function chooseFolder({ name, files }, used) {
  const size = zipSize(files.map(({ path, file }) => ({ path, size: file.size })));
  const data = async () => {
    const read = files.map(async ({ path, file }) => ({ path, bytes: new Uint8Array(await buffer(file)) }));
    return base64(zip(await Promise.all(read)));
  };
  choose({ name, size, data }, `${name}, ${plural(files.length, "file")}, ${bytes(size)}. Run shows it.`, used);
}

/** Reads a dropped folder, and chooses it if nothing else was chosen meanwhile. */
async function dropFolder(entry) {
  choose(null, `Reading ${entry.name}…`);
  const number = choice;
  try {
    const folder = await filesOfEntry(entry);
    if (number === choice) chooseFolder(folder);
  } catch (error) {
    const shown = error instanceof DOMException ? unreadable(entry.name, error) : error;
    if (number === choice) choose(null, shown.message);
  }
}

input.addEventListener("change", () => chooseFile(input.files[0] ?? null, input));
folderInput.addEventListener("change", () => {
  if (folderInput.files.length === 0) return choose(null);
  try {
    return chooseFolder(filesOfInput(folderInput.files), folderInput);
  } catch (error) {
    return choose(null, error.message);
  }
});

const unreadable = (name, error) => new Error(
  `${name} can't be read: ${error?.message ?? "it has changed"}. Choose it again.`,
);

async function buffer(file) {
  try {
    return await file.arrayBuffer();
  } catch (error) {
    throw unreadable(file.name, error);
  }
}

/** The bytes of a file in base64. */
export function base64(value) {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.addEventListener("load", () => resolve(reader.result.slice(reader.result.indexOf(",") + 1)));
    reader.addEventListener("error", () => reject(unreadable(value.name ?? "The folder", reader.error)));
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
  const entry = event.dataTransfer.items?.[0]?.webkitGetAsEntry?.();
  if (entry?.isDirectory) {
    dropFolder(entry);
    return;
  }
  const dropped = event.dataTransfer.files[0];
  if (dropped) chooseFile(dropped);
});
