// Runs in every frame of the creative, in the page's own world before its first script. The page can forge the messages
// of this script; only gesture.js proves a user's gesture.
(() => {
  const raw = globalThis.__yabbi_creative;
  delete globalThis.__yabbi_creative;
  if (typeof raw !== "function") return;
  const stringify = JSON.stringify;
  const send = (message) => raw(stringify(message).slice(0, 65536));
  // WebRTC connections bypass the request rules, so the interface is removed; its first use is reported.
  let isReported = false;
  for (const name of ["RTCPeerConnection", "webkitRTCPeerConnection"]) {
    const get = () => {
      if (!isReported) send({ k: "absent", url: name });
      isReported = true;
      return undefined;
    };
    Object.defineProperty(globalThis, name, { get, configurable: false, enumerable: false });
  }
  const absolute = (address) => {
    try {
      return new URL(String(address), document.baseURI).href;
    } catch {
      return String(address);
    }
  };
  const openAbsolute = (address) => send({ k: "open", url: absolute(address).slice(0, 16384) });

  // A substitute object for the opened window: many ads open an empty window and set its address afterwards.
  const windowProxy = () => {
    const location = {
      get href() { return "about:blank"; },
      set href(address) { openAbsolute(address); },
      assign: openAbsolute,
      replace: openAbsolute,
      toString: () => "about:blank",
    };
    const doNothing = () => {};
    return {
      closed: false, opener: null, name: "", focus: doNothing, blur: doNothing, close: doNothing, postMessage: doNothing,
      document: { write: doNothing, writeln: doNothing, open: doNothing, close: doNothing },
      get location() { return location; },
      set location(address) { openAbsolute(address); },
    };
  };
  // The sandbox blocks a download without a gesture and reports nothing (HTML Living Standard, "Downloading
  // resources").
  const { click } = HTMLElement.prototype;
  HTMLElement.prototype.click = function () {
    if (this instanceof HTMLAnchorElement && this.hasAttribute("download")) {
      send({ k: "download", url: absolute(this.href).slice(0, 16384) });
    }
    return Reflect.apply(click, this, []);
  };
  // A sandboxed cross-site frame does not run the code of a `javascript:` link, but many ads open their click-through
  // URL that way (`javascript:window.open(window.clickTag)`). The code is run here, after the page's own listeners, and
  // only for a trusted click that no listener has cancelled.
  const { addEventListener: listen } = EventTarget.prototype;
  const evaluate = globalThis.eval;
  const onClick = (event) => {
    if (!event.isTrusted || event.defaultPrevented) return;
    const link = event.composedPath().find((node) => node instanceof HTMLAnchorElement || node instanceof HTMLAreaElement);
    const href = link?.getAttribute("href")?.trim() ?? "";
    if (!/^javascript:/i.test(href)) return;
    event.preventDefault();
    let code = href.slice("javascript:".length);
    try {
      code = decodeURIComponent(code);
    } catch {
      // Invalid percent-encoding: the code is run as it is written.
    }
    try {
      evaluate(code);
    } catch (error) {
      reportError(error);
    }
  };
  Reflect.apply(listen, globalThis, ["click", onClick]);
  globalThis.open = function open(address) {
    const text = address === undefined ? "" : String(address);
    // The address of an empty window may be set later.
    if (text === "" || text.startsWith("about:")) send({ k: "open", url: text.slice(0, 100) });
    else openAbsolute(address);
    return windowProxy();
  };
})();
