// The source "File": a file or folder, chosen by a button or dropped anywhere on the page.

import { announce, byId } from "./dom.js";
import { filesOfEntry, filesOfInput } from "./folder.js";
import { bytes, plural } from "./format.js";
import { zip } from "./zip.js";

const input = byId("file");
const folderInput = byId("folder");
const note = byId("file-note");
const dropNote = byId("drop-note");

/** What was chosen: its name, its size, and a function that returns its bytes in base64. */
let chosen = null;
let onChosen = () => {};

/** Calls `listener` when a file or folder was chosen or dropped. */
export function onChosenFile(listener) { onChosen = listener; }

export const chosenFile = () => chosen;

function choose(value, facts) {
  chosen = value;
  note.textContent = value
    ? `${value.name}, ${facts}. Run shows it.`
    : "Or drop a file or folder anywhere on this page. Run shows it.";
  note.classList.toggle("chosen", Boolean(value));
  if (value) {
    announce(`${value.name} is selected. Press Run to show it.`);
    onChosen();
  }
}

function chooseFile(file) {
  folderInput.value = "";
  if (!file) return choose(null);
  return choose({ name: file.name, size: file.size, data: () => base64(file) }, bytes(file.size));
}

function chooseFolder({ name, files }) {
  input.value = "";
  const size = files.reduce((sum, each) => sum + each.file.size, 0);
  const data = async () => {
    const read = files.map(async ({ path, file }) => ({ path, bytes: new Uint8Array(await buffer(file)) }));
    return base64(zip(await Promise.all(read)));
  };
  choose({ name, size, data }, `${plural(files.length, "file")}, ${bytes(size)}`);
}

/** Shows why a folder can't be used. */
function refuse(error) {
  choose(null);
  note.textContent = error.message;
}

input.addEventListener("change", () => chooseFile(input.files[0] ?? null));
folderInput.addEventListener("change", () => {
  if (folderInput.files.length === 0) return chooseFile(null);
  try {
    return chooseFolder(filesOfInput(folderInput.files));
  } catch (error) {
    return refuse(error);
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
    filesOfEntry(entry).then(chooseFolder, refuse);
    return;
  }
  const dropped = event.dataTransfer.files[0];
  if (!dropped) return;
  input.value = "";
  chooseFile(dropped);
});
