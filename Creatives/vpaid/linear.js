// A VPAID 2.0 unit: plays six seconds in the player's video element, with all quartiles, and a button that is a click.
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

  class Linear extends Unit {
    initAd(width, height, mode, bitrate, data, environment) {
      this.keep(width, height, data, environment);
      this.load(environment.videoSlot);
    }
    startAd() {
      this.draw("button", "left:10px;top:10px;min-height:46px;padding:0 20px;border-radius:23px;background:#c2342f;color:#fff;cursor:pointer", "Lose one, calmly", () => {
        // The player opens the page: the last value says so.
        this.tell("AdClickThru", this.parameters.click ?? "", "button", true);
      });
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
    loaded() { this.tell("AdLoaded"); }
    started() { for (const event of ["AdStarted", "AdImpression", "AdVideoStart", "AdDurationChange"]) this.tell(event); }
    played() { this.tell("AdRemainingTimeChange"); }
    end() {
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
    getAdDuration() { return this.video?.duration || -2; }
    getAdRemainingTime() { return this.video?.duration ? Math.max(0, this.video.duration - this.video.currentTime) : -2; }
    getAdVolume() { return this.video?.muted ? 0 : this.video?.volume ?? 1; }
    setAdVolume(volume) { Object.assign(this.video ?? {}, { muted: volume === 0, volume }); }
  }

  window.getVPAIDAd = () => new Linear();
})();
