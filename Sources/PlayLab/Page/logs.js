// The panels Events, Console and Messages.

import { byId, make, sign } from "./dom.js";
import { isSet, placeText, valueText } from "./format.js";
import { LogPanel } from "./logpanel.js";
import { jsonDetails, textDetails } from "./rowlist.js";
import { kinds, messageParts, protocols } from "./summary.js";

const cell = (name, ...content) => make("span", { class: name }, ...content);

const problems = {
  name: "problems",
  label: "Problems only",
  keeps: (row) => row.rating === "bad" || row.rating === "warn",
};

export const eventsPanel = () => new LogPanel(byId("panel-events"), {
  label: "events",
  source: (ad) => ad.events,
  line: (row) => [
    cell("time", row.time),
    sign(row.rating),
    cell(`name kind-${row.kind}`, row.name),
    cell("text", row.text),
  ],
  choices: [
    { name: "", label: "All kinds" },
    problems,
    ...Object.entries(kinds).map(([name, label]) => ({ name, label, keeps: (row) => row.kind === name })),
  ],
  empty: "Events appear here as they happen. Paste a tag on the left and press Run.",
});

const consoleLevels = {
  scriptError: "script error",
  requestFailed: "request failed",
  blocked: "blocked",
  longTask: "long task",
};

/** The whole text of a row of the console. */
function consoleText({ event, data, text }) {
  switch (event) {
    case "console": return isSet(data.text) ? valueText(data.text) : "";
    case "scriptError": return valueText(data.message);
    case "requestFailed": return `${valueText(data.url)}: ${valueText(data.reason)}`;
    case "blocked": return `${valueText(data.kind)}: ${valueText(data.detail)}`;
    default: return text;
  }
}

const longestLine = 1000;

export const consolePanel = () => new LogPanel(byId("panel-console"), {
  label: "console messages",
  source: (ad) => ad.console,
  line: (row) => [
    cell("time", row.time),
    sign(row.rating),
    cell("level", consoleLevels[row.event] ?? valueText(row.data.level ?? "log")),
    cell("text", consoleText(row).slice(0, longestLine)),
    row.event === "requestFailed" ? null : cell("place", placeText(row.data, 48)),
  ],
  details: (row) => [textDetails(consoleText(row), "Whole text"), jsonDetails(row.data)],
  choices: [
    { name: "", label: "All" },
    problems,
    { name: "console", label: "Messages", keeps: (row) => row.event === "console" },
    { name: "scriptError", label: "Script errors", keeps: (row) => row.event === "scriptError" },
    { name: "requestFailed", label: "Failed requests", keeps: (row) => row.event === "requestFailed" },
  ],
  empty: "Messages, script errors and failed requests of the creative appear here. There are none so far.",
});

function messageLine(row) {
  if (row.event === "layout") {
    return [
      cell("time", row.time),
      sign(row.rating),
      cell("direction", "state"),
      cell("protocol", ""),
      cell("name", "layout"),
      cell("text", row.text),
    ];
  }
  const { isCall, name, text } = messageParts(row.data);
  return [
    cell("time", row.time),
    sign(row.rating),
    cell("direction", isCall ? "ad →" : "← host"),
    cell("protocol", protocols[row.event] ?? row.event),
    cell(`name${row.data.type === "stateChange" ? " state" : ""}`, name),
    cell("text", text.slice(0, longestLine)),
  ];
}

export const messagesPanel = () => new LogPanel(byId("panel-messages"), {
  label: "Messages",
  source: (ad) => ad.messages,
  line: messageLine,
  choices: [
    { name: "", label: "Both directions" },
    problems,
    { name: "in", label: "Calls of the creative", keeps: (row) => row.data.direction === "in" },
    { name: "out", label: "Events and replies of the host", keeps: (row) => row.data.direction === "out" },
    ...Object.entries(protocols).map(([name, label]) => ({ name, label, keeps: (row) => row.event === name })),
    {
      name: "state",
      label: "State changes",
      keeps: (row) => row.data.type === "stateChange" || row.event === "layout",
    },
  ],
  empty: "Messages between the creative and its host (MRAID, OMID, SIMID, VPAID) appear here. There are none so far.",
});
