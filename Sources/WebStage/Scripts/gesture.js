// Runs in every frame of the creative, in the host's isolated world before the page's first script: the page can
// neither see nor call it. It reports trusted input events (HTML Living Standard, "Tracking user activation"; DOM,
// `isTrusted`) with their position and element, the page's immediate reaction, and the clicked link, because the
// sandbox blocks most links without any event.
(() => {
  const send = (message) => __yabbi_gesture(JSON.stringify(message));
  // A form's named fields shadow the form's own properties, so the prototypes' getters are used.
  const getter = (type, name) => Object.getOwnPropertyDescriptor(type.prototype, name).get;
  const [nameOf, attributeOf] = [getter(Element, "localName"), Element.prototype.getAttribute];
  const attribute = (element, name) => Reflect.apply(attributeOf, element, [name]);

  // A short description of an element, as in `a#buy` or `button.cta`.
  const describe = (element) => {
    if (!(element instanceof Element)) return "";
    const [id, classes] = [attribute(element, "id"), attribute(element, "class")];
    const first = classes?.trim().split(/\s+/)[0];
    return Reflect.apply(nameOf, element, []).slice(0, 40) + (id ? `#${id.slice(0, 40)}` : first ? `.${first.slice(0, 40)}` : "");
  };
  // The position of a press in the ad's points; empty if this frame can't measure its own position in the ad.
  const rounded = (number) => Math.round(number * 100) / 100;
  const place = (x, y) => {
    for (let view = window; view !== top && view.parent !== top; view = view.parent) {
      const frame = view.frameElement;
      if (!frame) return {};
      const box = frame.getBoundingClientRect();
      x += box.x + frame.clientLeft;
      y += box.y + frame.clientTop;
    }
    return { x: rounded(x), y: rounded(y) };
  };
  const placeOf = (event) => {
    if (event.detail !== 0 || event.type !== "click") return place(event.clientX, event.clientY);
    // A click by the keyboard has no coordinates: the middle of its element.
    const box = event.composedPath()[0]?.getBoundingClientRect?.();
    return box ? place(box.x + box.width / 2, box.y + box.height / 2) : {};
  };

  const linkOf = (event) => {
    for (const node of event.composedPath()) {
      if (node instanceof SVGAElement && node.href.baseVal !== "") return node;
      // A link with an empty address is included, because it is reported as opening nothing.
      const isLink = node instanceof HTMLAnchorElement || node instanceof HTMLAreaElement;
      if (isLink && node.hasAttribute("href")) return node;
    }
    return null;
  };
  const fields = "input, select, textarea, option, summary, label, video[controls], audio[controls]";
  const operates = (event) => {
    const node = event.composedPath().find((node) => node instanceof Element && node.matches(fields));
    return node && !node.matches("[type=submit], [type=image], [type=button]") ? describe(node) : "";
  };

  // The page's reaction while its listeners run: a change of the document, or a cancelled default action.
  let running = 0;
  let changed = false;
  const observer = new MutationObserver(() => {
    changed = true;
  });
  const watch = (event) => {
    // The path of an event is empty after its dispatch.
    const isClick = event.type === "click";
    const [field, link] = isClick ? [operates(event), linkOf(event)] : ["", null];
    if (running++ === 0) {
      changed = false;
      observer.observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
    }
    // After the page's own listeners, because many ads change the link in them.
    setTimeout(() => {
      changed ||= observer.takeRecords().length > 0;
      // creative.js runs the code of a `javascript:` link itself and cancels the event.
      const isCode = link !== null && /^\s*javascript:/i.test(attribute(link, "href") ?? "");
      const prevented = event.cancelable && event.defaultPrevented && !isCode;
      send({ k: "reacted", changed, prevented, operates: field });
      if (--running === 0) observer.disconnect();
      if (!prevented) follow(link);
    }, 0);
  };
  const follow = (link) => {
    if (!link) return;
    const written = (link.href.baseVal ?? attribute(link, "href") ?? "").trim();
    let address = written;
    try {
      address = new URL(written, document.baseURI).href;
    } catch {}
    if (link.hasAttribute("download")) return send({ k: "download", url: address.slice(0, 16384) });
    // Neither code nor a fragment navigates away.
    if (/^(javascript:|#)/i.test(written)) return send({ k: "aside", url: written.slice(0, 200) });
    send({ k: "link", url: address.slice(0, 16384) });
  };

  const isOfPage = (event) => event.isTrusted && globalThis.yabbiIsControl?.(event) !== true;
  const report = (event, type, pointer, where) => {
    const isKey = type === "click" && event.detail === 0;
    send({ k: "gesture", type, pointer, target: describe(event.composedPath()[0]), key: isKey, ...where });
    watch(event);
  };
  // Some engines have no pointer events for touches, and simulate a mouse after each touch (WebKitGTK): their touch
  // events are reported as those of a pointer, and the simulated ones are not.
  let hasTouchPointers = false;
  let touchedAt = -Infinity;
  const isSimulated = (event) => event.pointerType === "mouse" && performance.now() - touchedAt < 1000;
  const onGesture = (event) => {
    if (!isOfPage(event) || event.repeat) return;
    if (event.type === "keydown" && event.key !== "Enter" && event.key !== " ") return;
    if (event.pointerType === "touch") hasTouchPointers = true;
    if (event.type !== "click" && isSimulated(event)) {
      send({ k: "handles" });
      return watch(event);
    }
    report(event, event.type, event.pointerType ?? "", event.type === "keydown" ? {} : placeOf(event));
  };
  const ofPointer = { touchstart: "pointerdown", touchend: "pointerup", touchcancel: "pointercancel" };
  const onTouch = (event) => {
    if (!isOfPage(event)) return;
    if (hasTouchPointers) return event.type === "touchcancel" ? undefined : watch(event);
    touchedAt = performance.now();
    const touch = event.changedTouches[0];
    report(event, ofPointer[event.type], "touch", touch ? place(touch.clientX, touch.clientY) : {});
  };
  const onSubmit = (event) => {
    const form = event.target;
    const submitter = event.submitter;
    // The submit button's attribute overrides the form's (HTML Living Standard, "Attributes for form submission").
    // Attributes are read, because the properties have a value also without one.
    const own = (name) => (submitter && attribute(submitter, `form${name}`)) || attribute(form, name) || "";
    const target = own("target").toLowerCase();
    if (!event.isTrusted || target === "" || target === "_self") return;
    setTimeout(() => {
      if (event.defaultPrevented) return;
      const address = new URL(own("action"), document.baseURI);
      const method = own("method").toLowerCase() || "get";
      if (method === "get") address.search = new URLSearchParams(new FormData(form, submitter)).toString();
      const isBare = method === "get" && address.search === "";
      send({ k: "link", url: (isBare ? address.href.replace(/\??(#|$)/, "?$1") : address.href).slice(0, 16384) });
    }, 0);
  };
  // Media that wait for data, in real time.
  const waiting = new WeakMap();
  const onStall = (event) => {
    const since = waiting.get(event.target);
    if (event.type === "waiting") {
      if (event.target.currentTime > 0) waiting.set(event.target, performance.now());
    } else if (since !== undefined) {
      waiting.delete(event.target);
      send({ k: "stall", ms: Math.round(performance.now() - since), at: event.target.currentTime });
    }
  };
  // A media element of the creative that starts or stops within a second of a press.
  let pressed = 0;
  const onMedia = (event) => {
    if (performance.now() - pressed < 1000) send({ k: "did", what: `${event.type} of ${describe(event.target)}` });
  };
  const onPress = (event) => {
    if (isOfPage(event)) pressed = performance.now();
  };
  const listen = () => {
    for (const type of ["pointerdown", "pointerup", "pointercancel", "click", "keydown"]) addEventListener(type, onGesture, true);
    for (const type of Object.keys(ofPointer)) addEventListener(type, onTouch, { capture: true, passive: true });
    for (const type of ["play", "pause", "volumechange"]) addEventListener(type, onMedia, true);
    for (const type of ["pointerdown", "click"]) addEventListener(type, onPress, true);
    for (const type of ["waiting", "playing"]) addEventListener(type, onStall, true);
    addEventListener("submit", onSubmit, true);
  };
  listen();
  // `document.open` removes all listeners (HTML Living Standard, "Opening the input stream"); adding one twice has no
  // effect.
  setInterval(listen, 250);
})();
