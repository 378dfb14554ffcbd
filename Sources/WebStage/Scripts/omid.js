// Adds the interface of Open Measurement (OMID 1.3) to a window: the object `omid3p`, and replies to the messages that
// verification clients post to their service window, which is this window. Runs in the page's own world before its first
// script. A page can forge the messages of this script, so that the stage validates all of them.
(() => {
  const outbound = globalThis.__yabbi_omid;
  delete globalThis.__yabbi_omid;
  if (typeof outbound !== "function") return;
  const { injectionId, scripts, isFull } = CONFIG;
  // Whether this is the window that the stage has loaded, and not a frame in it.
  const isOwn = parent === top && parent !== window;

  const { stringify, parse } = JSON;
  const { defineProperty, freeze, setPrototypeOf } = Object;
  const { apply } = Reflect;
  const { slice } = String.prototype;
  const [now, reportException, schedule, repeat] = [Date.now, reportError, setTimeout, setInterval];
  const text = (value) => (typeof value === "string" ? apply(slice, value, [0, 500]) : null);
  const send = (message) => outbound(stringify(setPrototypeOf(message, null)));

  const maxCallbacks = 500;
  const callbacks = setPrototypeOf([], null);
  // The stage calls this with an event and the numbers of its callbacks; each gets an event of its own. It is defined for
  // windows with a callback only: others show nothing of the stage.
  let isOpen = false;
  const open = () => {
    isOpen = true;
    defineProperty(globalThis, "__yabbi_omid_event", {
      __proto__: null,
      value: (message) => {
        const { to, event: source, age } = parse(message);
        for (let i = 0; i < to.length; i++) {
          const event = parse(source);
          event.timestamp = now() - age;
          if (isFull && event.type === "sessionStart") event.data.context.slotElement = document.body;
          try {
            apply(callbacks[to[i] - 1], undefined, [event]);
          } catch (error) {
            apply(reportException, window, [error]);
          }
        }
      },
    });
  };
  const register = (callback, message) => {
    if (typeof callback !== "function") throw new TypeError("the callback must be a function");
    if (!isOpen) open();
    if (callbacks.length >= maxCallbacks) return;
    callbacks[callbacks.length] = callback;
    message.n = callbacks.length;
    send(message);
  };
  const registerSessionObserver = (callback, vendor) => register(callback, { k: "session", vendor: text(vendor) });
  const addEventListener = (type, callback) => register(callback, { k: "listen", type: text(type) });
  const define = (name, value) => defineProperty(globalThis, name, { __proto__: null, value, configurable: true, writable: true });
  define("omid3p", freeze({ registerSessionObserver, addEventListener }));

  // Messages of verification clients, which look for a frame of this name in their service window.
  define("omidVerificationProperties", { injectionSource: "app", injectionId, serviceWindow: window });
  for (const name of ["omid_v1_present", "omid_v1_present_app"]) define(name, freeze({}));
  const timers = new Map();
  const later = (start, id, milliseconds, answer) => {
    if (timers.size >= 1000) return;
    const run = () => {
      if (start === schedule) timers.delete(`${id}`);
      answer();
    };
    timers.set(`${id}`, apply(start, window, [run, milliseconds]));
  };
  const cancel = (stop, id) => {
    stop(timers.get(`${id}`));
    timers.delete(`${id}`);
  };
  const ping = (url, answer) => {
    send({ k: "url", url: text(url) });
    const image = new Image();
    image.onload = () => answer(true);
    image.onerror = () => answer(false);
    image.src = url;
  };
  const methods = {
    __proto__: null,
    addSessionListener: (answer, vendor) => registerSessionObserver(answer, vendor),
    addEventListener: (answer, type) => addEventListener(type, answer),
    sendUrl: (answer, url) => ping(url, answer),
    injectJavaScriptResource: (answer, url) => {
      send({ k: "inject", url: text(url) });
      fetch(url).then((response) => (response.ok ? response.text() : Promise.reject())).then((code) => answer(true, code), () => answer(false));
    },
    setTimeout: (answer, id, milliseconds) => later(schedule, id, milliseconds, answer),
    setInterval: (answer, id, milliseconds) => later(repeat, id, milliseconds, answer),
    clearTimeout: (answer, id) => cancel(clearTimeout, id),
    clearInterval: (answer, id) => cancel(clearInterval, id),
    attest: (answer) => answer(false, "UNSUPPORTED_MECHANISM"),
  };
  // Before this version arguments are a JSON text.
  const isOld = (version) => {
    const [major, minor, patch] = `${version}.0.0`.split(/[.-]/).map(Number);
    return major < 1 || (major === 1 && minor === 0 && patch < 3);
  };
  // Only this window and the frames in it are answered: other vendors' scripts can post here, too.
  const isInside = (source) => {
    for (let depth = 0; source && depth < 20; depth++) {
      if (source === window) return true;
      if (source === source.parent) return false;
      source = source.parent;
    }
    return false;
  };
  const onMessage = ({ data, source }) => {
    if (!isInside(source)) return;
    let message = data;
    try {
      if (typeof data === "string") message = data.length < 65536 && data.includes("omid_message_guid") ? parse(data) : null;
    } catch {
      return;
    }
    const { omid_message_guid: guid, omid_message_method: method, omid_message_version: version, omid_message_args: values } = message ?? {};
    if (typeof guid !== "string" || typeof method !== "string" || typeof version !== "string") return;
    const [, name] = /^VerificationService\.(\w+)$/.exec(method) ?? [];
    if (!name) return;
    const reply = (kind, args) => {
      const response = {
        omid_message_guid: guid, omid_message_method: kind, omid_message_version: version,
        omid_message_args: isOld(version) ? stringify(args) : args,
      };
      source.postMessage(typeof data === "string" ? stringify(response) : response, "*");
    };
    if (!(name in methods)) return reply("error", [`unknown method ${text(name)}`]);
    try {
      const list = typeof values === "string" ? parse(values) : values;
      methods[name]((...args) => reply("response", args), ...(Array.isArray(list) ? list : []));
    } catch (error) {
      reply("error", [`${error}`]);
    }
  };
  globalThis.addEventListener("message", onMessage);

  // Loads the first script that can be loaded.
  if (!scripts || !isOwn) return;
  const load = (index) => {
    if (index === scripts.length) return send({ k: "script", ok: false });
    const script = document.createElement("script");
    script.addEventListener("load", () => send({ k: "script", ok: true, index }));
    script.addEventListener("error", () => load(index + 1));
    script.src = scripts[index];
    document.body.append(script);
  };
  if (document.readyState === "loading") globalThis.addEventListener("DOMContentLoaded", () => load(0), { once: true });
  else load(0);
})();
