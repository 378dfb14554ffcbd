// A list of very many rows: only those in sight are in the document. It follows its end until it is scrolled up.

import { beforeNextFrame, make } from "./dom.js";

const overscan = 6;
const longestText = 50000;

export class RowList {
  following = true;
  #scroller;
  #sizer;
  #rows = [];
  #visible = new Map();
  #expanded = new Map();
  #marked = null;
  #active = null;
  #hasLostFocus = false;
  #height;
  #line;
  #details;
  #follows;
  #onFollow;

  /** The height of what is in sight; 0 while the panel is hidden. It is kept, as each reading costs a layout. */
  #view = 0;
  #scrolledTo = 0;

  /**
   * `line(row, marked)` makes the cells of a row, `details(row)` what it shows when it is opened. `height` is that of a
   * closed row. With `follows`, the list stays at its end while it grows.
   */
  constructor(scroller, { label, height = 24, line, details, follows = false, onFollow = () => {} }) {
    this.#scroller = scroller;
    this.#height = height;
    this.#line = line;
    this.#details = details;
    this.#follows = follows;
    this.#onFollow = onFollow;
    this.following = follows;
    this.#sizer = make("div", { class: "rows", role: "list", "aria-label": label });
    scroller.append(this.#sizer);
    scroller.addEventListener("scroll", () => {
      const isAtEnd = scroller.scrollTop + scroller.clientHeight >= scroller.scrollHeight - 4;
      this.#scrolledTo = scroller.scrollTop;
      if (this.#follows && scroller.clientHeight > 0) this.#setFollowing(isAtEnd);
      this.update();
    });
    this.#sizer.addEventListener("keydown", (event) => this.#key(event));
    this.#sizer.addEventListener("focusin", (event) => {
      const row = this.#rowOf(event.target);
      if (row && row !== this.#active) {
        this.#active = row;
        this.update();
      }
    });
    new ResizeObserver(() => {
      this.#view = scroller.clientHeight;
      this.update();
    }).observe(scroller);
  }

