// conformance: ends
// A measuring script that wants to leave: after the start of the session it tries every way to another page, one each
// quarter of a second. A measuring script may do none of this: no page is opened, and the ad stays.
// Requests go to /t/omid/navigating/: `try` before each way, `opened` if a window opened, `stayed` at the end.
(() => {
  "use strict";
  const origin = new URL(document.currentScript.src).origin;
  const ping = (path) => { new Image().src = `${origin}/t/omid/navigating/${path}`; };

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
  };

  const place = (way) => `${origin}/landing?from=omid-navigating-${way}`;
  const add = (name, properties) => document.body.appendChild(Object.assign(document.createElement(name), properties));
  const follow = (way, target) => add("a", { href: place(way), target, textContent: "Follow" }).click();
  const submit = (way, target) => add("form", { action: place(way), target, method: "post" }).submit();
  // The ways that would end this script come last.
  const ways = {
    top: () => { window.top.location = place("top"); },
    parent: () => { window.parent.location = place("parent"); },
    replace: () => { window.top.location.replace(place("replace")); },
    // A host may return an object in place of a window; a real one of another origin shows nothing of its document.
    open: () => {
      const opened = window.open(place("open"));
      try {
        if (opened?.document.body) ping("opened?way=open");
      } catch {
        ping("opened?way=open");
      }
    },
    openTop: () => { window.open(place("openTop"), "_top"); },
    blankLink: () => follow("blankLink", "_blank"),
    topLink: () => follow("topLink", "_top"),
    topForm: () => submit("topForm", "_top"),
    blankForm: () => submit("blankForm", "_blank"),
    refresh: () => add("meta", { httpEquiv: "refresh", content: `0;url=${place("refresh")}` }),
    ownLink: () => follow("ownLink", "_self"),
    location: () => { window.location.href = place("location"); },
  };
  const leave = () => {
    for (const [index, way] of Object.keys(ways).entries()) {
      setTimeout(() => {
        ping(`try?way=${way}`);
        try {
          ways[way]();
        } catch (error) {
          console.log(`omid navigating: ${way} is refused: ${error.name}`);
        }
      }, 250 * (index + 1));
    }
  };

  ping(`script?door=${window.omid3p ? "omid3p" : "messages"}`);
  service.registerSessionObserver(({ type }) => {
    ping(encodeURIComponent(type));
    if (type === "sessionStart") leave();
    if (type === "sessionFinish") ping("stayed");
  }, "navigating.example-omid", injectionId);
})();
