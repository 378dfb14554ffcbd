// conformance: ends
// A VPAID 2.0 unit that never ends: it draws and draws, says nothing of its duration, and ignores `stopAd` and `skipAd`.
// The player has to remove it.
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

  class Endless extends Unit {
    initAd(width, height, mode, bitrate, data, environment) {
      this.keep(width, height, data, environment);
      this.tell("AdLoaded");
    }
    startAd() {
      const canvas = this.draw("canvas", "left:0;top:0;width:100%;height:100%;background:#14213d");
      const [context, drops] = [canvas.getContext("2d"), Array.from({ length: 60 }, (_, i) => ({ x: (i * 97) % 640, y: (i * i * 37) % 380 }))];
      Object.assign(canvas, { width: 640, height: 360 });
      const rain = () => {
        context.clearRect(0, 0, 640, 360);
        context.strokeStyle = "#9fc5e8";
        for (const drop of drops) {
          drop.y = (drop.y + 4) % 380;
          context.beginPath();
          context.moveTo(drop.x, drop.y);
          context.lineTo(drop.x - 4, drop.y + 14);
          context.stroke();
        }
        context.fillStyle = "#fff";
        context.font = "700 32px sans-serif";
        context.fillText("It does not stop raining.", 120, 190);
        requestAnimationFrame(rain);
      };
      rain();
      for (const event of ["AdStarted", "AdImpression"]) this.tell(event);
    }
    stopAd() { this.tell("AdLog", "stopAd is ignored on purpose"); }
    skipAd() { this.tell("AdLog", "skipAd is ignored on purpose"); }
    getAdDuration() { return -2; }
    getAdRemainingTime() { return -2; }
  }

  window.getVPAIDAd = () => new Endless();
})();
