// The page: one ad on screen, and all panels that show it.

import { Ad } from "./ad.js";
import { address, getJSON, onReachable } from "./api.js";
import { openCompare } from "./compare.js";
import { setControlsAd, updateControls } from "./controls.js";
import { documentPanel } from "./document.js";
import { announce, beforeNextFrame, byId, make } from "./dom.js";
import { runAgain, setUpForm } from "./form.js";
import { shortCount } from "./format.js";
import { setHeaderAd, setUpTheme, showVerdict } from "./header.js";
import { setInputAd } from "./input.js";
import { consolePanel, eventsPanel, messagesPanel } from "./logs.js";
import { deviceTitle } from "./options.js";
import { setUpPast } from "./past.js";
import { keptPicture } from "./pictures.js";
import { recentAds, refreshRecent, setCurrent, setUpRecent } from "./recent.js";
import { requestsPanel } from "./requests.js";
import { clearScreen, drawLive, hasPicture, ring, setScreenSize, showDevice } from "./screen.js";
import { setUpSplitters } from "./splitters.js";
import { structurePanel } from "./structure.js";
import { makeTabs } from "./tabs.js";
import { appendToTimeline, chosenMoment, setTimelineAd, themeChanged, updateTimeline } from "./timeline.js";
import { trackersPanel } from "./trackers.js";

const message = byId("message");
const banner = byId("ended");
const panels = {
  events: eventsPanel(),
  trackers: trackersPanel,
  requests: requestsPanel,
  document: documentPanel,
  structure: structurePanel,
  console: consolePanel(),
  messages: messagesPanel(),
};

let ad = null;
let tab = "events";
let findings = [];
let isUnknown = false;
let lastState = null;
let lastSpeed = 1;
let isSetUp = false;

// Tabs of the right column

const selectTab = makeTabs(byId("result-tabs"), (name) => {
  tab = name;
  refreshTab();
});

/** A hidden panel isn't kept up to date; it is when it is selected. */
function refreshTab() {
  const panel = panels[tab];
  if (tab === "events" && chosenMoment() !== null) {
    requestAnimationFrame(() => requestAnimationFrame(() => panel.list.revealMarked()));
  }
  if (panel.refresh) panel.refresh(); else panel.list.update();
}

/** The count of a tab; of its errors or warnings instead if it has any. */
function setCount(name, count, bad = 0, warn = 0) {
  const element = byId(`tab-${name}`).querySelector(".count");
  const [sign, number, noun] = bad > 0 ? ["✕ ", bad, "error"] : warn > 0 ? ["! ", warn, "warning"] : ["", count, ""];
  const text = ad ? `${sign}${shortCount(number)}` : "";
  if (element.dataset.text === text) return;
  element.dataset.text = text;
  element.className = `count${bad > 0 ? " bad" : warn > 0 ? " warn" : ""}`;
  element.replaceChildren(text);
  if (noun) element.append(make("span", { class: "visually-hidden" }, ` ${noun}${number === 1 ? "" : "s"}`));
}

function updateCounts() {
  const none = { total: 0, bad: 0, warn: 0 };
  setCount("events", (ad?.events ?? none).total);
  setCount("trackers", ad?.trackers.length ?? 0);
  const requests = ad?.requests ?? none;
  setCount("requests", requests.total, requests.bad, requests.warn);
  setCount(
    "document",
    findings.length,
    findings.filter((finding) => finding.severity === "error").reduce((sum, finding) => sum + (finding.count ?? 1), 0),
  );
  const log = ad?.console ?? none;
  setCount("console", log.total, log.bad);
  const messages = ad?.messages ?? none;
  setCount("messages", messages.total, messages.bad, messages.warn);
}

documentPanel.onFindings = (value) => {
  findings = value;
  updateCounts();
};
structurePanel.onCount = (count) => setCount("structure", count);

// The ad

