// Listeners by name.

import { runReporting } from "./dom.js";

export class Emitter {
  #listeners = new Map();

  on(name, listener) {
    if (!this.#listeners.has(name)) this.#listeners.set(name, new Set());
    this.#listeners.get(name).add(listener);
    return this;
  }

  /** Calls all listeners; an error of one stops no other. */
  emit(name, value) {
    for (const listener of this.#listeners.get(name) ?? []) runReporting(() => listener(value));
  }

  /** Removes all listeners: a response that comes later has no effect. */
  removeAll() {
    this.#listeners.clear();
  }
}
