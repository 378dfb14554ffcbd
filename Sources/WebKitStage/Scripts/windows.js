// What a script's click or form opens in a window, for page.js and console.js, each in its own world: a sandboxed frame
// may open none, and WebKit does not report it. A form may have fields with the names of methods.
(() => {
  const { apply } = Reflect;
  const { getAttribute, hasAttribute } = Element.prototype;
  const attribute = (element, name) => apply(getAttribute, element, [name]) ?? "";
  const { querySelectorAll } = Document.prototype;
  const all = (selector) => [...apply(querySelectorAll, document, [selector])];
  const opensWindow = (element) => {
    const target = attribute(element, "target") || all("base[target]")[0]?.target || "";
    const isFrame = all("iframe[name]").some(({ name }) => name === target);
    return !isFrame && !["", "_self", "_parent", "_top"].includes(target.toLowerCase());
  };
  const isLink = (node) =>
    node instanceof HTMLAnchorElement || node instanceof HTMLAreaElement || node instanceof SVGAElement;
  const linked = (link) => {
    if (apply(hasAttribute, link, ["download"])) return null;
    // In SVG it is the address as it was written (SVG 2, "SVGURIReference").
    return link instanceof SVGAElement ? link.href.baseVal && new URL(link.href.baseVal, document.baseURI).href : link.href;
  };
  const submitted = (form) => {
    const address = new URL(attribute(form, "action"), document.baseURI);
    if (attribute(form, "method").toLowerCase() !== "post") address.search = new URLSearchParams(new FormData(form)).toString();
    return address.href;
  };
  // The address that a link or form would open in a window; null for none.
  const windowOf = (element) => {
    try {
      const address = isLink(element) ? linked(element) : submitted(element);
      return address && opensWindow(element) ? address.slice(0, 16384) : null;
    } catch {
      // An address that is invalid opens nothing.
      return null;
    }
  };
  return { isLink, windowOf };
})()
