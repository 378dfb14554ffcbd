// Runs in a provider's page at its real address, in the host's world: the page can neither see nor call it. Hides the page
// until it is revealed, and keeps our close button above everything that the page shows.
(() => {
  if (window !== window.top) return;
  const send = (message) => __yabbi(JSON.stringify(message));
  const cover = new CSSStyleSheet();
  cover.replaceSync(":root { visibility: hidden !important; }");
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, cover];
  globalThis.yabbiReveal = () => {
    document.adoptedStyleSheets = document.adoptedStyleSheets.filter((sheet) => sheet !== cover);
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
    // Elements outside of a modal dialog can't be pressed (HTML Living Standard, "Inert subtrees").
    const host = [...document.querySelectorAll(":modal")].at(-1) ?? document.documentElement;
    if (place.parentNode !== host) host.append(place);
    // The popover that was shown last is on top: a dialog of the page would cover ours otherwise.
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
      if (event.isTrusted) send({ k: "close" });
    });
    root.append(style, button);
    raise();
  };
  // A press on our button is none on the page: the gesture script calls this, in the same world.
  globalThis.yabbiIsControl = (event) => place !== null && event.composedPath()[0] === place;
  globalThis.yabbiPlace = () => {
    if (!place?.isConnected) return null;
    const { x, y, width, height } = place.getBoundingClientRect();
    return [x + width / 2, y + height / 2];
  };
  // How many times in a row it could not be pressed.
  let lost = 0;
  setInterval(() => {
    if (!place) return;
    const at = place.getBoundingClientRect();
    const top = document.elementFromPoint(at.x + at.width / 2, at.y + at.height / 2);
    lost = top === place ? 0 : lost + 1;
    // The page removes it as often as it is put back: the stage ends the page.
    if (lost === 5) send({ k: "lost" });
    if (lost > 0) raise();
  }, 250);
})();
