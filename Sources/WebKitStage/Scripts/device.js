// Runs in every document, in the page's own world before its first script, and again when the screen rotates: what a
// creative can read of the device. SCREEN and DEVICE are replaced by values.
((size, device) => {
  const define = (type, values) => {
    for (const [name, value] of Object.entries(values)) {
      if (type && value !== null) Object.defineProperty(type.prototype, name, { get: () => value, configurable: true, enumerable: true });
    }
  };
  const [width, height] = size;
  define(Screen, { width, height, availWidth: width, availHeight: height });
  const isLandscape = width > height;
  define(globalThis.ScreenOrientation, { type: isLandscape ? "landscape-primary" : "portrait-primary", angle: isLandscape ? 90 : 0 });
  const { platform, language, touches } = device;
  const languages = language === null ? null : Object.freeze([...new Set([language, language.split("-")[0]])]);
  define(Navigator, { platform, language, languages, maxTouchPoints: touches });
  if (touches === 0) return;
  // WebKitGTK sends touches, but has the properties by which scripts test for them only with a touch screen.
  for (const type of ["touchstart", "touchmove", "touchend", "touchcancel"]) {
    if (`on${type}` in globalThis) continue;
    let handler = null;
    addEventListener(type, (event) => handler?.call(globalThis, event));
    Object.defineProperty(globalThis, `on${type}`, {
      get: () => handler,
      set: (value) => {
        handler = typeof value === "function" ? value : null;
      },
      configurable: true, enumerable: true,
    });
  }
})(SCREEN, DEVICE);