function open(id) {
  ad?.close();
  ad = new Ad(id);
  isUnknown = false;
  lastState = null;
  lastSpeed = 1;
  history.replaceState(null, "", `#${encodeURIComponent(id)}`);
  clearScreen();
  findings = [];
  setCount("structure", 0);
  for (const panel of Object.values(panels)) panel.setAd(ad);
  setTimelineAd(ad);
  setHeaderAd(ad);
  setControlsAd(ad);
  setCurrent(id);
  byId("ad-title").textContent = id;
  byId("ad-facts").textContent = "";
  listen(ad);
  updateCounts();
  showState();
  ad.open();
}

function listen(shown) {
  shown.on("rows", (rows) => {
    for (const panel of [panels.events, panels.console, panels.messages]) panel.append();
    const hasFetched = rows.some((row) => row.event === "fetch");
    if (hasFetched && tab === "requests") beforeNextFrame(requestsPanel.refresh);
    if (rows.some(
      (row) => row.event === "loaded"
        || row.event === "loadFailed"
        || (row.event === "fetch" && ["tag", "load", "wrapper"].includes(row.data.what)),
    )) documentsChanged();
    for (const row of rows.filter((each) => each.event === "tap").slice(-8)) {
      if (chosenMoment() === null) ring(row);
    }
    appendToTimeline(rows);
    updateCounts();
  });
  shown.on("state", (state) => {
    setScreenSize(state.screen);
    showState();
    if (shown.speed !== lastSpeed) {
      lastSpeed = shown.speed;
      requestsPanel.refresh();
    }
    if (state.state !== lastState) {
      lastState = state.state;
      refreshRecent();
    }
  });
  shown.on("summary", showState);
  shown.on("trackers", () => {
    if (tab === "trackers") beforeNextFrame(trackersPanel.refresh);
    updateCounts();
  });
  shown.on("verdict", (value) => {
    showVerdict(value);
    refreshRecent();
  });
  shown.on("strip", () => {
    updateTimeline();
    if (!hasPicture() && shown.hasEnded) showLastKept(shown);
  });
  shown.on("picture", ({ bitmap }) => {
    const isFirst = !hasPicture();
    drawLive(bitmap);
    if (isFirst) showState();
  });
  shown.on("picturesOver", () => { if (!hasPicture()) showLastKept(shown); });
  shown.on("end", () => {
    documentsChanged();
    showState();
    updateTimeline();
    refreshRecent();
  });
  shown.on("gone", () => {
    isUnknown = true;
    showState();
  });
}

let documentsTimer = 0;

/** Reads documents and structure again a moment later, once for several responses. */
function documentsChanged() {
  documentPanel.invalidate();
  structurePanel.invalidate();
  clearTimeout(documentsTimer);
  documentsTimer = setTimeout(() => {
    documentPanel.refresh();
    structurePanel.refresh();
  }, 300);
}

async function showLastKept(shown) {
  const last = shown.strip.frames.at(-1);
  if (!last) return;
  try {
    const bitmap = await keptPicture(shown.id, last.n);
    if (shown !== ad || hasPicture()) {
      bitmap.close();
      return;
    }
    drawLive(bitmap);
    showState();
  } catch {
    // Then the message is that of an ad without a picture.
  }
}

const sinceStart = () => ((performance.now() - ad.openedAt) / 1000);
const fetchingSince = () => (
  Number.isFinite(ad.startedAt) && Math.abs(Date.now() - ad.startedAt) < 600000
    ? Math.max(0, (Date.now() - ad.startedAt) / 1000)
    : sinceStart()
);

