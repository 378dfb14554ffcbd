// Runs in a creative's own world, before its first script where its markup names MRAID, and gives it the object `mraid`
// (MRAID 3.0, "MRAID methods and events"). The creative can forge its messages: the host validates all of them. It keeps the
// functions that it needs, and uses lists without a prototype, so that a creative that changes its world changes nothing
// here.
(() => {
  const outbound = globalThis.__yabbi_mraid;
  delete globalThis.__yabbi_mraid;
  // Only the creative itself has the object, no frame in it.
  if (typeof outbound !== "function" || parent !== top || parent === window) return;

  const { stringify, parse } = JSON;
  const { defineProperty, getOwnPropertyDescriptor, setPrototypeOf } = Object;
  const { apply } = Reflect;
  const { slice } = String.prototype;
  const { isFinite } = Number;
  const { addEventListener: hear, removeEventListener: ignore } = EventTarget.prototype;
  const [text, Address, wait, complain] = [String, URL, setTimeout, reportError];
  const hrefOf = getOwnPropertyDescriptor(Address.prototype, "href").get;
  const widthOf = getOwnPropertyDescriptor(window, "innerWidth").get;
  const heightOf = getOwnPropertyDescriptor(window, "innerHeight").get;
  const list = () => setPrototypeOf([], null);
  const later = (action, milliseconds) => apply(wait, window, [action, milliseconds ?? 0]);

  const truth = setPrototypeOf(INITIAL, null);
  const environment = ENVIRONMENT;

  // What was set and not replied to yet, over what is known.
  const drafts = { __proto__: null };
  const known = (name) => drafts[name]?.value ?? truth[name];

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
  const isAmong = (all, listener) => {
    for (let i = 0; i < all.length; i++) if (all[i] === listener) return true;
    return false;
  };
  const call = (listener, values) => {
    try {
      apply(listener, mraid, values);
    } catch (error) {
      apply(complain, window, [error]);
    }
  };
  const dispatch = (event, values) => {
    if (event in sent) sent[event]++;
    const all = listeners[event];
    for (let i = 0; i < all.length; i++) if (isAmong(listeners[event], all[i])) call(all[i], values);
  };

  // Outbound: commands, and the errors of calls that are refused here.
  let complaints = 0;
  const fail = (message, action) => {
    if (!isOver && complaints++ < 50) outbound(stringify({ __proto__: null, e: message, c: action }));
    later(() => dispatch("error", [message, action]));
  };
  const most = 256;
  const pending = { __proto__: null };
  let [last, open, isOver] = [0, 0, false];
  const command = (name, values) => {
    if (isOver) return 0;
    if (open >= most) {
      fail("too many commands wait for a reply", name);
      return 0;
    }
    open++;
    values.n = ++last;
    values.c = name;
    pending[last] = true;
    outbound(stringify(values));
    return last;
  };
  const order = (name) => { command(name, { __proto__: null }); };
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
  const lead = (name, url) => { command(name, { __proto__: null, url: address(url) }); };
  // A creative can read back what it sets at once; where the host refuses it, the old value returns.
  const set = (name, property, keys, values) => {
    if (values === null || typeof values !== "object") return fail("it needs an object", name);
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

  // Inbound: updates in their order, and a new size only when the window has it.
  const updates = list();
  let [next, isWaiting] = [0, false];
  const isThere = () => {
    const { width, height } = truth.current;
    const isNear = (a, b) => a - b <= 1 && b - a <= 1;
    return isNear(apply(widthOf, window, []), width) && isNear(apply(heightOf, window, []), height);
  };
  const handle = (what) => {
    for (let i = 0; i < what.events.length; i++) {
      const event = what.events[i];
      const values = list();
      for (let j = 1; j < event.length; j++) values[j - 1] = event[j];
      if (event[0] in listeners) dispatch(event[0], values);
    }
    const { reply } = what;
    if (!reply || !pending[reply.n]) return;
    delete pending[reply.n];
    open--;
    for (const name in drafts) if (drafts[name].number === reply.n) delete drafts[name];
    if (reply.error !== null) dispatch("error", [reply.error, reply.action]);
  };
  const work = () => {
    while (!isWaiting && next < updates.length && !isOver) {
      const what = updates[next];
      let resizes = false;
      for (let i = 0; i < what.set.length; i++) truth[what.set[i][0]] = what.set[i][1];
      for (let i = 0; i < what.events.length; i++) if (what.events[i][0] === "sizeChange") resizes = true;
      if (resizes && !isThere()) {
        isWaiting = true;
        const goOn = () => {
          apply(ignore, window, ["resize", look]);
          if (!isWaiting || updates[next] !== what) return;
          isWaiting = false;
          next++;
          handle(what);
          work();
        };
        const look = () => { if (isThere()) goOn(); };
        apply(hear, window, ["resize", look]);
        later(goOn, 500);
        return;
      }
      next++;
      handle(what);
    }
    if (next === updates.length) next = updates.length = 0;
  };
  defineProperty(globalThis, "__yabbi_mraid_update", {
    __proto__: null,
    value: (message) => {
      updates[updates.length] = parse(message);
      work();
    },
  });

  const unknown = (event) => {
    const name = typeof event === "string" ? `"${apply(slice, event, [0, 40])}"` : typeof event;
    let all = "";
    for (const known in listeners) all += (all && ", ") + known;
    return `there is no event ${name}; the events are ${all}`;
  };
  const size = ({ width, height }) => ({ width, height });
  const place = ({ x, y, width, height }) => ({ x, y, width, height });
  const features = { __proto__: null, sms: true, tel: true, inlineVideo: true };
  const mraid = {
    getVersion: () => "3.0",
    addEventListener(event, listener) {
      if (!(event in listeners)) return fail(unknown(event), "addEventListener");
      if (typeof listener !== "function") return fail("a listener must be a function", "addEventListener");
      if (isAmong(listeners[event], listener)) return;
      const all = without(listeners[event], null);
      all[all.length] = listener;
      listeners[event] = all;
      // A listener that is added late gets the present state.
      if (!(event in sent) || truth.state === "loading") return;
      const count = sent[event];
      later(() => {
        if (sent[event] !== count || isOver || !isAmong(listeners[event], listener)) return;
        const { visible, percentage, volume } = truth;
        call(listener, event === "exposureChange" ? [percentage, visible && place(visible), null] : [volume]);
      });
    },
    removeEventListener(event, listener) {
      if (!(event in listeners)) return fail(unknown(event), "removeEventListener");
      if (listener === undefined || listener === null) {
        listeners[event] = list();
      } else if (isAmong(listeners[event], listener)) {
        listeners[event] = without(listeners[event], listener);
      } else {
        fail("it is no listener of this event", "removeEventListener");
      }
    },
    getState: () => truth.state,
    getPlacementType: () => truth.placement,
    isViewable: () => truth.percentage > 0,
    supports: (feature) => feature in features,
    open: (url) => lead("open", url),
    close: () => order("close"),
    unload() {
      order("unload");
      isOver = true;
    },
    expand: (url) => lead("expand", url),
    resize: () => order("resize"),
    playVideo: (url) => lead("playVideo", url),
    storePicture: (url) => lead("storePicture", url),
    createCalendarEvent: () => order("createCalendarEvent"),
    initVpaid: () => order("initVpaid"),
    useCustomClose: () => order("useCustomClose"),
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
    getCurrentAppOrientation: () => ({ orientation: truth.held, locked: false }),
    getCurrentPosition: () => place(truth.current),
    getDefaultPosition: () => place(truth.standard),
    getMaxSize: () => size(truth.max),
    getScreenSize: () => size(truth.screen),
    getLocation: () => -1,
  };
  globalThis.mraid = mraid;
  if (environment) globalThis.MRAID_ENV = environment;
})();
