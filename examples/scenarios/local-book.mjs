// A local order book: a snapshot and all changes since. The update ids show when a change is missing; the book is then
// invalid until the next snapshot.

export class LocalBook {
  #bids = new Map();
  #asks = new Map();
  /** Id of the last applied update; undefined: a snapshot is needed. */
  #lastId;
  /** Changes that arrived before their snapshot. */
  #waiting = [];
  /** Number of gaps found. */
  holes = 0;

  /** Whether the book is valid. */
  get isWhole() {
    return this.#lastId !== undefined;
  }

  /** The best prices; undefined for an empty side. */
  get best() {
    return { bid: extreme(this.#bids, Math.max), ask: extreme(this.#asks, Math.min) };
  }

  /** Applies an event of the depth stream. Returns false if an event before it is missing; it then waits for the next snapshot. */
  change(event) {
    const { U: firstId, u: lastId, b: bids, a: asks } = event;
    if (this.#lastId === undefined) {
      this.#waiting.push(event);
      return true;
    }
    // Received twice, or included in the snapshot.
    if (lastId <= this.#lastId) return true;
    if (firstId > this.#lastId + 1) {
      this.forget();
      this.#waiting.push(event);
      this.holes++;
      return false;
    }
    put(this.#bids, bids);
    put(this.#asks, asks);
    this.#lastId = lastId;
    return true;
  }

  /** Applies an answer of /api/v3/depth that is newer than the book. Returns false if a change after it is missing. */
  snapshot({ lastUpdateId, bids, asks }) {
    const waiting = this.#waiting;
    this.forget();
    put(this.#bids, bids);
    put(this.#asks, asks);
    this.#lastId = lastUpdateId;
    for (const event of waiting) this.change(event);
    return this.isWhole;
  }

  /** Discards the book, for example after the stream has closed. */
  forget() {
    this.#bids = new Map();
    this.#asks = new Map();
    this.#lastId = undefined;
    this.#waiting = [];
  }
}

function put(side, levels) {
  for (const [price, quantity] of levels) {
    if (Number(quantity) === 0) side.delete(Number(price));
    else side.set(Number(price), Number(quantity));
  }
}

function extreme(side, pick) {
  let best;
  for (const price of side.keys()) best = best === undefined ? price : pick(best, price);
  return best;
}
