/**
 * The results of a command in traders' terms: exact decimals, and names instead of numbers. The engine's events and the
 * model's answers are both converted to this form and compared as text.
 */
import type {
  Command,
  CommandType,
  ExpiryReason,
  ListKind,
  OrderStatus,
  OrderType,
  RejectReason,
  SelfTradePreventionMode,
  Side,
  TimeInForce,
} from "@pricetime/engine";
import { type Amount, show } from "./money.ts";

export interface Refused {
  readonly kind: "refused";
  readonly reason: RejectReason;
}
export interface Opened {
  readonly kind: "opened";
  readonly orderId: number;
  readonly accountId: number;
  readonly clientOrderId: string;
  readonly symbol: string;
  readonly side: Side;
  readonly type: OrderType;
  readonly timeInForce: TimeInForce;
  readonly price: Amount;
  readonly quantity: Amount;
  readonly stopPrice: Amount;
  readonly icebergQty: Amount;
  /** In basis points; 0 if the order is no trailing stop. */
  readonly trailingDelta: number;
  /** Whether a trailing stop has begun to follow the price. */
  readonly follows: boolean;
  /** For example `MARKET_PEG 1`; "" if the order is not pegged. */
  readonly peg: string;
  /** The price that a pegged order took from the book; 0n if none. */
  readonly peggedPrice: Amount;
  readonly isWorking: boolean;
  /** Whether the order waits for the working order of its list. */
  readonly isPending: boolean;
  /** The id of the order's list; -1 if the order is in no list. */
  readonly orderListId: number;
}
export interface TradeSide {
  readonly orderId: number;
  readonly clientOrderId: string;
  readonly status: OrderStatus;
  readonly executed: Amount;
  readonly executedQuote: Amount;
  readonly commission: Amount;
  readonly commissionAsset: string;
}
export interface Traded {
  readonly kind: "traded";
  readonly symbol: string;
  readonly tradeId: number;
  readonly aggTradeId: number;
  readonly price: Amount;
  readonly quantity: Amount;
  readonly quote: Amount;
  readonly takerSide: Side;
  readonly taker: TradeSide;
  readonly maker: TradeSide;
}
/** What an order lost in a prevented match. */
export interface Loss {
  readonly orderId: number;
  readonly clientOrderId: string;
  readonly lost: Amount;
  /** Everything that self-trade prevention has taken from the order so far. */
  readonly prevented: Amount;
  readonly status: OrderStatus;
}
export interface Prevented {
  readonly kind: "prevented";
  readonly symbol: string;
  readonly id: number;
  readonly mode: SelfTradePreventionMode;
  readonly tradeGroupId: number;
  readonly price: Amount;
  readonly quantity: Amount;
  readonly quote: Amount;
  readonly isTransfer: boolean;
  readonly taker: Loss;
  readonly maker: Loss;
  readonly otherLeg: Loss | null;
}
export interface Ended {
  readonly kind: "ended";
  readonly orderId: number;
  readonly clientOrderId: string;
  readonly status: "CANCELED" | "EXPIRED";
  readonly executed: Amount;
  readonly executedQuote: Amount;
  readonly cancelClientOrderId: string;
  readonly expiryReason: ExpiryReason;
}
/** The quantity of an open order was reduced. */
export interface Amended {
  readonly kind: "amended";
  readonly orderId: number;
  readonly clientOrderId: string;
  readonly origClientOrderId: string;
  readonly quantity: Amount;
  readonly origQuantity: Amount;
  readonly executed: Amount;
}
/** An order list was placed or has ended, or one of its orders got another client id (UPDATED). */
export interface Listed {
  readonly kind: "listed";
  readonly status: "EXECUTING" | "UPDATED" | "ALL_DONE";
  readonly orderListId: number;
  readonly listClientOrderId: string;
  readonly accountId: number;
  readonly symbol: string;
  readonly listKind: ListKind;
  /** The client ids of its orders. */
  readonly ids: readonly string[];
}
/** The results of both halves of a cancel-replace. */
export interface Replaced {
  readonly kind: "replaced";
  readonly cancelReason: RejectReason | null;
  readonly placeReason: RejectReason | "NOT_ATTEMPTED" | null;
}
/** Any result that does not concern an order, such as an opened account, a deposit or a new status. */
export interface PlainResult {
  readonly kind: "plain";
  readonly words: string;
}

/** The results of an executed command, or the reason for its rejection. */
export type Answer = Happening[] | RejectReason;

/** Functions that execute the commands of these types on the model. */
export type Answers<Subject, Type extends CommandType> = {
  readonly [Each in Type]: (subject: Subject, command: Command<Each>) => Answer;
};

export type Happening = Refused | Opened | Traded | Prevented | Ended | Amended | Listed | Replaced | PlainResult;

/**
 * Returns clauses: the first states what happened, the others give details. Test scenarios name the clauses that matter
 * to them.
 */
