/** An order as it was when an event or a view told of it. */
import type { OrderRecord } from "../../entry/order-record.ts";
import {
  NO_ORDER_LIST,
  type OrderStatus,
  type OrderType,
  type Side,
  type TimeInForce,
} from "../../entry/order-words.ts";
import type { Executed, OrderExtras, OrderTerms } from "./order-parts.ts";

/** What an order that is not plain has beside, as of now. */
type ExtrasAsTold = Readonly<Omit<OrderExtras, "sliceLots" | "locked">>;

interface OrderNow
  extends Pick<
    OrderRecord,
    "orderId" | "accountId" | "clientOrderId" | "priceTicks" | "quantityLots" | "timeMs" | "status"
  > {
  readonly terms: OrderTerms;
  readonly extras: OrderExtras | null;
}

/**
 * A value: it has nothing of the order but what never changes, and copies of the rest. One is made with every event of
 * an order, so it is as small as the order: what plain and untouched ones do without is left out, and read through
 * accessors. `declare`: no field is written twice.
 */
export class OrderAsTold implements OrderRecord {
  declare readonly orderId: number;
  declare readonly accountId: number;
  declare readonly clientOrderId: string;
  declare readonly priceTicks: number;
  declare readonly quantityLots: number;
  declare readonly timeMs: number;
  declare readonly status: OrderStatus;
  declare readonly terms: OrderTerms;
  declare readonly extras: ExtrasAsTold | null;
  declare readonly executed: Executed | null;
  declare readonly changedMs: number | null;

  constructor(order: OrderNow, executed: Executed | null, changedMs: number | null) {
    this.orderId = order.orderId;
    this.accountId = order.accountId;
    this.clientOrderId = order.clientOrderId;
    this.priceTicks = order.priceTicks;
    this.quantityLots = order.quantityLots;
    this.timeMs = order.timeMs;
    this.status = order.status;
    this.terms = order.terms;
    this.extras = order.extras === null ? null : extrasAsTold(order.extras);
    this.executed = executed;
    this.changedMs = changedMs;
  }

  get symbolId(): number {
    return this.terms.symbolId;
  }
  get side(): Side {
    return this.terms.side;
  }
  get type(): OrderType {
    return this.terms.type;
  }
  get timeInForce(): TimeInForce {
    return this.terms.timeInForce;
  }
  get stopTicks(): number {
    return this.extras === null ? 0 : this.extras.stopTicks;
  }
  get icebergLots(): number {
    return this.extras === null ? 0 : this.extras.icebergLots;
  }
  get quoteOrderQty(): bigint {
    return this.extras === null ? 0n : this.extras.quoteOrderQty;
  }
  get orderListId(): number {
    return this.extras === null ? NO_ORDER_LIST : this.extras.orderListId;
  }
  get isWorking(): boolean {
    return this.extras === null || this.extras.isWorking;
  }
  get executedLots(): number {
    return this.executed === null ? 0 : this.executed.lots;
  }
  get executedQuote(): bigint {
    return this.executed === null ? 0n : this.executed.quote;
  }
  get commission(): bigint {
    return this.executed === null ? 0n : this.executed.commission;
  }
  get updateTimeMs(): number {
    return this.changedMs ?? this.timeMs;
  }
}

function extrasAsTold({ stopTicks, icebergLots, quoteOrderQty, orderListId, isWorking }: OrderExtras): ExtrasAsTold {
  return { stopTicks, icebergLots, quoteOrderQty, orderListId, isWorking };
}
