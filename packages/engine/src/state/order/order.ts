/** The order: one mutable record per open order, owned by the engine. Interface 2.1, 2.2. */
import {
  type ExpiryReason,
  NO_ORDER_LIST,
  NO_PREVENTED_MATCH,
  NO_STRATEGY,
  type OrderRecord,
  type OrderStatus,
  type OrderType,
  type PegPriceType,
  type SelfTradePreventionMode,
  type Side,
  type TimeInForce,
} from "../../entry/order-record.ts";
import { present } from "../../assert.ts";
import { type Trailing, waitingTrail } from "./trailing.ts";
import type { Pegging } from "./pegging.ts";
import {
  type LaterFields,
  laterFieldsOf,
  NOTHING_LATER,
  restoredPeg,
  restoredTrailing,
  type SavedOrder,
} from "./saved-order.ts";
import { type Executed, NOTHING_EXECUTED, OrderCopy, PeggedCopy, TrailingCopy } from "./order-copy.ts";

/**
 * Fields that have the same values in many orders. These orders share one object, because a symbol has few
 * combinations.
 */
export interface OrderTerms {
  readonly symbolId: number;
  readonly side: Side;
  readonly type: OrderType;
  readonly timeInForce: TimeInForce;
  readonly selfTradePrevention: SelfTradePreventionMode;
  /** Known only when the order expires: it then gets other terms. */
  readonly expiryReason: ExpiryReason;
}

/** Fields that a plain order (a LIMIT or LIMIT_MAKER without a list) does not need. */
export interface OrderExtras {
  readonly stopTicks: number;
  readonly icebergLots: number;
  /** Units of the quote asset, for MARKET orders given by `quoteOrderQty`; otherwise 0n. */
  readonly quoteOrderQty: bigint;
  readonly orderListId: number;
  readonly strategyId: number;
  readonly strategyType: number;
  /** How many times the quantity was amended. */
  readonly amendCount: number;
  /** Null for an order that is no trailing stop. */
  readonly trailing: Trailing | null;
  /** Null for an order that is not pegged. */
  peg: Pegging | null;
  /** The place of a stop order among those that wait for a price, less its id: 0 until a list releases one. */
  waitOffset: number;
  isWorking: boolean;
  /** When an order that waited began to work; otherwise 0. */
  workedMs: number;
  /** The visible slice of an iceberg; 0 for other orders. */
  sliceLots: number;
  /** The amount that is still locked for this order: units of quote for a BUY, of base for a SELL. */
  locked: bigint;
}

/**
 * The state of an open order. A book contains a million orders, most of them plain and unchanged, so fields that only
 * some orders need are stored separately: the record has 168 bytes including its time, instead of 280 with every field.
 * It is a class instead of a literal, because V8 pretenures literals of which most have survived, including short-lived
 * quotes, which can cost a fifth of the speed of market making (bench/notes/engine.md).
 */
