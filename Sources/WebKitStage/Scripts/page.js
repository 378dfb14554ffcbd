// Runs in every document, in the host's isolated world before the page's first script: reports what other engines
// report by themselves.
(() => {
  const send = (message) => __yabbi_page(JSON.stringify(message));
  const place = ({ filename, lineno, colno }) => ({ url: filename ?? "", line: lineno, column: colno });
  const onError = (event) => {
    // Another event is of a resource that was not loaded. The text comes from WebKit's console.
    if (event instanceof ErrorEvent) send({ k: "error", ...place(event) });
  };
  const onParsed = () => send({ k: "parsed" });
  const onLoad = (event) => {
    if (event.target === document) send({ k: "load" });
  };
  // A script's click on a link that opens a window, which a sandboxed frame may not; gesture.js reports a user's.
  // A form of the page may have a field with the name of a method.
  const all = (selector) => [...Reflect.apply(Document.prototype.querySelectorAll, document, [selector])];
  const targetOf = (link) => link.getAttribute("target") || all("base[target]")[0]?.target || "";
  const onClick = (event) => {
    const link = event.composedPath().find((node) => node instanceof HTMLAnchorElement || node instanceof HTMLAreaElement);
    if (event.isTrusted || !link?.href || link.hasAttribute("download")) return;
    const target = targetOf(link);
    const isFrame = all("iframe[name]").some(({ name }) => name === target);
    if (isFrame || ["", "_self", "_parent", "_top"].includes(target.toLowerCase())) return;
    const gesture = navigator.userActivation?.isActive === true;
    setTimeout(() => {
      if (!event.defaultPrevented) send({ k: "window", url: link.href.slice(0, 16384), gesture });
    }, 0);
  };
  const listen = () => {
    addEventListener("click", onClick, true);
    addEventListener("error", onError, true);
    addEventListener("DOMContentLoaded", onParsed, true);
    addEventListener("load", onLoad, true);
  };
  listen();
  // `document.open` removes all listeners (HTML Living Standard, "Opening the input stream").
  setInterval(listen, 250);
})();
