// Runs in a provider's page at its real address, in a world of its own: the page can neither see nor call it. Keeps the page
// out of sight until it is revealed, and holds our close button above whatever the page shows.
(() => {
  if (window !== window.top) return;
  const say = (message) => __yabbi(JSON.stringify(message));
  const veil = new CSSStyleSheet();
  veil.replaceSync(":root { visibility: hidden !important; }");
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, veil];
  globalThis.yabbiReveal = () => {
    document.adoptedStyleSheets = document.adoptedStyleSheets.filter((sheet) => sheet !== veil);
  };

  // At the left: pages have a button of their own at the right.
  const look = `
    :host { all: initial !important; position: fixed !important; inset: 8px auto auto 8px !important; margin: 0 !important;
      padding: 0 !important; border: 0 !important; background: none !important; overflow: visible !important; }
    button { box-sizing: border-box; width: 50px; height: 50px; border: 2px solid #fff; border-radius: 25px;
      background: rgba(0, 0, 0, .72); color: #fff; font: 22px/46px system-ui, sans-serif; cursor: pointer; }`;
  let place = null;
  const raise = () => {
    if (!place || !document.documentElement) return;
    // What is outside a modal dialog can't be pressed.
    const host = [...document.querySelectorAll(":modal")].at(-1) ?? document.documentElement;
    if (place.parentNode !== host) host.append(place);
    // What was shown last is on top: a dialog of the page's own would cover it otherwise.
    if (place.matches(":popover-open")) place.hidePopover();
    place.showPopover();
  };
  globalThis.yabbiControl = (id, isVisible) => {
    if (id !== "close") return;
    place?.remove();
    place = null;
    if (!isVisible) return;
    place = document.createElement("yabbi-close");
    place.popover = "manual";
    const root = place.attachShadow({ mode: "closed" });
    const style = document.createElement("style");
    style.textContent = look;
    const button = document.createElement("button");
    button.setAttribute("aria-label", "Close the page");
    button.textContent = "\u2715";
    button.addEventListener("click", (event) => {
      if (event.isTrusted) say({ k: "close" });
    });
    root.append(style, button);
    raise();
  };
  // A press on our button is none on the page: the script that hears of presses asks this, in the same world.
  globalThis.yabbiIsControl = (event) => place !== null && event.composedPath()[0] === place;
  globalThis.yabbiPlace = () => {
    if (!place?.isConnected) return null;
    const { x, y, width, height } = place.getBoundingClientRect();
    return [x + width / 2, y + height / 2];
  };
  // So many looks in a row at which it could not be pressed.
  let lost = 0;
  setInterval(() => {
    if (!place) return;
    const at = place.getBoundingClientRect();
    const top = document.elementFromPoint(at.x + at.width / 2, at.y + at.height / 2);
    lost = top === place ? 0 : lost + 1;
    // The page takes it away as often as it is put back: then the page has to go.
    if (lost === 5) say({ k: "lost" });
    if (lost > 0) raise();
  }, 250);
})();
