// Runs in a provider's page at its real address, in the page's own world before its first script: gives it the objects by
// which it sends messages to the app. Messages of other frames are refused by the stage.
((names) => {
  const send = globalThis.__yabbi_bridge;
  delete globalThis.__yabbi_bridge;
  if (window !== window.top || typeof send !== "function") return;
  for (const name of names) {
    const bridge = Object.freeze({ postMessage: (text) => send(String(text)) });
    Object.defineProperty(globalThis, name, { value: bridge, enumerable: true, configurable: false, writable: false });
  }
})(BRIDGES);
