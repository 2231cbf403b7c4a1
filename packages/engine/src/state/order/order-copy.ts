/** An order as it was when an event or a view reported it (decision 39). */
import type { Pegging } from "./pegging.ts";
import {
  type ExpiryReason,
  NO_PREVENTED_MATCH,
  type OrderRecord,
  type OrderStatus,
  type OrderType,
  type PegPriceType,
  type SelfTradePreventionMode,
  type Side,
  type TimeInForce,
} from "../../entry/order-record.ts";

/** The executed amounts of an order, in one fill or in all so far, and what self-trade prevention took. */
export interface Executed {
  readonly lots: number;
  /** Null if self-trade prevention took nothing. */
  readonly prevented: Prevented | null;
  /** Units of the quote asset. */
  readonly quote: bigint;
  /** Units of the asset received. */
  readonly commission: bigint;
}

/** What self-trade prevention took from an order, and in which match last. */
interface Prevented {
  readonly lots: number;
  readonly matchId: number;
}

export const NOTHING_EXECUTED: Executed = { lots: 0, prevented: null, quote: 0n, commission: 0n };

/** The changing fields of an open order. */
interface Progress {
  readonly status: OrderStatus;
  readonly isWorking: boolean;
  readonly executed: Executed | null;
  /** Time of the last change; null if the order is unchanged since it was created. */
  readonly changedMs: number | null;
}

const UNTOUCHED: Progress = { status: "NEW", isWorking: true, executed: null, changedMs: null };

/**
 * An immutable copy of an order's changing fields, with a reference to the order for the constant ones. Every event of
 * an order creates one, so its size matters: with all fields copied, market making took 6 % more time. Most copies are
 * of new orders and share one progress object. `declare` prevents fields from being written twice.
 */
export class OrderCopy implements OrderRecord {
  declare private readonly order: OrderRecord;
  declare private readonly progress: Progress;

  /** `changedMs` is null if the order is unchanged since it was created. */
  constructor(order: OrderRecord, executed: Executed | null, changedMs: number | null) {
    const { status, isWorking } = order;
    const isUntouched = isWorking && executed === null && changedMs === null;
    this.order = order;
    this.progress = isUntouched ? UNTOUCHED : { status, isWorking, executed, changedMs };
  }

  get status(): OrderStatus {
    return this.progress.status;
  }
  get isWorking(): boolean {
    return this.progress.isWorking;
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
  get isBare(): boolean {
    return this.order.isBare === true;
  }
  get selfTradePrevention(): SelfTradePreventionMode {
    return this.order.selfTradePrevention as SelfTradePreventionMode;
  }
  get strategyId(): number {
    return this.order.strategyId as number;
  }
  get strategyType(): number {
    return this.order.strategyType as number;
  }
  get trailingDelta(): number {
    return this.order.trailingDelta as number;
  }
  get trailingMs(): number {
    return 0;
  }
  get pegTo(): PegPriceType | "NONE" {
    return "NONE";
  }
  get pegLevel(): number {
    return 0;
  }
  get peggedTicks(): number {
    return 0;
  }
  get preventedLots(): number {
    return this.progress.executed?.prevented?.lots ?? 0;
  }
  get preventedMatchId(): number {
    return this.progress.executed?.prevented?.matchId ?? NO_PREVENTED_MATCH;
  }
  /** An order begins to work only once, so the order's own time applies to all later copies. */
  get workedMs(): number {
    return this.progress.isWorking ? (this.order.workedMs as number) : 0;
  }
  /** Copies are of orders that have not ended. */
  get expiryReason(): ExpiryReason {
    return "NONE";
  }
  get executedLots(): number {
    const { executed } = this.progress;
    return executed === null ? 0 : executed.lots;
  }
  get executedQuote(): bigint {
    const { executed } = this.progress;
    return executed === null ? 0n : executed.quote;
  }
  get commission(): bigint {
    const { executed } = this.progress;
    return executed === null ? 0n : executed.commission;
  }
  get updateTimeMs(): number {
    return this.progress.changedMs ?? this.order.timeMs;
  }
}

/** A copy of a trailing stop, which may begin to follow the price after the copy was made. */
export class TrailingCopy extends OrderCopy {
  declare private readonly followsSinceMs: number;

  constructor(order: OrderRecord, executed: Executed | null, changedMs: number | null) {
    super(order, executed, changedMs);
    this.followsSinceMs = order.trailingMs as number;
  }

  override get trailingMs(): number {
    return this.followsSinceMs;
  }
}

/** A copy of a pegged order, also of one that has ended. The order itself has the price in effect. */
export class PeggedCopy extends TrailingCopy {
  declare private readonly peg: Pegging;
  declare private readonly reason: ExpiryReason;

  constructor(order: OrderRecord, peg: Pegging, executed: Executed | null, changedMs: number | null) {
    super(order, executed, changedMs);
    this.peg = peg;
    this.reason = order.expiryReason as ExpiryReason;
  }

  override get priceTicks(): number {
    return this.peg.sentTicks;
  }
  override get pegTo(): PegPriceType {
    return this.peg.to;
  }
  override get pegLevel(): number {
    return this.peg.level;
  }
  override get peggedTicks(): number {
    return this.peg.peggedTicks;
  }
  override get expiryReason(): ExpiryReason {
    return this.reason;
  }
}
