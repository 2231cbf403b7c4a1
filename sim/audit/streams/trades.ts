/** `@trade` and `@aggTrade`: each match, and each taker order and price, once and in order. */
import type { Traded } from "@pricetime/testkit/models";
import { wire } from "../amounts.ts";
import type { AuditedEntry } from "../entry.ts";
import { Expected, type Fail, type Json, type Listener } from "./listener.ts";

function tradesOn(symbol: string, { happened }: AuditedEntry): readonly Traded[] {
  return happened.filter((each): each is Traded => each.kind === "traded" && each.symbol === symbol);
}

export class TradeListener implements Listener {
  readonly #symbol: string;
  readonly #expected: Expected;
  readonly #showsOrders: boolean;

  /** `showsOrders`: whether the messages contain the ids of both orders, which those of today's interface do not. */
  constructor(symbol: string, showsOrders: boolean, fail: Fail) {
    this.#symbol = symbol;
    this.#showsOrders = showsOrders;
    this.#expected = new Expected(`trades of ${symbol}`, fail);
  }

  entry(entry: AuditedEntry): void {
    for (const { tradeId, price, quantity, takerSide, taker, maker } of tradesOn(this.#symbol, entry)) {
      const [buyer, seller] = takerSide === "BUY" ? [taker, maker] : [maker, taker];
      const what = { e: "trade", s: this.#symbol, t: tradeId, p: wire(price), q: wire(quantity) };
      const ids = this.#showsOrders ? { b: buyer.orderId, a: seller.orderId } : { b: undefined, a: undefined };
      this.#expected.add({ ...what, ...ids, T: entry.timeMs, m: takerSide === "SELL" });
    }
  }

  message(message: Json): void {
    this.#expected.came(message);
  }

  quiet(): void {
    this.#expected.quiet();
  }
}

export class AggTradeListener implements Listener {
  readonly #symbol: string;
  readonly #expected: Expected;

  constructor(symbol: string, fail: Fail) {
    this.#symbol = symbol;
    this.#expected = new Expected(`aggregate trades of ${symbol}`, fail);
  }

  entry(entry: AuditedEntry): void {
    const byId = Map.groupBy(tradesOn(this.#symbol, entry), ({ aggTradeId }) => aggTradeId);
    for (const [aggTradeId, trades] of byId) {
      const [first, last] = [trades[0] as Traded, trades.at(-1) as Traded];
      const quantity = trades.reduce((sum, trade) => sum + trade.quantity, 0n);
      const what = { e: "aggTrade", s: this.#symbol, a: aggTradeId, p: wire(first.price), q: wire(quantity) };
      const ids = { f: first.tradeId, l: last.tradeId };
      this.#expected.add({ ...what, ...ids, T: entry.timeMs, m: first.takerSide === "SELL" });
    }
  }

  message(message: Json): void {
    this.#expected.came(message);
  }

  quiet(): void {
    this.#expected.quiet();
  }
}
