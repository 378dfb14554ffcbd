// What this page remembers in the browser: the form, the theme, the widths of columns.

const prefix = "yabbi-play-lab.";

/** A stored value; `fallback` if there is none. `storage` is that of the browser, or of this tab. */
export function load(name, fallback, storage = "localStorage") {
  try {
    const text = globalThis[storage].getItem(prefix + name);
    return text === null ? fallback : JSON.parse(text);
  } catch {
    return fallback;
  }
}

/** Saves a value. A browser that stores nothing, or has no space, is no error: the page works without. */
export function save(name, value, storage = "localStorage") {
  try {
    globalThis[storage].setItem(prefix + name, JSON.stringify(value));
    return true;
  } catch {
    return false;
  }
}
