/** A client's request to a node and its response: the only data about clients that the checks use. */

/** A stop order with a stop price, a trailing stop, or both. */
export interface Stop {
  readonly type: "STOP_LOSS_LIMIT" | "TAKE_PROFIT_LIMIT";
  readonly stopPrice?: string;
  readonly trailingDelta?: number;
}

/** A request to place a limit or stop-limit order, good until canceled. Its client order ID is used only once. */
export interface PlaceAsk {
  readonly kind: "place";
  readonly stop?: Stop;
  readonly order: string;
  readonly symbol: string;
  readonly side: "BUY" | "SELL";
  readonly price: string;
  readonly quantity: string;
}

/** A request to cancel the order with the client order ID `order`. `cancelId` is used only once. */
export interface CancelAsk {
  readonly kind: "cancel";
  readonly order: string;
  readonly symbol: string;
  readonly cancelId: string;
}

/** A request to place an order list. The client order IDs of the list and of its orders are used only once. */
export interface ListAsk {
  readonly kind: "list";
  readonly list: string;
  readonly listKind: "oco" | "oto" | "otoco" | "opo";
  readonly symbol: string;
  /** The client order IDs of its orders, in the order of the response. */
  readonly orders: readonly string[];
  /** The parameters without symbol and IDs. */
  readonly terms: Readonly<Record<string, string>>;
}

/**
 * A request to reduce the quantity of the order with the client order ID `order`, which keeps this ID. `quantity` is
 * used only once.
 */
export interface AmendAsk {
  readonly kind: "amend";
  readonly order: string;
  readonly symbol: string;
  readonly quantity: string;
}

export interface QueryAsk {
  readonly kind: "query";
  readonly order: string;
  readonly symbol: string;
}

export interface OpenOrdersAsk {
  readonly kind: "openOrders";
  readonly symbol: string;
}

export interface BalancesAsk {
  readonly kind: "balances";
}

export type ChangeAsk = PlaceAsk | CancelAsk | ListAsk | AmendAsk;
export type Ask = ChangeAsk | QueryAsk | OpenOrdersAsk | BalancesAsk;

/** Quantities of symbols have so many decimals, so that those of amendments are unique. */
export const QUANTITY_DECIMALS = 6;

/** The fields of an order in a response that can change, and its number. */
export interface ToldOrder {
  readonly clientOrderId: string;
  readonly orderId: number;
  readonly status: string;
  readonly executedQty: string;
  readonly cummulativeQuoteQty: string;
}

export interface ToldBalance {
  readonly asset: string;
  readonly free: string;
  readonly locked: string;
}

/** A success, with the data of the response for each kind of request. */
export interface Done {
  readonly is: "done";
  readonly order?: ToldOrder;
  readonly orders?: readonly ToldOrder[];
  readonly balances?: readonly ToldBalance[];
}

/**
 * `refused`: the exchange rejected the request with an error code of the interface. `notTaken`: it did not accept the
 * request and never will. `unknown`: the request may have been executed, or may be at any time.
 */
export type Outcome =
  | Done
  | { readonly is: "refused"; readonly code: number }
  | { readonly is: "notTaken" }
  | { readonly is: "unknown" };

export interface Operation {
  /** The client, which has one running operation at a time. */
  readonly client: number;
  /** The account's index in the list of accounts. */
  readonly account: number;
  readonly node: string;
  readonly ask: Ask;
  /** The entry that the response had to include, by X-PRICETIME-SEQ; 0 if none was requested. */
  readonly atLeastSeq: number;
  /** When it was sent and when its outcome was known, by one monotonic clock. */
  readonly beganMs: number;
  readonly endedMs: number;
  readonly outcome: Outcome;
  /** The last entry that the node had applied when it responded; 0 if it did not report one. */
  readonly seq: number;
  /** The maximum age of the response in ms, as the node reported; -1 if it did not. */
  readonly staleMs: number;
}

/** Whether a request changes something. */
export function isChange(ask: Ask): ask is ChangeAsk {
  return ["place", "cancel", "list", "amend"].includes(ask.kind);
}

/** Returns the ID by which the command of a change is found in the log. */
export function commandId(ask: ChangeAsk): string {
  switch (ask.kind) {
    case "place":
      return ask.order;
    case "cancel":
      return ask.cancelId;
    case "list":
      return ask.list;
    case "amend":
      return amendmentId(ask.order, Math.round(Number(ask.quantity) * 10 ** QUANTITY_DECIMALS));
  }
}

export function amendmentId(order: string, quantityLots: number): string {
  return `${order} to ${quantityLots}`;
}

export function describe({ client, node, ask, outcome, beganMs, endedMs }: Operation): string {
  const said = outcome.is === "refused" ? `refused ${outcome.code}` : outcome.is;
  const told = outcome.is === "done" && outcome.order !== undefined ? ` ${JSON.stringify(outcome.order)}` : "";
  const times = `${beganMs.toFixed(1)} to ${endedMs.toFixed(1)} ms`;
  return `client ${client} at ${node}, ${times}, ${JSON.stringify(ask)}: ${said}${told}`;
}
