// Runs in a provider's page at its real address, in the page's own world before its first script: gives it the objects by
// which it speaks with the app. Who else has got hold of the way to the app is not heard: only the page's own frame is.
((names) => {
  const raw = globalThis.__yabbi_bridge;
  delete globalThis.__yabbi_bridge;
  if (window !== window.top || typeof raw !== "function") return;
  for (const name of names) {
    const bridge = Object.freeze({ postMessage: (text) => raw(String(text)) });
    Object.defineProperty(globalThis, name, { value: bridge, enumerable: true, configurable: false, writable: false });
  }
})(BRIDGES);
