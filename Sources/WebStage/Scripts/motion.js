// Runs in every frame of a measured creative, in the host's isolated world: reports when its first content is drawn, and
// when scripts change the document. `yabbiMotion` returns the declared end of its animations, in milliseconds since the
// start of the document.
(() => {
  if (globalThis.yabbiMotion) return;
  const send = (message) => __yabbi_gesture(JSON.stringify(message));
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      if (entry.name === "first-contentful-paint") send({ k: "painted", ms: entry.startTime });
    }
  }).observe({ type: "paint", buffered: true });

  let told = -1000;
  const moved = () => {
    const time = performance.now();
    if (time - told < 500) return;
    told = time;
    send({ k: "moved", ms: time });
  };
  const watch = () => {
    new MutationObserver(moved).observe(document, {
      subtree: true, childList: true, characterData: true, attributeFilter: ["style", "class", "src", "transform", "d"],
    });
  };
  // What a document does before it is loaded is not movement.
  if (document.readyState === "complete") watch();
  else addEventListener("load", () => setTimeout(watch, 100), { once: true });

  globalThis.yabbiMotion = () => {
    let [end, endless] = [null, false];
    const now = performance.now();
    for (const animation of document.getAnimations()) {
      const { endTime } = animation.effect?.getComputedTiming() ?? {};
      if (endTime === Infinity) endless = true;
      if (!Number.isFinite(endTime) || animation.playState !== "running") continue;
      const left = (endTime - (animation.currentTime ?? 0)) / Math.abs(animation.playbackRate || 1);
      end = Math.max(end ?? 0, now + left);
    }
    return { end, endless, now, nodes: document.getElementsByTagName("*").length };
  };
})();