/** Shows the ad's state in the middle: the device, what the page waits for, or why there is no picture. */
function showState() {
  if (!ad) return;
  const { state } = ad;
  const isOver = ad.hasEnded || isUnknown;
  const title = state.title || ad.summary?.title || ad.id;
  byId("ad-title").textContent = byId("ad-title").title = title;
  document.title = `${title.slice(0, 80)} – yabbi-play lab`;
  const device = deviceTitle(state.device);
  const size = state.screen ? `${state.screen.width}x${state.screen.height}` : null;
  const facts = [
    device,
    // The title of a device has the size of its screen.
    size && device?.endsWith(size) ? null : size,
    state.format,
    ad.speed !== 1 ? `speed ${ad.speed}` : null,
    state.covered ? "covered" : null,
    state.background ? "in background" : null,
    state.offline ? "offline" : null,
    isOver ? "ended" : null,
  ];
  byId("ad-facts").textContent = facts.filter(Boolean).join(" · ");
  updateControls();
  setInputAd(isOver || chosenMoment() !== null ? null : ad);
  byId("screen-hint").classList.toggle("off", isOver);
  const error = state.error?.message;
  if (isUnknown) {
    showMessage("The lab does not have this ad any more. Press Run to run its source again.");
  } else if (chosenMoment() !== null && hasPicture()) showMessage(null);
  else if (error) showMessage(error, "bad");
  else if (isOver) showMessage(hasPicture() ? "This ad has ended." : "This ad has ended without a picture.");
  else if (state.state === "fetching") showMessage(`Fetching the tag… ${fetchingSince().toFixed(1)} s`);
  else if (!hasPicture()) showMessage(state.state === "loading" ? "Loading the ad…" : "Waiting for its first picture…");
  else showMessage(null);
  if (hasPicture()) showDevice(isOver);
  else byId("device-frame").hidden = true;
}

/** Shows a message, or none; with a picture behind it when there is one. */
function showMessage(text, rating = "plain") {
  message.hidden = text === null;
  if (text === null) return;
  message.className = `message ${rating}${hasPicture() ? " over-picture" : ""}`;
  const canRepeat = ad.hasEnded && !isUnknown;
  const known = message.firstElementChild;
  const isSame = known?.tagName === "P" && Boolean(message.querySelector("button")) === canRepeat;
  if (rating === "bad" && known?.textContent !== text) announce(text);
  if (isSame) {
    if (known.textContent !== text) known.textContent = text;
    return;
  }
  message.replaceChildren(make("p", {}, text));
  if (canRepeat) {
    const attributes = { type: "button", class: "primary", on: { click: () => runAgain(ad.id) } };
    message.append(make("button", attributes, "Run again"));
  }
}

setInterval(() => { if (ad && !document.hidden && !ad.hasEnded && ad.state.state === "fetching") showState(); }, 100);

// The page

byId("show-compare").addEventListener("click", async () => {
  await refreshRecent();
  openCompare(ad?.id);
});

document.addEventListener("visibilitychange", () => {
  if (document.hidden) ad?.pause();
  else {
    ad?.resume();
    refreshRecent();
  }
});

onReachable((isThere) => {
  banner.hidden = isThere;
  banner.textContent = isThere ? "" : "The lab has ended. Start yabbi-play lab again.";
  // A page without the options of the lab is loaded again.
  if (isThere && !isSetUp) location.reload();
  else if (isThere) refreshRecent();
});

function showStart() {
  message.replaceChildren(
    make("h3", {}, "Paste a tag and press Run"),
    make(
      "p",
      {},
      "The ad runs here. Click it, type into it, scroll it. "
        + "What happens appears on the right and on the timeline below.",
    ),
  );
}

async function start() {
  setUpTheme(themeChanged);
  setUpSplitters();
  setUpPast(() => ad, panels.events, showState);
  setUpRecent(open);
  selectTab("events");
  showVerdict(null);
  showStart();
  for (const panel of Object.values(panels)) panel.setAd(null);
  try {
    const options = await getJSON(address("/options"));
    byId("version").textContent = options.version ?? "";
    isSetUp = true;
    setUpForm(options, (id) => {
      open(id);
      refreshRecent();
    });
  } catch (error) {
    banner.hidden = false;
    banner.textContent = error.message;
    announce(error.message);
    return;
  }
  await refreshRecent();
  const wanted = decodeURIComponent(location.hash.slice(1));
  const running = recentAds().find((each) => each.state !== "ended");
  const chosen = recentAds().find((each) => each.id === wanted) ?? running;
  if (chosen) open(chosen.id);
}

start();
