/** An order as it was when an event or a view told of it. */
import type { OrderRecord } from "../../entry/order-record.ts";
import type { OrderStatus, OrderType, Side, TimeInForce } from "../../entry/order-words.ts";
import type { Executed } from "./order-parts.ts";
import type { Order } from "./order.ts";

/**
 * A value: copies of what changes in an order, and the order itself for what never does. One is made with every event of
 * an order, and each byte counts: with all fields copied, market making took 3 % more time. `declare`: no field is
 * written twice.
 */
export class OrderAsTold implements OrderRecord {
  declare readonly status: OrderStatus;
  declare readonly isWorking: boolean;
  declare private readonly order: Order;
  declare private readonly executed: Executed | null;
  declare private readonly changedMs: number | null;

  constructor(order: Order, executed: Executed | null, changedMs: number | null) {
    this.order = order;
    this.status = order.status;
    this.isWorking = order.isWorking;
    this.executed = executed;
    this.changedMs = changedMs;
  }

  get orderId(): number {
    return this.order.orderId;
  }
  get accountId(): number {
    return this.order.accountId;
  }
  get clientOrderId(): string {
    return this.order.clientOrderId;
  }
  get priceTicks(): number {
    return this.order.priceTicks;
  }
  get quantityLots(): number {
    return this.order.quantityLots;
  }
  get timeMs(): number {
    return this.order.timeMs;
  }
  get symbolId(): number {
    return this.order.symbolId;
  }
  get side(): Side {
    return this.order.side;
  }
  get type(): OrderType {
    return this.order.type;
  }
  get timeInForce(): TimeInForce {
    return this.order.timeInForce;
  }
  get stopTicks(): number {
    return this.order.stopTicks;
  }
  get icebergLots(): number {
    return this.order.icebergLots;
  }
  get quoteOrderQty(): bigint {
    return this.order.quoteOrderQty;
  }
  get orderListId(): number {
    return this.order.orderListId;
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
    return this.changedMs ?? this.order.timeMs;
  }
}
