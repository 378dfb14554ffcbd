// The pictures of an ad: one request at a time, and at most one picture that waits to be drawn.

import { adAddress, request } from "./api.js";

export class PictureStream {
  #id;
  #draw;
  #over;
  #number = 0;
  #abort = null;
  #isOver = false;
  #waiting = null;

  /** `draw(bitmap, milliseconds)` is called before a frame of this page; `over()` after the ad's last picture. */
  constructor(id, draw, over) {
    this.#id = id;
    this.#draw = draw;
    this.#over = over;
  }

  start() {
    if (this.#isOver || this.#abort) return;
    this.#abort = new AbortController();
    this.#poll(this.#abort.signal);
  }

  pause() {
    this.#abort?.abort();
    this.#abort = null;
  }

  stop() {
    this.#isOver = true;
    this.pause();
    this.#waiting?.bitmap.close();
    this.#waiting = null;
  }

  async #poll(signal) {
    let failures = 0;
    while (!signal.aborted && !this.#isOver) {
      try {
        const response = await request(adAddress(this.#id, "frame", { after: this.#number }), { signal });
        failures = 0;
        if (response.status === 410 || response.status === 404 || response.status === 403) {
          this.#isOver = true;
          this.#over();
          return;
        }
        if (response.status === 204) continue;
        if (!response.ok) throw new Error(`the lab answered ${response.status}`);
        const number = Number(response.headers.get("x-frame"));
        const time = Number(response.headers.get("x-time"));
        const bitmap = await createImageBitmap(await response.blob());
        if (signal.aborted || this.#isOver) {
          bitmap.close();
          return;
        }
        this.#number = Math.max(this.#number, number);
        await this.#show(bitmap, time);
      } catch {
        if (signal.aborted) return;
        failures += 1;
        await new Promise((resolve) => setTimeout(resolve, Math.min(15000, 250 * 2 ** failures)));
      }
    }
  }

  /** Keeps the newest picture for the next frame. It waits only if one waits already; the next is fetched meanwhile. */
  async #show(bitmap, time) {
    if (this.#waiting) await this.#waiting.drawn;
    const waiting = { bitmap };
    waiting.drawn = new Promise((resolve) => {
      requestAnimationFrame(() => {
        if (this.#waiting === waiting) this.#waiting = null;
        if (this.#isOver && !this.#abort) bitmap.close();
        else this.#draw(bitmap, time);
        resolve();
      });
    });
    this.#waiting = waiting;
  }
}

/** Fetches a picture that was kept. */
export async function keptPicture(id, number) {
  const response = await request(adAddress(id, "frame", { n: number }));
  if (!response.ok) throw new Error(`the lab answered ${response.status}`);
  return createImageBitmap(await response.blob());
}
