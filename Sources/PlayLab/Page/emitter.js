// Listeners by name.

export class Emitter {
  #listeners = new Map();

  on(name, listener) {
    if (!this.#listeners.has(name)) this.#listeners.set(name, new Set());
    this.#listeners.get(name).add(listener);
    return this;
  }

  emit(name, value) {
    for (const listener of this.#listeners.get(name) ?? []) listener(value);
  }

  /** Removes all listeners, so that a late answer reaches nobody. */
  removeAll() {
    this.#listeners.clear();
  }
}
