/** A book kept from a depth stream by the published rule (Interface 10.4); any violation of the rule fails. */
import assert from "node:assert/strict";

export type WireLevel = readonly [price: string, quantity: string];

export interface DepthEvent {
  readonly U: number;
  readonly u: number;
  readonly b: readonly WireLevel[];
  readonly a: readonly WireLevel[];
}

export interface DepthSnapshot {
  readonly lastUpdateId: number;
  readonly bids: readonly WireLevel[];
  readonly asks: readonly WireLevel[];
}

const NOTHING = "0.00000000";

export class LocalBook {
  #snapshotId: number | undefined;
  #lastEvent: DepthEvent | undefined;
  readonly #waiting: DepthEvent[] = [];
  readonly #bids = new Map<string, string>();
  readonly #asks = new Map<string, string>();

  /** The update id of the book; -1 before there is a snapshot. */
  get updateId(): number {
    return Math.max(this.#snapshotId ?? -1, this.#snapshotId === undefined ? -1 : (this.#lastEvent?.u ?? -1));
  }

  /** Whether events wait for a snapshot. */
  get isWaiting(): boolean {
    return this.#waiting.length > 0;
  }

  /** Starts from a snapshot requested after the stream was opened. False: it is older than the stream; get another. */
  start(snapshot: DepthSnapshot): boolean {
    const [first] = this.#waiting;
    if (first !== undefined && snapshot.lastUpdateId < first.U - 1) return false;
    this.#snapshotId = snapshot.lastUpdateId;
    put(this.#bids, snapshot.bids);
    put(this.#asks, snapshot.asks);
    for (const event of this.#waiting.splice(0)) this.apply(event);
    return true;
  }

  apply(event: DepthEvent): void {
    assert.ok(event.U <= event.u, "an event spans at least one update");
    if (this.#snapshotId === undefined) {
      this.#waiting.push(event);
      return;
    }
    if (event.u <= this.#snapshotId) return;
    if (this.#lastEvent === undefined) {
      assert.ok(event.U <= this.#snapshotId + 1, `the first event begins at ${event.U}, after ${this.#snapshotId} + 1`);
    } else {
      assert.equal(event.U, this.#lastEvent.u + 1, "each event begins where the one before it ended");
    }
    this.#lastEvent = event;
    put(this.#bids, event.b);
    put(this.#asks, event.a);
  }

  bids(): WireLevel[] {
    return [...this.#bids].sort(([one], [other]) => Number(other) - Number(one));
  }
  asks(): WireLevel[] {
    return [...this.#asks].sort(([one], [other]) => Number(one) - Number(other));
  }
}

function put(side: Map<string, string>, levels: readonly WireLevel[]): void {
  for (const [price, quantity] of levels) {
    if (quantity === NOTHING) side.delete(price);
    else side.set(price, quantity);
  }
}
