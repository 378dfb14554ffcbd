// Runs in a world of its own in our page around the creative: the page's own scripts, of which there are none, and the
// creative in its frame can neither see nor call it. `__yabbi` is the way to the stage.
(async () => {
  if (document.readyState === "loading") {
    await new Promise((go) => addEventListener("DOMContentLoaded", go, { once: true }));
  }
  const say = (message) => __yabbi(JSON.stringify(message));
  const slot = document.getElementById("slot");
  const button = (id) => {
    const element = document.getElementById(id);
    element.addEventListener("click", (event) => {
      if (event.isTrusted) say({ k: id });
    });
  };
  button("close");
  button("skip");

  // How much of the place of the creative is on screen, whenever it changes by a hundredth.
  let watch;
  globalThis.yabbiReveal = () => {
    slot.style.visibility = "visible";
    watch?.disconnect();
    const steps = Array.from({ length: 101 }, (_, step) => step / 100);
    watch = new IntersectionObserver((entries) => say({ k: "visible", ratio: entries.at(-1).intersectionRatio }), {
      threshold: steps,
    });
    watch.observe(slot);
  };
  globalThis.yabbiControl = (id, isVisible) => {
    document.getElementById(id).hidden = !isVisible;
  };
  globalThis.yabbiLayout = (layout) => {
    const frame = document.getElementById("creative");
    slot.style.width = `${layout.width * layout.scale}px`;
    slot.style.height = `${layout.height * layout.scale}px`;
    frame.style.width = `${layout.width}px`;
    frame.style.height = `${layout.height}px`;
    frame.style.transform = layout.scale === 1 ? "" : `scale(${layout.scale})`;
  };
  globalThis.yabbiBegin = (address) => {
    document.getElementById("creative").src = address;
  };
})();
