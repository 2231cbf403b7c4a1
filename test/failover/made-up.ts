/** Operations on one order of quantity 5, as a client might have recorded them. */
import type { Ask, Operation, Outcome, ToldOrder } from "../../failover/clients/operation.ts";

const ORDER = "o-0-1";
const PLACE: Ask = { kind: "place", order: ORDER, symbol: "AAAUSDT", side: "BUY", price: "1000", quantity: "5" };
const QUERY: Ask = { kind: "query", order: ORDER, symbol: "AAAUSDT" };

let cancels = 0;
const cancelAsk = (): Ask => ({ kind: "cancel", order: ORDER, symbol: "AAAUSDT", cancelId: `x-0-${++cancels}` });

function operation(beganMs: number, endedMs: number, ask: Ask, outcome: Outcome): Operation {
  const who = { client: 0, account: 0, node: "n1", atLeastSeq: 0, seq: 0, staleMs: -1 };
  return { ...who, beganMs, endedMs, ask, outcome };
}

function told(status: string, executedQty: string): ToldOrder {
  const cummulativeQuoteQty = String(Number(executedQty) * 1000);
  return { clientOrderId: ORDER, orderId: 1, status, executedQty, cummulativeQuoteQty };
}

type Make<Rest extends readonly string[] = []> = (beganMs: number, endedMs: number, ...rest: Rest) => Operation;

export const placed: Make = (a, b) => operation(a, b, PLACE, { is: "done", order: told("NEW", "0") });
export const unknownPlace: Make = (a, b) => operation(a, b, PLACE, { is: "unknown" });
export const queried: Make<[status: string, executed: string]> = (a, b, status, executed) =>
  operation(a, b, QUERY, { is: "done", order: told(status, executed) });
export const notFound: Make = (a, b) => operation(a, b, QUERY, { is: "refused", code: -2013 });
export const canceled: Make<[executed: string]> = (a, b, executed) =>
  operation(a, b, cancelAsk(), { is: "done", order: told("CANCELED", executed) });
export const cancelRefused: Make = (a, b) => operation(a, b, cancelAsk(), { is: "refused", code: -2011 });
export const unknownCancel: Make = (a, b) => operation(a, b, cancelAsk(), { is: "unknown" });
