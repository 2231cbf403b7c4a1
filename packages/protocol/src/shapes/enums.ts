/** The enumerations of Interface 2.1. */

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
  "PENDING_CANCEL",
  "REJECTED",
  "EXPIRED",
  "EXPIRED_IN_MATCH",
  "PENDING_NEW",
] as const;
export type OrderStatus = (typeof ORDER_STATUSES)[number];

export const SYMBOL_STATUSES = [
  "PRE_TRADING",
  "TRADING",
  "POST_TRADING",
  "END_OF_DAY",
  "HALT",
  "AUCTION_MATCH",
  "BREAK",
  "CANCEL_ONLY",
] as const;
export type SymbolStatus = (typeof SYMBOL_STATUSES)[number];

export const RESPONSE_TYPES = ["ACK", "RESULT", "FULL"] as const;
export type ResponseType = (typeof RESPONSE_TYPES)[number];

/** `listStatusType`. */
export const LIST_STATUS_TYPES = ["RESPONSE", "EXEC_STARTED", "UPDATED", "ALL_DONE"] as const;
export type ListStatusType = (typeof LIST_STATUS_TYPES)[number];

/** `listOrderStatus`. */
export const LIST_ORDER_STATUSES = ["EXECUTING", "ALL_DONE", "REJECT"] as const;
export type ListOrderStatus = (typeof LIST_ORDER_STATUSES)[number];

/** What happens when an order would trade with another order of its account. */
export const SELF_TRADE_PREVENTION_MODES = [
  "NONE",
  "EXPIRE_MAKER",
  "EXPIRE_TAKER",
  "EXPIRE_BOTH",
  "DECREMENT",
  "TRANSFER",
] as const;
export type SelfTradePreventionMode = (typeof SELF_TRADE_PREVENTION_MODES)[number];

/** The price of the book that a pegged order takes: the best of its own side, or of the other side. */
export const PEG_PRICE_TYPES = ["PRIMARY_PEG", "MARKET_PEG"] as const;
export type PegPriceType = (typeof PEG_PRICE_TYPES)[number];

/** What the offset of a pegged order counts: existing price levels. */
export const PEG_OFFSET_TYPES = ["PRICE_LEVEL"] as const;
export type PegOffsetType = (typeof PEG_OFFSET_TYPES)[number];

export const TICKER_TYPES = ["FULL", "MINI"] as const;

/** Statuses by which a request may filter symbols. */
export const ASKED_SYMBOL_STATUSES = ["TRADING", "HALT", "BREAK"] as const;

/** The only status in which a cancel may cancel the order. */
export const CANCEL_RESTRICTIONS = ["ONLY_NEW", "ONLY_PARTIALLY_FILLED"] as const;

/** Whether the new order is placed even if the cancel was rejected. */
export const CANCEL_REPLACE_MODES = ["STOP_ON_FAILURE", "ALLOW_FAILURE"] as const;
export type CancelReplaceMode = (typeof CANCEL_REPLACE_MODES)[number];

/** What a cancelReplace does whose new order exceeds the limit of orders: nothing, or only the cancel. */
export const ORDER_LIMIT_EXCEEDED_MODES = ["DO_NOTHING", "CANCEL_ONLY"] as const;

export const RATE_LIMIT_TYPES = ["REQUEST_WEIGHT", "ORDERS", "RAW_REQUESTS"] as const;
export type RateLimitType = (typeof RATE_LIMIT_TYPES)[number];

export const RATE_LIMIT_INTERVALS = ["SECOND", "MINUTE", "HOUR", "DAY"] as const;
export type RateLimitInterval = (typeof RATE_LIMIT_INTERVALS)[number];
