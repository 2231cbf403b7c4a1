// The book of a symbol as a client keeps it: a snapshot, and all changes since. Their numbers show where one is missing;
// then what is kept here is no book any more, until the next snapshot.

export class LocalBook {
  #bids = new Map();
  #asks = new Map();
  /** The number of the last change that is in it; undefined: a snapshot is needed. */
  #lastId;
  /** Changes that came before their snapshot. */
  #waiting = [];
  /** How often a change was missing. */
  holes = 0;

  /** Whether it is the exchange's book. */
  get isWhole() {
    return this.#lastId !== undefined;
  }

  /** The best prices; undefined on a side where there is none. */
  get best() {
    return { bid: extreme(this.#bids, Math.max), ask: extreme(this.#asks, Math.min) };
  }

  /** An event of the depth stream. False: one before it is missing, and this one waits for the next snapshot. */
  change(event) {
    const { U: firstId, u: lastId, b: bids, a: asks } = event;
    if (this.#lastId === undefined) {
      this.#waiting.push(event);
      return true;
    }
    // It came twice, or the snapshot had it.
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

  /** An answer of /api/v3/depth, which is newer than all that was there. False: a change after it is missing. */
  snapshot({ lastUpdateId, bids, asks }) {
    const waiting = this.#waiting;
    this.forget();
    put(this.#bids, bids);
    put(this.#asks, asks);
    this.#lastId = lastUpdateId;
    for (const event of waiting) this.change(event);
    return this.isWhole;
  }

  /** The stream has ended, or nothing is known for another reason. */
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
