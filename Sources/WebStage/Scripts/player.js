// Runs in the host's isolated world of the host page with the video; the parts (icons, companions, overlays) are in
// cross-site frames and can neither see nor call it. `__yabbi` sends a message to the stage, which makes all decisions.
(async () => {
  if (document.readyState === "loading") {
    await new Promise((resolve) => addEventListener("DOMContentLoaded", resolve, { once: true }));
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
  // The position of a press, in the ad's points.
  const place = (event) => {
    const box = slot.getBoundingClientRect();
    return { x: event.clientX - box.x, y: event.clientY - box.y };
  };
  for (const id of ["close", "skip"]) pressed(at(id), () => ({ k: id }));
  for (const id of ["pause", "sound", "captions", "full"]) pressed(at(id), (event) => ({ k: id, ...place(event) }));
  pressed(glass, (event) => ({ k: "click", ...place(event) }));

  // The number of the current media file; the stage ignores messages about others.
  let number = 0;
  const milliseconds = (seconds) => (Number.isFinite(seconds) ? Math.round(seconds * 1000) : null);
  const report = (event, more) => {
    if (number > 0) {
      send({ k: "video", n: number, e: event, t: milliseconds(video.currentTime), d: milliseconds(video.duration), ...more });
    }
  };
  video.addEventListener("resize", () => {
    video.style.setProperty("--ratio", video.videoWidth / video.videoHeight || 1.7778);
    placeCues();
  });
  video.addEventListener("canplay", () => report("canplay", { w: video.videoWidth }));
  // The user is told of a wait that is long enough to be noticed.
  let waitTimer = null;
  const showWait = (isWaiting) => {
    clearTimeout(waitTimer);
    at("wait").hidden = true;
    if (isWaiting) waitTimer = setTimeout(() => (at("wait").hidden = false), 300);
  };
  video.addEventListener("playing", () => {
    report("playing");
    showWait(false);
    if (stalledAt !== null) report("stalled", { ms: Math.round(performance.now() - stalledAt) });
    stalledAt = null;
  });
  // Since when the video waits for data, in real time; null if it does not.
  let stalledAt = null;
  video.addEventListener("waiting", () => {
    if (video.currentTime === 0 || video.paused) return;
    stalledAt = performance.now();
    showWait(true);
    report("waiting");
  });
  video.addEventListener("timeupdate", () => report("time"));
  video.addEventListener("ended", () => report("ended"));
  video.addEventListener("pause", () => {
    // The browser also pauses at the end, which is reported as `ended`.
    if (!video.ended) report("pause");
  });
  video.addEventListener("error", () => report("error", { c: video.error?.code ?? 0, m: String(video.error?.message ?? "").slice(0, 200) }));

  globalThis.yabbiLoad = (which, address, rate) => {
    number = which;
    stalledAt = null;
    video.hidden = glass.hidden = false;
    video.muted = true;
    video.volume = 1;
    video.defaultPlaybackRate = video.playbackRate = rate;
    video.src = address;
    video.load();
  };
  globalThis.yabbiPlay = (isMuted) => {
    const which = number;
    video.muted = isMuted;
    video.play().catch((error) => {
      // `AbortError`: it was paused or replaced before it started, which is not a failure.
      if (which === number && error.name !== "AbortError") report("refused", { m: String(error.name) });
    });
  };
  globalThis.yabbiPause = () => video.pause();
  globalThis.yabbiMute = (isMuted) => {
    video.muted = isMuted;
  };
  globalThis.yabbiUnload = () => {
    number = 0;
    showWait(false);
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
  // The captions and the full screen have buttons where there is something to choose, while the others are shown.
  const choices = { captions: false, full: false };
  let hasButtons = false;
  const showChoices = () => {
    for (const [id, exists] of Object.entries(choices)) at(id).hidden = !(exists && hasButtons);
  };
  globalThis.yabbiButtons = (isShown, isPaused, isMuted) => {
    at("pause").hidden = at("sound").hidden = !isShown;
    hasButtons = isShown;
    showChoices();
    at("pause").classList.toggle("play", isPaused);
    at("pause").setAttribute("aria-label", isPaused ? "Play the video" : "Pause the video");
    at("sound").style.textDecoration = isMuted ? "line-through" : "";
    at("sound").setAttribute("aria-label", isMuted ? "Switch the sound on" : "Switch the sound off");
  };

  globalThis.yabbiCaptionButton = (text, isOn) => {
    choices.captions = text !== null;
    at("captions").textContent = text ?? "";
    at("captions").classList.toggle("off", !isOn);
    at("captions").setAttribute("aria-pressed", String(isOn));
    showChoices();
  };
  globalThis.yabbiFullScreenButton = (isFull) => {
    choices.full = isFull !== null;
    at("full").classList.toggle("small", isFull === true);
    at("full").setAttribute("aria-label", isFull ? "Leave the full screen" : "Full screen");
    showChoices();
  };
  // A text track can't be removed, so there is one for all captions.
  let track = null;
  // The cues without a place of their own: they are at the lower edge, or above the buttons if those are there.
  const placeless = new Set();
  const placeCues = () => {
    const isUnderButtons = video.getBoundingClientRect().bottom > at("buttons").getBoundingClientRect().top;
    const line = isUnderButtons ? -3 : "auto";
    const active = [...(track?.activeCues ?? [])];
    for (const cue of placeless) {
      if (cue.line === line) continue;
      // Engines do not move a cue that is on screen.
      const isShown = active.includes(cue);
      if (isShown) track.removeCue(cue);
      cue.line = line;
      if (isShown) track.addCue(cue);
    }
  };
  addEventListener("resize", () => placeCues());
  globalThis.yabbiCaptions = (cues) => {
    if (!track && cues.length === 0) return;
    track ??= video.addTextTrack("captions", "Captions");
    track.mode = "showing";
    for (const cue of [...track.cues]) track.removeCue(cue);
    placeless.clear();
    const added = cues.map(({ start, end, text, ...settings }) => {
      const cue = Object.assign(new VTTCue(start, end, text), settings);
      if (settings.line === undefined) placeless.add(cue);
      return cue;
    });
    placeCues();
    for (const cue of added) track.addCue(cue);
  };

  // The parts of the video, each in a cross-site frame.
  const parts = new Map();
  const setRect = (frame, box) => {
    frame.style.left = `${box.left}px`;
    frame.style.top = `${box.top}px`;
    frame.style.width = `${box.width}px`;
    frame.style.height = `${box.height}px`;
    frame.style.transform = box.scale === 1 ? "" : `scale(${box.scale})`;
  };
  // `role` is `front` for a part that covers the video, which the scripted user clicks instead, `program` for one that also
  // plays it, and `script` for one that is never shown.
  globalThis.yabbiPart = (which, address, box, title, role) => {
    const frame = document.createElement("iframe");
    frame.title = title;
    frame.scrolling = "no";
    frame.referrerPolicy = "no-referrer";
    // A program and its video share an origin, which is theirs alone; it gets user activation without a user.
    const flags = { script: "allow-scripts", program: "allow-scripts allow-forms allow-same-origin" };
    frame.setAttribute("sandbox", flags[role] ?? document.body.dataset.sandbox);
    frame.dataset.role = role;
    if (role === "script") frame.setAttribute("aria-hidden", "true");
    if (role === "program") frame.allow = "autoplay";
    setRect(frame, box);
    frame.src = address;
    parts.set(which, frame);
    at("parts").append(frame);
  };
  globalThis.yabbiPartBox = (which, box) => {
    const frame = parts.get(which);
    if (frame) setRect(frame, box);
  };
  globalThis.yabbiPartShow = (which) => {
    const frame = parts.get(which);
    if (!frame) return;
    frame.style.visibility = "inherit";
    if (["front", "program"].includes(frame.dataset.role)) frame.dataset.front = "";
  };
  globalThis.yabbiPartHide = (which) => {
    const frame = parts.get(which);
    if (!frame) return;
    frame.style.visibility = "hidden";
    delete frame.dataset.front;
  };
  // The messages of interactive creatives (SIMID): their pages post to this window. A page that posts too many or too
  // large ones is not heard any more.
  const [maxCount, maxLength] = [300, 262144];
  const heard = new Map();
  addEventListener("message", ({ source, data }) => {
    if (typeof data !== "string") return;
    for (const [which, budget] of heard) {
      if (parts.get(which)?.contentWindow !== source) continue;
      const second = Math.floor(performance.now() / 1000);
      if (second !== budget.second) Object.assign(budget, { second, count: 0, length: 0 });
      const message = JSON.stringify({ k: "frame", n: which, m: data.slice(0, 65537) });
      budget.count++;
      budget.length += message.length;
      if (budget.count <= maxCount && budget.length <= maxLength) return __yabbi(message);
      heard.delete(which);
      return send({ k: "frame", n: which, m: null });
    }
  });
  globalThis.yabbiListen = (which) => heard.set(which, { second: 0, count: 0, length: 0 });
  globalThis.yabbiPost = (which, message) => {
    parts.get(which)?.contentWindow?.postMessage(JSON.stringify({ ...message, timestamp: Date.now() }), "*");
  };
  // The place of the video in the ad, as an interactive creative may change it.
  globalThis.yabbiVideoBox = (box) => {
    for (const name of ["width", "height"]) video.style[name] = box ? `${box[name]}px` : "";
    video.style.inset = box ? `${box.top}px auto auto ${box.left}px` : "";
    video.style.margin = box ? "0" : "";
    placeCues();
  };
  globalThis.yabbiVolume = (volume, isMuted) => {
    video.volume = volume;
    video.muted = isMuted;
  };
  globalThis.yabbiPartGone = (which) => {
    parts.get(which)?.remove();
    parts.delete(which);
    heard.delete(which);
  };

  // Reports the visible ratio of the video whenever it changes by 0.01.
  let observer;
  document.body.classList.add("covered");
  globalThis.yabbiReveal = () => {
    slot.style.visibility = "visible";
    document.body.classList.remove("covered");
    observer?.disconnect();
    const steps = Array.from({ length: 101 }, (_, step) => step / 100);
    observer = new IntersectionObserver((entries) => send({ k: "visible", ratio: entries.at(-1).intersectionRatio }), {
      threshold: steps,
    });
    observer.observe(slot);
  };
  globalThis.yabbiHide = () => {
    document.body.style.visibility = slot.style.visibility = "hidden";
    document.body.classList.add("covered");
  };
  globalThis.yabbiControl = (id, isVisible) => {
    at(id).hidden = !isVisible;
  };
  globalThis.yabbiLayout = (width, height) => {
    slot.style.width = `${width}px`;
    slot.style.height = `${height}px`;
    placeCues();
  };
})();
