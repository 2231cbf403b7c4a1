/**
 * Orders and order lists as events and views contain them, with the names of their types and states. Interface 2.1,
 * 2.2, 2.8, 2.9.
 */
import * as digest from "./digest.ts";
import { big, bool, since, text, uint, uintOrMinusOne, type ValuesOf, word } from "./fields.ts";

/** Append only: the position of a word in its list is its number in the journal. */
export const SIDES = ["BUY", "SELL"] as const;
export type Side = (typeof SIDES)[number];
export const TIMES_IN_FORCE = ["GTC", "IOC", "FOK"] as const;
export type TimeInForce = (typeof TIMES_IN_FORCE)[number];
export const ORDER_TYPES = [
  "LIMIT",
  "MARKET",
  "LIMIT_MAKER",
  "STOP_LOSS",
  "STOP_LOSS_LIMIT",
  "TAKE_PROFIT",
  "TAKE_PROFIT_LIMIT",
] as const;
export type OrderType = (typeof ORDER_TYPES)[number];
export const ORDER_STATUSES = [
  "NEW",
  "PARTIALLY_FILLED",
  "FILLED",
  "CANCELED",
  "EXPIRED",
  "REJECTED",
  "EXPIRED_IN_MATCH",
  "PENDING_NEW",
] as const;
export type OrderStatus = (typeof ORDER_STATUSES)[number];
/** What happens when an order would trade with another order of its account. The mode of the taker decides. */
export const SELF_TRADE_PREVENTION_MODES = [
  "NONE",
  "EXPIRE_MAKER",
  "EXPIRE_TAKER",
  "EXPIRE_BOTH",
  "DECREMENT",
  "TRANSFER",
] as const;
export type SelfTradePreventionMode = (typeof SELF_TRADE_PREVENTION_MODES)[number];
/** Why an order expired. NONE: it did not expire, or before rules version 5. */
export const EXPIRY_REASONS = [
  "NONE",
  "REJECTED",
  "EXCHANGE_CANCELED",
  "OCO_TRIGGER",
  "OTO_PHASE_ONE_EXPIRED",
  "UNFILLED_IOC_QUANTITY_EXPIRED",
  "UNFILLED_FOK_ORDER_EXPIRED",
  "INSUFFICIENT_LIQUIDITY",
  "EXECUTION_RULE_PRICE_RANGE_EXCEEDED",
] as const;
export type ExpiryReason = (typeof EXPIRY_REASONS)[number];

/** The price that a pegged order takes from the book: the best one of its own side, or of the other side. */
export const PEG_PRICE_TYPES = ["PRIMARY_PEG", "MARKET_PEG"] as const;
export type PegPriceType = (typeof PEG_PRICE_TYPES)[number];

/** The `orderListId` of an order outside any list. */
export const NO_ORDER_LIST = -1;
/** The `strategyId` of an order without one. */
export const NO_STRATEGY = -1;
/** The `preventedMatchId` of an order from which self-trade prevention took nothing. The ids of a symbol start at 0. */
export const NO_PREVENTED_MATCH = -1;
/** The trade group of an account that belongs to none. */
export const NO_TRADE_GROUP = -1;
/** The snapshot layouts with the additions of rules versions 4 and 5 (decisions 68 and 91). */
export const RULES_4_SINCE = 10;
export const RULES_5_SINCE = 11;

export function opposite(side: Side): Side {
  return side === "BUY" ? "SELL" : "BUY";
}

export function isClosed(status: OrderStatus): boolean {
  return status !== "NEW" && status !== "PARTIALLY_FILLED" && status !== "PENDING_NEW";
}

/** Whether orders of this type wait for a stop price. Interface 2.8 calls them algo orders. */
export function waitsForStop(type: OrderType): boolean {
  return type === "STOP_LOSS" || type === "STOP_LOSS_LIMIT" || type === "TAKE_PROFIT" || type === "TAKE_PROFIT_LIMIT";
}

