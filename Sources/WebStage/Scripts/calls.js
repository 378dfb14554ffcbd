// Runs in every frame of a measured creative, in the page's own world before its first script: reports the first call of
// each interface that identifies the device, stores data or asks for a permission, and sound and video that the creative
// starts. The page can forge the messages; they decide nothing.
(() => {
  const raw = globalThis.__yabbi_calls;
  delete globalThis.__yabbi_calls;
  if (typeof raw !== "function") return;
  const stringify = JSON.stringify;
  const send = (message) => raw(stringify(message));
  const known = new Set();
  const { has, add } = Set.prototype;
  const report = (purpose, name) => {
    if (Reflect.apply(has, known, [name])) return;
    Reflect.apply(add, known, [name]);
    send({ k: "call", purpose, name });
  };

  // Replaces a function by one that reports its call; `name` may be a function of the arguments, without a name for none.
  const { apply, construct, defineProperty, getOwnPropertyDescriptor } = Reflect;
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
    const isDebug = ([name]) => String(name).toLowerCase() === "webgl_debug_renderer_info" && "webgl.renderer";
    wrap(prototype(type), "getExtension", print, isDebug);
    // UNMASKED_VENDOR_WEBGL and UNMASKED_RENDERER_WEBGL.
    wrap(prototype(type), "getParameter", print, ([number]) => (number === 37445 || number === 37446) && "webgl.renderer");
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
  wrap(prototype("EventTarget"), "addEventListener", ask, ([type]) =>
    (type === "devicemotion" || type === "deviceorientation") && "motion sensors");

  // Sound and video. An element that is not in the document fires no event at it, so each is followed when it plays. What
  // is meant to be heard counts as audible, also if the browser refuses it: apps may permit it.
  const isAfterGesture = () => navigator.userActivation?.hasBeenActive ?? false;
  const heard = new WeakSet();
  const { has: hasHeard, add: addHeard } = WeakSet.prototype;
  const started = new WeakSet();
  const onStart = (media, audible, gesture) => {
    const known = audible ? heard : started;
    if (apply(hasHeard, known, [media])) return;
    apply(addHeard, known, [media]);
    send({ k: "media", element: media instanceof HTMLVideoElement ? "video" : "audio", audible, gesture });
  };
  const onMedia = (media) => {
    if (!media.paused) onStart(media, !media.muted && media.volume > 0, isAfterGesture());
  };
  // An element with `autoplay` and sound that the browser refuses to start fires no other event.
  const onData = ({ target: media }) => {
    if (media instanceof HTMLMediaElement && media.autoplay && !media.muted && media.volume > 0) {
      onStart(media, true, isAfterGesture());
    }
  };
  const { addEventListener: listen } = EventTarget.prototype;
  const follow = (media) => {
    for (const type of ["playing", "volumechange"]) apply(listen, media, [type, () => onMedia(media)]);
  };
  const followed = new WeakSet();
  const { play } = HTMLMediaElement.prototype;
  HTMLMediaElement.prototype.play = new Proxy(play, {
    apply(target, self, values) {
      if (!(self instanceof HTMLMediaElement)) return apply(target, self, values);
      if (!apply(hasHeard, followed, [self])) {
        apply(addHeard, followed, [self]);
        follow(self);
      }
      const gesture = isAfterGesture();
      const result = apply(target, self, values);
      if (!self.muted && self.volume > 0 && !gesture) onStart(self, true, gesture);
      return result;
    },
  });
  const onPlaying = (event) => {
    const media = event.target;
    if (!(media instanceof HTMLMediaElement) || apply(hasHeard, followed, [media])) return;
    apply(addHeard, followed, [media]);
    follow(media);
    onMedia(media);
  };
  apply(listen, globalThis, ["playing", onPlaying, true]);
  apply(listen, globalThis, ["loadeddata", onData, true]);
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

  // Changes by scripts that draw frame by frame, twice a second at most.
  const { requestAnimationFrame: request } = globalThis;
  const now = () => performance.now();
  let told = -1000;
  const moved = () => {
    const time = now();
    if (time - told < 500) return;
    told = time;
    send({ k: "moved", ms: time });
  };
  globalThis.requestAnimationFrame = function requestAnimationFrame(body) {
    return request((time) => {
      moved();
      return body(time);
    });
  };
})();
