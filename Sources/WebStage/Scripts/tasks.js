// Runs after gesture.js, in the same world: reports scripts that keep the page busy, in real time. The creative's outermost
// frame also gets the tasks of the frames in it.
(() => {
  if (window !== top && parent !== top) return;
  const send = (message) => __yabbi_gesture(JSON.stringify(message));
  const ends = [];
  const report = (end, duration) => {
    ends.push(end);
    send({ k: "longtask", ms: Math.round(duration) });
  };
  new PerformanceObserver((list) => {
    for (const task of list.getEntries()) report(task.startTime + task.duration, task.duration);
  }).observe({ type: "longtask", buffered: true });

  // Browsers leave out some of the tasks before the first paint. Until then, a timer that comes late shows them; a
  // computer that is busy with something else delays it by less than 150 ms.
  let last = performance.now();
  let wasHidden = document.hidden;
  const tick = () => {
    const [from, now] = [last, performance.now()];
    // The timers of a hidden page are slow without any task.
    const isLate = now - from >= 150 && !wasHidden && !document.hidden;
    [last, wasHidden] = [now, document.hidden];
    if (!isLate) return;
    // The browser's own entry comes shortly after its task.
    setTimeout(() => {
      if (!ends.some((end) => end > from && end <= now)) report(now, now - from);
    }, 100);
  };
  const timer = setInterval(tick, 20);
  const stop = () => {
    clearInterval(timer);
    paints.disconnect();
  };
  const paints = new PerformanceObserver(() => {
    tick();
    stop();
  });
  paints.observe({ type: "paint", buffered: true });
  setTimeout(stop, 10_000);
})();
