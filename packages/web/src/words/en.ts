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
  funds: (need: string, has: string, asset: string): string => `Needs ${need} ${asset}, ${has} are free`,
} as const;
