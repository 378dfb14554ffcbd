// The comparison of two ads: counts, differences by kind, pictures side by side.

import { address, postJSON } from "./api.js";
import { badge, byId, emptyNote, make, reducesMotion } from "./dom.js";
import { base64 } from "./file.js";
import { finite, isSet, plural, valueText } from "./format.js";
import { recentAds, runName } from "./recent.js";

const dialog = byId("compare-dialog");
const result = byId("comparison");
const selects = { a: byId("compare-a"), b: byId("compare-b") };
const titles = {
  verdict: "Verdict",
  event: "Events",
  tracker: "Trackers",
  request: "Requests",
  picture: "Pictures",
  lint: "Lint",
  console: "Console",
};

/** Runs of other days, as files: each is in the lists as long as the page is open. */
const saved = [];

const savedOption = (index) => make("option", { value: `file:${index}` }, saved[index].name);

/** What the server compares: the id of an ad, or a file. */
const sideOf = (value) => (value.startsWith("file:") ? saved[Number(value.slice(5))] : value);

let blinkTimer = 0;

/** The kinds of a comparison: those with a title in the order of the titles, then the others. */
const kindsOf = (names) => {
  const found = new Set(names);
  return [...Object.keys(titles).filter((kind) => found.delete(kind)), ...found];
};

const titleOf = (kind) => (Object.hasOwn(titles, kind) ? titles[kind] : kind);

export function openCompare(current) {
  const ads = recentAds();
  for (const select of Object.values(selects)) {
    select.replaceChildren(
      ...ads.map((ad) => make("option", { value: ad.id }, runName(ad))),
      ...saved.keys().map(savedOption),
    );
  }
  const index = Math.max(0, ads.findIndex((ad) => ad.id === current));
  selects.b.value = ads[index]?.id ?? "";
  selects.a.value = (
    ads.slice(index + 1).find((ad) => ad.title === ads[index]?.title)
      ?? ads[index + 1]
      ?? ads.find((ad) => ad.id !== ads[index]?.id)
  )?.id ?? "";
  if (!selects.a.value && saved.length > 0) selects.a.value = "file:0";
  const canCompare = ads.length + saved.length > 1;
  byId("compare-form").querySelector("button").disabled = !canCompare;
  result.replaceChildren(emptyNote(
    canCompare
      ? "Choose two ads and press Compare."
      : "Two runs are needed. Run the same tag twice, or one tag on two devices, or choose a run of another day.",
  ));
  dialog.showModal();
  if (canCompare) byId("compare-form").requestSubmit();
}

byId("compare-form").addEventListener("submit", async (event) => {
  event.preventDefault();
  clearInterval(blinkTimer);
  result.replaceChildren(emptyNote("Comparing…"));
  const ids = { a: selects.a.value, b: selects.b.value };
  try {
    show(await postJSON(address("/compare"), { a: sideOf(ids.a), b: sideOf(ids.b) }), ids);
  } catch (error) {
    result.replaceChildren(make("p", { class: "field-error" }, error.message));
  }
});

const fileInput = byId("compare-file");

fileInput.addEventListener("change", async () => {
  const file = fileInput.files[0];
  if (!file) return;
  try {
    saved.push({ name: file.name, data: await base64(file) });
  } catch (error) {
    result.replaceChildren(make("p", { class: "field-error" }, error.message));
    return;
  }
  fileInput.value = "";
  const index = saved.length - 1;
  for (const select of Object.values(selects)) select.append(savedOption(index));
  selects.a.value = `file:${index}`;
  if (!selects.b.value) return;
  byId("compare-form").querySelector("button").disabled = false;
  byId("compare-form").requestSubmit();
});

dialog.addEventListener("close", () => clearInterval(blinkTimer));

const list = (value) => (Array.isArray(value) ? value : []);

/**
 * The members of an event, as in `url=https://… opened=false`, as "url https://…, not opened". A message is the last
 * one, and may have spaces and equals signs.
 */
function membersText(value) {
  const text = valueText(value);
  const names = [...text.matchAll(/(?:^| )([A-Za-z]\w*)=/g)];
  const message = names.findIndex((match) => match[1] === "message");
  if (message >= 0) names.splice(message + 1);
  if (names.length === 0) return text;
  const parts = names.map((match, index) => {
    const rest = text.slice(match.index + match[0].length, names[index + 1]?.index);
    if (rest === "true") return match[1];
    return rest === "false" ? `not ${match[1]}` : `${match[1]} ${rest}`;
  });
  const name = text.slice(0, names[0].index);
  return name ? `${name}: ${parts.join(", ")}` : parts.join(", ");
}

/** A text of a difference of a kind: events have members. */
const differenceText = (kind, text) => (kind === "event" && isSet(text) ? membersText(text) : text);

