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
  const { isLink, windowOf } = WINDOWS;
  // A script's click on a link that opens a window; gesture.js reports a user's.
  const onClick = (event) => {
    const url = event.isTrusted ? null : event.composedPath().filter(isLink).slice(0, 1).map(windowOf)[0];
    const gesture = navigator.userActivation?.isActive === true;
    if (!url) return;
    setTimeout(() => {
      if (!event.defaultPrevented) send({ k: "window", url, gesture });
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
