// Adds the object `mraid` (MRAID 3.0) to a creative's own world. The creative can forge the messages of this script, so
// that the host validates all of them. The script keeps references to the functions that it needs and uses lists
// without a prototype: a creative that replaces built-in functions does not affect it.
(() => {
  const outbound = globalThis.__yabbi_mraid;
  delete globalThis.__yabbi_mraid;
  // Only the creative's own frame has the object, no nested frame.
  if (typeof outbound !== "function" || parent !== top || parent === window) return;

  const { stringify, parse } = JSON;
  const { defineProperty, getOwnPropertyDescriptor, setPrototypeOf } = Object;
  const { apply } = Reflect;
  const { slice } = String.prototype;
  const { isFinite } = Number;
  const { addEventListener: addListener, removeEventListener: removeListener } = EventTarget.prototype;
  const [text, Address, schedule, reportException] = [String, URL, setTimeout, reportError];
  const hrefOf = getOwnPropertyDescriptor(Address.prototype, "href").get;
  const widthOf = getOwnPropertyDescriptor(window, "innerWidth").get;
  const heightOf = getOwnPropertyDescriptor(window, "innerHeight").get;
  const list = () => setPrototypeOf([], null);
  const later = (action, milliseconds) => apply(schedule, window, [action, milliseconds ?? 0]);

  const state = setPrototypeOf(INITIAL, null);
  const environment = ENVIRONMENT;

  // Properties that were set and have no reply yet; they override the known state.
  const drafts = { __proto__: null };
  const known = (name) => drafts[name]?.value ?? state[name];

  // Listeners and events.
  const listeners = {
    __proto__: null, ready: list(), error: list(), stateChange: list(), sizeChange: list(), exposureChange: list(),
    audioVolumeChange: list(), viewableChange: list(),
  };
  const sent = { __proto__: null, exposureChange: 0, audioVolumeChange: 0 };
  const without = (old, listener) => {
    const rest = list();
    for (let i = 0; i < old.length; i++) if (old[i] !== listener) rest[rest.length] = old[i];
    return rest;
  };
  const includes = (all, listener) => {
    for (let i = 0; i < all.length; i++) if (all[i] === listener) return true;
    return false;
  };
  const call = (listener, values) => {
    try {
      apply(listener, mraid, values);
    } catch (error) {
      apply(reportException, window, [error]);
    }
  };
  const dispatch = (event, values) => {
    if (event in sent) sent[event]++;
    const all = listeners[event];
    for (let i = 0; i < all.length; i++) if (includes(listeners[event], all[i])) call(all[i], values);
  };

  // Outbound: commands, and errors of calls that are refused here.
  let errorCount = 0;
  const fail = (message, action) => {
    if (!isUnloaded && errorCount++ < 50) outbound(stringify({ __proto__: null, e: message, c: action }));
    later(() => dispatch("error", [message, action]));
  };
  const maxPending = 256;
  const pending = { __proto__: null };
  let [last, pendingCount, isUnloaded] = [0, 0, false];
  const command = (name, values) => {
    if (isUnloaded) return 0;
    // What ends the ad is never too much.
    const isEnd = name === "unload" || (name === "close" && pendingCount < 2 * maxPending);
    if (pendingCount >= maxPending && !isEnd) {
      fail("too many commands wait for a reply", name);
      return 0;
    }
    pendingCount++;
    values.n = ++last;
    values.c = name;
    pending[last] = true;
    outbound(stringify(values));
    return last;
  };
  const sendCommand = (name) => { command(name, { __proto__: null }); };
  const plain = (value) => {
    switch (typeof value) {
      case "undefined": case "boolean": return value;
      case "number": return isFinite(value) ? value : null;
      case "string": return apply(slice, value, [0, 64]);
      default: return null;
    }
  };
  const address = (value) => {
    if (value === undefined || value === null) return undefined;
    try {
      value = text(value);
      return value === "" ? value : apply(hrefOf, new Address(value, document.baseURI), []);
    } catch {
      return typeof value === "string" ? apply(slice, value, [0, 20000]) : null;
    }
  };
  const sendURL = (name, url) => { command(name, { __proto__: null, url: address(url) }); };
  // A getter returns the new value at once; if the host refuses it, the old value returns.
  const set = (name, property, keys, values) => {
    if (values === null || typeof values !== "object") return fail("the argument must be an object", name);
    const wanted = { __proto__: null };
    const draft = { __proto__: null };
    const before = known(property);
    for (let i = 0; i < keys.length; i++) {
      if (before) draft[keys[i]] = before[keys[i]];
      try {
        wanted[keys[i]] = plain(values[keys[i]]);
      } catch {
        wanted[keys[i]] = null;
      }
      if (wanted[keys[i]] !== undefined) draft[keys[i]] = wanted[keys[i]];
    }
    const number = command(name, wanted);
    if (number) drafts[property] = { number, value: draft };
  };

  // Inbound: updates in order; an update with a new size waits until the window has that size.
  const updates = list();
  let [next, isWaiting] = [0, false];
  const hasNewSize = () => {
    const { width, height } = state.current;
    const isNear = (a, b) => a - b <= 1 && b - a <= 1;
    return isNear(apply(widthOf, window, []), width) && isNear(apply(heightOf, window, []), height);
  };
  const handle = (update) => {
    for (let i = 0; i < update.events.length; i++) {
      const event = update.events[i];
      const values = list();
      for (let j = 1; j < event.length; j++) values[j - 1] = event[j];
      if (event[0] in listeners) dispatch(event[0], values);
    }
    const { reply } = update;
    if (!reply || !pending[reply.n]) return;
    delete pending[reply.n];
    pendingCount--;
    for (const name in drafts) if (drafts[name].number === reply.n) delete drafts[name];
    if (reply.error !== null) dispatch("error", [reply.error, reply.action]);
  };
  const handleUpdates = () => {
    while (!isWaiting && next < updates.length && !isUnloaded) {
      const update = updates[next];
      let resizes = false;
      for (let i = 0; i < update.set.length; i++) state[update.set[i][0]] = update.set[i][1];
      for (let i = 0; i < update.events.length; i++) if (update.events[i][0] === "sizeChange") resizes = true;
      if (resizes && !hasNewSize()) {
        isWaiting = true;
        const proceed = () => {
          apply(removeListener, window, ["resize", onResize]);
          if (!isWaiting || updates[next] !== update) return;
          isWaiting = false;
          next++;
          handle(update);
          handleUpdates();
        };
        const onResize = () => { if (hasNewSize()) proceed(); };
        apply(addListener, window, ["resize", onResize]);
        later(proceed, 500);
        return;
      }
      next++;
      handle(update);
    }
    if (next === updates.length) next = updates.length = 0;
  };
  defineProperty(globalThis, "__yabbi_mraid_update", {
    __proto__: null,
    value: (message) => {
      updates[updates.length] = parse(message);
      handleUpdates();
    },
  });

  const unknownEvent = (event) => {
    const name = typeof event === "string" ? `"${apply(slice, event, [0, 40])}"` : typeof event;
    let all = "";
    for (const known in listeners) all += (all && ", ") + known;
    return `unknown event ${name}; the events are ${all}`;
  };
  const size = ({ width, height }) => ({ width, height });
  const place = ({ x, y, width, height }) => ({ x, y, width, height });
  // MRAID 3.0 §6.1, `supports`: calendar, storePicture and vpaid are not supported, and the location only if it is known.
  const features = { __proto__: null, sms: true, tel: true, inlineVideo: true };
  const mraid = {
    getVersion: () => "3.0",
    addEventListener(event, listener) {
      if (!(event in listeners)) return fail(unknownEvent(event), "addEventListener");
      if (typeof listener !== "function") return fail("a listener must be a function", "addEventListener");
      if (includes(listeners[event], listener)) return;
      const all = without(listeners[event], null);
      all[all.length] = listener;
      listeners[event] = all;
      // A listener that is added late gets the current value (MRAID 3.0 chapter 7).
      if (!(event in sent) || state.state === "loading") return;
      const count = sent[event];
      later(() => {
        if (sent[event] !== count || isUnloaded || !includes(listeners[event], listener)) return;
        const { visible, occlusions, percentage, volume } = state;
        // The listener gets lists and objects of its own.
        const covers = occlusions && parse(stringify(occlusions));
        call(listener, event === "exposureChange" ? [percentage, visible && place(visible), covers] : [volume]);
      });
    },
    removeEventListener(event, listener) {
      if (!(event in listeners)) return fail(unknownEvent(event), "removeEventListener");
      if (listener === undefined || listener === null) {
        listeners[event] = list();
      } else if (includes(listeners[event], listener)) {
        listeners[event] = without(listeners[event], listener);
      } else {
        fail("this listener was not added", "removeEventListener");
      }
    },
    getState: () => state.state,
    getPlacementType: () => state.placement,
    isViewable: () => state.percentage > 0,
    supports: (feature) => features[feature] === true || (feature === "location" && state.location !== null),
    open: (url) => sendURL("open", url),
    close: () => sendCommand("close"),
    unload() {
      isUnloaded = command("unload", { __proto__: null }) > 0 || isUnloaded;
    },
    expand: (url) => sendURL("expand", url),
    resize: () => sendCommand("resize"),
    playVideo: (url) => sendURL("playVideo", url),
    storePicture: (url) => sendURL("storePicture", url),
    createCalendarEvent: () => sendCommand("createCalendarEvent"),
    initVpaid: () => sendCommand("initVpaid"),
    useCustomClose: () => sendCommand("useCustomClose"),
    getExpandProperties: () => ({ ...size(known("expand")), useCustomClose: false, isModal: true }),
    setExpandProperties: (values) => set("setExpandProperties", "expand", ["width", "height"], values),
    getOrientationProperties() {
      const { allowOrientationChange, forceOrientation } = known("orientation");
      return { allowOrientationChange, forceOrientation };
    },
    setOrientationProperties: (values) =>
      set("setOrientationProperties", "orientation", ["allowOrientationChange", "forceOrientation"], values),
    getResizeProperties() {
      const { width, height, offsetX, offsetY, allowOffscreen } = known("resize") ?? {
        width: 0, height: 0, offsetX: 0, offsetY: 0, allowOffscreen: true,
      };
      return { width, height, offsetX, offsetY, customClosePosition: "top-right", allowOffscreen };
    },
    setResizeProperties: (values) =>
      set("setResizeProperties", "resize", ["width", "height", "offsetX", "offsetY", "allowOffscreen"], values),
    getCurrentAppOrientation: () => ({ orientation: state.held, locked: false }),
    getCurrentPosition: () => place(state.current),
    getDefaultPosition: () => place(state.standard),
    getMaxSize: () => size(state.max),
    getScreenSize: () => size(state.screen),
    // -1: not available (MRAID 3.0 chapter 6, `getLocation`).
    getLocation() {
      const { location } = state;
      if (location === null) return -1;
      return { lat: location.lat, lon: location.lon, type: location.type, accuracy: location.accuracy };
    },
  };
  globalThis.mraid = mraid;
  if (environment) globalThis.MRAID_ENV = environment;
})();
