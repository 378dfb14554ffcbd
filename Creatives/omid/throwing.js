// A measuring script with errors: it throws at its end, and each of its first listeners throws whenever it is called.
// Its second listeners are well-behaved and must get every event all the same. Every call is a request to
// /t/omid/throwing/EVENT?listener=N; the last one is ok, or wrong with the first problem.
(() => {
  "use strict";
  const origin = new URL(document.currentScript.src).origin;
  const ping = (path) => { new Image().src = `${origin}/t/omid/throwing/${path}`; };

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

  const counts = { 1: {}, 2: {} };
  const note = (listener, type) => {
    counts[listener][type] = (counts[listener][type] ?? 0) + 1;
    ping(`${encodeURIComponent(type)}?listener=${listener}`);
  };
  const bad = ({ type }) => {
    note(1, type);
    throw new Error(`omid throwing: the listener of ${type} fails on purpose`);
  };
  const good = ({ type }) => {
    note(2, type);
    if (type !== "sessionFinish") return;
    // The other listener was called first, so that it has been told as much.
    const types = Object.keys({ ...counts[1], ...counts[2] });
    const problem = types.find((name) => counts[1][name] !== counts[2][name]);
    ping(problem ? `wrong?what=${encodeURIComponent(`${problem} reached only one of two listeners`)}` : "ok");
    problem ? console.error(`omid throwing: ${problem} reached only one of two listeners`) : console.log("omid throwing: ok");
  };

  ping(`script?door=${window.omid3p ? "omid3p" : "messages"}`);
  for (const listener of [bad, good]) {
    service.registerSessionObserver(listener, "throwing.example-omid", injectionId);
    for (const type of [
      "loaded", "impression", "geometryChange", "start", "firstQuartile", "midpoint", "thirdQuartile", "complete", "pause",
      "resume", "bufferStart", "bufferFinish", "skipped", "volumeChange", "playerStateChange", "adUserInteraction",
    ]) service.addEventListener(type, listener, injectionId);
  }
})();

throw new Error("omid throwing: the script fails on purpose");
