/** What the terminal's logic says, in English. Values come as they are to be shown. */

export const WIRE = {
  fault: (what: string): string => `The answer could not be read: ${what}`,
  noJson: (status: number): string => `HTTP ${status}, and no answer of the exchange.`,
  noSigning: "This browser signs requests only on pages of https or of this machine (localhost).",
  noSecret: "The secret key is missing.",
  late: "No answer in time.",
  unreachable: "The exchange cannot be reached.",
  blocked: (seconds: number): string =>
    `Too many requests from this address: the exchange answers again in ${seconds} s.`,
  closed: (code: number, reason: string): string =>
    reason === "" ? `The connection ended (${code}).` : `The connection ended: ${reason}`,
  oldSnapshot: "What was fetched is older than what the stream tells; it is asked for again.",
  silent: "The exchange has gone silent.",
} as const;

const either = (values: readonly string[]): string => (values.length === 0 ? "" : `: ${values.join(" or ")}`);

/** What filters are about, in a word or two. */
const ABOUT: Readonly<Record<string, string>> = {
  PRICE_FILTER: "Price",
  LOT_SIZE: "Quantity",
  MARKET_LOT_SIZE: "Market quantity",
};
const about = (filter: string): string => ABOUT[filter] ?? filter;

export const RULES = {
  below: (filter: string, least: string): string => `${about(filter)} at least ${least} (${filter})`,
  above: (filter: string, most: string): string => `${about(filter)} at most ${most} (${filter})`,
  step: (filter: string, step: string, nearest: readonly string[]): string =>
    `${about(filter)} step ${step}${either(nearest)} (${filter})`,
  digits: (digits: number, nearest: readonly string[]): string => `At most ${digits} decimals${either(nearest)}`,
  percent: (low: string, high: string): string => `Price from ${low} to ${high}, by the average price (PERCENT_PRICE)`,
  icebergParts: (most: number, least: string): string => `At most ${most} parts: at least ${least} (ICEBERG_PARTS)`,
  icebergTooLarge: "The iceberg shows more than there is",
  icebergGtc: "An iceberg is good till cancelled (GTC)",
  noIcebergs: "No icebergs here",
  notional: (least: string, asset: string): string => `At least ${least} ${asset} (MIN_NOTIONAL)`,
  notionalAt: (least: string, asset: string, quantity: string): string =>
    `Worth at least ${least} ${asset}: a quantity of ${quantity} (MIN_NOTIONAL)`,
  nothingForIt: "Buys or brings nothing: less than the least quantity at the best price (LOT_SIZE)",
  neverTraded: "Nothing was ever traded here: a market order has no price to go by (MIN_NOTIONAL)",
  tooMany: (filter: string, there: number, most: number): string =>
    `${there} open orders of at most ${most} (${filter})`,
  closed: (symbol: string): string => `${symbol} does not trade now`,
  typeNotTaken: "This market does not take orders of this type",
  noLists: "This market takes no order lists",
  missing: {
    price: "Enter a price",
    stopPrice: "Enter a stop price",
    quantity: "Enter a quantity",
    amount: "Enter an amount",
    icebergQty: "Enter how much of it shows",
    timeInForce: "Choose how long it is good",
  },
  reached: (isAbove: boolean, last: string): string =>
    `Would trigger at once: the stop price must be ${isAbove ? "above" : "below"} the last price ${last}`,
  wouldTake: (side: "BUY" | "SELL", best: string): string =>
    `Would take at once: ${side === "BUY" ? "below" : "above"} ${best} it is a maker`,
  ocoPrices: (side: "BUY" | "SELL"): string =>
    side === "SELL"
      ? "Limit price above, stop price below the last price"
      : "Limit price below, stop price above the last price",
  ocoTriggers: (side: "BUY" | "SELL"): string =>
    side === "SELL"
      ? "Trigger price above, stop price below the last price"
      : "Trigger price below, stop price above the last price",
  funds: (need: string, has: string, asset: string): string => `Needs ${need} ${asset}, ${has} are free`,
} as const;

const SIDES_IN_WORDS: Readonly<Record<string, string>> = { BUY: "Buy", SELL: "Sell" };
const coded = (code: number | null): string => (code === null ? "" : ` (${code})`);

export const ACCOUNT = {
  order: (side: string, quantity: string, symbol: string, price: string, stopPrice: string): string =>
    [
      SIDES_IN_WORDS[side] ?? side,
      quantity,
      symbol,
      ...(price === "" ? [] : [`at ${price}`]),
      ...(stopPrice === "" ? [] : [`stop ${stopPrice}`]),
    ]
      .filter((word) => word !== "")
      .join(" "),
  placed: (order: string): string => `Placed: ${order}`,
  listPlaced: (orders: readonly string[]): string => `List placed: ${orders.join(" | ")}`,
  filled: (order: string): string => `Filled: ${order}`,
  expired: (order: string): string => `Expired: ${order}`,
  ended: (order: string, status: string): string => `${order} is ${status}`,
  refused: (order: string, why: string, code: number | null): string => `Refused: ${order}. ${why}${coded(code)}`,
  unknown: (order: string, why: string): string => `Not known whether it was placed: ${order}. ${why} Asking.`,
  foundPlaced: (order: string): string => `It was placed: ${order}`,
  neverArrived: "It never arrived: the exchange knows of no such order.",
  cancelled: (order: string): string => `Cancelled: ${order}`,
  listCancelled: (symbol: string): string => `List cancelled: ${symbol}`,
  allCancelled: (symbol: string): string => `All orders cancelled: ${symbol}`,
  cancelUnknown: (order: string, why: string): string => `Not known whether it was cancelled: ${order}. ${why} Asking.`,
  notCancelled: (what: string, why: string): string => `Not cancelled: ${what}. ${why}`,
  isNow: (status: string): string => `It is ${status} now.`,
  notMoved: (order: string, why: string): string => `Not moved: ${order}. ${why}`,
  gone: (order: string, why: string): string => `The order is gone, and no new one was placed: ${order}. ${why}`,
  listGone: (orders: readonly string[]): string => `The list is gone, and no new one was placed: ${orders.join(" | ")}`,
  filledMeanwhile: (order: string, executed: string): string =>
    `While it was moved, ${executed} of it was filled: ${order}. The new order is as large as what was left before.`,
  signedOut: "Nobody is signed in.",
  dismissed: (why: string): string => `Signed out: ${why}`,
} as const;