export class Order implements OrderRecord {
  readonly orderId: number;
  terms: OrderTerms;
  /** Null for a plain order. */
  readonly extras: OrderExtras | null;
  readonly accountId: number;
  readonly clientOrderId: string;
  /** The price in effect. A pegged order that waits has the price that the client sent, or 0. */
  priceTicks: number;
  readonly quantityLots: number;
  readonly timeMs: number;
  status: OrderStatus = "NEW";
  /** Time of the last change; null if the order is unchanged since it was created. */
  private changedMs: number | null = null;
  /** Null if nothing has been executed yet. */
  private executed: Executed | null = null;
  /** Links for the book that contains the order; used only by the book. */
  previous: Order | null = null;
  next: Order | null = null;
  level: object | null = null;
  /** Hash and link for the `AccountBook`; used only by the `AccountBook`. */
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
  get selfTradePrevention(): SelfTradePreventionMode {
    return this.terms.selfTradePrevention;
  }
  get strategyId(): number {
    return this.extras === null ? NO_STRATEGY : this.extras.strategyId;
  }
  get strategyType(): number {
    return this.extras === null ? 0 : this.extras.strategyType;
  }
  get amendCount(): number {
    return this.extras === null ? 0 : this.extras.amendCount;
  }
  get isWorking(): boolean {
    return this.extras === null || this.extras.isWorking;
  }
  get workedMs(): number {
    return this.extras === null ? 0 : this.extras.workedMs;
  }
  get expiryReason(): ExpiryReason {
    return this.terms.expiryReason;
  }
  get waitOffset(): number {
    return this.extras === null ? 0 : this.extras.waitOffset;
  }
  /** Among the orders of a symbol that wait for a price, the one that began to wait first has the lowest place. */
  get waitPlace(): number {
    return this.orderId + this.waitOffset;
  }
  get trailing(): Trailing | null {
    return this.extras === null ? null : this.extras.trailing;
  }
  get trailingDelta(): number {
    return this.trailing?.delta ?? 0;
  }
  get trailingMs(): number {
    return this.trailing?.sinceMs ?? 0;
  }
  get peg(): Pegging | null {
    return this.extras === null ? null : this.extras.peg;
  }
  get pegTo(): PegPriceType | "NONE" {
    return this.peg?.to ?? "NONE";
  }
  get pegLevel(): number {
    return this.peg?.level ?? 0;
  }
  get peggedTicks(): number {
    return this.peg?.peggedTicks ?? 0;
  }
  get preventedLots(): number {
    return this.executed?.prevented?.lots ?? 0;
  }
  get preventedMatchId(): number {
    return this.executed?.prevented?.matchId ?? NO_PREVENTED_MATCH;
  }
  get isBare(): boolean {
    const { selfTradePrevention, expiryReason } = this.terms;
    if (this.extras !== null || selfTradePrevention !== "NONE" || expiryReason !== "NONE") return false;
    return this.executed === null || this.executed.prevented === null;
  }
  /** The fields of a snapshot that most orders do not have. */
  get later(): LaterFields | null {
    return laterFieldsOf(this);
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

  /**
   * The current state of the order. An order that has ended is returned itself, because it no longer changes, unless it
   * is pegged: its record has the price that the client sent.
   */
  record(): OrderRecord {
    const { status, extras } = this;
    if (extras !== null && extras.peg !== null) return new PeggedCopy(this, extras.peg, this.executed, this.changedMs);
    if (status !== "NEW" && status !== "PARTIALLY_FILLED" && status !== "PENDING_NEW") return this;
    if (extras !== null && extras.trailing !== null) return new TrailingCopy(this, this.executed, this.changedMs);
    return new OrderCopy(this, this.executed, this.changedMs);
  }

  get leftLots(): number {
    const { executed } = this;
    return executed === null ? this.quantityLots : leftOf(this.quantityLots, executed);
  }
  /** Visible lots: the current slice of an iceberg, otherwise all remaining lots. */
  get visibleLots(): number {
    const { extras } = this;
    return extras === null || extras.icebergLots === 0 ? this.leftLots : extras.sliceLots;
  }
  get hiddenLots(): number {
    const { extras } = this;
    return extras === null || extras.icebergLots === 0 ? 0 : this.leftLots - extras.sliceLots;
  }

  /** Sets the visible slice of an iceberg. Other orders show all remaining lots. */
  show(lots: number): void {
    const { extras } = this;
    if (extras !== null && extras.icebergLots > 0) extras.sliceLots = lots;
  }

  /** Sets the place of a stop order that begins to wait. */
  waitAt(place: number): void {
    extrasOf(this).waitOffset = place - this.orderId;
  }

  /** A trailing stop without a stop price follows the price from the start. `lastTicks` is the last price. */
  startTrailing(lastTicks: number, nowMs: number): void {
    const { trailing } = this;
    if (trailing === null || this.stopTicks !== 0) return;
    trailing.startTicks = lastTicks;
    trailing.sinceMs = nowMs;
  }

  /** Sets the price in effect of a pegged order that has taken its price from the book. */
  takePrice(pegging: Pegging, priceTicks: number): void {
    extrasOf(this).peg = pegging;
    this.priceTicks = priceTicks;
  }

  /** Adds a fill and updates the status. */
  execute(fill: Executed, nowMs: number): void {
    const executed = this.executed === null ? fill : sum(this.executed, fill);
    this.executed = executed;
    this.change(leftOf(this.quantityLots, executed) === 0 ? "FILLED" : "PARTIALLY_FILLED", nowMs);
  }

  /** Takes from the commission of the last fill what was paid in another asset, or not at all. */
  reduceCommission(amount: bigint): void {
    const executed = present(this.executed, "only an order with a fill has paid commission");
    this.executed = { ...executed, commission: executed.commission - amount };
  }

  /** Takes lots from the order that it can no longer trade. If nothing is left, the order ends. */
  prevent(lots: number, matchId: number, nowMs: number): void {
    const { executed, preventedLots } = this;
    const prevented = { lots: preventedLots + lots, matchId };
    this.executed = { ...(executed ?? NOTHING_EXECUTED), prevented };
    this.change(this.leftLots === 0 ? "EXPIRED_IN_MATCH" : this.status, nowMs);
  }

  /** Marks an order that has traded everything on the book without reaching its requested amount. */
  leaveUnfilled(): void {
    this.status = "PARTIALLY_FILLED";
  }

  /** Makes a new order of a list wait until the working order of the list is filled. */
  waitForList(): void {
    this.status = "PENDING_NEW";
    present(this.extras, "an order of a list has extras").isWorking = false;
  }

  change(status: OrderStatus, nowMs: number): void {
    this.status = status;
    this.changedMs = nowMs;
  }

  /**
   * The order after an amendment, with all that it has executed. The caller puts it in the place of this one, which
   * does not change, because copies in earlier events refer to it. `locked` is the amount locked for the order.
   */
  amended(quantityLots: number, clientOrderId: string, locked: bigint, nowMs: number): Order {
    const { stopTicks, icebergLots, quoteOrderQty, strategyId, strategyType, workedMs, waitOffset } = this;
    const amendCount = this.amendCount + 1;
    const { trailing, peg: pegging } = this;
    const placed = { stopTicks, icebergLots, quoteOrderQty, strategyId, strategyType, amendCount, trailing, pegging };
    const extras = extrasFor(this.type, placed, this.orderListId, this.isWorking, 0, locked);
    if (extras !== null) Object.assign(extras, { workedMs, waitOffset });
    const { accountId, priceTicks } = this;
    const order = new Order(
      this.orderId,
      this.terms,
      extras,
      { accountId, clientOrderId, priceTicks },
      quantityLots,
      this.timeMs,
    );
    order.executed = this.executed;
    order.show(Math.min(this.visibleLots, order.leftLots));
    order.change(this.status, nowMs);
    return order;
  }

  /**
   * A permanent copy, which keeps V8 from dropping the hidden class of the copies. V8 drops a hidden class without
   * objects in a full collection, together with all compiled code that used it: the engine then ran at half its speed
   * for 100,000 commands.
   */
  static readonly staying: OrderRecord = new Order(
    0,
    {
      ...{ symbolId: 0, side: "BUY", type: "LIMIT", timeInForce: "GTC" },
      ...{ selfTradePrevention: "NONE", expiryReason: "NONE" },
    },
    null,
    { accountId: 0, clientOrderId: "", priceTicks: 0 },
    0,
    0,
  ).record();

  /** Restores an order from a snapshot. `locked` is the amount locked for it. */
  static restored(orderId: number, saved: SavedOrder, terms: OrderTerms, locked: bigint): Order {
    const { type, orderListId, isWorking, icebergLots, visibleLots } = saved;
    const later = saved.later ?? NOTHING_LATER;
    const placed = { ...saved, ...later, trailing: restoredTrailing(later), pegging: restoredPeg(later) };
    const extras = extrasFor(type, placed, orderListId, isWorking, icebergLots > 0 ? visibleLots : 0, locked);
    const { workedMs = 0, waitOffset = 0 } = later;
    if (extras !== null) Object.assign(extras, { workedMs, waitOffset });
    const order = new Order(orderId, terms, extras, saved, saved.quantityLots, saved.timeMs);
    order.status = saved.status;
    if (saved.updateTimeMs !== saved.timeMs) order.changedMs = saved.updateTimeMs;
    const { preventedLots = 0, preventedMatchId = NO_PREVENTED_MATCH } = later;
    if (saved.executedLots > 0 || preventedLots > 0) {
      const { executedLots: lots, executedQuote: quote, commission } = saved;
      const prevented = preventedLots === 0 ? null : { lots: preventedLots, matchId: preventedMatchId };
      order.executed = { lots, prevented, quote, commission };
    }
    return order;
  }
}

/** Adds a fill to the executed amounts. */
function sum(a: Executed, b: Executed): Executed {
  return {
    lots: a.lots + b.lots,
    prevented: a.prevented,
    quote: a.quote + b.quote,
    commission: a.commission + b.commission,
  };
}

function leftOf(quantityLots: number, { lots, prevented }: Executed): number {
  return prevented === null ? quantityLots - lots : quantityLots - lots - prevented.lots;
}

/** Creates the additional fields of an order from its command or its snapshot. Returns null for a plain order. */
export function extrasFor(
  type: OrderType,
  placed: Pick<OrderExtras, "stopTicks" | "icebergLots" | "quoteOrderQty"> &
    Partial<Pick<OrderExtras, "strategyId" | "strategyType" | "amendCount" | "trailing">> &
    Pick<OrderRecord, "trailingDelta"> & { readonly pegging?: Pegging | null },
  orderListId: number,
  isWorking: boolean,
  sliceLots: number,
  locked: bigint,
): OrderExtras | null {
  const { stopTicks, icebergLots, quoteOrderQty, strategyId = NO_STRATEGY, strategyType = 0 } = placed;
  const { amendCount = 0, trailingDelta = 0, pegging = null } = placed;
  const mayBePlain = (type === "LIMIT" || type === "LIMIT_MAKER") && orderListId === NO_ORDER_LIST;
  const isBare = strategyId === NO_STRATEGY && strategyType === 0 && amendCount === 0 && pegging === null;
  if (mayBePlain && stopTicks === 0 && icebergLots === 0 && quoteOrderQty === 0n && isBare) return null;
  return {
    stopTicks,
    icebergLots,
    quoteOrderQty,
    orderListId,
    strategyId,
    strategyType,
    amendCount,
    trailing: placed.trailing ?? (trailingDelta === 0 ? null : waitingTrail(trailingDelta)),
    peg: pegging,
    waitOffset: 0,
    isWorking,
    workedMs: 0,
    sliceLots,
    locked,
  };
}

/** The additional fields of an order that is not plain. */
export function extrasOf(order: Order): OrderExtras {
  return present(order.extras, "a plain order has no extras");
}

/** Whether the order is a stop that becomes a MARKET order to buy. Its cost is not known before it executes. */
export function buysAtAnyPrice({ side, type }: Pick<Order, "side" | "type">): boolean {
  return side === "BUY" && (type === "STOP_LOSS" || type === "TAKE_PROFIT");
}
