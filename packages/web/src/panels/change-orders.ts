/**
 * Cancels, moves and reduces open orders from the tables: confirmations, and the validation of new values. The promises never
 * reject: rows and notices show the outcome.
 */
import type { OrderRow } from "../account/port.ts";
import { compare, decimal, isZero, parseDecimal } from "../exact/decimal.ts";
import { showDecimal, showTrailing } from "../exact/shown.ts";
import { listWords, tables as words } from "../words/words.ts";
import { isPending, remainingOf, trailingState } from "../account/own-orders.ts";
import { listOf, type OpenList, ordersOf, othersOf } from "../account/order-lists.ts";
import { checkOto, checkPending, exitField } from "../rules/pending-orders.ts";
import type { MoveFault } from "../chart/line-edit.ts";
import type { Question } from "./controls.tsx";
import type { TerminalContext } from "./page.ts";
import { otoOf, remainderOf } from "../account/trading.ts";
import { checkOrder } from "../rules/check-order.ts";
import { type Circumstances, hasPrice, type Problem } from "../rules/draft.ts";
import { circumstancesOf, isFatal } from "./form-check.ts";

// Cancels orders, after a confirmation if confirmations are on.

type Confirmer = Pick<TerminalContext, "account" | "ask" | "preferences" | "feed">;

async function isSure({ preferences, ask }: Confirmer, question: Question): Promise<boolean> {
  return !preferences.confirms.peek() || ask.confirm(question);
}

/**
 * The order's details in the confirmation. `stop` is the order with the stop price, which for an OCO is the other leg.
 */
function factsOf({ feed }: Confirmer, order: OrderRow, stop: OrderRow, list: OpenList | null): [string, string][] {
  const market = feed.markets.peek().get(order.symbol);
  const facts: [string, string][] = [[words.market, order.symbol]];
  const add = (label: string, value: string, digits = 8): void => {
    if (/[1-9]/.test(value)) facts.push([label, showDecimal(value, digits)]);
  };
  add(words.columns.price, order.price, market?.priceDigits);
  add(words.columns.stop, stop.stopPrice, market?.priceDigits);
  const trailing = trailingState(order);
  if (trailing !== null) facts.push([words.columns.status, words.trailingStates[trailing]]);
  add(words.columns.quantity, order.origQty, market?.quantityDigits);
  add(words.columns.filled, order.executedQty, market?.quantityDigits);
  if (list !== null) facts.push([words.columns.list, listWords.canceled(list.kind, pendingCount(list))]);
  return facts;
}

/** The number of pending orders of an OTO. */
export const pendingCount = (list: OpenList): number => ordersOf(list).filter(isPending).length;

export const sideText = ({ side }: OrderRow): string => (side === "BUY" ? words.buy : words.sell);

/** The type of an order in words; a trailing stop is one of several types, and has its distance. */
export function typeText({ type, trailingDelta }: OrderRow): string {
  if (trailingDelta === undefined) return words.types[type] ?? type;
  const percent = showTrailing(trailingDelta);
  return hasPrice(type) ? words.trailingLimit(percent) : words.trailing(percent);
}

export async function cancelOrder(terminal: Confirmer, order: OrderRow): Promise<void> {
  const title = words.cancelTitle(sideText(order), typeText(order));
  const facts = factsOf(terminal, order, order, listOf(order, terminal.account.orders.peek()));
  const question = { title, facts, yes: words.cancelYes, no: words.keep };
  if (await isSure(terminal, question)) await terminal.account.cancel(order);
}

/** Cancels all orders of a list. */
export async function cancelList(terminal: Confirmer, list: OpenList): Promise<void> {
  const [first] = ordersOf(list);
  const order = list.working ?? list.limit ?? first;
  if (order === undefined) return;
  const stop = list.kind === "OCO" ? (list.stop ?? order) : order;
  const title = listWords.cancelTitle(sideText(order), list.kind);
  const question = { title, facts: factsOf(terminal, order, stop, list), yes: words.cancelList, no: words.keep };
  if (await isSure(terminal, question)) await terminal.account.cancelList(list.symbol, list.orderListId);
}

/**
 * Cancels the orders of a market, or of all markets if `symbol` is null. Canceling several orders always requires a
 * confirmation, because they cannot be restored.
 */
