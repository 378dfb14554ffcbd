// Runs in every frame of the creative, in the host's world before the page's first script: the page can neither see nor call
// it. It proves that a gesture was a user's (trusted events), and sends where it was and on what, what the page did at once,
// and which link was clicked: the sandbox blocks most links without an event.
(() => {
  const send = (message) => __yabbi_gesture(JSON.stringify(message));
  // A form's fields hide what the form itself has under their names.
  const getter = (type, name) => Object.getOwnPropertyDescriptor(type.prototype, name).get;
  const [nameOf, attributeOf] = [getter(Element, "localName"), Element.prototype.getAttribute];
  const attribute = (element, name) => Reflect.apply(attributeOf, element, [name]);

  // An element in a few characters, as in `a#buy` or `button.cta`.
  const describe = (element) => {
    if (!(element instanceof Element)) return "";
    const [id, classes] = [attribute(element, "id"), attribute(element, "class")];
    const first = classes?.trim().split(/\s+/)[0];
    return Reflect.apply(nameOf, element, []).slice(0, 40) + (id ? `#${id.slice(0, 40)}` : first ? `.${first.slice(0, 40)}` : "");
  };
  // Where a press was in the ad's own points; nothing where this frame can't measure its place in the ad.
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
    // A click by a key has no place but its element's.
    const box = event.composedPath()[0]?.getBoundingClientRect?.();
    return box ? place(box.x + box.width / 2, box.y + box.height / 2) : {};
  };

  const linkOf = (event) => {
    for (const node of event.composedPath()) {
      if (node instanceof SVGAElement && node.href.baseVal !== "") return node;
      // A link whose address is empty opens nothing, and that is reported.
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

  // What the page does while its listeners run: a change of what it shows, or the default action cancelled.
  let running = 0;
  let changed = false;
  const observer = new MutationObserver(() => {
    changed = true;
  });
  const watch = (event) => {
    // When it is over, an event has no path any more.
    const isClick = event.type === "click";
    const [field, link] = isClick ? [operates(event), linkOf(event)] : ["", null];
    if (running++ === 0) {
      changed = false;
      observer.observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
    }
    // When the page's own listeners have run, and not before: most links of ads are changed by them.
    setTimeout(() => {
      changed ||= observer.takeRecords().length > 0;
      // The code of a `javascript:` link is run by our own script in the page, which cancels the browser's own way.
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
    // Code is run and a place in the page is scrolled to: neither is an attempt to leave.
    if (/^(javascript:|#)/i.test(written)) return send({ k: "aside", url: written.slice(0, 200) });
    send({ k: "link", url: address.slice(0, 16384) });
  };

  const isOfPage = (event) => event.isTrusted && globalThis.yabbiIsControl?.(event) !== true;
  const onGesture = (event) => {
    if (!isOfPage(event) || event.repeat) return;
    if (event.type === "keydown" && event.key !== "Enter" && event.key !== " ") return;
    const where = event.type === "keydown" ? {} : placeOf(event);
    send({ k: "gesture", type: event.type, pointer: event.pointerType ?? "", target: describe(event.composedPath()[0]), key: event.type === "click" && event.detail === 0, ...where });
    watch(event);
  };
  const onTouch = (event) => {
    if (isOfPage(event)) watch(event);
  };
  const onSubmit = (event) => {
    const form = event.target;
    const submitter = event.submitter;
    // Of an attribute that is not there the form's own counts; as a property it would have a value all the same.
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
  // A player of the creative that starts or stops by a press.
  let pressed = 0;
  const onMedia = (event) => {
    if (performance.now() - pressed < 1000) send({ k: "did", what: `${event.type} of ${describe(event.target)}` });
  };
  const onPress = (event) => {
    if (isOfPage(event)) pressed = performance.now();
  };
  const listen = () => {
    for (const type of ["pointerdown", "pointerup", "pointercancel", "click", "keydown"]) addEventListener(type, onGesture, true);
    for (const type of ["touchstart", "touchend"]) addEventListener(type, onTouch, { capture: true, passive: true });
    for (const type of ["play", "pause", "volumechange"]) addEventListener(type, onMedia, true);
    for (const type of ["pointerdown", "click"]) addEventListener(type, onPress, true);
    addEventListener("submit", onSubmit, true);
  };
  listen();
  // `document.open` removes all listeners, ours as well; the same one is never added twice.
  setInterval(listen, 250);
})();
