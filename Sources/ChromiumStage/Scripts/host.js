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