function side(value, letter) {
  return isSet(value) ? make("td", {}, value) : make("td", { class: "absent" }, `not in ${letter}`);
}

function show(comparison, ids) {
  const differences = list(comparison?.differences);
  const counts = Object.entries(comparison?.counts ?? {}).filter(([, count]) => finite(count) > 0);
  const pictures = list(comparison?.pictures);
  const total = counts.reduce((sum, [, count]) => sum + count, 0);
  const byKind = new Map(counts);
  const names = Object.entries(ids).map(([letter, id]) => {
    const ad = recentAds().find((each) => each.id === id);
    return `${letter.toUpperCase()}: ${ad ? runName(ad) : sideOf(id).name ?? id}`;
  });
  result.replaceChildren(
    make(
      "p",
      { class: "counts" },
      make("b", {}, total === 0 ? "No difference was found." : `${plural(total, "difference")}: `),
      kindsOf(byKind.keys()).map((kind) => [badge("warn", `${titleOf(kind)} ${byKind.get(kind)}`), " "]),
    ),
    ...list(comparison?.notes).map((note) => make("p", { class: "comparison-note" }, note)),
  );
  const ofPictures = differences.filter((each) => each.kind === "picture");
  if (pictures.length > 0) showPictures(pictures, ofPictures);
  const listed = pictures.length > 0 ? differences.filter((each) => each.kind !== "picture") : differences;
  for (const kind of kindsOf(listed.map((each) => valueText(each.kind)))) {
    result.append(make("h3", {}, titleOf(kind)), make("table", { class: "differences" },
      make("thead", {}, make("tr", {}, ["What", ...names].map((text) => make("th", { scope: "col" }, text)))),
      make(
        "tbody",
        {},
        listed.filter((each) => valueText(each.kind) === kind).map((each) => make(
          "tr",
          {},
          make("th", { scope: "row" }, differenceText(kind, each.text)),
          side(differenceText(kind, each.a), "A"),
          side(differenceText(kind, each.b), "B"),
        )),
      )));
  }
}

/** A picture of the server is in the response itself; nothing else is loaded. */
const isPicture = (value) => typeof value === "string" && value.startsWith("data:image/");

function figure(data, className, caption, label) {
  return make(
    "figure",
    { class: className },
    isPicture(data)
      ? make("img", { src: data, alt: `${caption}, ${label}` })
      : make("div", { class: "no-picture" }, "no picture"),
    make("figcaption", {}, label),
  );
}

/** How many pixels of two pictures differ, as a badge; without their number, what else differs. */
function shareBadge({ share, caption }, differences) {
  if (!Number.isFinite(share)) {
    const prefix = `${valueText(caption)}: `;
    const text = differences.map((each) => valueText(each.text)).find((each) => each.startsWith(prefix));
    return text ? badge("warn", text.slice(prefix.length)) : badge("plain", "not comparable");
  }
  if (share <= 0) return badge("good", "no pixel differs");
  const percent = share * 100;
  const number = percent < 0.001 ? "less than 0.001" : percent.toFixed(percent < 0.1 ? 3 : 1);
  return badge("warn", `${number} % of the pixels differ`);
}

function showPictures(pictures, differences) {
  const box = make("div", { class: "picture-sets" }, pictures.map((each) => {
    const caption = valueText(each.caption);
    return make(
      "section",
      { class: "picture-set" },
      make("h4", {}, caption, " ", shareBadge(each, differences)),
      make(
        "div",
        { class: "picture-row" },
        figure(each.a, "side-a", caption, "A"),
        figure(each.b, "side-b", caption, "B"),
        isPicture(each.difference) ? figure(each.difference, "", caption, "difference") : null,
      ),
    );
  }));
  result.append(make("div", { class: "heading" }, make("h3", {}, "Pictures"), blinkButtons(box)), box);
}

/** Buttons that show A and B at one place: in turn, or with reduced motion as the second button is pressed. */
function blinkButtons(box) {
  const isManual = reducesMotion();
  const next = make("button", { type: "button", hidden: true, on: { click: turn } }, "Show B");
  const attributes = { type: "button", "aria-pressed": "false", on: { click: toggle } };
  const blink = make("button", attributes, isManual ? "A and B at one place" : "Blink A and B");

  function turn() {
    next.textContent = box.classList.toggle("b") ? "Show A" : "Show B";
  }

  function toggle() {
    const isOn = blink.getAttribute("aria-pressed") !== "true";
    blink.setAttribute("aria-pressed", String(isOn));
    clearInterval(blinkTimer);
    box.classList.toggle("blinking", isOn);
    box.classList.remove("b");
    next.textContent = "Show B";
    next.hidden = !isOn || !isManual;
    if (isOn && !isManual) blinkTimer = setInterval(turn, 700);
  }

  return [blink, next];
}
