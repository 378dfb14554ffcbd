// Times, sizes and addresses as text. Values come from the server's events: any of them may have any type.

export const isSet = (value) => value !== null && value !== undefined && value !== "";

/** A number; `otherwise` for anything else. */
export const finite = (value, otherwise = 0) => (Number.isFinite(value) ? value : otherwise);

/** A value as one short text: a text as it is, anything else as JSON. */
export function valueText(value) {
  if (value === null || value === undefined) return "–";
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** 340 ms, 2.4 s, 1:05 min. */
export function duration(milliseconds) {
  if (!Number.isFinite(milliseconds)) return valueText(milliseconds);
  if (milliseconds < 1000) return `${Math.round(milliseconds)} ms`;
  if (milliseconds < 60000) return `${(milliseconds / 1000).toFixed(milliseconds < 10000 ? 2 : 1)} s`;
  const seconds = Math.round(milliseconds / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")} min`;
}

/** A moment of the ad's time with milliseconds, for columns: 2.400. */
export const moment = (milliseconds) => (finite(milliseconds) / 1000).toFixed(3);

/** A moment in a sentence: 2.4 s. */
export const about = (milliseconds) => `${(finite(milliseconds) / 1000).toFixed(1)} s`;

/** The time of day of an ISO time, as 14:03:22; empty for anything else. */
export function timeOfDay(text) {
  const date = new Date(typeof text === "string" ? text : NaN);
  return Number.isNaN(date.getTime())
    ? ""
    : date.toLocaleTimeString("en", { hour: "2-digit", minute: "2-digit", second: "2-digit", hourCycle: "h23" });
}

/** A text of at most `length` characters. */
export const cut = (text, length) => (text.length > length ? `${text.slice(0, length - 1)}…` : text);

/** Whether a number of bytes is known; the server sends -1 for an unknown one. */
export const isKnownSize = (count) => Number.isFinite(count) && count >= 0;

export function bytes(count) {
  if (!isKnownSize(count)) return "–";
  if (count < 1000) return `${count} B`;
  if (count < 1e6) return `${(count / 1000).toFixed(count < 1e4 ? 1 : 0)} kB`;
  return `${(count / 1e6).toFixed(1)} MB`;
}

/** Host and path of an address; the whole text if it isn't one. */
export function hostAndPath(address) {
  const text = isSet(address) ? valueText(address) : "";
  try {
    const url = new URL(text);
    return url.host ? { host: url.host, path: url.pathname + url.search } : { host: "", path: text };
  } catch {
    return { host: "", path: text };
  }
}

/** An address without its scheme, cut in its middle. */
export function shortAddress(address, length = 90) {
  const { host, path } = hostAndPath(address);
  const text = host + path;
  return text.length <= length ? text : `${text.slice(0, length - 20)}…${text.slice(-19)}`;
}

/** Where in a script something happened: address, line, column; empty if none is known. */
export function placeText({ url, line, column }, length = 60) {
  const position = [line, column].filter(isSet).map(valueText).join(":");
  if (!isSet(url)) return position ? `line ${position}` : "";
  return `${shortAddress(url, length)}${position ? `:${position}` : ""}`;
}

/** "3 findings", "1 finding". */
export const plural = (count, noun) => `${count.toLocaleString("en")} ${noun}${count === 1 ? "" : "s"}`;

/** A count for a tab: 12,345 as 12k. */
export const shortCount = (count) => (count < 10000 ? String(count) : `${Math.floor(count / 1000)}k`);
