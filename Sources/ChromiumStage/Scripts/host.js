// Runs in a world of its own in our page around the creative: the page's own scripts, of which there are none, and the
// creative in its frame can neither see nor call it. `__yabbi` is the way to the stage.
(async () => {
  if (document.readyState === "loading") {
    await new Promise((go) => addEventListener("DOMContentLoaded", go, { once: true }));
  }
  const say = (message) => __yabbi(JSON.stringify(message));
  const [place, slot, frame] = ["place", "slot", "creative"].map((id) => document.getElementById(id));
  const button = (id) => {
    const element = document.getElementById(id);
    element.addEventListener("click", (event) => {
      if (event.isTrusted) say({ k: id });
    });
    return element;
  };
  button("close");
  button("skip");
  const collapse = button("collapse");

  // How much of the creative is on screen, whenever it changes by a hundredth.
  let watch;
  const look = () => {
    watch?.disconnect();
    watch?.observe(slot);
  };
  globalThis.yabbiReveal = () => {
    slot.style.visibility = "visible";
    watch?.disconnect();
    const steps = Array.from({ length: 101 }, (_, step) => step / 100);
    watch = new IntersectionObserver(
      (entries) => {
        const { intersectionRatio: ratio, intersectionRect: seen, boundingClientRect: all } = entries.at(-1);
        say({ k: "visible", ratio, rect: [seen.x - all.x, seen.y - all.y, seen.width, seen.height] });
      },
      { threshold: steps },
    );
    look();
  };
  globalThis.yabbiControl = (id, isVisible) => {
    document.getElementById(id).hidden = !isVisible;
  };

  // Whether anything of the creative is visible. The part of its place that is on screen, in the screen's points:
  globalThis.yabbiSlot = () => {
    const at = slot.getBoundingClientRect();
    const [left, top] = [Math.max(0, at.left), Math.max(0, at.top)];
    const [right, bottom] = [Math.min(innerWidth, at.right), Math.min(innerHeight, at.bottom)];
    return right > left && bottom > top ? [left, top, right - left, bottom - top] : null;
  };
  // How many pixels of it in a picture of the screen differ from the most frequent colour. The rim is left out, because a frame around
  // nothing is nothing to see, and so are our own controls.
  globalThis.yabbiLook = async (data) => {
    const [left, top, width, height] = yabbiSlot() ?? [0, 0, 1, 1];
    const picture = new Image();
    picture.src = `data:image/png;base64,${data}`;
    await picture.decode();
    const canvas = document.createElement("canvas");
    [canvas.width, canvas.height] = [Math.max(1, Math.round(width)), Math.max(1, Math.round(height))];
    const drawing = canvas.getContext("2d", { willReadFrequently: true });
    const scale = picture.naturalWidth / innerWidth;
    const part = [left, top, width, height].map((side) => side * scale);
    drawing.drawImage(picture, ...part, 0, 0, canvas.width, canvas.height);
    const rim = Math.min(3, Math.floor(Math.min(canvas.width, canvas.height) / 4));
    const controls = [...document.querySelectorAll(".control")].map((control) => control.getBoundingClientRect())
      .filter((at) => at.width > 0).map((at) => [at.left - left - 2, at.top - top - 2, at.right - left + 2, at.bottom - top + 2]);
    const bytes = drawing.getImageData(0, 0, canvas.width, canvas.height).data;
    const pixels = [];
    const counts = new Map();
    for (let y = rim; y < canvas.height - rim; y++) {
      for (let x = rim; x < canvas.width - rim; x++) {
        if (controls.some(([x0, y0, x1, y1]) => x >= x0 && x <= x1 && y >= y0 && y <= y1)) continue;
        const at = 4 * (y * canvas.width + x);
        const colour = (bytes[at] << 16) | (bytes[at + 1] << 8) | bytes[at + 2];
        pixels.push(colour);
        counts.set(colour, (counts.get(colour) ?? 0) + 1);
      }
    }
    let [main, most] = [0, -1];
    for (const [colour, count] of counts) if (count > most) [main, most] = [colour, count];
    const far = (a, b) => Math.abs((a & 255) - (b & 255)) > 6 || Math.abs(((a >> 8) & 255) - ((b >> 8) & 255)) > 6
      || Math.abs((a >> 16) - (b >> 16)) > 6;
    return pixels.reduce((count, colour) => count + (far(colour, main) ? 1 : 0), 0);
  };

  // Where the creative was put, whenever that is somewhere else.
  let last = "";
  const measure = () => {
    const { x, y, width, height } = place.getBoundingClientRect();
    const rect = [x, y, width, height];
    if (String(rect) !== last) say({ k: "place", rect });
    last = String(rect);
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
  addEventListener("scroll", measureSoon, { passive: true });
  addEventListener("resize", measureSoon);

  let second = null;
  let layout = null;
  const put = (element, [x, y, width, height]) => {
    Object.assign(element.style, { left: `${x}px`, top: `${y}px`, width: `${width}px`, height: `${height}px` });
  };
  const fill = (element, [, , width, height]) => {
    const transform = layout.scale === 1 ? "" : `scale(${layout.scale})`;
    Object.assign(element.style, { width: `${width}px`, height: `${height}px`, transform });
  };
  globalThis.yabbiLayout = (wanted) => {
    layout = wanted;
    document.body.classList.toggle("expanded", layout.mode === "expanded");
    document.body.classList.toggle("resized", layout.mode === "resized");
    collapse.hidden = layout.mode === "slot";
    place.style.width = `${layout.place[2]}px`;
    place.style.height = `${layout.place[3]}px`;
    put(slot, layout.slot);
    fill(frame, layout.frame);
    if (second) fill(second, layout.second);
    // Whoever gives it other room has forgotten where it was.
    last = "";
    measure();
    look();
  };
  // Another page of the creative over it; nothing for none.
  globalThis.yabbiSecond = (address) => {
    second?.remove();
    second = null;
    frame.style.visibility = address ? "hidden" : "";
    if (!address) return;
    second = document.createElement("iframe");
    for (const name of ["title", "sandbox", "allow", "referrerpolicy", "scrolling"]) {
      second.setAttribute(name, frame.getAttribute(name));
    }
    second.id = "second";
    fill(second, layout.second);
    frame.after(second);
    second.src = address;
  };
  globalThis.yabbiBegin = (address) => {
    frame.src = address;
  };
})();