export function clauses(happening: Happening): string[] {
  switch (happening.kind) {
    case "refused":
      return [`refused ${happening.reason}`];
    case "plain":
      return [happening.words];
    case "opened":
      return openedClauses(happening);
    case "ended":
      return [
        `${happening.status.toLowerCase()} ${happening.clientOrderId}`,
        `order ${happening.orderId}`,
        `executed ${show(happening.executed)}`,
        `for ${show(happening.executedQuote)}`,
        ...(happening.cancelClientOrderId === "" ? [] : [`by ${happening.cancelClientOrderId}`]),
        ...(happening.expiryReason === "NONE" ? [] : [`because ${happening.expiryReason}`]),
      ];
    case "amended":
      return [
        `amended ${happening.clientOrderId}`,
        `order ${happening.orderId}`,
        `to ${show(happening.quantity)}`,
        `from ${show(happening.origQuantity)}`,
        `executed ${show(happening.executed)}`,
        `before ${happening.origClientOrderId}`,
      ];
    case "traded":
      return tradedClauses(happening);
    case "prevented":
      return preventedClauses(happening);
    case "listed":
      return [
        `list ${happening.listClientOrderId} ${happening.status}`,
        `list id ${happening.orderListId}`,
        `account ${happening.accountId}`,
        `of ${happening.ids.join(" and ")}`,
        happening.listKind,
        `on ${happening.symbol}`,
      ];
    case "replaced":
      return [
        "replaced",
        happening.cancelReason === null ? "canceled" : `cancel refused ${happening.cancelReason}`,
        happening.placeReason === null ? "placed" : placeClause(happening.placeReason),
      ];
  }
}

function placeClause(reason: RejectReason | "NOT_ATTEMPTED"): string {
  return reason === "NOT_ATTEMPTED" ? "not placed" : `order refused ${reason}`;
}

function openedClauses(opened: Opened): string[] {
  const given = [`opened ${opened.clientOrderId}`, `order ${opened.orderId}`, `account ${opened.accountId}`];
  given.push(`${opened.side} ${opened.type} ${opened.timeInForce}`, `quantity ${show(opened.quantity)}`);
  given.push(`on ${opened.symbol}`, opened.isWorking ? "working" : opened.isPending ? "pending" : "waiting");
  if (opened.price !== 0n) given.push(`price ${show(opened.price)}`);
  if (opened.stopPrice !== 0n) given.push(`stop ${show(opened.stopPrice)}`);
  if (opened.trailingDelta !== 0) given.push(`trailing ${opened.trailingDelta}`);
  if (opened.follows) given.push("follows");
  if (opened.peg !== "") given.push(opened.peg);
  if (opened.peggedPrice !== 0n) given.push(`pegged ${show(opened.peggedPrice)}`);
  if (opened.icebergQty !== 0n) given.push(`iceberg ${show(opened.icebergQty)}`);
  if (opened.orderListId !== -1) given.push(`in list ${opened.orderListId}`);
  return given;
}

function tradedClauses(traded: Traded): string[] {
  const { taker, maker } = traded;
  return [
    `trade ${show(traded.quantity)} @ ${show(traded.price)}`,
    `${taker.clientOrderId} takes ${maker.clientOrderId}`,
    `pays ${show(traded.quote)}`,
    `fees ${show(taker.commission)} ${taker.commissionAsset} and ${show(maker.commission)} ${maker.commissionAsset}`,
    `${taker.clientOrderId} ${taker.status}`,
    `${maker.clientOrderId} ${maker.status}`,
    `${traded.takerSide} taker`,
    `trade id ${traded.tradeId}`,
    `aggregate ${traded.aggTradeId}`,
    `on ${traded.symbol}`,
    `taker order ${taker.orderId} executed ${show(taker.executed)} for ${show(taker.executedQuote)}`,
    `maker order ${maker.orderId} executed ${show(maker.executed)} for ${show(maker.executedQuote)}`,
  ];
}

function preventedClauses(prevented: Prevented): string[] {
  const { taker, maker, otherLeg, quantity, price, quote } = prevented;
  const losses = otherLeg === null ? [taker, maker] : [taker, maker, otherLeg];
  return [
    `prevented ${show(quantity)} @ ${show(price)}`,
    `${prevented.mode}`,
    `${taker.clientOrderId} would take ${maker.clientOrderId}`,
    prevented.isTransfer ? `transfers ${show(quantity)} for ${show(quote)}` : `would pay ${show(quote)}`,
    ...losses.flatMap(({ orderId, clientOrderId, lost, prevented: sum, status }) => [
      `${clientOrderId} loses ${show(lost)}`,
      `${clientOrderId} ${status}`,
      `order ${orderId} prevented ${show(sum)}`,
    ]),
    `id ${prevented.id}`,
    ...(prevented.tradeGroupId === -1 ? [] : [`group ${prevented.tradeGroupId}`]),
    `on ${prevented.symbol}`,
  ];
}

export function sentence(happening: Happening): string {
  return clauses(happening).join(", ");
}

export function plainResult(words: string): Happening {
  return { kind: "plain", words };
}
