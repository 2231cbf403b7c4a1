/** The history of every order, list and trade, from the model's predictions alone. */
import type { OrderStatus } from "@pricetime/engine";
import type { Happening, Opened, Traded, TradeSide } from "@pricetime/testkit/models";

export interface OrderRecord {
  readonly opened: Opened;
  status: OrderStatus;
  executed: bigint;
  executedQuote: bigint;
  isWorking: boolean;
}

/** One side of a trade, from the view of its account. */
export interface FillRecord {
  readonly symbol: string;
  readonly accountId: number;
  readonly orderId: number;
  readonly isMaker: boolean;
  readonly trade: Traded;
  readonly side: TradeSide;
}

export class LedgerOfOrders {
  readonly orders = new Map<number, OrderRecord>();
  readonly fills: FillRecord[] = [];
  /** Trades by symbol. */
  readonly trades = new Map<string, Traded[]>();

  follow(happened: readonly Happening[]): void {
    for (const happening of happened) {
      if (happening.kind === "opened") this.#open(happening);
      else if (happening.kind === "traded") this.#trade(happening);
      else if (happening.kind === "ended") {
        const record = this.orders.get(happening.orderId);
        if (record !== undefined) record.status = happening.status;
      }
    }
  }

  #open(opened: Opened): void {
    const { orderId, isWorking } = opened;
    const known = this.orders.get(orderId);
    if (known !== undefined) known.isWorking = isWorking;
    else this.orders.set(orderId, { opened, status: "NEW", executed: 0n, executedQuote: 0n, isWorking });
  }

  #trade(trade: Traded): void {
    this.trades.set(trade.symbol, [...(this.trades.get(trade.symbol) ?? []), trade]);
    for (const side of [trade.taker, trade.maker]) {
      const record = this.orders.get(side.orderId);
      if (record === undefined) continue;
      record.status = side.status;
      record.executed = side.executed;
      record.executedQuote = side.executedQuote;
      const { accountId, symbol } = record.opened;
      this.fills.push({ symbol, accountId, orderId: side.orderId, isMaker: side === trade.maker, trade, side });
    }
  }
}