  get rows() { return this.#rows; }

  /** Shows these rows. The list keeps the array: after appending to it, call `update`. */
  set rows(rows) {
    this.#rows = rows;
    this.rebuild();
  }

  /** Makes all rows again, as after a change of what they show. The row with the focus keeps it. */
  rebuild() {
    const focused = this.#rowOf(document.activeElement);
    for (const [row, element] of this.#visible) {
      if (row === focused && this.#rows.includes(row)) this.#refresh(row, element);
      else this.#remove(row, element, focused);
    }
    this.update();
  }

  #remove(row, element, focused) {
    this.#hasLostFocus ||= row === focused;
    element.remove();
    this.#visible.delete(row);
  }

  /** Makes the content of a row again, in the same button. */
  #refresh(row, element) {
    const made = this.#make(row);
    element.className = made.className;
    element.firstElementChild.replaceChildren(...made.firstElementChild.childNodes);
    const isSame = element.lastElementChild.textContent === made.lastElementChild.textContent;
    if (this.#expanded.has(row) && !isSame) element.lastElementChild.replaceWith(made.lastElementChild);
  }

  clear() {
    this.#expanded.clear();
    this.#marked = null;
    this.#active = null;
    this.#setFollowing(this.#follows);
    this.rows = [];
  }

  /** The oldest rows are gone: a list that doesn't follow keeps its place. */
  dropped(count) {
    if (!this.following) this.#scroller.scrollTop -= count * this.#height;
  }

  mark(row, shouldReveal) {
    if (this.#marked === row) return;
    for (const each of [this.#marked, row]) {
      const element = each && this.#visible.get(each);
      element?.classList.toggle("marked", each === row);
    }
    this.#marked = row;
    if (row && shouldReveal) this.reveal(row);
  }

  revealMarked() {
    if (this.#marked) this.reveal(this.#marked);
  }

  reveal(row) {
    const index = this.#rows.indexOf(row);
    if (index < 0) return;
    const top = this.#offset(index, this.#openIndices());
    this.#setFollowing(false);
    const { scrollTop, clientHeight } = this.#scroller;
    if (top < scrollTop || top + this.#height > scrollTop + clientHeight) {
      this.#scroller.scrollTop = Math.max(0, top - clientHeight / 2);
    }
    this.update();
  }

  follow() {
    this.#setFollowing(true);
    this.update();
  }

  update() { beforeNextFrame(this.#render); }

  #setFollowing(value) {
    if (this.following === value) return;
    this.following = value;
    this.#onFollow(value);
  }

  /** Index and extra height of each open row, by index. */
  #openIndices() {
    const open = [];
    for (const [row, extra] of this.#expanded) {
      const index = this.#rows.indexOf(row);
      if (index >= 0) open.push([index, extra]);
    }
    return open.sort((a, b) => a[0] - b[0]);
  }

  #offset(index, open) {
    let top = index * this.#height;
    for (const [each, extra] of open) if (each < index) top += extra;
    return top;
  }

  #render = () => {
    const scroller = this.#scroller;
    if (this.#view === 0) return;
    const open = this.#openIndices();
    const count = this.#rows.length;
    const height = this.#offset(count, open);
    this.#sizer.style.height = `${height}px`;
    const atEnd = Math.max(0, height - this.#view);
    const top = this.following ? atEnd : scroller.scrollTop;
    let first = 0;
    let last = count;
    if (open.length === 0) {
      first = Math.floor(top / this.#height);
      last = Math.ceil((top + this.#view) / this.#height);
    } else {
      const total = open.reduce((sum, [, extra]) => sum + extra, 0);
      first = Math.floor((top - total) / this.#height);
      while (first < count - 1 && this.#offset(first + 1, open) < top) first += 1;
      last = first;
      while (last < count && this.#offset(last, open) < top + this.#view) last += 1;
    }
    first = Math.max(0, first - overscan);
    last = Math.min(count, last + overscan);
    const wanted = new Set();
    for (let index = first; index < last; index += 1) wanted.add(this.#rows[index]);
    const focused = this.#rowOf(document.activeElement);
    for (const [row, element] of this.#visible) {
      if (wanted.has(row)) continue;
      const index = row === focused ? this.#rows.indexOf(row) : -1;
      if (index >= 0) {
        // The row with the focus stays in the document, at its place out of sight.
        element.style.transform = `translateY(${this.#offset(index, open)}px)`;
        continue;
      }
      this.#remove(row, element, focused);
    }
    if (this.#hasLostFocus || (!focused && !wanted.has(this.#active))) this.#active = this.#rows[first] ?? null;
    let before = null;
    let hasGrown = false;
    for (let index = first; index < last; index += 1) {
      const row = this.#rows[index];
      let element = this.#visible.get(row);
      if (!element) {
        element = this.#make(row);
        this.#visible.set(row, element);
        if (before) before.after(element); else this.#sizer.prepend(element);
        if (this.#expanded.has(row)) hasGrown = this.#measure(row, element) || hasGrown;
      }
      before = element;
      element.style.transform = `translateY(${this.#offset(index, open)}px)`;
      element.setAttribute("aria-posinset", index + 1);
      element.setAttribute("aria-setsize", count);
      element.firstElementChild.tabIndex = row === this.#active ? 0 : -1;
    }
    // The row with the focus is gone: the first one in sight gets it.
    if (this.#hasLostFocus && document.activeElement === document.body) {
      this.#visible.get(this.#active)?.firstElementChild.focus({ preventScroll: true });
    }
    this.#hasLostFocus = false;
    if (this.following && this.#scrolledTo !== atEnd) scroller.scrollTop = this.#scrolledTo = atEnd;
    if (hasGrown) this.update();
  };

  #make(row) {
    const isOpen = this.#expanded.has(row);
    const cells = this.#line(row);
    const element = make("div", {
      class: `row ${row.rating ?? "plain"}${row === this.#marked ? " marked" : ""}`,
      role: "listitem",
    });
    element.append(make(
      "button",
      {
        type: "button",
        class: "row-line",
        "aria-expanded": String(isOpen),
        tabindex: -1,
        on: { click: () => this.#toggle(row) },
      },
      cells,
    ));
    if (isOpen) element.append(make("div", { class: "row-details" }, this.#details(row)));
    element.row = row;
    return element;
  }

  #rowOf(node) {
    const element = node instanceof Element ? node.closest(".row") : null;
    return element && this.#sizer.contains(element) ? element.row : null;
  }

  /** Notes the height of an open row; true if it changed. */
  #measure(row, element) {
    const extra = Math.max(0, element.offsetHeight - this.#height);
    if (this.#expanded.get(row) === extra) return false;
    this.#expanded.set(row, extra);
    return true;
  }

  #toggle(row) {
    this.#setFollowing(false);
    const element = this.#visible.get(row);
    if (!element) return;
    const isOpen = this.#expanded.has(row);
    element.firstElementChild.setAttribute("aria-expanded", String(!isOpen));
    if (isOpen) {
      this.#expanded.delete(row);
      element.lastElementChild.remove();
    } else {
      element.append(make("div", { class: "row-details" }, this.#details(row)));
      this.#expanded.set(row, 0);
      this.#measure(row, element);
    }
    this.update();
  }

  #key(event) {
    if (!event.target.classList.contains("row-line")) return;
    const index = this.#rows.indexOf(this.#rowOf(event.target));
    if (index < 0) return;
    const page = Math.max(1, Math.floor(this.#scroller.clientHeight / this.#height) - 1);
    const target = {
      ArrowDown: index + 1,
      ArrowUp: index - 1,
      PageDown: index + page,
      PageUp: index - page,
      Home: 0,
      End: this.#rows.length - 1,
    }[event.key];
    if (target === undefined) {
      const isOpen = this.#expanded.has(this.#rows[index]);
      if ((event.key === "ArrowRight" && !isOpen) || (event.key === "ArrowLeft" && isOpen)) {
        this.#toggle(this.#rows[index]);
      }
      return;
    }
    event.preventDefault();
    const row = this.#rows[Math.min(this.#rows.length - 1, Math.max(0, target))];
    this.#active = row;
    this.reveal(row);
    beforeNextFrame(() => {
      // After the rendering of the list, which `reveal` has requested.
      requestAnimationFrame(() => this.#visible.get(row)?.firstElementChild.focus({ preventScroll: true }));
    });
  }
}

/** A text in the details of a row. It can scroll, so it can have the focus. */
export const textDetails = (text, label) => make(
  "pre",
  { tabindex: "0", role: "group", "aria-label": label },
  text.length <= longestText ? text : `${text.slice(0, longestText)}… (cut)`,
);

/** An event's JSON, as the details of its row. */
export const jsonDetails = (data) => textDetails(JSON.stringify(data, null, 2), "JSON of the event");
