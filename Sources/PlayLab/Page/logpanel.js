// A panel with a stream of rows: filters above, rows that open to their JSON, a note about dropped rows.

import { emptyNote, filterField, filterText, make } from "./dom.js";
import { plural } from "./format.js";
import { jsonDetails, RowList } from "./rowlist.js";
import { droppedText, firstFrom } from "./rows.js";

export class LogPanel {
  ad = null;
  list;
  #source;
  #choices;
  #empty;
  #note;
  #search;
  #select;
  #toEnd;
  #filtered = null;
  #seen = { total: 0, dropped: 0 };

  /**
   * `source(ad)` returns the rows with their count of dropped ones, `line(row)` the cells of a row, `details(row)` what
   * an open row shows. `choices` are the entries of the second filter: a name, a label, and which rows it keeps.
   */
  constructor(container, { label, source, line, details = (row) => jsonDetails(row.data), choices, empty }) {
    this.#source = source;
    this.#choices = choices;
    this.#search = filterField(`Filter ${label}`, () => this.#refilter());
    this.#select = make(
      "select",
      { "aria-label": `Which ${label}`, on: { change: () => this.#refilter() } },
      choices.map((choice) => make("option", { value: choice.name }, choice.label)),
    );
    this.#toEnd = make(
      "button",
      { type: "button", hidden: true, on: { click: () => this.list.follow() } },
      "To the end ↓",
    );
    this.#note = make("p", { class: "note", hidden: true });
    this.#empty = emptyNote(empty);
    const scroller = make("div", { class: "panel-scroll" });
    this.list = new RowList(scroller, {
      label,
      line,
      details,
      follows: true,
      onFollow: (following) => { this.#toEnd.hidden = following; },
    });
    container.append(
      make("div", { class: "panel-bar" }, this.#search, this.#select, this.#toEnd),
      this.#note,
      this.#empty,
      scroller,
    );
  }

  get #keeps() {
    const text = filterText(this.#search);
    const choice = this.#choices.find((each) => each.name === this.#select.value);
    if (!text && !choice?.keeps) return null;
    return (row) => (!choice?.keeps || choice.keeps(row)) && (!text || row.contains(text));
  }

  setAd(ad) {
    this.ad = ad;
    this.list.clear();
    this.#refilter();
  }

  /** Shows the rows that were added since the last call. */
  append() {
    const source = this.#source(this.ad);
    const count = Math.min(source.items.length, source.total - this.#seen.total);
    const isFiltered = this.#filtered !== null;
    if (isFiltered && count > 0) this.#filtered.push(...source.items.slice(-count).filter(this.#keeps));
    if (source.dropped > this.#seen.dropped) {
      let dropped = source.dropped - this.#seen.dropped;
      if (isFiltered) {
        const oldest = source.items[0].number;
        dropped = this.#filtered.findIndex((row) => row.number >= oldest);
        if (dropped < 0) dropped = this.#filtered.length;
        this.#filtered.splice(0, dropped);
      }
      this.list.dropped(dropped);
    }
    if (count === 0) return;
    this.#seen = { total: source.total, dropped: source.dropped };
    this.list.update();
    this.#describe();
  }

  #refilter() {
    if (!this.ad) {
      this.#filtered = null;
      this.list.rows = [];
    } else {
      const source = this.#source(this.ad);
      const keeps = this.#keeps;
      this.#filtered = keeps ? source.items.filter(keeps) : null;
      this.#seen = { total: source.total, dropped: source.dropped };
      this.list.rows = this.#filtered ?? source.items;
    }
    this.#describe();
  }

  #describe() {
    const source = this.ad ? this.#source(this.ad) : { items: [], dropped: 0 };
    const count = this.list.rows.length;
    const notes = [droppedText(source.dropped, "row")].filter(Boolean);
    if (this.#filtered && source.items.length > 0) {
      notes.push(
        count === 0
          ? "No row matches the filter."
          : `${plural(count, "row")} of ${source.items.length.toLocaleString("en")} shown.`,
      );
    }
    const text = notes.join(" ");
    if (this.#note.textContent !== text) this.#note.textContent = text;
    this.#note.hidden = text === "";
    this.#empty.hidden = source.items.length > 0;
  }

  /** Marks the last row up to a moment of the ad's time; null marks none. */
  markMoment(time) {
    if (time === null) {
      this.list.mark(null);
      return;
    }
    const { rows } = this.list;
    // Times are whole milliseconds.
    this.list.mark(rows[firstFrom(rows, Math.floor(time) + 1) - 1] ?? null, true);
  }
}
