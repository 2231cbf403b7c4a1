/**
 * Why the engine refuses a command. The protocol package has the interface's code and text for
 * each (`errors.ts`, FACTS 1.4 and 1.5); a reason is never a free text.
 */
export type RejectReason =
  // filters, in the order in which the first failure is reported
  | "PRICE_FILTER"
  | "PERCENT_PRICE"
  | "LOT_SIZE"
  | "MIN_NOTIONAL"
  | "ICEBERG_PARTS"
  | "MARKET_LOT_SIZE"
  | "MAX_NUM_ORDERS"
  | "MAX_NUM_ALGO_ORDERS"
  | "MAX_NUM_ICEBERG_ORDERS"
  | "EXCHANGE_MAX_NUM_ORDERS"
  | "EXCHANGE_MAX_NUM_ALGO_ORDERS"
  // orders
  | "INVALID_QUANTITY"
  | "MARKET_CLOSED"
  | "INSUFFICIENT_BALANCE"
  | "DUPLICATE_ORDER"
  | "UNKNOWN_ORDER"
  | "CANCEL_IDS_DISAGREE"
  | "UNKNOWN_SYMBOL"
  | "ORDER_TYPE_NOT_SUPPORTED"
  | "ICEBERG_NOT_SUPPORTED"
  | "ICEBERG_EXCEEDS_QUANTITY"
  | "QUOTE_ORDER_QTY_NOT_SUPPORTED"
  | "UNSUPPORTED_COMBINATION"
  | "WOULD_MATCH_IMMEDIATELY"
  | "WOULD_TRIGGER_IMMEDIATELY"
  | "OCO_NOT_SUPPORTED"
  | "OCO_BAD_PRICES"
  | "ACCOUNT_MAY_NOT_TRADE"
  | "TOO_MANY_OPEN_ORDERS"
  // user streams
  | "UNKNOWN_LISTEN_KEY"
  // operator acts
  | "UNKNOWN_ACCOUNT"
  | "UNKNOWN_ASSET"
  | "UNKNOWN_API_KEY"
  | "ALREADY_EXISTS"
  | "INVALID_VALUE"
  | "TOO_MANY";
