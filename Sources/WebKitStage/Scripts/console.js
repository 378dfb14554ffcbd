// Runs in every document, in the page's own world before its first script: reports calls of the console and rejected
// promises, which WebKitGTK reports to no program. The page can forge these messages.
(() => {
  const send = globalThis.__yabbi_console;
  delete globalThis.__yabbi_console;
  if (typeof send !== "function") return;
  const { stringify } = JSON;
  const { apply } = Reflect;
  const { slice, split } = String.prototype;
  const cut = (text, length) => apply(slice, text, [0, length]);
  const describe = (value) => {
    try {
      if (typeof value === "string") return value;
      if (value instanceof Error) return `${value.name}: ${value.message}`;
      if (Array.isArray(value)) return `Array(${value.length})`;
      // Objects are named by their kind, as in other engines.
      return typeof value === "object" && value !== null ? value.constructor?.name || "Object" : String(value);
    } catch {
      return "?";
    }
  };
  // The place of the call: the first line of the stack outside of this script, as in `name@https://ad.example/a.js:12:5`.
  const place = () => {
    for (const line of apply(split, new Error().stack ?? "", ["\n"])) {
      const [, url, row, column] = /^(?:.*@)?(.*?):(\d+):(\d+)$/.exec(line) ?? [];
      if (url && url !== "yabbi:script") return { url, line: Number(row), column: Number(column) };
    }
    return { url: "" };
  };
  const report = (k, level, text, at) => send(stringify({ k, level, text: cut(text, 4000), ...at }));
  for (const level of ["debug", "error", "info", "log", "warn", "trace", "assert"]) {
    const original = console[level];
    console[level] = new Proxy(original, {
      apply(target, self, values) {
        const isQuiet = level === "assert" && values[0];
        if (!isQuiet) {
          const shown = level === "assert" ? values.slice(1) : values;
          report("console", level === "warn" ? "warning" : level, shown.slice(0, 10).map(describe).join(" "), place());
        }
        return apply(target, self, values);
      },
    });
  }
  // Windows by links that are not in the page, and by forms; page.js reports clicks on links of the page.
  const { windowOf } = WINDOWS;
  const reportWindow = (url) => url && send(stringify({ k: "window", url }));
  const { addEventListener: listen } = EventTarget.prototype;
  const { click } = HTMLElement.prototype;
  HTMLElement.prototype.click = function () {
    if (!(this instanceof HTMLAnchorElement) || this.isConnected) return apply(click, this, []);
    let event = null;
    apply(listen, this, ["click", (clicked) => (event ??= clicked), { capture: true, once: true }]);
    const url = windowOf(this);
    apply(click, this, []);
    if (!event?.defaultPrevented) reportWindow(url);
  };
  const { submit } = HTMLFormElement.prototype;
  HTMLFormElement.prototype.submit = function () {
    reportWindow(windowOf(this));
    return apply(submit, this, []);
  };
  addEventListener("unhandledrejection", (event) => {
    const { reason } = event;
    report("error", "", `Uncaught (in promise) ${describe(reason)}`, {
      url: reason?.sourceURL ?? "", line: reason?.line, column: reason?.column,
    });
  });
})();
