// Runs in every frame of the creative, in the page's own world before its first script. The page can forge its messages:
// whether a user's gesture is behind one is decided by the gesture script's.
(() => {
  const raw = globalThis.__yabbi_creative;
  delete globalThis.__yabbi_creative;
  if (typeof raw !== "function") return;
  const stringify = JSON.stringify;
  const send = (message) => raw(stringify(message).slice(0, 65536));
  // WebRTC would reach the local network past all rules for requests: it is removed, and its first use is reported.
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
  const go = (address) => send({ k: "open", url: absolute(address).slice(0, 16384) });

  // A window that is empty until an address is set, as many ads do after they have opened one.
  const elsewhere = () => {
    const location = {
      get href() { return "about:blank"; },
      set href(address) { go(address); },
      assign: go,
      replace: go,
      toString: () => "about:blank",
    };
    const nothing = () => {};
    return {
      closed: false, opener: null, name: "", focus: nothing, blur: nothing, close: nothing, postMessage: nothing,
      document: { write: nothing, writeln: nothing, open: nothing, close: nothing },
      get location() { return location; },
      set location(address) { go(address); },
    };
  };
  // The sandbox blocks a download without a gesture, and reports nothing.
  const { click } = HTMLElement.prototype;
  HTMLElement.prototype.click = function () {
    if (this instanceof HTMLAnchorElement && this.hasAttribute("download")) {
      send({ k: "download", url: absolute(this.href).slice(0, 16384) });
    }
    return Reflect.apply(click, this, []);
  };
  // A sandboxed frame of another site runs no code of a `javascript:` link, which is how many ads open their click-through
  // URL (`javascript:window.open(window.clickTag)`). It is run here, once, after the page's own listeners, and only by a
  // user's press that none of them cancelled.
  const { addEventListener: listen } = EventTarget.prototype;
  const run = globalThis.eval;
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
      // What is no percent-encoding is code as it stands.
    }
    try {
      run(code);
    } catch (error) {
      reportError(error);
    }
  };
  Reflect.apply(listen, globalThis, ["click", onClick]);
  globalThis.open = function open(address) {
    const text = address === undefined ? "" : String(address);
    // An empty window may be given an address later.
    if (text === "" || text.startsWith("about:")) send({ k: "open", url: text.slice(0, 100) });
    else go(address);
    return elsewhere();
  };
})();
