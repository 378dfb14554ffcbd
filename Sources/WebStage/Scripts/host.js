// Runs in the host's isolated world of the host page; the creative in its frame can neither see nor call it. The page
// has no scripts of its own. `__yabbi` sends a message to the stage.
(async () => {
  if (document.readyState === "loading") {
    await new Promise((resolve) => addEventListener("DOMContentLoaded", resolve, { once: true }));
  }
  const send = (message) => __yabbi(JSON.stringify(message));
  const [place, slot, frame] = ["place", "slot", "creative"].map((id) => document.getElementById(id));
  const button = (id) => {
    const element = document.getElementById(id);
    element.addEventListener("click", (event) => {
      if (event.isTrusted) send({ k: id });
    });
    return element;
  };
  button("close");
  button("skip");
  const collapse = button("collapse");

  // Reports the visible ratio of the creative whenever it changes by 0.01.
  let observer;
  const observe = () => {
    observer?.disconnect();
    observer?.observe(slot);
  };
  globalThis.yabbiReveal = () => {
    slot.style.visibility = "visible";
    observer?.disconnect();
    const steps = Array.from({ length: 101 }, (_, step) => step / 100);
    observer = new IntersectionObserver(
      (entries) => {
        const { intersectionRatio: ratio, intersectionRect: seen, boundingClientRect: all } = entries.at(-1);
        send({ k: "visible", ratio, rect: [seen.x - all.x, seen.y - all.y, seen.width, seen.height] });
      },
      { threshold: steps },
    );
    observe();
  };
  globalThis.yabbiHide = () => {
    document.body.style.visibility = slot.style.visibility = "hidden";
  };
  globalThis.yabbiControl = (id, isVisible) => {
    document.getElementById(id).hidden = !isVisible;
  };

  // The on-screen part of the creative's rectangle, in the screen's points; null for none.
  globalThis.yabbiVisibleRect = () => {
    const at = slot.getBoundingClientRect();
    const [left, top] = [Math.max(0, at.left), Math.max(0, at.top)];
    const [right, bottom] = [Math.min(innerWidth, at.right), Math.min(innerHeight, at.bottom)];
    return right > left && bottom > top ? [left, top, right - left, bottom - top] : null;
  };
  // Counts the pixels of the creative's rectangle in a screenshot that differ from the host page's background color.
  // Left out are the border of the rectangle (a frame around nothing is blank), the host's controls, and the browser's
  // placeholder for failed images: a line around each, and an icon in its corner or middle.
  globalThis.yabbiCountPixels = async (data, failed) => {
    const [left, top, width, height] = yabbiVisibleRect() ?? [0, 0, 1, 1];
    const picture = new Image();
    picture.src = `data:image/png;base64,${data}`;
    await picture.decode();
    const canvas = document.createElement("canvas");
    [canvas.width, canvas.height] = [Math.max(1, Math.round(width)), Math.max(1, Math.round(height))];
    const drawing = canvas.getContext("2d", { willReadFrequently: true });
    const pixels = picture.naturalWidth / innerWidth;
    const part = [left, top, width, height].map((side) => side * pixels);
    drawing.drawImage(picture, ...part, 0, 0, canvas.width, canvas.height);
    const empty = getComputedStyle(document.documentElement).backgroundColor;
    drawing.fillStyle = empty;
    for (const control of document.querySelectorAll(".control")) {
      const at = control.getBoundingClientRect();
      if (at.width > 0) drawing.fillRect(at.left - left - 2, at.top - top - 2, at.width + 4, at.height + 4);
    }
    const { x: frameLeft, y: frameTop } = frame.getBoundingClientRect();
    const unit = layout?.scale ?? 1;
    for (const [x, y, wide, high, inset, own] of failed) {
      const [x0, y0] = [frameLeft - left + x * unit, frameTop - top + y * unit];
      const [x1, y1] = [x0 + wide * unit, y0 + high * unit];
      const line = (inset + 3) * own * unit;
      const icon = (inset + 21) * own * unit;
      drawing.fillRect(x0 - 1, y0 - 1, x1 - x0 + 2, line + 1);
      drawing.fillRect(x0 - 1, y1 - line, x1 - x0 + 2, line + 1);
      drawing.fillRect(x0 - 1, y0 - 1, line + 1, y1 - y0 + 2);
      drawing.fillRect(x1 - line, y0 - 1, line + 1, y1 - y0 + 2);
      // The icon is in the right corner where the text direction is right to left.
      drawing.fillRect(x0, y0, Math.min(icon, x1 - x0), Math.min(icon, y1 - y0));
      drawing.fillRect(Math.max(x0, x1 - icon), y0, Math.min(icon, x1 - x0), Math.min(icon, y1 - y0));
      // Some engines draw it in the middle.
      const [middleX, middleY, half] = [(x0 + x1) / 2, (y0 + y1) / 2, 13 * own * unit];
      drawing.fillRect(middleX - half, middleY - half, 2 * half, 2 * half);
    }
    const border = Math.min(3, Math.floor(Math.min(canvas.width, canvas.height) / 4));
    const bytes = drawing.getImageData(0, 0, canvas.width, canvas.height).data;
    const [red, green, blue] = empty.match(/\d+/g).map(Number);
    let count = 0;
    for (let y = border; y < canvas.height - border; y++) {
      for (let x = border; x < canvas.width - border; x++) {
        const at = 4 * (y * canvas.width + x);
        const isFar = Math.abs(bytes[at] - red) > 6 || Math.abs(bytes[at + 1] - green) > 6 || Math.abs(bytes[at + 2] - blue) > 6;
        if (isFar) count++;
      }
    }
    return count;
  };

  // Reports the creative's default position whenever it changes.
  let lastRect = "";
  const measure = () => {
    const { x, y, width, height } = place.getBoundingClientRect();
    const rect = [x, y, width, height];
    if (String(rect) !== lastRect) send({ k: "place", rect });
    lastRect = String(rect);
  };
  let isMeasuring = false;
  const measureSoon = () => {
    if (isMeasuring) return;
    isMeasuring = true;
    requestAnimationFrame(() => {
      isMeasuring = false;
      measure();
    });
  };
  let isScrolling = false;
  addEventListener(
    "scroll",
    () => {
      measureSoon();
      if (isScrolling) return;
      isScrolling = true;
      // The position at the end of a movement, a few times a second.
      setTimeout(() => {
        isScrolling = false;
        send({ k: "scroll", x: scrollX, y: scrollY });
      }, 150);
    },
    { passive: true },
  );
  addEventListener("resize", measureSoon);

  let second = null;
  let layout = null;
  const setRect = (element, [x, y, width, height]) => {
    Object.assign(element.style, { left: `${x}px`, top: `${y}px`, width: `${width}px`, height: `${height}px` });
  };
  const setSize = (element, [, , width, height]) => {
    const transform = layout.scale === 1 ? "" : `scale(${layout.scale})`;
    Object.assign(element.style, { width: `${width}px`, height: `${height}px`, transform });
  };
  globalThis.yabbiLayout = (newLayout) => {
    layout = newLayout;
    document.body.classList.toggle("expanded", layout.mode === "expanded");
    document.body.classList.toggle("resized", layout.mode === "resized");
    collapse.hidden = layout.mode === "slot";
    place.style.width = `${layout.place[2]}px`;
    place.style.height = `${layout.place[3]}px`;
    setRect(slot, layout.slot);
    setSize(frame, layout.frame);
    if (second) setSize(second, layout.second);
    // A new layout resets the position in the stage, so it is reported again.
    lastRect = "";
    measure();
    observe();
  };
  // Shows the second page of a two-part creative over the ad; null removes it.
  globalThis.yabbiShowExpandedPage = (address) => {
    second?.remove();
    second = null;
    frame.style.visibility = address ? "hidden" : "";
    if (!address) return;
    second = document.createElement("iframe");
    for (const name of ["title", "sandbox", "allow", "referrerpolicy", "scrolling"]) {
      second.setAttribute(name, frame.getAttribute(name));
    }
    second.id = "second";
    setSize(second, layout.second);
    frame.after(second);
    second.src = address;
  };
  globalThis.yabbiLoadCreative = (address) => {
    frame.src = address;
  };
})();
