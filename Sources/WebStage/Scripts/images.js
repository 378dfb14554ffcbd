// Evaluated among the creative's own scripts at each look whether anything of it is visible: finds the images that did not
// load and have no alternative text, as [left, top, width, height, what lies around it of its own border and padding, scale]. Frames
// and shadow trees that can be looked into are looked into.
(() => {
  const found = [];
  let left = 5000;
  const look = (root, x, y, depth) => {
    for (const element of root.querySelectorAll("*")) {
      if (left-- <= 0 || found.length >= 100) return;
      const name = element.localName;
      if (element.shadowRoot && depth < 8) look(element.shadowRoot, x, y, depth + 1);
      if (name === "iframe" && element.contentDocument && depth < 8) {
        const at = element.getBoundingClientRect();
        look(element.contentDocument, x + at.x + element.clientLeft, y + at.y + element.clientTop, depth + 1);
      }
      if (name !== "img" || !element.complete || element.naturalWidth > 0) continue;
      // Without `alt` the text of `title` stands there.
      if ((element.getAttribute("alt") ?? element.title).trim() !== "") continue;
      const at = element.getBoundingClientRect();
      const scale = element.offsetWidth > 0 ? at.width / element.offsetWidth : 1;
      const inset = element.clientLeft + (parseFloat(getComputedStyle(element).paddingLeft) || 0);
      found.push([x + at.x, y + at.y, at.width, at.height, inset, scale]);
    }
  };
  try {
    look(document, 0, 0, 0);
  } catch {
    // A creative may have changed the functions that are used here: what was found until then is returned.
  }
  return found;
})()
