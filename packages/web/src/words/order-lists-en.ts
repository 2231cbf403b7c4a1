/** The texts of order lists in the terminal (OCO, and orders that place other orders when they are filled), and of self-trade prevention. */

type Exit = "takeProfitPrice" | "stopLossPrice";
type ListKind = "OCO" | "OTO";

const orders = (count: number): string => (count === 1 ? "the pending order" : `the ${count} pending orders`);

/** The take profit and the stop loss of a limit order in the form. */
export const exitWords = {
  title: "Take profit / Stop loss",
  why: (side: string): string =>
    `When this order is filled completely, orders to ${side.toLowerCase()} are placed: a take profit, a stop loss, or both.`,
  fields: { takeProfitPrice: "Take profit price", stopLossPrice: "Stop loss price" },
  names: { takeProfitPrice: "Take profit", stopLossPrice: "Stop loss" },
  ofKind: (kind: string): string => `${kind} with take profit / stop loss`,
  outcomes: { takeProfitPrice: "At take profit", stopLossPrice: "At stop loss" },
  outcome: (amount: string, percent: string): string => `${amount} (${percent})`,
  working: "Order",
  placed: "Placed",
  whenFilled: "When the order is filled completely",
  bought: "What the order buys, less its fee",
  missing: "Enter a take profit price, a stop loss price, or both",
  missingPrice: "Enter a price",
  notAccepted: "This market does not accept orders that place other orders",
  onlyOne: "This market accepts a take profit or a stop loss, not both",
  side: (exit: Exit, isAbove: boolean, entry: string): string =>
    `${exit === "takeProfitPrice" ? "Take profit" : "Stop loss"} price must be ${isAbove ? "above" : "below"} the price of the order (${entry})`,
  pair: "The take profit and the stop loss must be on different sides of the price",
  funds: (lacking: string, asset: string): string =>
    `Insufficient balance when the order is filled: ${lacking} ${asset} would be missing, and this order would be rejected`,
} as const;

/** Order lists in tables, in confirmations and on the chart. */
export const listWords = {
  kinds: {
    OCO: "One order cancels the other",
    OTO: "One order places the others when it is filled",
  } satisfies Record<ListKind, string>,
  kind: "Kind",
  prices: { working: "Entry price", limit: "Limit price", stop: "Stop price", stopLimit: "Stop limit price" },
  cancelTitle: (side: string, kind: ListKind): string => `Cancel this ${side.toLowerCase()} order list (${kind})?`,
  /** What else is canceled with an order. `pending` is the number of pending orders. */
  canceled: (kind: ListKind, pending: number): string =>
    kind === "OCO" ? "Both orders of the OCO will be canceled." : `The order and ${orders(pending)} will be canceled.`,
  moved: (kind: ListKind, pending: number): string =>
    kind === "OCO"
      ? "Both orders of the OCO will be canceled and placed again."
      : `The order and ${orders(pending)} will be canceled and placed again.`,
  reducedPair: (kind: ListKind): string =>
    kind === "OCO" ? "Both orders of the OCO get this quantity." : "Both pending orders get this quantity.",
  reducedWorking: "The pending orders keep their quantity.",
  reducedBought: "The pending orders sell what this order buys.",
  trailingRestarts: "The trailing stop will be placed again, and follow the price from then on.",
} as const;

const modeName = (mode: string): string => mode.charAt(0) + mode.slice(1).toLowerCase().replace("_", " ");

/** Self-trade prevention: what happens when an order meets another order of its account. */
export const preventionWords = {
  title: (mode: string | undefined): string =>
    mode === undefined ? "Advanced" : `Advanced (self-trade prevention: ${modeName(mode).toLowerCase()})`,
  label: "Self-trade prevention",
  mode: modeName,
  byDefault: (mode: string): string => `Market default (${modeName(mode).toLowerCase()})`,
  effects: {
    NONE: "Your own orders trade with each other.",
    EXPIRE_MAKER: "Your older order expires instead of trading with this one.",
    EXPIRE_TAKER: "This order expires instead of trading with your older one.",
    EXPIRE_BOTH: "Both of your orders expire instead of trading with each other.",
    DECREMENT: "Instead of a trade, both of your orders are reduced by the smaller quantity.",
    TRANSFER: "As Decrement. Between accounts of your trade group, the assets change hands without a fee.",
  },
  prevented: (status: string, quantity: string): string => `${status}, ${quantity} prevented`,
  why: (mode: string): string =>
    `Removed by self-trade prevention, in the mode of the newer order. Mode of this order: ${modeName(mode)}.`,
} as const;

/** Notifications about pending orders. */
export const listNotices = {
  released: (order: string): string => `Order placed, because the order that it waited for was filled: ${order}`,
  phaseOneExpired: (order: string): string =>
    `Pending order expired, because the order that it waited for expired: ${order}`,
  rejected: (order: string): string =>
    `Order rejected when it was to be placed: ${order}. Check your balance, and the prices and rules of the market.`,
  isFilling: "The order of the list was filled, completely or in part.",
  alsoCanceled: (order: string, others: readonly string[]): string =>
    `Order canceled: ${order}. Canceled with it: ${others.join(" | ")}`,
} as const;
