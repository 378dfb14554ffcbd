// The creative's side of SIMID 1.2: one session with the player around this frame, numbered messages as JSON texts, and
// replies by the number of their question. A page that loads this says `simid.on(…)` for what it wants to hear, and
// `simid.start()` when it listens.
const simid = (() => {
  "use strict";
  // Nobody may guess the session's name (SIMID 1.2 §8.4). `randomUUID` is missing where a page is not served securely.
  const sessionId = [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  const origin = new URL(location.href).origin;
  const handlers = new Map();
  const questions = new Map();
  let count = 0;

  // What `Player:init` says.
  let environment = {}, clickThrough, parameters = {};

  const post = (type, args = {}) => {
    const messageId = count++;
    parent.postMessage(JSON.stringify({ sessionId, messageId, timestamp: Date.now(), type, args }), "*");
    return messageId;
  };

  /** Sends a message that the player answers; the promise has the value of its `resolve`, or fails with its `reject`. */
  const ask = (type, args) => new Promise((resolve, reject) => questions.set(post(type, args), { resolve, reject }));

  /** Sends a request of the creative; a refusal is logged and is false. */
  const request = (name, args) => ask(`SIMID:Creative:${name}`, args).then((value) => value ?? true, (reason) => {
    console.log(`simid: ${name} is refused: ${JSON.stringify(reason ?? {})}`);
    return false;
  });

  /** Sends a message that nobody answers. */
  const tell = (name, args) => { post(`SIMID:Creative:${name}`, args); };

  /** Calls a function for a message of the player: `Player:init`, `Media:ended` … What it throws becomes a `reject`. */
  const on = (name, handler) => handlers.set(`SIMID:${name}`, [...(handlers.get(`SIMID:${name}`) ?? []), handler]);

  // The player waits for a reply to these, and to no others (SIMID 1.2 §4.1).
  const answered = /^SIMID:Player:(init|startCreative|adSkipped|adStopped|appBackgrounded|fatalError)$/;
  const handle = async ({ messageId, type, args }) => {
    let failure;
    try {
      for (const handler of handlers.get(type) ?? []) await handler(args ?? {});
    } catch (error) {
      console.error(error);
      failure = { errorCode: error.code ?? 1108, message: error.message, reason: error.message };
    }
    if (!answered.test(type)) return;
    post(failure ? "reject" : "resolve", { messageId, value: failure ?? {} });
  };
  window.addEventListener("message", ({ data, source }) => {
    if (source !== parent || typeof data !== "string") return;
    let message;
    try {
      message = JSON.parse(data);
    } catch {
      return; // a text for somebody else
    }
    if (message?.sessionId !== sessionId) return;
    if (message.type !== "resolve" && message.type !== "reject") return handle(message);
    const { messageId, value } = message.args ?? {};
    questions.get(messageId)?.[message.type](value);
    questions.delete(messageId);
  });

  on("Player:init", ({ environmentData = {}, creativeData = {} }) => {
    environment = environmentData;
    clickThrough = creativeData.clickThruUrl ?? creativeData.clickThruUri; // earlier versions wrote Uri
    try {
      parameters = JSON.parse(creativeData.adParameters || "{}") ?? {};
    } catch {
      console.log("simid: the ad's parameters are not JSON");
    }
  });
  on("Player:resize", (sizes) => { environment = { ...environment, ...sizes }; });

  /** Has a page of the sandbox's trackers called by the player: `t/simid/…`. */
  const track = (path) => request("reportTracking", { trackingUrls: [`${origin}/t/simid/${path}`] });

  // Only the first click counts; after it the player may still open pages (SIMID 1.2 §4.4.1, error 1219).
  let hasClicked = false;
  /** Opens a page after a click of the user; without one it is the ad's click-through. */
  const open = ({ clientX = 0, clientY = 0 }, url = clickThrough) => {
    const isPlayers = environment.navigationSupport === "playerHandles";
    if (!isPlayers && environment.navigationSupport !== "notSupported" && url) window.open(url, "_blank", "noopener");
    if (hasClicked) return isPlayers ? request("requestNavigation", { uri: url }) : Promise.resolve(true);
    hasClicked = true;
    return request("clickThru", { x: Math.round(clientX), y: Math.round(clientY), playerHandles: isPlayers, url });
  };

  return {
    on, ask, tell, request, track, open, origin, sessionId,
    start: () => ask("createSession"),
    get environment() { return environment; },
    get parameters() { return parameters; },
  };
})();