/**
 * Whether a stop order waits for the price to rise to its stop price; otherwise it waits for a fall. Interface 4.2: true
 * for STOP_LOSS BUY and TAKE_PROFIT SELL.
 */
export function waitsForRise(type: OrderType, side: Side): boolean {
  const isStopLoss = type === "STOP_LOSS" || type === "STOP_LOSS_LIMIT";
  return isStopLoss === (side === "BUY");
}

/** Whether orders of this type have their own price. The others accept the prices of the book. */
export function hasPrice(type: OrderType): boolean {
  return type !== "MARKET" && type !== "STOP_LOSS" && type !== "TAKE_PROFIT";
}

// These tables are the only definition of an order's fields: snapshots, the event digest and the rows of history are
// derived from them.

/** The order as the client placed it. It never changes. */
export const PLACED_FIELDS = {
  orderId: uint,
  accountId: uint,
  symbolId: uint,
  clientOrderId: text,
  side: word(SIDES),
  type: word(ORDER_TYPES),
  timeInForce: word(TIMES_IN_FORCE),
  /** 0 for orders without their own price. A pegged order may have one too, see `priceInEffect`. */
  priceTicks: uint,
  quantityLots: uint,
  stopTicks: uint,
  icebergLots: uint,
  /** Units of the quote asset, for MARKET orders given by `quoteOrderQty`; otherwise 0n. */
  quoteOrderQty: big,
  orderListId: uintOrMinusOne,
  /** Time of placement. */
  timeMs: uint,
  selfTradePrevention: since<SelfTradePreventionMode>(RULES_5_SINCE, word(SELF_TRADE_PREVENTION_MODES), "NONE"),
  /** Stored for the client, like `strategyType`. */
  strategyId: since(RULES_5_SINCE, uintOrMinusOne, NO_STRATEGY),
  /** 0 if the client sent none. */
  strategyType: since(RULES_5_SINCE, uint, 0),
  /** The distance at which a trailing stop follows the price, in basis points; 0 for other orders. */
  trailingDelta: since(RULES_5_SINCE, uint, 0),
  /** The price that a pegged order takes from the book; NONE for other orders. */
  pegTo: since<PegPriceType | "NONE">(RULES_5_SINCE, word(["NONE", ...PEG_PRICE_TYPES]), "NONE"),
  /** So many price levels further from the best one; 0: the best price. */
  pegLevel: since(RULES_5_SINCE, uint, 0),
};

/** The changing fields of the order. */
export const PROGRESS_FIELDS = {
  updateTimeMs: uint,
  status: word(ORDER_STATUSES),
  /**
   * Whether the order is on the book, or was when it ended. A stop order waits until its price is reached, a PENDING_NEW
   * order until the working order of its list is filled.
   */
  isWorking: bool,
  executedLots: uint,
  /** Units of the quote asset paid or received so far, before commission. */
  executedQuote: big,
  /** Sum of commissions, in units of the asset received. */
  commission: big,
  /** Lots that self-trade prevention took from the order. */
  preventedLots: since(RULES_5_SINCE, uint, 0),
  /** The last prevented match that took lots from the order. */
  preventedMatchId: since(RULES_5_SINCE, uintOrMinusOne, NO_PREVENTED_MATCH),
  /** When an order that waited began to work; 0 for orders that work from their placement, or still wait. */
  workedMs: since(RULES_5_SINCE, uint, 0),
  expiryReason: since<ExpiryReason>(RULES_5_SINCE, word(EXPIRY_REASONS), "NONE"),
  /** When a trailing stop began to follow the price; 0 for other orders, and while it waits for its stop price. */
  trailingMs: since(RULES_5_SINCE, uint, 0),
  /** The price that a pegged order took from the book when it entered the market; 0 for other orders, and before. */
  peggedTicks: since(RULES_5_SINCE, uint, 0),
};

/** A new field specifies the snapshot layout that introduced it (`LAYOUT` in `snapshot.ts`). */
export const ORDER_FIELDS = { ...PLACED_FIELDS, ...PROGRESS_FIELDS };

