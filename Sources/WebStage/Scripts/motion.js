// Runs in every frame of a measured creative, in the host's isolated world: reports when its first content is drawn, and
// when scripts change the document. `yabbiMotion` returns the declared end of its animations. All times are milliseconds
// of the clock that frames share.
(() => {
  if (globalThis.yabbiMotion) return;
  const send = (message) => __yabbi_gesture(JSON.stringify(message));
  const clock = () => performance.timeOrigin + performance.now();
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      if (entry.name === "first-contentful-paint") send({ k: "painted", ms: entry.startTime });
    }
  }).observe({ type: "paint", buffered: true });

  // Twice a second at most. What the user causes is no movement by itself.
  let isQuiet = false;
  let pressed = null;
  const moved = () => {
    if (isQuiet || pressed !== null) return;
    isQuiet = true;
    setTimeout(() => { isQuiet = false; }, 500);
    send({ k: "moved", at: clock() });
  };
  addEventListener("pointerdown", (event) => {
    if (event.isTrusted) pressed ??= clock();
  }, true);
  const watch = () => {
    new MutationObserver(moved).observe(document, {
      subtree: true, childList: true, characterData: true, attributeFilter: ["style", "class", "src", "transform", "d"],
    });
  };
  // What a document does before it is loaded is not movement.
  if (document.readyState === "complete") watch();
  else addEventListener("load", () => setTimeout(watch, 100), { once: true });

  // Frames in the same process can't be asked one by one, so each tells about itself, once a second.
  const number = Math.random().toString(36).slice(2, 10);
  globalThis.yabbiMotion = () => {
    let [end, endless] = [null, false];
    const now = clock();
    for (const animation of document.getAnimations()) {
      const { endTime } = animation.effect?.getComputedTiming() ?? {};
      if (endTime === Infinity) endless = true;
      if (!Number.isFinite(endTime) || animation.playState !== "running") continue;
      const left = (endTime - (animation.currentTime ?? 0)) / Math.abs(animation.playbackRate || 1);
      end = Math.max(end ?? 0, now + left);
    }
    // Those of SVG documents have a clock of their own (SMIL).
    for (const element of document.querySelectorAll("animate, animateTransform, animateMotion")) {
      const rounds = [element.getAttribute("repeatCount"), element.getAttribute("repeatDur")];
      const count = rounds.includes("indefinite") ? Infinity : Number(rounds[0] ?? 1) || 1;
      try {
        const left = element.getStartTime() + element.getSimpleDuration() * count - element.getCurrentTime();
        if (left === Infinity) endless = true;
        else if (left > 0) end = Math.max(end ?? 0, now + left * 1000);
      } catch {
        // It has not started, or has no duration.
      }
    }
    const nodes = document.getElementsByTagName("*").length;
    return { frame: number, start: performance.timeOrigin, end, endless, nodes, now, pressed };
  };
  if (window !== top && parent !== top) {
    const tell = () => send({ k: "motion", ...globalThis.yabbiMotion() });
    setTimeout(tell, 200);
    setInterval(tell, 1000);
  }
})();
