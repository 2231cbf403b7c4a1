/** The histories that were asked for, by market: each goes on while the account is signed in. */
import type { Rest } from "../wire/rest.ts";
import type { SigningKey } from "../wire/signing.ts";
import { HistoryPages, ROWS_OF_A_PAGE } from "./history.ts";
import { type OrderAnswer, rowOfOrder } from "./order-rows.ts";
import { type FillAnswer, fillKey, fillOfAnswer } from "./own-fills.ts";
import type { Fill, OrderRow } from "./port.ts";

/** The history of a market looked at long ago is fetched anew. */
const MOST_MARKETS = 10;

export class HistoryBook {
  readonly #rest: Rest;
  readonly #key: SigningKey;
  readonly #orders = new Map<string, HistoryPages<OrderRow>>();
  readonly #fills = new Map<string, HistoryPages<Fill>>();

  constructor(rest: Rest, key: SigningKey) {
    this.#rest = rest;
    this.#key = key;
  }

  orders(symbol: string): HistoryPages<OrderRow> {
    return kept(this.#orders, symbol, () => this.#newOrders(symbol));
  }

  fills(symbol: string): HistoryPages<Fill> {
    return kept(this.#fills, symbol, () => this.#newFills(symbol));
  }

  order(row: OrderRow): void {
    this.#orders.get(row.symbol)?.put(row);
  }

  fill(fill: Fill): void {
    this.#fills.get(fill.symbol)?.put(fill);
  }

  async refresh(): Promise<void> {
    await Promise.all([...this.#orders.values(), ...this.#fills.values()].map((pages) => pages.refresh()));
  }

  #newOrders(symbol: string): HistoryPages<OrderRow> {
    return new HistoryPages<OrderRow>({
      fetch: async (untilMs) => (await this.#page<OrderAnswer>("/api/v3/allOrders", symbol, untilMs)).map(rowOfOrder),
      keyOf: ({ orderId }) => String(orderId),
      timeOf: ({ timeMs }) => timeMs,
      order: (one, other) => other.orderId - one.orderId,
    });
  }

  #newFills(symbol: string): HistoryPages<Fill> {
    return new HistoryPages<Fill>({
      fetch: async (untilMs) => (await this.#page<FillAnswer>("/api/v3/myTrades", symbol, untilMs)).map(fillOfAnswer),
      keyOf: fillKey,
      timeOf: ({ timeMs }) => timeMs,
      order: (one, other) => other.tradeId - one.tradeId || one.side.localeCompare(other.side),
    });
  }

  #page<Answer>(path: string, symbol: string, untilMs: number | null): Promise<readonly Answer[]> {
    const parameters = { symbol, limit: ROWS_OF_A_PAGE, endTime: untilMs ?? undefined };
    return this.#rest.signed<readonly Answer[]>("GET", path, this.#key, parameters);
  }
}

function kept<Value>(all: Map<string, Value>, symbol: string, make: () => Value): Value {
  const value = all.get(symbol) ?? make();
  all.delete(symbol);
  all.set(symbol, value);
  const [oldest] = all.keys();
  if (all.size > MOST_MARKETS && oldest !== undefined) all.delete(oldest);
  return value;
}
