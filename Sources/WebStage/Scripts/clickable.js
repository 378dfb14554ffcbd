// Evaluated in the creative's own world before a scripted user's click: returns the box of what to click, as
// [left, top, width, height]. It is the first visible link, button or element with `onclick`; without one the whole
// page, or its first visible element if the page's center is empty.
(() => {
  // What looks like a close button of the creative comes last.
  const isCloseButton = (element) =>
    /^close/i.test(element.getAttribute("aria-label") ?? "") || /^[x\u00d7\u2715]$/i.test(element.textContent.trim());
  const all = "a[*|href], area[href], button, [onclick], [type=submit], [data-dp]";
  const sides = ({ x, y, width, height }) => [x, y, width, height];
  // Whether the element, or a descendant, is at the center of the box, so it is not covered.
  const isHit = (element, { x, y, width, height }) => {
    const top = width > 0 && height > 0 ? document.elementFromPoint(x + width / 2, y + height / 2) : null;
    return top !== null && (top === element || element.contains(top));
  };
  let first = null;
  const found = [...document.querySelectorAll(all)].slice(0, 200);
  for (const element of [...found.filter((each) => !isCloseButton(each)), ...found.filter(isCloseButton)]) {
    const whole = element.getBoundingClientRect();
    const inner = [...element.querySelectorAll("*")].slice(0, 50).map((each) => each.getBoundingClientRect());
    const box = [whole, ...element.getClientRects(), ...inner].find((box) => isHit(element, box));
    if (box) return sides(box);
    if (whole.width > 0 && whole.height > 0) first ??= sides(whole);
  }
  if (first) return first;
  const page = [0, 0, innerWidth, innerHeight];
  const roots = [null, document.documentElement, document.body];
  if (!roots.includes(document.elementFromPoint(innerWidth / 2, innerHeight / 2))) return page;
  for (const element of [...document.body.querySelectorAll("*")].slice(0, 500)) {
    const box = element.getBoundingClientRect();
    if (box.width > 9 && box.height > 9 && isHit(element, box)) return sides(box);
  }
  return page;
})()
