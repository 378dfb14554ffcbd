// Runs in a provider's page, in the host's isolated world: the page can neither see nor call it. Hides the page until
// it is revealed, and keeps the host's close button on top of the page's content.
(() => {
  if (window !== window.top) return;
  const send = (message) => __yabbi(JSON.stringify(message));
  const hidingSheet = new CSSStyleSheet();
  hidingSheet.replaceSync(":root { visibility: hidden !important; }");
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, hidingSheet];
  globalThis.yabbiReveal = () => {
    document.adoptedStyleSheets = document.adoptedStyleSheets.filter((sheet) => sheet !== hidingSheet);
  };

  // In the upper left corner, because providers' pages have a close button of their own in the upper right one.
  const styles = `
    :host { all: initial !important; position: fixed !important; inset: 8px auto auto 8px !important; margin: 0 !important;
      padding: 0 !important; border: 0 !important; background: none !important; overflow: visible !important; }
    button { box-sizing: border-box; width: 50px; height: 50px; border: 2px solid #fff; border-radius: 25px;
      background: rgba(0, 0, 0, .72); color: #fff; font: 22px/46px system-ui, sans-serif; cursor: pointer; }`;
  let place = null;
  const raise = () => {
    if (!place || !document.documentElement) return;
    // Elements outside a modal dialog are inert (HTML Living Standard, "Inert subtrees").
    const host = [...document.querySelectorAll(":modal")].at(-1) ?? document.documentElement;
    if (place.parentNode !== host) host.append(place);
    // The element that was added last is on top of the top layer, so the popover is shown again.
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
    style.textContent = styles;
    const button = document.createElement("button");
    button.setAttribute("aria-label", "Close the page");
    button.textContent = "\u2715";
    button.addEventListener("click", (event) => {
      if (event.isTrusted) send({ k: "close" });
    });
    root.append(style, button);
    raise();
  };
  // Called by gesture.js in the same world: a press on the close button is not a gesture in the page.
  globalThis.yabbiIsControl = (event) => place !== null && event.composedPath()[0] === place;
  globalThis.yabbiPlace = () => {
    if (!place?.isConnected) return null;
    const { x, y, width, height } = place.getBoundingClientRect();
    return [x + width / 2, y + height / 2];
  };
  // The number of checks in a row in which the button could not be pressed.
  let failures = 0;
  setInterval(() => {
    if (!place) return;
    const at = place.getBoundingClientRect();
    const top = document.elementFromPoint(at.x + at.width / 2, at.y + at.height / 2);
    failures = top === place ? 0 : failures + 1;
    // The page removes or covers the button again and again: the stage ends the page.
    if (failures === 5) send({ k: "lost" });
    if (failures > 0) raise();
  }, 250);
})();
