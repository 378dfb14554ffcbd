// Runs in a provider's page, in the page's own world before its first script. Adds the objects with `postMessage` by
// which the page sends messages to the app. The stage refuses messages of other frames.
((names) => {
  const send = globalThis.__yabbi_bridge;
  delete globalThis.__yabbi_bridge;
  if (window !== window.top || typeof send !== "function") return;
  for (const name of names) {
    const bridge = Object.freeze({ postMessage: (text) => send(String(text)) });
    Object.defineProperty(globalThis, name, { value: bridge, enumerable: true, configurable: false, writable: false });
  }
})(BRIDGES);
