// A measuring script that checks what the player tells it: every type of event, their order and their values. Every
// event is a request to /t/omid/validating/EVENT; the last one is ok, or wrong with the first problem.
// `expects` in its own URL are the parameters that the VAST gives to its vendor.
(() => {
  "use strict";
  const address = new URL(document.currentScript.src);
  const expected = address.searchParams.get("expects");
  const loadedAt = Date.now();
  const ping = (path) => { new Image().src = `${address.origin}/t/omid/validating/${path}`; };

  // The service: an object in this window, or messages to another one. Replies come back with the id of their question.
  const { serviceWindow = window.top, injectionId } = window.omidVerificationProperties ?? {};
  const replies = new Map();
  const ask = (method, callback, value) => {
    const id = crypto.getRandomValues(new Uint32Array(4)).join("-");
    replies.set(id, callback);
    serviceWindow.postMessage({
      omid_message_guid: id, omid_message_method: `VerificationService.${method}`, omid_message_version: "1.5.0",
      omid_message_args: [value, injectionId],
    }, "*");
  };
  window.addEventListener("message", ({ data }) => {
    if (data?.omid_message_method === "response") replies.get(data.omid_message_guid)?.(...(data.omid_message_args ?? []));
  });
  const service = window.omid3p ?? {
    registerSessionObserver: (callback, vendor) => ask("addSessionListener", callback, vendor),
    addEventListener: (type, callback) => ask("addEventListener", callback, type),
  };

  // The first problem is the one to look at: others often follow from it.
  let problem, isOver = false;
  const check = (isRight, what) => {
    if (isRight || problem) return;
    problem = what;
    console.error(`omid validating: ${what}`);
    if (isOver) ping(`wrong?what=${encodeURIComponent(what)}`);
  };
  const isText = (value) => typeof value === "string" && value !== "";
  const isNumber = (value, least = -1e6, most = 1e6) => Number.isFinite(value) && value >= least && value <= most;
  const isOne = (value, names) => names.split(" ").includes(value);

  const impressions = "unspecified loaded beginToRender onePixel viewable audible other";
  const reasons = "notFound hidden backgrounded pictureInPicture deviceLocked viewport obstructed clipped unmeasurable noWindowFocus noOutputDevice";
  const checkRect = (rect, what) => {
    const isRect = isNumber(rect?.x) && isNumber(rect?.y) && isNumber(rect?.width, 0) && isNumber(rect?.height, 0);
    check(isRect, `${what} is no rectangle`);
    return isRect;
  };
  const checkGeometry = ({ viewport, adView }, type) => {
    check(isNumber(viewport?.width, 1) && isNumber(viewport?.height, 1), `viewport of ${type}`);
    const { percentageInView: share, geometry: ad, onScreenGeometry: seen, reasons: list } = adView ?? {};
    check(isNumber(share, 0, 100), `percentageInView of ${type}`);
    check(Array.isArray(list) && list.every((reason) => isOne(reason, reasons)), `reasons of ${type}`);
    check(share === 100 || list?.length > 0, `no reason for ${share} percent in ${type}`);
    if (!checkRect(ad, `geometry of ${type}`) || !checkRect(seen, `onScreenGeometry of ${type}`)) return;
    check(Array.isArray(seen.obstructions), `obstructions of ${type}`);
    check(seen.width <= ad.width + 1 && seen.height <= ad.height + 1, `more on screen than there is in ${type}`);
    if (seen.obstructions?.length || !ad.width || !ad.height) return;
    check(Math.abs(share - (100 * seen.width * seen.height) / (ad.width * ad.height)) < 2, `percentageInView of ${type} is not that of its geometry`);
  };
  const checkVolumes = (data, type) => {
    check(isNumber(data.mediaPlayerVolume ?? data.videoPlayerVolume, 0, 1), `mediaPlayerVolume of ${type}`);
    check(isNumber(data.deviceVolume, 0, 1), `deviceVolume of ${type}`);
  };
  const checkTypes = (data, type) => {
    check(data.creativeType === "video" && data.mediaType === "video", `creativeType or mediaType of ${type}`);
    check(isOne(data.impressionType, impressions), `impressionType of ${type}`);
  };
  const values = {
    sessionStart(data) {
      const { context } = data;
      check(expected === null || data.verificationParameters === expected, `verificationParameters are ${data.verificationParameters}`);
      check(isText(context?.apiVersion), "context.apiVersion");
      check(isOne(context?.environment, "app web"), "context.environment");
      check(isOne(context?.accessMode, "limited full"), "context.accessMode");
      check(isOne(context?.adSessionType, "native html javascript"), "context.adSessionType");
      check(Array.isArray(context?.supports), "context.supports");
      check(isText(context?.omidJsInfo?.omidImplementer) && isText(context?.omidJsInfo?.serviceVersion), "context.omidJsInfo");
      if (context?.environment !== "app") return;
      check(isText(context.omidNativeInfo?.partnerName) && isText(context.omidNativeInfo?.partnerVersion), "context.omidNativeInfo");
      check(typeof context.app === "object" && typeof context.deviceInfo === "object", "context.app or context.deviceInfo");
    },
    loaded(data) {
      check(typeof (data.skippable ?? data.isSkippable) === "boolean", "skippable of loaded");
      check(!(data.skippable ?? data.isSkippable) || isNumber(data.skipOffset, 0), "skipOffset of loaded");
      check(typeof (data.autoPlay ?? data.isAutoPlay) === "boolean", "autoPlay of loaded");
      check(isOne(data.position, "preroll midroll postroll standalone"), "position of loaded");
    },
    impression(data) { checkTypes(data, "impression"); checkGeometry(data, "impression"); },
    geometryChange(data) { checkGeometry(data, "geometryChange"); },
    start(data) {
      check(isNumber(data.duration, 5.5, 6.5), `duration of start is ${data.duration}`); // the film has six seconds
      checkVolumes(data, "start");
    },
    volumeChange(data) { checkVolumes(data, "volumeChange"); },
    playerStateChange({ state }) { check(isOne(state, "minimized collapsed normal expanded fullscreen"), `state is ${state}`); },
    adUserInteraction({ interactionType }) { check(isOne(interactionType, "click invitationAccept"), `interactionType is ${interactionType}`); },
    sessionError(data) { check(isOne(data.errorType, "generic video media") && typeof data.message === "string", "data of sessionError"); },
  };

  const once = "loaded impression start firstQuartile midpoint thirdQuartile complete skipped sessionStart sessionFinish";
  // What must lie behind an event.
  const before = {
    start: "loaded", firstQuartile: "loaded impression start", midpoint: "firstQuartile", thirdQuartile: "midpoint",
    complete: "thirdQuartile", skipped: "start", resume: "pause", bufferFinish: "bufferStart",
  };
  const counts = {}, summed = {};
  let session, latest = 0;
  const hear = (event) => {
    const { type, adSessionId, timestamp, data } = event ?? {};
    ping(isText(type) ? encodeURIComponent(type) : "nothing");
    console.log(`omid validating: ${type}`);
    check(!isOver, `${type} after sessionFinish`);
    check(type === "sessionStart" || counts.sessionStart, `${type} before sessionStart`);
    check(isText(adSessionId) && adSessionId === (session ??= adSessionId), `adSessionId of ${type}`);
    // What happened before the script was there comes in the order of its listeners, all else in the order of time.
    check(isNumber(timestamp, 1e12, Date.now() + 1000), `timestamp of ${type}`);
    if (timestamp > loadedAt) check(timestamp >= latest - 50, `${type} is older than the event before it`);
    latest = Math.max(latest, timestamp);
    counts[type] = (counts[type] ?? 0) + 1;
    check(counts[type] === 1 || !isOne(type, once), `${type} twice`);
    for (const needed of before[type]?.split(" ") ?? []) check(counts[needed] > 0, `${type} without ${needed}`);
    check(!(counts.complete || counts.skipped) || !/Quartile|midpoint|start$/.test(type), `${type} after the end`);
    check(data === undefined || typeof data === "object", `data of ${type}`);
    values[type]?.(data ?? {});
    if (type === "sessionFinish") finish();
  };
  const finish = () => {
    // A listener to all events of the film must have got each of them as often as the one to its type.
    for (const kind of ["media", "video"]) {
      for (const type of media) check((summed[kind + type] ?? 0) === (counts[type] ?? 0), `${type} by the listener to ${kind}`);
    }
    check(counts.impression || counts.sessionError, "neither impression nor sessionError");
    isOver = true;
    ping(problem ? `wrong?what=${encodeURIComponent(problem)}` : "ok");
    if (!problem) console.log("omid validating: ok");
  };

  const media = "loaded start firstQuartile midpoint thirdQuartile complete pause resume bufferStart bufferFinish skipped volumeChange playerStateChange adUserInteraction".split(" ");
  ping(`script?door=${window.omid3p ? "omid3p" : "messages"}`);
  service.registerSessionObserver(hear, "validating.example-omid", injectionId);
  for (const type of ["loaded", "impression", "geometryChange", ...media.slice(1)]) service.addEventListener(type, hear, injectionId);
  for (const kind of ["media", "video"]) {
    service.addEventListener(kind, ({ type }) => { summed[kind + type] = (summed[kind + type] ?? 0) + 1; }, injectionId);
  }
})();
