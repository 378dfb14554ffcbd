// Runs in every frame of the creative, in a world of its own before the page's first script: the page can neither see nor
// call it. It proves that a gesture was a user's, and tells of links that the sandbox lets lead nowhere.
(() => {
  const say = (message) => __yabbi_guard(JSON.stringify(message));
  const linkOf = (event) => {
    for (const node of event.composedPath()) {
      if ((node instanceof HTMLAnchorElement || node instanceof HTMLAreaElement || node instanceof SVGAElement) && node.href) {
        return node;
      }
    }
    return null;
  };
  const onGesture = (event) => {
    if (!event.isTrusted || event.repeat) return;
    if (event.type === "keydown" && event.key !== "Enter" && event.key !== " ") return;
    say({ k: "gesture", type: event.type });
  };
  const onClick = (event) => {
    if (!event.isTrusted) return;
    const link = linkOf(event);
    if (!link) return;
    // When the page's own listeners have spoken, and not before: most links of ads are changed by them.
    setTimeout(() => {
      if (event.defaultPrevented) return;
      const target = (link.target?.baseVal ?? link.target) || document.querySelector("base[target]")?.target || "";
      const address = link.href?.baseVal !== undefined ? new URL(link.href.baseVal, document.baseURI).href : link.href;
      // Within the frame it goes by itself, and is stopped on its way.
      if (link.hasAttribute("download")) return say({ k: "download", url: address.slice(0, 16384) });
      const staysInside = target === "" || target.toLowerCase() === "_self";
      if (staysInside && /^https?:/i.test(address)) return;
      say({ k: "link", url: address.slice(0, 16384) });
    }, 0);
  };
  const onSubmit = (event) => {
    const form = event.target;
    const target = (event.submitter?.formTarget || form.target || "").toLowerCase();
    if (!event.isTrusted || target === "" || target === "_self") return;
    setTimeout(() => {
      if (!event.defaultPrevented) say({ k: "link", url: String(event.submitter?.formAction || form.action).slice(0, 16384) });
    }, 0);
  };
  const listen = () => {
    for (const type of ["pointerdown", "pointerup", "click", "keydown"]) addEventListener(type, onGesture, true);
    addEventListener("click", onClick, true);
    addEventListener("submit", onSubmit, true);
  };
  listen();
  // A page that opens its document anew loses all listeners, ours as well; the same one is never added twice.
  setInterval(listen, 250);
})();
