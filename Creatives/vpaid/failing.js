// conformance: error 901
// A VPAID 2.0 unit that loads well and fails when it is started: AdError, with neither AdStarted nor an impression.
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
    pauseAd() { this.tell("AdPaused"); }
    resumeAd() { this.tell("AdPlaying"); }
    getAdVolume() { return this.volume ?? 1; }
    setAdVolume(volume) {
      this.volume = volume;
      this.tell("AdVolumeChange");
    }
  }

  class Failing extends Unit {
    initAd(width, height, mode, bitrate, data, environment) {
      this.keep(width, height, data, environment);
      this.tell("AdLoaded");
    }
    startAd() {
      setTimeout(() => this.tell("AdError", "failed on purpose"), 300);
    }
    getAdDuration() { return -2; }
    getAdRemainingTime() { return -2; }
  }

  window.getVPAIDAd = () => new Failing();
})();
