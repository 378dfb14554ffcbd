// A measuring script that comes late: it listens 2.5 s after it was loaded, when the film already plays. The start of
// the session and what it has missed must be told to it then. Every event is a request to /t/omid/late/EVENT.
(() => {
  "use strict";
  const origin = new URL(document.currentScript.src).origin;
  const ping = (path) => { new Image().src = `${origin}/t/omid/late/${path}`; };

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

  let problem, listensSince, session;
  const counts = {};
  const check = (isRight, what) => {
    if (isRight || problem) return;
    problem = what;
    console.error(`omid late: ${what}`);
  };
  const hear = ({ type, timestamp, adSessionId, data }) => {
    const isMissed = timestamp < listensSince;
    ping(`${encodeURIComponent(type)}?missed=${isMissed ? "yes" : "no"}`);
    console.log(`omid late: ${type}${isMissed ? ", which was missed" : ""}`);
    check(type === "sessionStart" || counts.sessionStart, `${type} before sessionStart`);
    check(typeof adSessionId === "string" && adSessionId === (session ??= adSessionId), `adSessionId of ${type}`);
    counts[type] = (counts[type] ?? 0) + 1;
    if (type === "sessionStart") check(data?.verificationParameters === "after=2500", "verificationParameters of sessionStart");
    // Nobody else may remind it of these: they must come, early or late, and once.
    if (/^(session(Start|Finish)|loaded|impression|start|complete)$|Quartile|midpoint/.test(type)) check(counts[type] === 1, `${type} twice`);
    if (/Quartile|midpoint|complete/.test(type)) check(counts.impression && counts.loaded, `${type} without loaded and impression`);
    if (type !== "sessionFinish") return;
    check(counts.sessionError || (counts.loaded && counts.impression), "the session ended without loaded and impression");
    ping(problem ? `wrong?what=${encodeURIComponent(problem)}` : "ok");
    if (!problem) console.log("omid late: ok");
  };

  ping("script");
  setTimeout(() => {
    listensSince = Date.now();
    const service = window.omid3p ?? {
      registerSessionObserver: (callback, vendor) => ask("addSessionListener", callback, vendor),
      addEventListener: (type, callback) => ask("addEventListener", callback, type),
    };
    ping(`listening?door=${window.omid3p ? "omid3p" : "messages"}`);
    service.registerSessionObserver(hear, "late.example-omid", injectionId);
    for (const type of [
      "loaded", "impression", "geometryChange", "start", "firstQuartile", "midpoint", "thirdQuartile", "complete", "pause",
      "resume", "bufferStart", "bufferFinish", "skipped", "volumeChange", "playerStateChange", "adUserInteraction",
    ]) service.addEventListener(type, hear, injectionId);
  }, 2500);
})();
