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
import type { SavedOrder } from "./saved-order.ts";

/** What many orders have in common and share: of a symbol there are few different ones. */
export interface OrderTerms {
  readonly symbolId: number;
  readonly side: Side;
  readonly type: OrderType;
  readonly timeInForce: TimeInForce;
}

/** What a plain order, a LIMIT or LIMIT_MAKER of its own, does without. */
export interface OrderExtras {
  readonly stopTicks: number;
  readonly icebergLots: number;
  /** Units of the quote asset, for MARKET orders given by `quoteOrderQty`; else 0n. */
  readonly quoteOrderQty: bigint;
  readonly orderListId: number;
  isWorking: boolean;
  /** What an iceberg shows now; 0 of others. */
  sliceLots: number;
  /** What is still locked for this order: units of quote for a BUY, of base for a SELL. */
  locked: bigint;
}

/** What an order has traded. */
export interface Executed {
  lots: number;
  quote: bigint;
  commission: bigint;
}

/**
 * An open order at work. A book holds a million of them and most are plain and untouched, so what only some have is kept
 * apart: the record is 168 bytes with its time; with everything in it, it was 280. A class and no
 * literal: V8 pretenures literals that mostly stayed, quotes too, which can cost a fifth of the speed
 * of market making (bench/notes/engine.md).
 */
export class Order {
  readonly orderId: number;
  readonly terms: OrderTerms;
  /** Null of a plain order. */
  readonly extras: OrderExtras | null;
  readonly accountId: number;
  readonly clientOrderId: string;
  readonly priceTicks: number;
  readonly quantityLots: number;
  readonly timeMs: number;
  status: OrderStatus = "NEW";
  /** Null: as it was created. */
  private changedMs: number | null = null;
  /** Null: nothing yet. */
  private executed: Executed | null = null;
  /** Links of the book that holds the order; nobody else's business. */
  previous: Order | null = null;
  next: Order | null = null;
  level: object | null = null;
  /** Of the `AccountBook`, in the same way. */
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

  /** As it is now. */
  record(): OrderRecord {
    const { terms, extras, executed } = this;
    return {
      orderId: this.orderId,
      accountId: this.accountId,
      symbolId: terms.symbolId,
      clientOrderId: this.clientOrderId,
      side: terms.side,
      type: terms.type,
      timeInForce: terms.timeInForce,
      priceTicks: this.priceTicks,
      quantityLots: this.quantityLots,
      stopTicks: extras === null ? 0 : extras.stopTicks,
      icebergLots: extras === null ? 0 : extras.icebergLots,
      quoteOrderQty: extras === null ? 0n : extras.quoteOrderQty,
      orderListId: extras === null ? NO_ORDER_LIST : extras.orderListId,
      timeMs: this.timeMs,
      status: this.status,
      isWorking: extras === null || extras.isWorking,
      executedLots: executed === null ? 0 : executed.lots,
      executedQuote: executed === null ? 0n : executed.quote,
      commission: executed === null ? 0n : executed.commission,
      updateTimeMs: this.changedMs ?? this.timeMs,
    };
  }

  get leftLots(): number {
    return this.executed === null ? this.quantityLots : this.quantityLots - this.executed.lots;
  }
  /** Lots that the book shows now: the current slice of an iceberg, else all that is left. */
  get visibleLots(): number {
    const { extras } = this;
    return extras === null || extras.icebergLots === 0 ? this.leftLots : extras.sliceLots;
  }
  get hiddenLots(): number {
    const { extras } = this;
    return extras === null || extras.icebergLots === 0 ? 0 : this.leftLots - extras.sliceLots;
  }

  /** Sets what an iceberg shows; others show all that is left. */
  show(lots: number): void {
    const { extras } = this;
    if (extras !== null && extras.icebergLots > 0) extras.sliceLots = lots;
  }

  /** Counts a trade in; the status becomes what it makes of it. */
  execute(lots: number, quote: bigint, nowMs: number): void {
    this.executed ??= { lots: 0, quote: 0n, commission: 0n };
    this.executed.lots += lots;
    this.executed.quote += quote;
    this.change(this.executed.lots === this.quantityLots ? "FILLED" : "PARTIALLY_FILLED", nowMs);
  }

  /** Of what it has traded. */
  charge(commission: bigint): void {
    present(this.executed, "what has not traded pays no commission").commission += commission;
  }

  change(status: OrderStatus, nowMs: number): void {
    this.status = status;
    this.changedMs = nowMs;
  }

  /** As a snapshot has it. `locked`: what is locked for it. */
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

/** What an order keeps that is not plain; null of a plain one. `asked`: of its command, or of its snapshot. */
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

/** Of an order that is not plain. */
export function extrasOf(order: Order): OrderExtras {
  return present(order.extras, "a plain order has no extras");
}

/** A stop that is a MARKET order to buy once it runs: what it will cost is not known before. */
export function buysAtAnyPrice({ side, type }: Pick<Order, "side" | "type">): boolean {
  return side === "BUY" && (type === "STOP_LOSS" || type === "TAKE_PROFIT");
}
