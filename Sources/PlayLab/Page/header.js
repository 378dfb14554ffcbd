// The top bar: verdict with its checks, links to the results, the command, the theme.

import { adAddress, getJSON } from "./api.js";
import { announce, byId, copy, knownRating, make, sign } from "./dom.js";
import { load, save } from "./store.js";

const verdict = byId("verdict");
const popover = byId("checks");
const theme = byId("theme");
const links = { report: "report", har: "har", trace: "trace", screenshot: "screenshot" };

let ad = null;

export function showVerdict(value) {
  const rating = knownRating(value?.rating);
  verdict.className = `verdict ${rating}`;
  verdict.disabled = !value?.checks?.length;
  const text = value?.text ?? (ad ? "No verdict yet" : "Run an ad to get its verdict");
  verdict.replaceChildren(
    ...(value ? [sign(rating)] : []),
    make("span", { class: "verdict-text" }, text),
    verdict.disabled ? "" : make("span", { class: "caret", "aria-hidden": "true" }, "▾"),
  );
  verdict.title = text;
  if (value) announce(`Verdict: ${text}`);
  popover.replaceChildren(make("h2", {}, text), ...(value?.checks ?? []).map((check) => {
    return make("div", { class: knownRating(check.rating) }, make("span", { class: "check-title" }, check.title),
      make(
        "p",
        {},
        sign(check.rating),
        make("b", {}, check.result),
        check.reason ? make("span", {}, `: ${check.reason}`) : null,
      ));
  }));
  if (verdict.disabled && popover.matches(":popover-open")) popover.hidePopover();
}

popover.addEventListener("toggle", () => {
  const box = verdict.getBoundingClientRect();
  popover.style.left = `${Math.max(8, Math.min(box.left, innerWidth - popover.offsetWidth - 8))}px`;
  popover.style.top = `${box.bottom + 6}px`;
});

export function setHeaderAd(value) {
  ad = value;
  byId("results").hidden = !ad;
  for (const [name, part] of Object.entries(links)) {
    const link = byId(`link-${name}`);
    if (ad) link.href = adAddress(ad.id, part); else link.removeAttribute("href");
  }
  showVerdict(ad?.verdict ?? null);
}

let commandNumber = 0;

byId("show-command").addEventListener("click", async () => {
  const { id } = ad;
  const number = (commandNumber += 1);
  const text = byId("command-text");
  const note = byId("command-file");
  text.textContent = "…";
  note.hidden = true;
  byId("command-dialog").showModal();
  try {
    const command = await getJSON(adAddress(id, "command"));
    if (number !== commandNumber) return;
    text.textContent = command.text;
    note.hidden = !command.file;
    if (command.file) {
      const link = make("a", { href: adAddress(id, "original"), download: command.file }, `Save ${command.file}`);
      note.replaceChildren("It reads a file of the folder that it runs in. ", link);
    }
  } catch (error) {
    if (number === commandNumber) text.textContent = error.message;
  }
});
byId("command-copy").addEventListener("click", (event) => copy(byId("command-text").textContent, event.currentTarget));

for (const button of document.querySelectorAll("[data-close]")) {
  button.addEventListener("click", () => button.closest("dialog").close());
}

// The theme

/** Calls `listener` when the colours have changed. */
export function setUpTheme(listener) {
  const apply = () => {
    if (theme.value === "auto") delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = theme.value;
    listener();
  };
  theme.value = load("theme", "auto");
  if (!theme.value) theme.value = "auto";
  apply();
  theme.addEventListener("change", () => {
    save("theme", theme.value);
    apply();
  });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", listener);
}
