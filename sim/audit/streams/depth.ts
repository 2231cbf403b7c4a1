/**
 * `@depth`: a book maintained as in Interface 10.4, from a snapshot and the later changes. After each change it must
 * equal the exchange's own book at that time.
 */
import type { ModelMarket } from "@pricetime/testkit/models";
import { shown } from "../state.ts";
import type { Fail, Json, Listener } from "./listener.ts";

type Level = readonly [price: string, quantity: string];

export class DepthListener implements Listener {
  readonly #market: ModelMarket;
  readonly #fail: Fail;
  readonly #bids = new Map<string, string>();
  readonly #asks = new Map<string, string>();
  /** Undefined until there is a snapshot. */
  #updateId: number | undefined;
  #isFollowing = false;
  readonly #early: Json[] = [];
  #lastSeen = 0;

  constructor(market: ModelMarket, fail: Fail) {
    this.#market = market;
    this.#fail = (what) => fail(`depth of ${market.spec.symbol}: ${what}`);
  }

  /** The response of `GET depth`. */
  snapshot({ lastUpdateId, bids, asks }: Json): void {
    this.#updateId = lastUpdateId;
    this.#set(this.#bids, bids);
    this.#set(this.#asks, asks);
    for (const message of this.#early.splice(0)) if (message.u > lastUpdateId) this.#apply(message);
  }

  message(message: Json): void {
    if (message.e !== "depthUpdate" || message.u < message.U) this.#fail(`no update: ${JSON.stringify(message)}`);
    if (this.#lastSeen > 0 && message.U !== this.#lastSeen + 1) {
      this.#fail(`a gap: ${message.U} follows ${this.#lastSeen}`);
    }
    this.#lastSeen = message.u;
    if (this.#updateId === undefined) this.#early.push(message);
    else if (message.u > this.#updateId) {
      this.#apply(message);
      this.#compare();
    }
  }

  quiet(): void {
    if (this.#updateId !== undefined) this.#compare();
  }

  #apply({ U, u, b, a }: Json): void {
    const next = (this.#updateId as number) + 1;
    if (this.#isFollowing ? U !== next : U > next) this.#fail(`the update ${U} to ${u} does not follow ${next - 1}`);
    this.#isFollowing = true;
    this.#updateId = u;
    this.#set(this.#bids, b);
    this.#set(this.#asks, a);
  }

  #set(side: Map<string, string>, levels: readonly Level[]): void {
    for (const [price, quantity] of levels) {
      if (Number(quantity) === 0) side.delete(price);
      else side.set(price, quantity);
    }
  }

  #compare(): void {
    for (const [side, levels] of [
      ["BUY", this.#bids],
      ["SELL", this.#asks],
    ] as const) {
      const must = shown(this.#market, side).map(String).toSorted().join(" ");
      const is = [...levels].map(String).toSorted().join(" ");
      if (must !== is) this.#fail(`the ${side} side must be\n    ${must}\n  and is\n    ${is}`);
    }
  }
}