export async function cancelAll(terminal: Confirmer, symbol: string | null, count: number): Promise<void> {
  const question: Question = {
    facts: [
      [words.market, symbol ?? words.allMarkets],
      [words.cancelAllCount, String(count)],
    ],
    ...{ title: words.cancelAllTitle, yes: words.cancelAll, no: words.keep },
  };
  const isAsked = count > 1 || terminal.preferences.confirms.peek();
  if (!isAsked || (await terminal.ask.confirm(question))) await terminal.account.cancelAll(symbol);
}

// Validates the new price before an order is moved.

export type PricePart = "price" | "stopPrice";
/** The fields of an open order that can be edited. A quantity can only be reduced. */
export type EditedPart = PricePart | "origQty";

/** The data for the validation; null if the order's market is unknown. */
export function aroundOrder(terminal: TerminalContext, { symbol }: OrderRow): Circumstances | null {
  const market = terminal.feed.markets.value.get(symbol);
  if (market === undefined) return null;
  const around = circumstancesOf(terminal, market, terminal.feed.book.peek());
  // The average and the reference price are known only for the selected market. For other markets, only the node can check the filters
  // that depend on it.
  const isLookedAt = symbol === terminal.feed.market.value?.symbol;
  return isLookedAt ? around : { ...around, averagePrice: null, referencePrice: null, lastPrice: null };
}

/** Validates a smaller quantity of an order, including what was filled. */
export function checkReduction(order: OrderRow, to: string, around: Circumstances): readonly Problem[] {
  const value = parseDecimal(to);
  const isLess = value !== null && !isZero(value) && compare(value, decimal(order.origQty)) < 0;
  // With nothing left to fill, the node would end the order, and with it the orders that wait for it.
  const text = !isLess ? words.onlyLess : remainingOf({ ...order, origQty: to }).units <= 0n ? words.nothingLeft : null;
  if (text !== null) return [{ field: "quantity", kind: "form", filter: null, text, nearest: [] }];
  const draft = { ...remainderOf(order), quantity: to };
  if (isPending(order)) return checkPending(draft, to, around).filter(({ field }) => field === "quantity");
  return checkOrder(draft, { ...around, openOrders: [], free: null }).filter(({ field }) => field === "quantity");
}

/** Validates a move. The balance that the order locks counts as free, and the order itself does not count as open. */
export function checkMove(order: OrderRow, part: PricePart, to: string, around: Circumstances): readonly Problem[] {
  const { symbol, orderId } = order;
  const list = listOf(order, around.openOrders);
  const isOther = (one: OrderRow): boolean => one.symbol !== symbol || one.orderId !== orderId;
  const openOrders = around.openOrders.filter(isOther);
  const oto = list === null ? null : otoOf(list, order, { [part]: to });
  if (list !== null && oto !== null) {
    const others = openOrders.filter((one) => othersOf(list, order).every((other) => other !== one));
    return checkOto(oto, { ...around, openOrders: others, free: null }).map((problem) => atCell(problem, order, part));
  }
  const draft = { ...remainderOf(order), [part]: to };
  return checkOrder(draft, { ...around, openOrders, free: null });
}

/**
 * Why an order cannot be moved on the chart, which shows no hints; null if it can. The order is canceled before its
 * replacement is placed, so what the market's prices would reject is not sent, either.
 */
export function moveFault(order: OrderRow, part: PricePart, to: string, around: Circumstances): string | null {
  // A trailing stop whose activation price is reached is accepted.
  const isRejected = (problem: Problem): boolean =>
    isFatal(problem) || (problem.kind === "market" && order.trailingDelta === undefined);
  return checkMove(order, part, to, around).find(isRejected)?.text ?? null;
}

export function moveFaultsOf(terminal: TerminalContext): MoveFault {
  return (order, part, to) => {
    const around = aroundOrder(terminal, order);
    return around === null ? null : moveFault(order, part, to, around);
  };
}

/** The problem of a list at the edited cell, if it concerns the order's price: only there can its suggestions be used. */
function atCell(problem: Problem, order: OrderRow, part: PricePart): Problem {
  const isOfOrder = isPending(order) ? problem.field === exitField(order) : problem.field === part;
  return { ...problem, field: isOfOrder ? part : "type" };
}
