/** Orders as answers and reports tell of them, as rows of one shape (Interface 2.2, 2.3, 6.3). */
import { compare, decimal } from "../exact/decimal.ts";
import { waits } from "../rules/order-types.ts";
import type { OrderDraft, OrderRow } from "./port.ts";

type Side = "BUY" | "SELL";
const ZERO_TEXT = "0.00000000";
const OVER: readonly string[] = ["FILLED", "CANCELED", "EXPIRED", "REJECTED"];

interface Common {
  readonly symbol: string;
  readonly orderId: number;
  readonly orderListId: number;
  readonly clientOrderId: string;
  readonly price: string;
  readonly origQty: string;
  readonly executedQty: string;
  readonly cummulativeQuoteQty: string;
  readonly status: string;
  readonly timeInForce: string;
  readonly type: string;
  readonly side: Side;
  readonly stopPrice?: string;
  readonly icebergQty?: string;
}

/** What lookups and lists of orders answer. */
export interface OrderAnswer extends Common {
  readonly time: number;
  readonly updateTime: number;
  readonly isWorking: boolean;
}

/** RESULT, and a cancel, whose `clientOrderId` is its own. */
export interface ResultAnswer extends Common {
  readonly transactTime: number;
  readonly origClientOrderId?: string;
}

/** What placing or cancelling a list answers. */
export interface ListAnswer {
  readonly orderListId: number;
  readonly orderReports: readonly ResultAnswer[];
}

export interface ReportEvent {
  readonly e: "executionReport";
  readonly s: string;
  readonly c: string;
  readonly C: string;
  readonly S: Side;
  readonly o: string;
  readonly f: string;
  readonly q: string;
  readonly p: string;
  readonly P: string;
  readonly F: string;
  readonly g: number;
  readonly x: string;
  readonly X: string;
  readonly i: number;
  readonly l: string;
  readonly z: string;
  readonly L: string;
  readonly n: string;
  readonly N: string | null;
  readonly T: number;
  readonly t: number;
  readonly w: boolean;
  readonly m: boolean;
  readonly O: number;
  readonly Z: string;
  readonly Y: string;
}

const KNOWN = { state: "known", refusal: null } as const;

export function rowOfOrder(answer: OrderAnswer): OrderRow {
  const { time, updateTime, isWorking } = answer;
  return { ...commonOf(answer), isWorking, timeMs: time, updateTimeMs: updateTime, ...KNOWN };
}

/** `before`: the order as it was known, if it was; an answer does not say when it was placed. */
export function rowOfResult(answer: ResultAnswer, before: OrderRow | undefined): OrderRow {
  const { transactTime, origClientOrderId, clientOrderId } = answer;
  return {
    ...commonOf(answer),
    clientOrderId: origClientOrderId ?? clientOrderId,
    isWorking: before?.isWorking ?? !waits(answer.type),
    timeMs: before === undefined || before.orderId === 0 ? transactTime : before.timeMs,
    updateTimeMs: transactTime,
    ...KNOWN,
  };
}

function commonOf(answer: Common): Omit<OrderRow, "isWorking" | "timeMs" | "updateTimeMs" | "state" | "refusal"> {
  const { symbol, orderId, orderListId, clientOrderId, side, type, timeInForce } = answer;
  const { price, origQty, executedQty, cummulativeQuoteQty, status } = answer;
  return {
    ...{ symbol, orderId, orderListId, clientOrderId, side, type, timeInForce },
    ...{ price, origQty, executedQty, cummulativeQuoteQty, status },
    stopPrice: answer.stopPrice ?? ZERO_TEXT,
    icebergQty: answer.icebergQty ?? ZERO_TEXT,
  };
}

export function rowOfReport(event: ReportEvent): OrderRow {
  return {
    ...{ symbol: event.s, orderId: event.i, orderListId: event.g, side: event.S, type: event.o },
    // A cancel's `c` is its own.
    clientOrderId: event.C === "" ? event.c : event.C,
    ...{ timeInForce: event.f, price: event.p, stopPrice: event.P, icebergQty: event.F, origQty: event.q },
    ...{ executedQty: event.z, cummulativeQuoteQty: event.Z, status: event.X, isWorking: event.w },
    ...{ timeMs: event.O, updateTimeMs: event.T, ...KNOWN },
  };
}

/** An order that is on its way: nothing of it is known but what was asked for. */
export function rowOfDraft(draft: OrderDraft, clientOrderId: string, nowMs: number): OrderRow {
  return {
    ...{ orderId: 0, clientOrderId, orderListId: -1, symbol: draft.symbol, side: draft.side, type: draft.type },
    timeInForce: draft.timeInForce ?? "GTC",
    price: draft.price ?? ZERO_TEXT,
    stopPrice: draft.stopPrice ?? ZERO_TEXT,
    icebergQty: draft.icebergQty ?? ZERO_TEXT,
    origQty: draft.quantity ?? ZERO_TEXT,
    ...{ executedQty: ZERO_TEXT, cummulativeQuoteQty: ZERO_TEXT, status: "NEW", isWorking: false },
    ...{ timeMs: nowMs, updateTimeMs: nowMs, state: "sending", refusal: null },
  };
}

export const isOver = ({ status }: Pick<OrderRow, "status">): boolean => OVER.includes(status);

/** Whether `next` tells the same or more of an order than `known`: an order only goes forward, whatever comes late. */
export function supersedes(next: OrderRow, known: OrderRow): boolean {
  if (isOver(known)) return false;
  if (isOver(next)) return true;
  const turn = compare(decimal(next.executedQty), decimal(known.executedQty));
  return turn === 0 ? next.updateTimeMs >= known.updateTimeMs : turn > 0;
}
