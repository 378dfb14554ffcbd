// The options of a run: device, network, consent, macros, headers, beacons.

import { byId, make } from "./dom.js";
import { cut, plural } from "./format.js";
import { Pairs } from "./pairs.js";

const simple = [...document.querySelectorAll("[data-option]")];
const consents = [...document.querySelectorAll("[data-consent]")];
const beacons = byId("no-beacons");
const vpaid = byId("vpaid");
const deviceChoice = byId("device");
const width = byId("width");
const height = byId("height");
const scale = byId("scale");

/** The value of the choice without a device. */
const noDevice = "none";

/** The most pixels per point that a picture has. */
const mostScale = 2;

let devices = [];
let defaultDevice = "";
let onChange = () => {};

const changed = () => {
  summarize();
  onChange();
};

const pairs = {
  macro: new Pairs(byId("macro"), ["Name", "Value"], changed),
  header: new Pairs(byId("header"), ["Header", "Value"], changed),
  cookie: new Pairs(byId("cookie"), ["Cookie", "Value"], changed),
};

const device = () => devices.find((each) => each.name === deviceChoice.value);

/** The title of a device; its name if the lab does not have it. */
export const deviceTitle = (name) => devices.find((each) => each.name === name)?.title ?? name;

/** Fills the lists from the lab's options. */
export function setOptions(options, listener) {
  devices = options.devices ?? [];
  defaultDevice = devices.some((each) => each.name === options.defaultDevice)
    ? options.defaultDevice
    : devices[0]?.name ?? noDevice;
  onChange = listener;
  const fill = (id, entries) => byId(id).append(...entries.map(([value, text]) => make("option", { value }, text)));
  fill("device", [
    ...devices.map((each) => [each.name, `${each.title}, ${each.width} × ${each.height}`]),
    [noDevice, "No device, only a size"],
  ]);
  fill("network", (options.networks ?? []).map((network) => [network.name, network.title]));
  fill("format", (options.formats ?? []).map((format) => [format, format]));
  for (const element of [...simple, ...consents, beacons, vpaid, width, height]) element.addEventListener("input", changed);
}

/** What is wrong with the options, with its field; null if nothing is. */
export function optionProblem() {
  if (!device() && !(width.value && height.value)) {
    return { field: "size", message: "There is no size. Enter a width and a height in points, or choose a device." };
  }
  if (Number(scale.value) > mostScale) {
    return { field: "scale", message: `Pictures have at most ${mostScale} pixels per point. Enter 1 to ${mostScale}.` };
  }
  return null;
}

/** The options for the server: long options without dashes. */
export function runOptions() {
  const result = {};
  for (const element of simple) if (element.value.trim()) result[element.dataset.option] = element.value.trim();
  if (result["allow-host"]) result["allow-host"] = result["allow-host"].split(/\s+/);
  if (result.device === noDevice) delete result.device;
  if (result.speed === "1") delete result.speed;
  if (width.value || height.value) {
    // A side that is not entered is the device's.
    result.size = `${width.value || (device()?.width ?? "")}x${height.value || (device()?.height ?? "")}`;
  }
  const consent = consents.flatMap((element) => {
    if (element.type === "checkbox") return element.checked ? [element.dataset.consent] : [];
    return element.value.trim() ? [`${element.dataset.consent}=${element.value.trim()}`] : [];
  });
  if (consent.length > 0) result.consent = consent;
  const lines = {
    macro: ([name, value]) => `${name}=${value}`,
    header: ([name, value]) => `${name}: ${value}`,
    cookie: ([name, value]) => `${name}=${value}`,
  };
  for (const [name, line] of Object.entries(lines)) {
    const list = pairs[name].get().map(line);
    if (list.length > 0) result[name] = list;
  }
  if (vpaid.checked) result.vpaid = true;
  if (beacons.value) result["no-beacons"] = beacons.value === "true" ? true : beacons.value;
  return result;
}

/** Headers and cookies, which may have keys: they are stored for this tab only. */
export const secretOptions = () => ({ header: pairs.header.get(), cookie: pairs.cookie.get() });

/** The other options, which the browser keeps. */
export function optionsToStore() {
  return {
    simple: Object.fromEntries(simple.map((element) => [element.dataset.option, element.value])),
    consent: Object.fromEntries(consents.map(
      (element) => [element.dataset.consent, element.type === "checkbox" ? element.checked : element.value],
    )),
    width: width.value, height: height.value, beacons: beacons.value, vpaid: vpaid.checked,
    macro: pairs.macro.get(),
    open: [...document.querySelectorAll(".group[open]")].map((group) => group.dataset.group),
  };
}

export function restoreOptions(stored) {
  for (const element of simple) setValue(element, stored.simple?.[element.dataset.option]);
  for (const element of consents) {
    const value = stored.consent?.[element.dataset.consent];
    if (element.type === "checkbox") element.checked = value === true; else setValue(element, value);
  }
  setValue(width, stored.width);
  setValue(height, stored.height);
  setValue(beacons, stored.beacons);
  vpaid.checked = stored.vpaid === true;
  for (const [name, rows] of Object.entries(pairs)) rows.set(Array.isArray(stored[name]) ? stored[name] : []);
  for (const group of document.querySelectorAll(".group")) {
    group.open = (stored.open ?? []).includes(group.dataset.group);
  }
  summarize();
}

/** A stored value that a list doesn't have any more leaves the list at its default. */
function setValue(element, value) {
  element.value = value ?? "";
  if (element.tagName !== "SELECT" || element.selectedIndex >= 0) return;
  if (element === deviceChoice) element.value = defaultDevice; else element.selectedIndex = 0;
}

/** The summary of a group with its defaults. */
function unchanged(group) {
  if (group === "device") return deviceTitle(defaultDevice);
  return ["macros", "headers"].includes(group) ? "none" : "default";
}

/** Shows on each closed group what differs from its defaults. */
function summarize() {
  const options = runOptions();
  width.placeholder = device() ? String(device().width) : "width";
  height.placeholder = device() ? String(device().height) : "height";
  const names = (name) => pairs[name].get().map(([first]) => first);
  const texts = {
    device: [
      deviceChoice.value === defaultDevice ? null : device()?.title ?? "no device",
      options.size?.replace("x", " × "),
      options.scale && `${options.scale} pixels`,
      options.format,
      options["user-agent"] && "user agent",
    ],
    network: [
      options.network,
      options.speed && `speed ${options.speed}`,
      options.vpaid && "VPAID",
      options.locale,
      options.timezone,
      options["allow-host"] && plural(options["allow-host"].length, "server"),
    ],
    consent: (options.consent ?? []).map((each) => each.split("=")[0].toUpperCase()),
    app: [
      options.publisher && "publisher",
      options["app-name"] && "app",
      options["app-bundle"] && "bundle id",
      options.ifa && "advertising id",
      options.geo && "location",
    ],
    macros: names("macro"),
    headers: [...names("header"), ...names("cookie")],
  };
  for (const group of document.querySelectorAll(".group")) {
    const parts = texts[group.dataset.group].filter(Boolean).map((text) => cut(text, 24));
    group.querySelector("summary small").textContent = parts.join(", ") || unchanged(group.dataset.group);
    group.classList.toggle("differs", parts.length > 0);
  }
  beacons.classList.toggle("differs", beacons.value !== "");
}