/**
 * An order as placed, with its progress. Prices are in ticks and quantities in lots of its symbol (see `SymbolScale`);
 * money is in units of its asset. A field that does not apply is 0.
 */
export type OrderRecord = ValuesOf<typeof ORDER_FIELDS> & {
  /**
   * True only if every later field has the value that older layouts imply, which spares the readers of most orders all
   * of them.
   */
  readonly isBare?: boolean;
};

/**
 * When the order began to work on the book; -1 while it waits, and for a stop order that was triggered before rules
 * version 5.
 */
export function workingTimeMs({ isWorking, type, timeMs, workedMs = 0 }: Omit<OrderRecord, "accountId">): number {
  if (!isWorking) return -1;
  if (workedMs > 0) return workedMs;
  return waitsForStop(type) ? -1 : timeMs;
}

/** When a trailing stop began to follow the price; -1 while it waits for its stop price. */
export function trailingTimeMs({ trailingMs = 0 }: Pick<OrderRecord, "trailingMs">): number {
  return trailingMs === 0 ? -1 : trailingMs;
}

/**
 * The price at which an order trades and rests: for a pegged order, the less aggressive of its own price and the pegged
 * one. 0 while it is not known, and for orders that accept the prices of the book.
 */
export function priceInEffect({
  side,
  priceTicks,
  peggedTicks = 0,
}: Pick<OrderRecord, "side" | "priceTicks" | "peggedTicks">): number {
  if (priceTicks === 0 || peggedTicks === 0) return priceTicks + peggedTicks;
  return side === "BUY" ? Math.min(priceTicks, peggedTicks) : Math.max(priceTicks, peggedTicks);
}

/** The lots that an order can still trade. */
export function openLotsOf({
  quantityLots,
  executedLots,
  preventedLots = 0,
}: Pick<OrderRecord, "quantityLots" | "executedLots" | "preventedLots">): number {
  return quantityLots - executedLots - preventedLots;
}

/**
 * The kinds of order lists. OCO: a pair of orders of which one cancels the other. OTO and OTOCO: a working order, and
 * one pending order or a pair that is placed when the working order is filled. OPO and OPOCO: the same, and the pending
 * orders sell what the working order bought. Append only, like the lists above.
 */
export const LIST_KINDS = ["OCO", "OTO", "OTOCO", "OPO", "OPOCO"] as const;
export type ListKind = (typeof LIST_KINDS)[number];

/** One of the orders of a list. */
export type LegRecord = digest.RecordOf<typeof LEG>;
const LEG = { orderId: digest.number, clientOrderId: digest.text };

/** A list has two or three orders, as its kind requires. */
const legs: digest.Digested<readonly LegRecord[]> = (sum, records) => records.forEach((leg) => digestLeg(sum, leg));
const digestLeg = digest.fields(LEG);

/** The record of a list changes only if one of its orders gets another client id. */
export type OrderListRecord = digest.RecordOf<typeof ORDER_LIST>;
export const ORDER_LIST = {
  orderListId: digest.number,
  /** Unique among the account's executing lists. */
  listClientOrderId: digest.text,
  accountId: digest.number,
  symbolId: digest.number,
  /** Time of placement. */
  timeMs: digest.number,
  /** The working order, if the kind has one, then the pending order, or the stop leg and the limit leg. */
  orders: legs,
  /** Absent for OCO, the only kind before rules version 5. */
  kind: digest.later("kind", digest.textAs<ListKind>()),
};

/** Whether the list has a pair of orders of which one cancels the other. */
export function hasPair(kind: ListKind): boolean {
  return kind !== "OTO" && kind !== "OPO";
}

/** The number of orders of a list. */
export function ordersOf(kind: ListKind): number {
  return kind === "OTOCO" || kind === "OPOCO" ? 3 : 2;
}

/** The pending orders of OPO and OPOCO sell what the working order bought. */
export function sellsReceived(kind: ListKind | undefined): boolean {
  return kind === "OPO" || kind === "OPOCO";
}
