// conformance: ends
// A measuring script without measure: from the impression on it posts a million messages to its service, registers ten
// thousand listeners and fills the console, in slices of a timer, so that it is busy and not just stuck. The film must
// play on as if nothing was. Requests go to /t/omid/flooding/EVENT.
(() => {
  "use strict";
  const origin = new URL(document.currentScript.src).origin;
  const ping = (path) => { new Image().src = `${origin}/t/omid/flooding/${path}`; };

  // The service: an object in this window, or messages to another one. Replies come back with the id of their question.
  const { serviceWindow = window.top, injectionId } = window.omidVerificationProperties ?? {};
  const replies = new Map();
  let asked = 0;
  const message = (method, value) => ({
    omid_message_guid: `flood-${(asked += 1)}`, omid_message_method: `VerificationService.${method}`,
    omid_message_version: "1.5.0", omid_message_args: [value, injectionId],
  });
  const ask = (method, callback, value) => {
    const question = message(method, value);
    replies.set(question.omid_message_guid, callback);
    serviceWindow.postMessage(question, "*");
  };
  window.addEventListener("message", ({ data }) => {
    if (data?.omid_message_method === "response") replies.get(data.omid_message_guid)?.(...(data.omid_message_args ?? []));
  });
  const service = window.omid3p ?? {
    registerSessionObserver: (callback, vendor) => ask("addSessionListener", callback, vendor),
    addEventListener: (type, callback) => ask("addEventListener", callback, type),
  };

  const slices = 100, messagesPerSlice = 10_000, listenersPerSlice = 100, linesPerSlice = 1_000;
  let slice = 0;
  const flood = () => {
    for (let i = 0; i < listenersPerSlice; i += 1) {
      try {
        service.addEventListener(i % 2 ? "geometryChange" : "media", () => {}, injectionId);
      } catch { /* a service may refuse; the flood goes on */ }
    }
    for (let i = 0; i < messagesPerSlice; i += 1) {
      // A quarter each: listeners, unknown methods, texts that are not JSON, and objects that are no question at all.
      const drop = [message("addEventListener", "media"), message("noSuchMethod", i), `omid_message_guid ${i}`, { flood: i }][i % 4];
      serviceWindow.postMessage(drop, "*");
    }
    for (let i = 0; i < linesPerSlice; i += 1) console.log(`omid flooding: line ${slice * linesPerSlice + i}`);
    slice += 1;
    if (slice % 10 === 0) ping(`slice?messages=${slice * messagesPerSlice}`);
    if (slice < slices) setTimeout(flood, 0);
  };

  ping(`script?door=${window.omid3p ? "omid3p" : "messages"}`);
  service.registerSessionObserver(({ type }) => {
    ping(type === "sessionFinish" ? `sessionFinish?messages=${slice * messagesPerSlice}` : encodeURIComponent(type));
  }, "flooding.example-omid", injectionId);
  service.addEventListener("impression", () => {
    ping("impression");
    flood();
  }, injectionId);
})();
