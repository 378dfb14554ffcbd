// Runs in every document, in the host's isolated world before the page's first script: reports what other engines
// report by themselves.
(() => {
  const send = (message) => __yabbi_page(JSON.stringify(message));
  const place = ({ filename, lineno, colno }) => ({ url: filename ?? "", line: lineno, column: colno });
  const onError = (event) => {
    // Without a message it is a resource that was not loaded.
    if (event instanceof ErrorEvent) send({ k: "error", text: `Uncaught ${event.message}`.slice(0, 2000), ...place(event) });
  };
  const onParsed = () => send({ k: "parsed" });
  const onLoad = (event) => {
    if (event.target === document) send({ k: "load" });
  };
  const listen = () => {
    addEventListener("error", onError, true);
    addEventListener("DOMContentLoaded", onParsed, true);
    addEventListener("load", onLoad, true);
  };
  listen();
  // `document.open` removes all listeners (HTML Living Standard, "Opening the input stream").
  setInterval(listen, 250);
})();
