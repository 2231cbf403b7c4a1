/** The order: one mutable record per open order, owned by the engine. Interface 2.1, 2.2. */
import { present } from "../../assert.ts";
import {
  NO_ORDER_LIST,
  type OrderStatus,
  type OrderType,
  type Side,
  type TimeInForce,
} from "../../entry/order-words.ts";
import type { OrderRecord } from "../../entry/order-record.ts";
import { OrderAsTold } from "./order-as-told.ts";
import type { Executed, OrderExtras, OrderTerms } from "./order-parts.ts";
import type { SavedOrder } from "./saved-order.ts";

// The order itself.

/**
 * An open order at work. A book holds a million of them and most are plain and untouched, so fields that only some need
 * are kept apart: the record is 168 bytes with its time; with every field in it, it was 280. A class and not a literal:
 * V8 pretenures literals that mostly survived, quotes too, which can cost a fifth of the speed of market making
 * (bench/notes/engine.md).
 */
export class Order implements OrderRecord {
  readonly orderId: number;
  readonly terms: OrderTerms;
  /** Null for a plain order. */
  readonly extras: OrderExtras | null;
  readonly accountId: number;
  readonly clientOrderId: string;
  readonly priceTicks: number;
  readonly quantityLots: number;
  readonly timeMs: number;
  status: OrderStatus = "NEW";
  /** Null: unchanged since it was created. */
  private changedMs: number | null = null;
  /** Null: nothing executed yet. */
  private executed: Executed | null = null;
  /** Links for the book that holds the order; private to the book. */
  previous: Order | null = null;
  next: Order | null = null;
  level: object | null = null;
  /** Hash and link for the `AccountBook`; private to it. */
  clientIdHash = 0;
  nextOfAccount: Order | null = null;

  constructor(
    orderId: number,
    terms: OrderTerms,
    extras: OrderExtras | null,
    placed: { readonly accountId: number; readonly clientOrderId: string; readonly priceTicks: number },
    quantityLots: number,
    timeMs: number,
  ) {
    this.orderId = orderId;
    this.terms = terms;
    this.extras = extras;
    this.accountId = placed.accountId;
    this.clientOrderId = placed.clientOrderId;
    this.priceTicks = placed.priceTicks;
    this.quantityLots = quantityLots;
    this.timeMs = timeMs;
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

  get updateTimeMs(): number {
    return this.changedMs ?? this.timeMs;
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

  /** The order as it is now. An order that has ended is its own record: nothing changes it any more. */
  record(): OrderRecord {
    const { status } = this;
    if (status !== "NEW" && status !== "PARTIALLY_FILLED") return this;
    return new OrderAsTold(this, this.executed, this.changedMs);
  }

  get leftLots(): number {
    return this.executed === null ? this.quantityLots : this.quantityLots - this.executed.lots;
  }
  /** Visible lots: the current slice of an iceberg, else all that is left. */
  get visibleLots(): number {
    const { extras } = this;
    return extras === null || extras.icebergLots === 0 ? this.leftLots : extras.sliceLots;
  }
  get hiddenLots(): number {
    const { extras } = this;
    return extras === null || extras.icebergLots === 0 ? 0 : this.leftLots - extras.sliceLots;
  }

  /** Sets the visible slice of an iceberg; other orders show all that is left. */
  show(lots: number): void {
    const { extras } = this;
    if (extras !== null && extras.icebergLots > 0) extras.sliceLots = lots;
  }

  /** Counts a fill in; the status becomes what it makes of it. */
  execute(fill: Executed, nowMs: number): void {
    const executed = this.executed === null ? fill : sum(this.executed, fill);
    this.executed = executed;
    this.change(executed.lots === this.quantityLots ? "FILLED" : "PARTIALLY_FILLED", nowMs);
  }

  /** The order has traded all that the book held, which is less than it asked for. */
  leaveUnfilled(): void {
    this.status = "PARTIALLY_FILLED";
  }

  change(status: OrderStatus, nowMs: number): void {
    this.status = status;
    this.changedMs = nowMs;
  }

  /**
   * A copy that stays, and with it the hidden class of the copies. V8 drops a hidden class that no object has when it
   * collects everything, and all compiled code that has met it: the engine then ran at half its speed for 100,000 commands.
   */
  static readonly staying: OrderRecord = new Order(
    0,
    { symbolId: 0, side: "BUY", type: "LIMIT", timeInForce: "GTC" },
    null,
    { accountId: 0, clientOrderId: "", priceTicks: 0 },
    0,
    0,
  ).record();

  /** Restores an order from a snapshot. `locked` is the amount locked for it. */
  static restored(orderId: number, saved: SavedOrder, terms: OrderTerms, locked: bigint): Order {
    const { type, orderListId, isWorking, icebergLots, visibleLots } = saved;
    const extras = extrasFor(type, saved, orderListId, isWorking, icebergLots > 0 ? visibleLots : 0, locked);
    const order = new Order(orderId, terms, extras, saved, saved.quantityLots, saved.timeMs);
    order.status = saved.status;
    if (saved.updateTimeMs !== saved.timeMs) order.changedMs = saved.updateTimeMs;
    if (saved.executedLots > 0) {
      order.executed = { lots: saved.executedLots, quote: saved.executedQuote, commission: saved.commission };
    }
    return order;
  }
}

function sum(a: Executed, b: Executed): Executed {
  return { lots: a.lots + b.lots, quote: a.quote + b.quote, commission: a.commission + b.commission };
}

/** Makes what an order keeps when it is not plain; null for a plain one. `asked` comes from its command or its snapshot. */
export function extrasFor(
  type: OrderType,
  { stopTicks, icebergLots, quoteOrderQty }: Pick<OrderExtras, "stopTicks" | "icebergLots" | "quoteOrderQty">,
  orderListId: number,
  isWorking: boolean,
  sliceLots: number,
  locked: bigint,
): OrderExtras | null {
  const mayBePlain = (type === "LIMIT" || type === "LIMIT_MAKER") && orderListId === NO_ORDER_LIST;
  if (mayBePlain && stopTicks === 0 && icebergLots === 0 && quoteOrderQty === 0n) return null;
  return { stopTicks, icebergLots, quoteOrderQty, orderListId, isWorking, sliceLots, locked };
}

/** The extras of an order that is not plain. */
export function extrasOf(order: Order): OrderExtras {
  return present(order.extras, "a plain order has no extras");
}

/** Whether the order is a stop that becomes a MARKET order to buy: its cost is not known before it runs. */
export function buysAtAnyPrice({ side, type }: Pick<Order, "side" | "type">): boolean {
  return side === "BUY" && (type === "STOP_LOSS" || type === "TAKE_PROFIT");
}
