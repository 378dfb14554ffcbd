// The panels Events, Console and MRAID.

import { byId, make, sign } from "./dom.js";
import { shortAddress, valueText } from "./format.js";
import { LogPanel } from "./logpanel.js";
import { jsonDetails } from "./rowlist.js";
import { kinds } from "./summary.js";

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

function place(data) {
  if (!data.url) return "";
  const position = [data.line, data.column].filter((value) => value !== null && value !== undefined).join(":");
  return `${shortAddress(data.url, 48)}${position ? `:${position}` : ""}`;
}

const consoleTexts = {
  console: (data) => data.text,
  scriptError: (data) => data.message,
  requestFailed: (data) => `${data.url}: ${data.reason}`,
  blocked: (data) => `${data.kind}: ${valueText(data.detail)}`,
  longTask: (data) => `scripts ran for ${data.ms} ms without a pause`,
};

const consoleLevels = {
  scriptError: "script error",
  requestFailed: "request failed",
  blocked: "blocked",
  longTask: "long task",
};

export const consolePanel = () => new LogPanel(byId("panel-console"), {
  label: "console messages",
  source: (ad) => ad.console,
  line: (row) => [
    cell("time", row.time), sign(row.rating), cell("level", consoleLevels[row.event] ?? row.data.level ?? "log"),
    cell("text", String(consoleTexts[row.event]?.(row.data) ?? "").slice(0, 1000)),
    row.event === "requestFailed" ? null : cell("place", place(row.data)),
  ],
  details: (row) => [
    make("pre", { class: "whole" }, String(consoleTexts[row.event]?.(row.data) ?? "")),
    jsonDetails(row.data),
  ],
  choices: [
    { name: "", label: "All" },
    problems,
    { name: "console", label: "Messages", keeps: (row) => row.event === "console" },
    { name: "scriptError", label: "Script errors", keeps: (row) => row.event === "scriptError" },
    { name: "requestFailed", label: "Failed requests", keeps: (row) => row.event === "requestFailed" },
  ],
  empty: "Messages, script errors and failed requests of the creative appear here. Nothing was written so far.",
});

function mraidLine(row) {
  const { data } = row;
  if (row.event === "layout") {
    return [cell("time", row.time), cell("direction", "state"), cell("name", "layout"), cell("text", row.text)];
  }
  const isCall = data.direction === "in";
  const isState = data.type === "stateChange";
  return [
    cell("time", row.time), sign(row.rating), cell("direction", isCall ? "ad →" : "← host"),
    cell(`name${isState ? " state" : ""}`, data.type),
    cell(
      "text",
      (data.arguments ?? []).map(valueText).join(", "),
      data.answer !== undefined ? ` → ${valueText(data.answer)}` : "",
    ),
  ];
}

export const mraidPanel = () => new LogPanel(byId("panel-mraid"), {
  label: "MRAID calls",
  source: (ad) => ad.mraid,
  line: mraidLine,
  choices: [
    { name: "", label: "Both directions" },
    problems,
    { name: "in", label: "Calls of the creative", keeps: (row) => row.data.direction === "in" },
    { name: "out", label: "Events and answers of the host", keeps: (row) => row.data.direction === "out" },
    {
      name: "state",
      label: "State changes",
      keeps: (row) => row.data.type === "stateChange" || row.event === "layout",
    },
  ],
  empty: "Calls of mraid.… and the host's answers appear here. This creative made none so far.",
});
