// Requests to the lab's server.

const token = new URLSearchParams(location.search).get("token") ?? "";

/** A response that is an error, with the field of the form that caused it. */
class RequestError extends Error {
  constructor(status, message, field) {
    super(message);
    this.status = status;
    this.field = field ?? null;
  }
}

/** The address of a path of the lab, with its token. */
export function address(path, query = {}) {
  const url = new URL(path, location.origin);
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  url.searchParams.set("token", token);
  return url.pathname + url.search;
}

export const adAddress = (id, part, query) => address(`/ads/${encodeURIComponent(id)}${part ? `/${part}` : ""}`, query);

const listeners = new Set();
let isReachable = true;

/** Calls `listener` with true when the server responds again, and with false when it has gone. */
export const onReachable = (listener) => listeners.add(listener);

function setReachable(value) {
  if (value === isReachable) return;
  isReachable = value;
  for (const listener of listeners) listener(value);
}

/** `fetch`, which calls the listeners of `onReachable` when the server has gone: after a second refused connection. */
export async function request(url, options = {}) {
  try {
    const response = await fetch(url, { cache: "no-store", ...options });
    setReachable(true);
    return response;
  } catch (error) {
    if (error.name !== "AbortError") probe();
    throw error;
  }
}

let isProbing = false;

async function probe() {
  if (isProbing || !isReachable) return;
  isProbing = true;
  await new Promise((resolve) => setTimeout(resolve, 400));
  try {
    await fetch(address("/ads"), { cache: "no-store" });
  } catch {
    setReachable(false);
  }
  isProbing = false;
}

async function checked(response) {
  if (response.ok) return response;
  let message = `The lab answered ${response.status}.`;
  let field = null;
  try {
    const body = await response.json();
    message = body.error ?? message;
    field = body.field ?? null;
  } catch {
    // Without JSON the status is the message.
  }
  throw new RequestError(response.status, message, field);
}

async function send(url, options) {
  try {
    return await checked(await request(url, options));
  } catch (error) {
    if (error instanceof RequestError || error.name === "AbortError") throw error;
    throw new RequestError(0, "The lab does not answer. Start yabbi-play lab again.");
  }
}

export const getJSON = async (url) => (await send(url)).json();

export const getText = async (url) => (await send(url)).text();

/** Posts JSON, and returns the JSON of the response, or null if it has none. */
export async function postJSON(url, value) {
  const response = await send(url, {
    method: "POST",
    headers: { "content-type": "application/json; charset=utf-8" },
    body: JSON.stringify(value),
  });
  return response.status === 204 ? null : response.json();
}
