// Runs in the host's world of our page with the video: its parts are in frames of other sites, and can neither see nor call
// it. `__yabbi` sends a message to the stage, which decides everything.
(async () => {
  if (document.readyState === "loading") {
    await new Promise((go) => addEventListener("DOMContentLoaded", go, { once: true }));
  }
  const send = (message) => __yabbi(JSON.stringify(message));
  const at = (id) => document.getElementById(id);
  const slot = at("slot");
  const video = at("video");
  const glass = at("glass");
  const pressed = (element, message) => {
    element.addEventListener("click", (event) => {
      if (event.isTrusted) send(message(event));
    });
  };
  // Where in the ad's own points a press was.
  const place = (event) => {
    const box = slot.getBoundingClientRect();
    return { x: event.clientX - box.x, y: event.clientY - box.y };
  };
  for (const id of ["close", "skip"]) pressed(at(id), () => ({ k: id }));
  for (const id of ["pause", "sound"]) pressed(at(id), (event) => ({ k: id, ...place(event) }));
  pressed(glass, (event) => ({ k: "click", ...place(event) }));

  // The number of the media file in the player: messages about others are ignored.
  let number = 0;
  const milliseconds = (seconds) => (Number.isFinite(seconds) ? Math.round(seconds * 1000) : null);
  const report = (event, more) => {
    if (number > 0) {
      send({ k: "video", n: number, e: event, t: milliseconds(video.currentTime), d: milliseconds(video.duration), ...more });
    }
  };
  video.addEventListener("canplay", () => report("canplay", { w: video.videoWidth }));
  video.addEventListener("playing", () => report("playing"));
  video.addEventListener("timeupdate", () => report("time"));
  video.addEventListener("ended", () => report("ended"));
  video.addEventListener("pause", () => {
    // At its end it is paused as well, which is reported as `ended`.
    if (!video.ended) report("pause");
  });
  video.addEventListener("error", () => report("error", { c: video.error?.code ?? 0, m: String(video.error?.message ?? "").slice(0, 200) }));

  globalThis.yabbiLoad = (which, address, rate) => {
    number = which;
    video.hidden = glass.hidden = false;
    video.muted = true;
    video.defaultPlaybackRate = video.playbackRate = rate;
    video.src = address;
    video.load();
  };
  globalThis.yabbiPlay = (isMuted) => {
    const which = number;
    video.muted = isMuted;
    video.play().catch((error) => {
      // One that was paused before it began has not failed.
      if (which === number && error.name !== "AbortError") report("refused", { m: String(error.name) });
    });
  };
  globalThis.yabbiPause = () => video.pause();
  globalThis.yabbiMute = (isMuted) => {
    video.muted = isMuted;
  };
  globalThis.yabbiUnload = () => {
    number = 0;
    video.pause();
    video.muted = true;
    video.removeAttribute("src");
    video.load();
    video.hidden = glass.hidden = true;
  };

  globalThis.yabbiLabel = (time, note) => {
    at("time").textContent = time;
    at("note").textContent = note;
  };
  globalThis.yabbiButtons = (isShown, isPaused, isMuted) => {
    at("pause").hidden = at("sound").hidden = !isShown;
    at("pause").classList.toggle("play", isPaused);
    at("pause").setAttribute("aria-label", isPaused ? "Play the video" : "Pause the video");
    at("sound").style.textDecoration = isMuted ? "line-through" : "";
    at("sound").setAttribute("aria-label", isMuted ? "Switch the sound on" : "Switch the sound off");
  };

  // The parts of the video, each in a frame of another site.
  const parts = new Map();
  const put = (frame, box) => {
    frame.style.left = `${box.left}px`;
    frame.style.top = `${box.top}px`;
    frame.style.width = `${box.width}px`;
    frame.style.height = `${box.height}px`;
    frame.style.transform = box.scale === 1 ? "" : `scale(${box.scale})`;
  };
  globalThis.yabbiPart = (which, address, box, title, isFront) => {
    const frame = document.createElement("iframe");
    frame.title = title;
    frame.scrolling = "no";
    frame.referrerPolicy = "no-referrer";
    frame.setAttribute("sandbox", document.body.dataset.sandbox);
    // A part that covers the video, for a scripted user.
    if (isFront) frame.dataset.front = "";
    put(frame, box);
    frame.src = address;
    parts.set(which, frame);
    at("parts").append(frame);
  };
  globalThis.yabbiPartBox = (which, box) => {
    const frame = parts.get(which);
    if (frame) put(frame, box);
  };
  globalThis.yabbiPartShow = (which) => {
    const frame = parts.get(which);
    if (frame) frame.style.visibility = "inherit";
  };
  globalThis.yabbiPartGone = (which) => {
    parts.get(which)?.remove();
    parts.delete(which);
  };

  // How much of the video's place is on screen, whenever it changes by a hundredth.
  let watch;
  document.body.classList.add("covered");
  globalThis.yabbiReveal = () => {
    slot.style.visibility = "visible";
    document.body.classList.remove("covered");
    watch?.disconnect();
    const steps = Array.from({ length: 101 }, (_, step) => step / 100);
    watch = new IntersectionObserver((entries) => send({ k: "visible", ratio: entries.at(-1).intersectionRatio }), {
      threshold: steps,
    });
    watch.observe(slot);
  };
  globalThis.yabbiControl = (id, isVisible) => {
    at(id).hidden = !isVisible;
  };
  globalThis.yabbiLayout = (width, height) => {
    slot.style.width = `${width}px`;
    slot.style.height = `${height}px`;
  };
})();
