// Runs in every frame of a measured creative, in the page's own world before its first script: reports the first call of
// each interface that identifies the device, stores data, asks for a permission or starts a thread, and sound and video that the creative
// starts. The page can forge the messages; they decide nothing.
(() => {
  const raw = globalThis.__yabbi_calls;
  delete globalThis.__yabbi_calls;
  if (typeof raw !== "function") return;
  // The page may replace any function later, and libraries have replaced `toJSON`.
  const { apply, construct, defineProperty, getOwnPropertyDescriptor, ownKeys } = Reflect;
  // JSON by hand: all values are numbers, booleans, or names of this script.
  const send = (message) => {
    let text = "{";
    const keys = ownKeys(message);
    for (let index = 0; index < keys.length; index++) {
      const value = message[keys[index]];
      text += `${index === 0 ? "" : ","}"${keys[index]}":${typeof value === "string" ? `"${value}"` : value}`;
    }
    raw(`${text}}`);
  };
  const { addEventListener: listen } = EventTarget.prototype;
  const { setTimeout: wait } = globalThis;
  const known = new Set();
  const { has, add } = Set.prototype;
  const report = (purpose, name) => {
    if (apply(has, known, [name])) return;
    apply(add, known, [name]);
    send({ k: "call", purpose, name });
  };

  // Replaces a function by one that reports its call; `name` may be a function of the arguments, without a name for none.
  const wrap = (owner, key, purpose, name) => {
    const at = owner && getOwnPropertyDescriptor(owner, key);
    if (typeof at?.value !== "function") return;
    const inner = at.value;
    const value = new Proxy(inner, {
      apply(target, self, values) {
        const text = typeof name === "string" ? name : name(values, self);
        if (text) report(purpose, text);
        return apply(target, self, values);
      },
      construct(target, values, derived) {
        report(purpose, typeof name === "string" ? name : key);
        return construct(target, values, derived);
      },
    });
    defineProperty(owner, key, { ...at, value });
  };
  const wrapGetter = (owner, key, purpose, name, setterName) => {
    const at = owner && getOwnPropertyDescriptor(owner, key);
    if (!at?.get || !at.configurable) return;
    const { get, set } = at;
    const accessors = {
      get() {
        report(purpose, name);
        return apply(get, this, []);
      },
    };
    if (set) {
      accessors.set = function (value) {
        report(purpose, setterName ?? name);
        return apply(set, this, [value]);
      };
    }
    defineProperty(owner, key, { ...at, ...accessors });
  };
  const prototype = (name) => globalThis[name]?.prototype;

  const print = "fingerprint";
  for (const key of ["toDataURL", "toBlob"]) wrap(prototype("HTMLCanvasElement"), key, print, `canvas.${key}`);
  wrap(prototype("OffscreenCanvas"), "convertToBlob", print, "canvas.toBlob");
  wrap(prototype("CanvasRenderingContext2D"), "getImageData", print, "canvas.getImageData");
  for (const type of ["WebGLRenderingContext", "WebGL2RenderingContext"]) {
    const isDebug = (values) => /^webgl_debug_renderer_info$/i.test(values[0]) && "webgl.renderer";
    wrap(prototype(type), "getExtension", print, isDebug);
    // UNMASKED_VENDOR_WEBGL and UNMASKED_RENDERER_WEBGL.
    wrap(prototype(type), "getParameter", print, (values) => (values[0] === 37445 || values[0] === 37446) && "webgl.renderer");
  }
  wrap(globalThis, "OfflineAudioContext", print, "OfflineAudioContext");
  wrap(globalThis, "webkitOfflineAudioContext", print, "OfflineAudioContext");
  for (const key of ["plugins", "mimeTypes", "deviceMemory", "hardwareConcurrency"]) {
    wrapGetter(prototype("Navigator"), key, print, `navigator.${key}`);
  }
  wrap(prototype("Navigator"), "getBattery", print, "navigator.getBattery");
  wrap(prototype("NavigatorUAData"), "getHighEntropyValues", print, "userAgentData.getHighEntropyValues");
  wrap(prototype("MediaDevices"), "enumerateDevices", print, "mediaDevices.enumerateDevices");
  wrap(prototype("FontFaceSet"), "check", print, "fonts.check");
  wrap(prototype("SpeechSynthesis"), "getVoices", print, "speechSynthesis.getVoices");

  wrapGetter(prototype("Document"), "cookie", "storage", "cookie (read)", "cookie");
  for (const key of ["localStorage", "sessionStorage", "indexedDB", "caches"]) {
    wrapGetter(globalThis, key, "storage", key);
  }

  const ask = "permission";
  for (const key of ["getCurrentPosition", "watchPosition"]) wrap(prototype("Geolocation"), key, ask, "geolocation");
  for (const key of ["getUserMedia", "getDisplayMedia"]) wrap(prototype("MediaDevices"), key, ask, `mediaDevices.${key}`);
  wrap(globalThis.Notification, "requestPermission", ask, "notifications");
  for (const key of ["readText", "read", "writeText", "write"]) wrap(prototype("Clipboard"), key, ask, "clipboard");
  wrap(prototype("Navigator"), "vibrate", ask, "vibrate");
  wrap(prototype("Navigator"), "registerProtocolHandler", ask, "registerProtocolHandler");
  wrap(prototype("ServiceWorkerContainer"), "register", ask, "serviceWorker");
  wrap(prototype("Element"), "requestFullscreen", ask, "requestFullscreen");
  wrap(prototype("EventTarget"), "addEventListener", ask, (values) =>
    (values[0] === "devicemotion" || values[0] === "deviceorientation") && "motion sensors");

  // Their own calls are not seen.
  for (const key of ["Worker", "SharedWorker"]) wrap(globalThis, key, "worker", key);
  wrap(prototype("Worklet"), "addModule", "worker", "Worklet");

  // Sound and video. An element outside of the document fires no event at it, so each is followed when it plays. Sound that
  // the browser refuses before a press counts as audible: apps may permit it.
  const isAfterGesture = () => navigator.userActivation?.hasBeenActive ?? false;
  const [heard, started] = [new WeakSet(), new WeakSet()];
  const { has: holds, add: put } = WeakSet.prototype;
  const onStart = (media, audible, gesture) => {
    const known = audible ? heard : started;
    if (apply(holds, known, [media])) return;
    apply(put, known, [media]);
    send({ k: "media", element: media instanceof HTMLVideoElement ? "video" : "audio", audible, gesture });
  };
  // A file without a sound track is silent, muted or not.
  const isAudible = (media) => !media.muted && media.volume > 0 && media.webkitAudioDecodedByteCount !== 0;
  const onMedia = (media) => {
    if (!media.paused) onStart(media, isAudible(media), isAfterGesture());
  };
  // An element with `autoplay` that stays paused was refused, because it has sound.
  const onData = (media) => {
    if (!media.autoplay || media.muted || isAfterGesture()) return;
    wait(() => {
      if (media.paused && media.autoplay && !isAfterGesture()) onStart(media, true, false);
    }, 300);
  };
  const followed = new WeakSet();
  const follow = (media) => {
    if (!(media instanceof HTMLMediaElement) || apply(holds, followed, [media])) return;
    apply(put, followed, [media]);
    for (const type of ["playing", "volumechange", "timeupdate"]) apply(listen, media, [type, () => onMedia(media)]);
    apply(listen, media, ["loadeddata", () => onData(media)]);
  };
  const onEvent = ({ target: media }) => {
    if (!(media instanceof HTMLMediaElement)) return;
    follow(media);
    onMedia(media);
    onData(media);
  };
  for (const type of ["playing", "loadeddata"]) apply(listen, globalThis, [type, onEvent, true]);
  const refused = (error) => error?.name === "NotAllowedError";
  const { then } = Promise.prototype;
  HTMLMediaElement.prototype.play = new Proxy(HTMLMediaElement.prototype.play, {
    apply(target, self, values) {
      follow(self);
      const gesture = isAfterGesture();
      const result = apply(target, self, values);
      if (self instanceof HTMLMediaElement && !self.muted && !gesture) {
        apply(then, result, [undefined, (error) => { if (refused(error)) onStart(self, true, false); }]);
      }
      return result;
    },
  });
  for (const [owner, key] of [[globalThis, "Audio"], [Document.prototype, "createElement"]]) {
    owner[key] = new Proxy(owner[key], {
      apply(target, self, values) {
        const made = apply(target, self, values);
        follow(made);
        return made;
      },
      construct(target, values, derived) {
        const made = construct(target, values, derived);
        follow(made);
        return made;
      },
    });
  }
  // Of Web Audio the first source is reported.
  let isPlaying = false;
  for (const type of ["AudioScheduledSourceNode", "AudioBufferSourceNode"]) {
    const owner = prototype(type);
    if (!owner || !Object.hasOwn(owner, "start")) continue;
    owner.start = new Proxy(owner.start, {
      apply(target, self, values) {
        if (self.context instanceof AudioContext && !isPlaying) {
          isPlaying = true;
          send({ k: "media", element: "webaudio", audible: true, gesture: isAfterGesture() });
        }
        return apply(target, self, values);
      },
    });
  }

  // Drawing on a canvas changes what is visible without changing the document; twice a second at most.
  let isQuiet = false;
  const { timeOrigin } = performance;
  const now = performance.now.bind(performance);
  const moved = () => {
    isQuiet = true;
    wait(() => { isQuiet = false; }, 500);
    send({ k: "moved", at: timeOrigin + now() });
  };
  const drawing = {
    CanvasRenderingContext2D: ["drawImage", "fill", "fillRect", "fillText", "putImageData", "stroke", "clearRect"],
    WebGLRenderingContext: ["clear", "drawArrays", "drawElements"],
    WebGL2RenderingContext: ["clear", "drawArrays", "drawElements", "drawArraysInstanced", "drawElementsInstanced"],
  };
  for (const [type, keys] of Object.entries(drawing)) {
    for (const key of keys) {
      const inner = prototype(type)?.[key];
      if (typeof inner !== "function") continue;
      prototype(type)[key] = new Proxy(inner, {
        apply(target, self, values) {
          if (!isQuiet && self.canvas?.isConnected) moved();
          return apply(target, self, values);
        },
      });
    }
  }
})();
