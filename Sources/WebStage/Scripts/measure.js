// Runs in the host's isolated world of a host page, for scripts that measure: reports where the ad is, which part of it is
// on screen, and what covers it, whenever that has changed, at most ten times a second. All values are in points.
(() => {
  if (globalThis.yabbiMeasures) return;
  globalThis.yabbiMeasures = true;
  const rect = (element) => {
    const { x, y, width, height } = element.getBoundingClientRect();
    return [x, y, width, height];
  };
  // A nonlinear ad is a part, without the video.
  const subject = () => {
    const video = document.getElementById("video");
    return (video?.hidden && document.querySelector("#parts iframe[data-front]")) || document.getElementById("slot");
  };
  let last = "";
  const measure = () => {
    const [x, y, width, height] = rect(subject());
    const [left, top] = [Math.max(0, x), Math.max(0, y)];
    const [right, bottom] = [Math.min(innerWidth, x + width), Math.min(innerHeight, y + height)];
    const seen = right > left && bottom > top ? [left, top, right - left, bottom - top] : null;
    // The buttons, and an image of an icon that is over the ad.
    const covering = [...document.querySelectorAll(".control, #parts iframe[data-role=notice]")].filter(
      (element) => getComputedStyle(element).visibility === "visible",
    );
    const covers = covering.map((element) => [...rect(element), element.id || element.dataset.role]);
    const shown = covers.filter(([, , wide, high]) => wide > 0 && high > 0);
    const message = JSON.stringify({ k: "measured", viewport: [innerWidth, innerHeight], ad: [x, y, width, height], seen, covers: shown });
    if (message !== last) __yabbi(message);
    last = message;
  };
  measure();
  setInterval(measure, 100);
})();
