// What this page remembers in the browser: the form, the theme, the widths of columns.

const prefix = "yabbi-play-lab.";

export function load(name, fallback) {
  try {
    const text = localStorage.getItem(prefix + name);
    return text === null ? fallback : JSON.parse(text);
  } catch {
    return fallback;
  }
}

/** Saves a value. A browser that stores nothing, or has no space, is no error: the page works without. */
export function save(name, value) {
  try {
    localStorage.setItem(prefix + name, JSON.stringify(value));
    return true;
  } catch {
    return false;
  }
}
