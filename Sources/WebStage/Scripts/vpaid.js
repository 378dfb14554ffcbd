// Runs a VPAID program (VPAID 2.0, JavaScript) in a document of its own, in the page's own world before its first script.
// The program, its slot and its video are in a frame in it with the same origin, as programs expect. It can forge the
// messages of this script, so that the stage validates all of them.
(() => {
  const outbound = globalThis.__yabbi_vpaid;
  delete globalThis.__yabbi_vpaid;
  if (typeof outbound !== "function" || parent !== top || parent === window) return;
  const { url } = CONFIG;
  const { stringify } = JSON;
  const send = (message) => outbound(stringify(message).slice(0, 60000));
  const plain = (value) => (["string", "number", "boolean"].includes(typeof value) ? (typeof value === "string" ? value.slice(0, 2000) : value) : null);
  const events = [
    "AdLoaded", "AdStarted", "AdStopped", "AdSkipped", "AdSkippableStateChange", "AdSizeChange", "AdLinearChange",
    "AdDurationChange", "AdExpandedChange", "AdRemainingTimeChange", "AdVolumeChange", "AdImpression", "AdVideoStart",
    "AdVideoFirstQuartile", "AdVideoMidpoint", "AdVideoThirdQuartile", "AdVideoComplete", "AdClickThru", "AdInteraction",
    "AdUserAcceptInvitation", "AdUserMinimize", "AdUserClose", "AdPaused", "AdPlaying", "AdLog", "AdError",
  ];
  const methods = ["handshakeVersion", "initAd", "startAd", "stopAd", "resizeAd", "pauseAd", "resumeAd", "subscribe"];
  // What the stage wants to know with each event.
  const getters = { duration: "getAdDuration", volume: "getAdVolume", linear: "getAdLinear", expanded: "getAdExpanded", skippable: "getAdSkippableState" };
  let ad = null;
  let inner = null;
  const read = () => {
    const values = {};
    for (const [name, getter] of Object.entries(getters)) {
      try {
        values[name] = typeof ad[getter] === "function" ? plain(ad[getter]()) : null;
      } catch {
        values[name] = null;
      }
    }
    return values;
  };
  const attempt = (method, values) => {
    try {
      return { value: ad[method](...values) };
    } catch (error) {
      send({ k: "threw", method, text: String(error).slice(0, 300) });
      return null;
    }
  };
  const start = (program) => {
    try {
      ad = typeof program.getVPAIDAd === "function" ? program.getVPAIDAd() : null;
    } catch (error) {
      return send({ k: "unusable", text: `getVPAIDAd: ${String(error).slice(0, 300)}` });
    }
    if (!ad) return send({ k: "unusable", text: "the program has no function getVPAIDAd, or it returns nothing" });
    const missing = methods.filter((name) => typeof ad[name] !== "function");
    if (missing.length > 0) return send({ k: "unusable", text: `the program has no ${missing.join(", ")}` });
    const version = attempt("handshakeVersion", ["2.0"]);
    if (!version) return;
    for (const name of events) {
      const callback = (...values) => send({ k: "event", name, values: values.slice(0, 5).map(plain), state: read() });
      if (!attempt("subscribe", [callback, name, globalThis])) return;
    }
    send({ k: "version", version: plain(version.value) });
  };
  // An engine that can't give a frame the user's activation refuses sound; then the video plays without, as other videos.
  const playsMuted = (video) => {
    const { play } = HTMLMediaElement.prototype;
    const retry = (error) => {
      if (error?.name !== "NotAllowedError" || video.muted) throw error;
      video.muted = true;
      return Reflect.apply(play, video, []);
    };
    video.play = () => Reflect.apply(play, video, []).catch(retry);
    return video;
  };
  Object.defineProperty(globalThis, "__yabbi_vpaid_call", {
    value: ({ method, values }) => {
      if (!ad) return;
      if (method !== "initAd") return void (typeof ad[method] === "function" && attempt(method, values));
      const [width, height, viewMode, bitrate, parameters] = values;
      const environment = {
        slot: inner.getElementById("slot"), videoSlot: playsMuted(inner.getElementById("video")),
        videoSlotCanAutoPlay: true,
      };
      attempt("initAd", [width, height, viewMode, bitrate, { AdParameters: parameters }, environment]);
    },
  });
  addEventListener("DOMContentLoaded", () => {
    const frame = document.createElement("iframe");
    frame.allow = "autoplay";
    frame.title = "Advertisement";
    document.body.append(frame);
    inner = frame.contentDocument;
    inner.documentElement.innerHTML = PAGE;
    const script = inner.createElement("script");
    script.addEventListener("load", () => start(frame.contentWindow));
    script.addEventListener("error", () => send({ k: "unusable", text: "the program could not be loaded" }));
    script.src = url;
    inner.head.append(script);
  });
})();
