/** The history of every order, list and trade, from the model's predictions alone. */
import type { ExpiryReason, OrderStatus } from "@pricetime/engine";
import type { Amended, Happening, Listed, Loss, Opened, Prevented, Traded, TradeSide } from "@pricetime/testkit/models";

export interface OrderRecord {
  readonly opened: Opened;
  /** An amendment may change it. */
  clientOrderId: string;
  status: OrderStatus;
  executed: bigint;
  executedQuote: bigint;
  isWorking: boolean;
  quantity: bigint;
  /** What self-trade prevention has taken. */
  prevented: bigint;
  expiryReason?: ExpiryReason;
  readonly amendments: Amended[];
  /** The prevented matches with the order as taker or maker. */
  readonly matches: Prevented[];
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

/** The orders that lost quantity to self-trade prevention, in the order of their reports. */
export function lossesOf({ taker, maker, otherLeg }: Prevented): Loss[] {
  return [taker, maker, ...(otherLeg === null ? [] : [otherLeg])].filter(({ lost }) => lost > 0n);
}

/** The status of an order that was placed, released by its list, or triggered. */
export function openedStatus({ isPending }: Pick<Opened, "isPending">): "NEW" | "PENDING_NEW" {
  return isPending ? "PENDING_NEW" : "NEW";
}

export class LedgerOfOrders {
  readonly orders = new Map<number, OrderRecord>();
  readonly fills: FillRecord[] = [];
  /** The last report of each list. */
  readonly lists = new Map<number, Listed>();
  /** Trades by symbol. */
  readonly trades = new Map<string, Traded[]>();

  follow(happened: readonly Happening[]): void {
    for (const happening of happened) {
      if (happening.kind === "opened") this.#open(happening);
      else if (happening.kind === "traded") this.#trade(happening);
      else if (happening.kind === "ended") {
        const record = this.orders.get(happening.orderId);
        const { status, expiryReason: why } = happening;
        if (record !== undefined) Object.assign(record, { status, ...(why !== "NONE" && { expiryReason: why }) });
      } else if (happening.kind === "amended") {
        const record = this.orders.get(happening.orderId);
        const { clientOrderId, quantity } = happening;
        if (record !== undefined) Object.assign(record, { clientOrderId, quantity });
        record?.amendments.push(happening);
      } else if (happening.kind === "prevented") {
        for (const { orderId, status, prevented } of lossesOf(happening)) {
          const record = this.orders.get(orderId);
          if (record !== undefined) Object.assign(record, { status, prevented });
        }
        for (const { orderId } of [happening.taker, happening.maker]) this.orders.get(orderId)?.matches.push(happening);
      } else if (happening.kind === "listed") this.lists.set(happening.orderListId, happening);
    }
  }

  #open(opened: Opened): void {
    const { orderId, clientOrderId, isWorking, quantity } = opened;
    const status = openedStatus(opened);
    const known = this.orders.get(orderId);
    if (known !== undefined) Object.assign(known, { status, isWorking, quantity });
    else {
      const none = { executed: 0n, executedQuote: 0n, prevented: 0n };
      const record = { opened, clientOrderId, status, isWorking, quantity, amendments: [], matches: [], ...none };
      this.orders.set(orderId, record);
    }
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
