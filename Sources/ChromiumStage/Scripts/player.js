// Runs in a world of its own in our page with the film: what is shown with it stands in frames of other sites, and can
// neither see nor call it. `__yabbi` is the way to the stage, which decides everything; this only does and tells.
(async () => {
  if (document.readyState === "loading") {
    await new Promise((go) => addEventListener("DOMContentLoaded", go, { once: true }));
  }
  const say = (message) => __yabbi(JSON.stringify(message));
  const at = (id) => document.getElementById(id);
  const slot = at("slot");
  const film = at("film");
  const glass = at("glass");
  const pressed = (element, message) => {
    element.addEventListener("click", (event) => {
      if (event.isTrusted) say(message(event));
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

  // Which film is in the player: what is said of another has come too late.
  let number = 0;
  const milliseconds = (seconds) => (Number.isFinite(seconds) ? Math.round(seconds * 1000) : null);
  const tell = (event, more) => {
    if (number > 0) {
      say({ k: "film", n: number, e: event, t: milliseconds(film.currentTime), d: milliseconds(film.duration), ...more });
    }
  };
  film.addEventListener("canplay", () => tell("canplay", { w: film.videoWidth }));
  film.addEventListener("playing", () => tell("playing"));
  film.addEventListener("timeupdate", () => tell("time"));
  film.addEventListener("ended", () => tell("ended"));
  film.addEventListener("pause", () => {
    // At its end it is paused as well, which is told in another way.
    if (!film.ended) tell("pause");
  });
  film.addEventListener("error", () => tell("error", { c: film.error?.code ?? 0, m: String(film.error?.message ?? "").slice(0, 200) }));

  globalThis.yabbiLoad = (which, address, rate) => {
    number = which;
    film.hidden = glass.hidden = false;
    film.muted = true;
    film.defaultPlaybackRate = film.playbackRate = rate;
    film.src = address;
    film.load();
  };
  globalThis.yabbiPlay = (isMuted) => {
    const which = number;
    film.muted = isMuted;
    film.play().catch((error) => {
      // One that was paused before it began has not failed.
      if (which === number && error.name !== "AbortError") tell("refused", { m: String(error.name) });
    });
  };
  globalThis.yabbiPause = () => film.pause();
  globalThis.yabbiMute = (isMuted) => {
    film.muted = isMuted;
  };
  globalThis.yabbiUnload = () => {
    number = 0;
    film.pause();
    film.muted = true;
    film.removeAttribute("src");
    film.load();
    film.hidden = glass.hidden = true;
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

  // What is shown with the film, each in a frame of another site.
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
    // What stands in the film's place, for the hand of a scripted user.
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

  // How much of the place of the film is on screen, whenever it changes by a hundredth.
  let watch;
  document.body.classList.add("covered");
  globalThis.yabbiReveal = () => {
    slot.style.visibility = "visible";
    document.body.classList.remove("covered");
    watch?.disconnect();
    const steps = Array.from({ length: 101 }, (_, step) => step / 100);
    watch = new IntersectionObserver((entries) => say({ k: "visible", ratio: entries.at(-1).intersectionRatio }), {
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
