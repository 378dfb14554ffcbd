// conformance: ends
// A measuring script that wants more than it was given: the page, other frames, stored data and the parameters of
// another vendor (whose script runs in the same ad); and it forges messages that would end or click the ad.
// Requests go to /t/omid/spying/: `leak` for each thing that it could read, or `none` at the end.
(() => {
  "use strict";
  const origin = new URL(document.currentScript.src).origin;
  const ping = (path) => { new Image().src = `${origin}/t/omid/spying/${path}`; };

  const leaks = new Set();
  const leak = (what) => {
    if (leaks.has(what)) return;
    leaks.add(what);
    console.error(`omid spying: could read ${what}`);
    ping(`leak?what=${encodeURIComponent(what)}`);
  };
  /** Notes what a reading returns; most of them throw. */
  const read = (what, reading) => {
    try {
      if (reading()) leak(what);
    } catch { /* as it should be */ }
  };

  // The service: an object in this window, or messages to another one. Replies come back with the id of their question.
  const { serviceWindow = window.top, injectionId } = window.omidVerificationProperties ?? {};
  const replies = new Map();
  const question = (method, ...args) => ({
    omid_message_guid: crypto.getRandomValues(new Uint32Array(4)).join("-"),
    omid_message_method: `VerificationService.${method}`, omid_message_version: "1.5.0", omid_message_args: args,
  });
  const ask = (method, callback, value) => {
    const message = question(method, value, injectionId);
    replies.set(message.omid_message_guid, callback);
    serviceWindow.postMessage(message, "*");
  };
  const holdsSecret = (value) => {
    const text = typeof value === "string" ? value : JSON.stringify(value) ?? "";
    return text.includes("secret=1");
  };
  window.addEventListener("message", ({ data, source }) => {
    if (source === window) return;
    read("a message of another vendor", () => holdsSecret(data));
    if (data?.omid_message_method === "response") replies.get(data.omid_message_guid)?.(...(data.omid_message_args ?? []));
  });
  const service = window.omid3p ?? {
    registerSessionObserver: (callback, vendor) => ask("addSessionListener", callback, vendor),
  };

  const others = () => [...Array(Math.min(window.parent.length, 20)).keys()].map((i) => window.parent[i]).filter((frame) => frame !== window);
  const look = () => {
    for (const name of ["parent", "top"]) {
      const page = window[name];
      if (page === window) continue; // without a page around it there is none to read
      read(`${name}.document`, () => page.document);
      read(`${name}.location`, () => page.location.href);
      read(`${name}.localStorage`, () => page.localStorage);
      read(`${name}.name`, () => page.name);
      read(`${name}.yabbi`, () => Object.getOwnPropertyNames(page).some((key) => /yabbi/i.test(key)));
      for (const key of ["yabbi", "__yabbi", "yabbiHost", "__yabbi_host"]) read(`${name}.${key}`, () => page[key]);
    }
    for (const [index, frame] of others().entries()) {
      read(`frame ${index}.document`, () => frame.document);
      read(`frame ${index}.location`, () => frame.location.href);
      read(`frame ${index}.omid3p`, () => frame.omid3p);
      read(`frame ${index}.name`, () => frame.name);
    }
    read("frameElement", () => window.frameElement);
    // What one ad can store, the next can read.
    read("localStorage", () => (localStorage.setItem("spy", "1"), localStorage.getItem("spy")));
    read("sessionStorage", () => (sessionStorage.setItem("spy", "1"), sessionStorage.getItem("spy")));
    read("cookies", () => ((document.cookie = "spy=1"), document.cookie));
  };

  const simid = (type, args = {}) => JSON.stringify({ sessionId: "spy", messageId: 1, timestamp: Date.now(), type, args });
  const forge = () => {
    const forged = [
      { k: "close" }, { k: "skip" }, { k: "click", url: `${origin}/landing?from=omid-spying` }, { k: "ended" }, { k: "reward" },
      { type: "close" }, { event: "close" }, "close",
      question("addSessionListener", "validating.example-omid", "1"), question("addSessionListener", "validating.example-omid"),
      { omid_message_guid: "1", omid_message_method: "response", omid_message_version: "1.5.0", omid_message_args: [{ type: "sessionFinish" }] },
      { omid_message_guid: "2", omid_message_method: "SessionService.finishSession", omid_message_version: "1.5.0", omid_message_args: [] },
      simid("createSession"), simid("SIMID:Creative:requestStop"), simid("SIMID:Creative:requestSkip"),
      simid("SIMID:Creative:fatalError", { errorCode: 1100 }),
      simid("SIMID:Creative:clickThru", { x: 1, y: 1, playerHandles: true, url: `${origin}/landing?from=omid-spying` }),
    ];
    for (const page of new Set([window.parent, window.top, ...others()])) {
      for (const message of forged) {
        page.postMessage(message, "*");
        if (typeof message === "object") page.postMessage(JSON.stringify(message), "*");
      }
    }
  };

  ping(`script?door=${window.omid3p ? "omid3p" : "messages"}`);
  look();
  // The parameters of the other vendor, asked for by its name and by no name.
  for (const vendor of ["validating.example-omid", undefined, "", "*"]) {
    service.registerSessionObserver((event) => read(`parameters for ${vendor}`, () => holdsSecret(event.data)), vendor, injectionId);
  }
  service.registerSessionObserver((event) => {
    ping(encodeURIComponent(event.type));
    read("parameters", () => holdsSecret(event.data));
    if (event.type === "sessionStart") forge();
    look();
    if (event.type === "sessionFinish" && leaks.size === 0) {
      console.log("omid spying: none");
      ping("none");
    }
  }, "spying.example-omid", injectionId);
})();
