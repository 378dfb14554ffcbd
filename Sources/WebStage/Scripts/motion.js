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
  // The document and its open shadow trees, which selectors and observers of the document do not enter.
  const trees = () => {
    const found = [document];
    for (const tree of found) {
      for (const element of tree.querySelectorAll("*")) {
        if (element.shadowRoot && found.length < 200) found.push(element.shadowRoot);
      }
    }
    return found;
  };
  const observed = new WeakSet();
  const watch = () => {
    for (const tree of trees()) {
      if (observed.has(tree)) continue;
      observed.add(tree);
      new MutationObserver(moved).observe(tree, {
        subtree: true, childList: true, characterData: true, attributeFilter: ["style", "class", "src", "transform", "d"],
      });
    }
    setTimeout(watch, 1000);
  };
  // What a document does before it is loaded is not movement.
  if (document.readyState === "complete") watch();
  else addEventListener("load", () => setTimeout(watch, 100), { once: true });

  // The seconds of a clock value (SMIL 3.0, "Clock values"); undefined for another text, and for none.
  const seconds = (text) => {
    const parts = /^\s*(?:(?:(\d+):)?(\d+):(\d+(?:\.\d+)?)|(\d+(?:\.\d+)?)(h|min|s|ms)?)\s*$/.exec(text ?? "");
    if (!parts) return undefined;
    if (parts[4] !== undefined) return parts[4] * { h: 3600, min: 60, s: 1, ms: 0.001 }[parts[5] ?? "s"];
    return (parts[1] ?? 0) * 3600 + parts[2] * 60 + Number(parts[3]);
  };

  // The seconds until the end of an animation of an SVG document, whose clock is its own (SMIL 3.0, "active duration");
  // 0 if it does not run.
  const remaining = (element) => {
    try {
      const start = element.getStartTime();
      const attribute = (name) => element.getAttribute(name)?.trim();
      const count = attribute("repeatCount") === "indefinite" ? Infinity : Number(attribute("repeatCount"));
      const limit = attribute("repeatDur") === "indefinite" ? Infinity : seconds(attribute("repeatDur"));
      const rounds = element.getSimpleDuration() * (count > 0 ? count : limit === undefined ? 1 : Infinity);
      const end = Math.min(start + Math.min(rounds, limit ?? Infinity), seconds(attribute("end")) ?? Infinity);
      return end - element.getCurrentTime();
    } catch {
      // It has not started, or has no duration.
      return 0;
    }
  };

  // Frames in the same process can't be asked one by one, so each tells about itself, once a second.
  const number = Math.random().toString(36).slice(2, 10);
  globalThis.yabbiMotion = () => {
    let [end, endless, nodes] = [null, false, 0];
    const now = clock();
    // `milliseconds` is how long something still moves.
    const note = (milliseconds) => {
      if (milliseconds === Infinity) endless = true;
      else if (milliseconds > 0) end = Math.max(end ?? 0, now + milliseconds);
    };
    for (const tree of trees()) {
      for (const animation of tree.getAnimations()) {
        // One that is paused may start with the pointer, and moves nothing until then.
        if (animation.playState !== "running") continue;
        const { endTime } = animation.effect?.getComputedTiming() ?? {};
        note((endTime - (animation.currentTime ?? 0)) / Math.abs(animation.playbackRate || 1));
      }
      for (const element of tree.querySelectorAll("animate, animateTransform, animateMotion")) note(remaining(element) * 1000);
      nodes += tree.querySelectorAll("*").length;
    }
    return { frame: number, start: performance.timeOrigin, end, endless, nodes, now, pressed };
  };
  if (window !== top && parent !== top) {
    const tell = () => send({ k: "motion", ...globalThis.yabbiMotion() });
    setTimeout(tell, 200);
    setInterval(tell, 1000);
  }
})();
