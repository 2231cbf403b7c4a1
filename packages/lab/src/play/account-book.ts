/** The state of one account in a scenario, as the lab's watch has reported it. */
import type { WatchRecord } from "@pricetime/server/scenarios";
import { amountOf } from "./amounts.ts";

type Of<Kind extends WatchRecord["kind"]> = Extract<WatchRecord, { readonly kind: Kind }>;
export type OrderRecord = Of<"order">;
export type FillRecord = Of<"fill">;
export type RefusalRecord = Of<"refused">;

interface SeenOrder {
  readonly symbol: string;
  readonly side: string;
  /** All statuses that the order has had. */
  readonly statuses: Set<string>;
}

/** Which orders are counted. */
export interface OrderChoice {
  readonly symbol?: string;
  readonly side?: string;
  readonly status: string;
}

export class AccountBook {
  readonly name: string;
  /** Free and locked, by asset. */
  readonly balances = new Map<string, bigint>();
  /** Bought less sold and paid in commission, by asset. */
  readonly positions = new Map<string, bigint>();
  readonly fills: FillRecord[] = [];
  readonly refusals: RefusalRecord[] = [];
  #openOrders: Readonly<Record<string, number>> = {};
  readonly #orders = new Map<string, SeenOrder>();

  constructor(name: string) {
    this.name = name;
  }

  take(record: WatchRecord): void {
    switch (record.kind) {
      case "balance":
        this.balances.set(record.asset, amountOf(record.free) + amountOf(record.locked));
        break;
      case "openOrders":
        this.#openOrders = record.count;
        break;
      case "order":
        this.#order(record);
        break;
      case "fill":
        this.#fill(record);
        break;
      case "refused":
        this.refusals.push(record);
        break;
      default:
    }
  }

  openOrders(symbol?: string): number {
    if (symbol !== undefined) return this.#openOrders[symbol] ?? 0;
    return Object.values(this.#openOrders).reduce((sum, count) => sum + count, 0);
  }

  countOrders({ symbol, side, status }: OrderChoice): number {
    const isWanted = (order: SeenOrder): boolean =>
      order.statuses.has(status) &&
      (symbol === undefined || order.symbol === symbol) &&
      (side === undefined || order.side === side);
    return [...this.#orders.values()].filter(isWanted).length;
  }

  #order({ symbol, orderId, side, status }: OrderRecord): void {
    const key = `${symbol} ${orderId}`;
    // Whatever its status now, the order was new at first.
    const order = this.#orders.get(key) ?? { symbol, side, statuses: new Set(["NEW"]) };
    order.statuses.add(status);
    this.#orders.set(key, order);
  }

  #fill(fill: FillRecord): void {
    this.fills.push(fill);
    const [base, quote] = [baseOf(fill), quoteOf(fill)];
    this.#move(base.asset, base.amount);
    this.#move(quote.asset, quote.amount);
    this.#move(fill.commissionAsset, -amountOf(fill.commission));
  }

  #move(asset: string, amount: bigint): void {
    this.positions.set(asset, (this.positions.get(asset) ?? 0n) + amount);
  }
}

interface Moved {
  readonly asset: string;
  readonly amount: bigint;
}

const sign = ({ side }: FillRecord): bigint => (side === "BUY" ? 1n : -1n);
const baseOf = (fill: FillRecord): Moved => ({ asset: fill.baseAsset, amount: sign(fill) * amountOf(fill.quantity) });
const quoteOf = (fill: FillRecord): Moved => ({ asset: fill.quoteAsset, amount: -sign(fill) * amountOf(fill.quote) });
