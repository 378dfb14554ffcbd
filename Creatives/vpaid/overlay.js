// A VPAID 2.0 unit that begins as a strip over the player's film (it is not linear) and becomes linear by a tap: then it
// plays its own film in a video element of its own. Without a tap it ends after fifteen seconds.
(() => {
  "use strict";
  const origin = new URL(document.currentScript.src).origin;

  // What every unit has: listeners, sizes, and the answers to questions that this ad has nothing to say to.
  class Unit {
    listeners = [];
    size = { width: 0, height: 0 };
    isStopped = false;

    handshakeVersion() { return "2.0"; }
    subscribe(callback, event, context) { this.listeners.push({ callback, event, context }); }
    unsubscribe(callback, event) {
      this.listeners = this.listeners.filter((one) => one.event !== event || (callback && one.callback !== callback));
    }
    /** Tells the player, after the call that led to it has returned. */
    tell(event, ...values) {
      setTimeout(() => {
        for (const { callback, context } of this.listeners.filter((one) => one.event === event)) callback.apply(context, values);
      });
    }
    keep(width, height, data, environment) {
      this.size = { width, height };
      this.slot = environment.slot;
      this.parameters = JSON.parse(data?.AdParameters || "{}");
    }
    /** Draws an element over the player's slot; `style` is CSS. */
    draw(name, style, text = "", action) {
      const element = document.createElement(name);
      element.style.cssText = `position:absolute;box-sizing:border-box;border:0;font:700 16px "Segoe UI",Roboto,Arial,sans-serif;${style}`;
      element.textContent = text;
      if (name === "button") Object.assign(element, { type: "button", onclick: action });
      this.slot.append(element);
      (this.drawn ??= []).push(element);
      return element;
    }
    end() {
      if (this.isStopped) return;
      this.isStopped = true;
      for (const element of this.drawn ?? []) element.remove();
      this.tell("AdStopped");
    }

    stopAd() { this.end(); }
    skipAd() {} // nor does it expand or collapse
    expandAd() {}
    collapseAd() {}
    resizeAd(width, height) {
      this.size = { width, height };
      this.tell("AdSizeChange");
    }
    getAdLinear() { return true; }
    getAdWidth() { return this.size.width; }
    getAdHeight() { return this.size.height; }
    getAdExpanded() { return false; }
    getAdSkippableState() { return false; }
    getAdCompanions() { return ""; }
    getAdIcons() { return false; }
  }

  class Overlay extends Unit {
    isLinear = false;
    seconds = 15;

    initAd(width, height, mode, bitrate, data, environment) {
      this.keep(width, height, data, environment);
      this.tell("AdLoaded");
    }
    startAd() {
      const strip = "bottom:10px;height:56px;background:#fff3e2;color:#1f4037;cursor:pointer";
      this.strip = [
        this.draw("button", `left:10px;right:66px;padding:0 16px;border-radius:12px 0 0 12px;text-align:left;${strip}`, "Sokketri: socks in threes. Watch \u25b8", () => this.accept()),
        this.draw("button", `right:10px;width:56px;border-radius:0 12px 12px 0;font-size:22px;${strip}`, "\u00d7", () => { this.tell("AdUserClose"); this.end(); }),
      ];
      this.strip[1].setAttribute("aria-label", "Close");
      for (const event of ["AdStarted", "AdImpression"]) this.tell(event);
      this.timer = setInterval(() => {
        this.tell("AdRemainingTimeChange");
        if (--this.seconds === 0) this.end();
      }, 1000);
    }
    accept() {
      if (this.isLinear || this.isStopped) return;
      this.isLinear = true;
      clearInterval(this.timer);
      for (const element of this.strip) element.remove();
      for (const event of ["AdUserAcceptInvitation", "AdInteraction", "AdLinearChange", "AdExpandedChange"]) this.tell(event);
      const video = this.draw("video", "left:0;top:0;width:100%;height:100%;background:#000");
      Object.assign(video, { playsInline: true, muted: true }); // a strip had no sound either
      this.load(video);
      this.play();
    }

    // From here on: the film.
    load(video) {
      this.video = video;
      const fail = (error) => { if (!this.isStopped && error?.name !== "AbortError") this.tell("AdError", "the film can't be played"); };
      let quarter = 0, second = -1;
      const events = {
        error: fail,
        loadedmetadata: () => this.loaded(),
        playing: () => { if (quarter === 0) { quarter = 1; this.started(); } }, // not after a pause
        timeupdate: () => {
          const names = ["AdVideoFirstQuartile", "AdVideoMidpoint", "AdVideoThirdQuartile"];
          while (quarter >= 1 && quarter <= 3 && video.currentTime >= (video.duration * quarter) / 4) this.tell(names[quarter++ - 1]);
          if (second !== (second = Math.floor(video.currentTime))) this.played(second);
        },
        volumechange: () => this.tell("AdVolumeChange"),
        ended: () => { this.tell("AdVideoComplete"); this.end(); },
      };
      const [type] = ["mp4", "webm"].filter((name) => video.canPlayType(name === "mp4" ? 'video/mp4; codecs="avc1.4d401e, mp4a.40.2"' : "video/webm"));
      const { signal } = (this.watch = new AbortController());
      for (const [name, action] of Object.entries(events)) video.addEventListener(name, action, { signal });
      Object.assign(video, { preload: "auto", src: `${origin}/creatives/media/sokketri.${type}` });
      this.play = () => video.play().catch(fail);
    }
    loaded() {}
    started() { for (const event of ["AdVideoStart", "AdDurationChange"]) this.tell(event); }
    played() { this.tell("AdRemainingTimeChange"); }
    end() {
      clearInterval(this.timer);
      this.watch?.abort();
      this.video?.pause();
      super.end();
    }
    pauseAd() {
      this.video?.pause();
      this.tell("AdPaused");
    }
    resumeAd() {
      this.play?.();
      this.tell("AdPlaying");
    }
    getAdDuration() { return this.isLinear ? this.video.duration || -2 : 15; }
    getAdRemainingTime() {
      if (!this.isLinear) return this.seconds;
      return this.video.duration ? Math.max(0, this.video.duration - this.video.currentTime) : -2;
    }
    getAdLinear() { return this.isLinear; }
    getAdExpanded() { return this.isLinear; }
    getAdVolume() { return this.video?.muted ? 0 : this.video?.volume ?? 0; }
    setAdVolume(volume) { Object.assign(this.video ?? {}, { muted: volume === 0, volume }); }
  }

  window.getVPAIDAd = () => new Overlay();
})();
