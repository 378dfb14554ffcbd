// Evaluated in the creative's own world at each blank check: returns the images that failed to load and have no
// alternative text, each as [left, top, width, height, border and padding, scale]. Same-origin frames and open shadow
// trees are included.
(() => {
  const found = [];
  let left = 5000;
  const search = (root, x, y, depth) => {
    for (const element of root.querySelectorAll("*")) {
      if (left-- <= 0 || found.length >= 100) return;
      const name = element.localName;
      if (element.shadowRoot && depth < 8) search(element.shadowRoot, x, y, depth + 1);
      if (name === "iframe" && element.contentDocument && depth < 8) {
        const at = element.getBoundingClientRect();
        search(element.contentDocument, x + at.x + element.clientLeft, y + at.y + element.clientTop, depth + 1);
      }
      if (name !== "img" || !element.complete || element.naturalWidth > 0) continue;
      // Without `alt` the browser shows the `title`.
      if ((element.getAttribute("alt") ?? element.title).trim() !== "") continue;
      const at = element.getBoundingClientRect();
      const scale = element.offsetWidth > 0 ? at.width / element.offsetWidth : 1;
      const inset = element.clientLeft + (parseFloat(getComputedStyle(element).paddingLeft) || 0);
      found.push([x + at.x, y + at.y, at.width, at.height, inset, scale]);
    }
  };
  try {
    search(document, 0, 0, 0);
  } catch {
    // A creative may have replaced the functions that are used here: the images found so far are returned.
  }
  return found;
})()
