/** What a client asked of a node and what it was told: everything that the checks know of the clients. */

/** A request to place a limit order that stays until it is cancelled. Its client order id is used once, ever. */
export interface PlaceAsk {
  readonly kind: "place";
  readonly order: string;
  readonly symbol: string;
  readonly side: "BUY" | "SELL";
  readonly price: string;
  readonly quantity: string;
}

/** A request to cancel the order with the client order id `order`. `cancelId` is used once, ever. */
export interface CancelAsk {
  readonly kind: "cancel";
  readonly order: string;
  readonly symbol: string;
  readonly cancelId: string;
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

export type Ask = PlaceAsk | CancelAsk | QueryAsk | OpenOrdersAsk | BalancesAsk;

/** An order as answers tell it: its fields that can change, and its number. */
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

/** A success. Each kind of request fills in what its answer holds. */
export interface Done {
  readonly is: "done";
  readonly order?: ToldOrder;
  readonly orders?: readonly ToldOrder[];
  readonly balances?: readonly ToldBalance[];
}

/**
 * `refused`: the exchange said no, with the interface's code. `notTaken`: it did not take the request, now or later.
 * `unknown`: the request may have been carried out, or may be at any time.
 */
export type Outcome =
  | Done
  | { readonly is: "refused"; readonly code: number }
  | { readonly is: "notTaken" }
  | { readonly is: "unknown" };

export interface Operation {
  /** The client: it has one operation under way at a time. */
  readonly client: number;
  /** The account's place in the list of accounts. */
  readonly account: number;
  readonly node: string;
  readonly ask: Ask;
  /** The entry that the answer had to include, by X-PRICETIME-SEQ; 0: none was asked for. */
  readonly atLeastSeq: number;
  /** When it was sent and when its outcome was known, by one clock that never goes back. */
  readonly beganMs: number;
  readonly endedMs: number;
  readonly outcome: Outcome;
  /** The last entry that the node had applied when it answered; 0: it did not say. */
  readonly seq: number;
  /** How old the node said its answer may be, in ms; -1: it did not say. */
  readonly staleMs: number;
}

/** Whether a request asks for a change. */
export function isChange(ask: Ask): ask is PlaceAsk | CancelAsk {
  return ask.kind === "place" || ask.kind === "cancel";
}

/** Returns the id by which the command of a change is found in the log. */
export function commandId(ask: PlaceAsk | CancelAsk): string {
  return ask.kind === "place" ? ask.order : ask.cancelId;
}

export function describe({ client, node, ask, outcome, beganMs, endedMs }: Operation): string {
  const said = outcome.is === "refused" ? `refused ${outcome.code}` : outcome.is;
  const told = outcome.is === "done" && outcome.order !== undefined ? ` ${JSON.stringify(outcome.order)}` : "";
  const times = `${beganMs.toFixed(1)} to ${endedMs.toFixed(1)} ms`;
  return `client ${client} at ${node}, ${times}, ${JSON.stringify(ask)}: ${said}${told}`;
}
