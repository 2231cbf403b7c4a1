/** What one account sees and does, as panels see it. */
import type { ReadonlySignal } from "@preact/signals";
import type { Freshness } from "../market/port.ts";

/** The node's own refusal, or none: then it is not known what came of the request. */
export interface Refusal {
  /** As in Interface 7; null: no answer, or one that says nothing (a 5XX, a cut line). */
  readonly code: number | null;
  readonly message: string;
  readonly isUnknown: boolean;
}

/** Keys last as long as the tab, unless signing in is refused. */
export interface Session {
  /** A demo account's name, or the beginning of the API key. */
  readonly label: string;
  readonly isDemo: boolean;
}

/** Decimals as sent. */
export interface Balance {
  readonly asset: string;
  readonly free: string;
  readonly locked: string;
}

/**
 * `sending`: on its way; `unknown`: the answer was lost, and the node is being asked by client order id; `failed`: the
 * node refused it, and `refusal` says why. All others as in Interface 3.1.
 */
export interface OrderRow {
  /** 0: not known yet. */
  readonly orderId: number;
  readonly clientOrderId: string;
  /** -1: no list. */
  readonly orderListId: number;
  readonly symbol: string;
  readonly side: "BUY" | "SELL";
  readonly type: string;
  readonly timeInForce: string;
  readonly price: string;
  readonly stopPrice: string;
  readonly icebergQty: string;
  readonly origQty: string;
  readonly executedQty: string;
  readonly cummulativeQuoteQty: string;
  readonly status: string;
  /** False: it waits for its stop price. */
  readonly isWorking: boolean;
  readonly timeMs: number;
  readonly updateTimeMs: number;
  readonly state: "sending" | "known" | "unknown" | "failed";
  readonly refusal: Refusal | null;
}

export interface Fill {
  readonly symbol: string;
  readonly tradeId: number;
  readonly orderId: number;
  readonly side: "BUY" | "SELL";
  readonly price: string;
  readonly quantity: string;
  readonly quoteQuantity: string;
  readonly commission: string;
  readonly commissionAsset: string;
  readonly isMaker: boolean;
  readonly timeMs: number;
}

/** What the form makes: the parameters of `POST /api/v3/order` (Interface 4.2.2), decimals as text. */
export interface OrderDraft {
  readonly symbol: string;
  readonly side: "BUY" | "SELL";
  readonly type: string;
  readonly timeInForce?: string;
  readonly quantity?: string;
  readonly quoteOrderQty?: string;
  readonly price?: string;
  readonly stopPrice?: string;
  readonly icebergQty?: string;
}

/** Two orders of which one cancels the other (Interface 4.3): names that begin with `limit`, and `price`, are the limit leg's. */
export interface OcoDraft {
  readonly symbol: string;
  readonly side: "BUY" | "SELL";
  readonly quantity: string;
  /** LIMIT_MAKER, TAKE_PROFIT or TAKE_PROFIT_LIMIT. */
  readonly limitType: string;
  /** A TAKE_PROFIT has none. */
  readonly price?: string;
  /** What a limit leg that takes a profit waits for. */
  readonly limitStopPrice?: string;
  readonly limitTimeInForce?: string;
  readonly stopPrice: string;
  readonly stopLimitPrice?: string;
  readonly stopLimitTimeInForce?: string;
  readonly limitIcebergQty?: string;
  readonly stopIcebergQty?: string;
}

/** A page of history: rows newest first; `more` asks for older ones. An error is never an empty page. */
export interface Pages<Row> {
  readonly rows: ReadonlySignal<readonly Row[]>;
  readonly state: ReadonlySignal<"idle" | "loading" | "done" | Refusal>;
  more(): Promise<void>;
}

/** What a line of the notices says: what was done and what came of it. */
export interface Notice {
  readonly id: number;
  readonly tone: "good" | "bad" | "plain";
  readonly text: string;
  readonly timeMs: number;
}

export interface DemoAccount {
  readonly name: string;
  readonly apiKey: string;
  readonly secretKey: string;
}

export interface Account {
  readonly session: ReadonlySignal<Session | null>;
  readonly freshness: ReadonlySignal<Freshness>;
  /** Empty where the node is no demo on loopback. */
  readonly demoAccounts: ReadonlySignal<readonly DemoAccount[]>;
  readonly balances: ReadonlySignal<ReadonlyMap<string, Balance>>;
  /** In parts of one: what a maker and a taker pay, as `GET /api/v3/account` says; null: not known. */
  readonly commission: ReadonlySignal<{ readonly maker: string; readonly taker: string } | null>;
  /** Orders of all markets: open ones, those being sent, and refused or unknown ones until they are dismissed. */
  readonly orders: ReadonlySignal<readonly OrderRow[]>;
  /** The newest fills that the stream told of and the market's latest, newest first; at most 1,000. */
  readonly fills: ReadonlySignal<readonly Fill[]>;
  readonly notices: ReadonlySignal<readonly Notice[]>;
  /** Puts a line among the notices. */
  say(tone: Notice["tone"], text: string): void;
  /** Rejects with a `Refusal` where the node does. */
  signIn(apiKey: string, secretKey: string, label?: string): Promise<void>;
  signOut(): void;
  /** None of these rejects: `orders` and `notices` show the outcome. True: the node accepted the request. */
  place(draft: OrderDraft): Promise<boolean>;
  placeOco(draft: OcoDraft): Promise<boolean>;
  cancel(order: OrderRow): Promise<boolean>;
  cancelList(symbol: string, orderListId: number): Promise<boolean>;
  /** Null: of all markets. */
  cancelAll(symbol: string | null): Promise<boolean>;
  /**
   * Cancels it and places it anew at that price; of an OCO the whole list. Where placing fails, a notice says that the
   * order is gone and why. `stopPrice`: the stop price is what moves.
   */
  move(order: OrderRow, to: { readonly price?: string; readonly stopPrice?: string }): Promise<boolean>;
  dismiss(order: OrderRow): void;
  orderHistory(symbol: string): Pages<OrderRow>;
  tradeHistory(symbol: string): Pages<Fill>;
}
