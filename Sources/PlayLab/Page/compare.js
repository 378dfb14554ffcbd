// The comparison of two ads: counts, differences by kind, pictures side by side.

import { address, postJSON } from "./api.js";
import { badge, byId, emptyNote, make } from "./dom.js";
import { plural } from "./format.js";
import { recentAds } from "./recent.js";

const dialog = byId("compare-dialog");
const result = byId("comparison");
const selects = { a: byId("compare-a"), b: byId("compare-b") };
const kinds = {
  event: "Events",
  tracker: "Trackers",
  request: "Requests",
  picture: "Pictures",
  lint: "Lint",
  console: "Console",
};

let blinkTimer = 0;

const name = (ad) => `${ad.id}: ${ad.title}${ad.device ? `, ${ad.device}` : ""}`;

export function openCompare(current) {
  const ads = recentAds();
  for (const select of Object.values(selects)) {
    select.replaceChildren(...ads.map((ad) => make("option", { value: ad.id }, name(ad))));
  }
  const index = Math.max(0, ads.findIndex((ad) => ad.id === current));
  selects.b.value = ads[index]?.id ?? "";
  selects.a.value = (
    ads.slice(index + 1).find((ad) => ad.title === ads[index]?.title)
      ?? ads[index + 1]
      ?? ads.find((ad) => ad.id !== ads[index]?.id)
  )?.id ?? "";
  const canCompare = ads.length > 1;
  byId("compare-form").querySelector("button").disabled = !canCompare;
  result.replaceChildren(emptyNote(
    canCompare
      ? "Choose two ads and press Compare."
      : "Two ads are needed. Run the same tag twice, or one tag on two devices, then compare them.",
  ));
  dialog.showModal();
}

byId("compare-form").addEventListener("submit", async (event) => {
  event.preventDefault();
  clearInterval(blinkTimer);
  result.replaceChildren(emptyNote("Comparing…"));
  try {
    const comparison = await postJSON(address("/compare"), { a: selects.a.value, b: selects.b.value });
    show(comparison);
  } catch (error) {
    result.replaceChildren(make("p", { class: "field-error" }, error.message));
  }
});

dialog.addEventListener("close", () => clearInterval(blinkTimer));

function side(text, letter) {
  return make("td", { class: text === null || text === undefined ? "absent" : null }, text ?? `not in ${letter}`);
}

function show({ differences = [], counts = {}, pictures = [] }) {
  result.replaceChildren();
  const named = {
    a: recentAds().find((ad) => ad.id === selects.a.value),
    b: recentAds().find((ad) => ad.id === selects.b.value),
  };
  const total = differences.length;
  const found = Object.entries(kinds).filter(([kind]) => counts[kind] > 0);
  result.append(make(
    "p",
    { class: "counts" },
    make("b", {}, total === 0 ? "No difference was found." : `${plural(total, "difference")}: `),
    found.map(([kind, label]) => [badge("warn", `${label} ${counts[kind]}`), " "]),
  ));
  if (pictures.length > 0) showPictures(pictures);
  for (const [kind, label] of Object.entries(kinds)) {
    const rows = differences.filter((each) => each.kind === kind);
    if (rows.length === 0) continue;
    result.append(make("h3", {}, label), make("table", { class: "differences" },
      make(
        "thead",
        {},
        make(
          "tr",
          {},
          make("th", { scope: "col" }, "What"),
          make("th", { scope: "col" }, `A: ${named.a?.id ?? ""}`),
          make("th", { scope: "col" }, `B: ${named.b?.id ?? ""}`),
        ),
      ),
      make(
        "tbody",
        {},
        rows.map((each) =>
          make("tr", {}, make("th", { scope: "row" }, each.text), side(each.a, "A"), side(each.b, "B"))),
      )));
  }
}

function picture(path, caption) {
  if (!path) return make("div", { class: "no-picture" }, "no picture");
  return make("img", { src: address(path), alt: caption });
}

function showPictures(pictures) {
  const sets = pictures.map((each) => {
    const share = each.share > 0
      ? `${(each.share * 100).toFixed(each.share < 0.001 ? 3 : 1)} % of the pixels differ`
      : each.a && each.b ? "no pixel differs" : "";
    const a = make("figure", { class: "side-a" }, picture(each.a, `${each.caption}, A`), make("figcaption", {}, "A"));
    const b = make("figure", { class: "side-b" }, picture(each.b, `${each.caption}, B`), make("figcaption", {}, "B"));
    const hasDifference = typeof each.difference === "string" && each.difference.startsWith("data:image/png;base64,");
    const difference = hasDifference
      ? make(
        "figure",
        {},
        make("img", { src: each.difference, alt: `${each.caption}, differing pixels` }),
        make("figcaption", {}, "difference"),
      )
      : null;
    return make(
      "section",
      { class: "picture-set" },
      make(
        "h4",
        {},
        each.caption,
        " ",
        badge(each.share > 0 ? "warn" : share ? "good" : "plain", share || "not comparable"),
      ),
      make("div", { class: "picture-row" }, a, b, difference),
    );
  });
  const blink = make("button", { type: "button", "aria-pressed": "false" }, "Blink A and B");
  const box = make("div", { class: "picture-sets" }, sets);
  blink.addEventListener("click", () => {
    const isOn = blink.getAttribute("aria-pressed") !== "true";
    blink.setAttribute("aria-pressed", String(isOn));
    box.classList.toggle("blinking", isOn);
    clearInterval(blinkTimer);
    box.classList.remove("b");
    if (isOn) blinkTimer = setInterval(() => box.classList.toggle("b"), 700);
  });
  result.append(make("div", { class: "heading" }, make("h3", {}, "Pictures"), blink), box);
}
