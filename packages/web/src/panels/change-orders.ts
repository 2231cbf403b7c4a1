/**
 * Open orders canceled or moved from the tables: confirmations, and the validation of a new price. No call rejects:
 * rows and notices show the result.
 */
import type { OrderRow } from "../account/port.ts";
import { showDecimal } from "../exact/shown.ts";
import { tables as words } from "../words/words.ts";
import type { Question } from "./controls.tsx";
import type { TerminalContext } from "./page.ts";
import { remainderOf } from "../account/trading.ts";
import { checkOrder } from "../rules/check-order.ts";
import type { Circumstances, Problem } from "../rules/draft.ts";
import { circumstancesOf } from "./form-check.ts";

// Canceling, with a confirmation if that is switched on.

type Confirmer = Pick<TerminalContext, "account" | "ask" | "preferences" | "feed">;

async function isSure({ preferences, ask }: Confirmer, question: Question): Promise<boolean> {
  return !preferences.confirms.peek() || ask.confirm(question);
}

/** `stop` is the order with the stop price: of an OCO the other leg. */
function factsOf({ feed }: Confirmer, order: OrderRow, stop: OrderRow): [string, string][] {
  const market = feed.markets.peek().get(order.symbol);
  const facts: [string, string][] = [[words.market, order.symbol]];
  const add = (label: string, value: string, digits = 8): void => {
    if (/[1-9]/.test(value)) facts.push([label, showDecimal(value, digits)]);
  };
  add(words.columns.price, order.price, market?.priceDigits);
  add(words.columns.stop, stop.stopPrice, market?.priceDigits);
  add(words.columns.quantity, order.origQty, market?.quantityDigits);
  add(words.columns.filled, order.executedQty, market?.quantityDigits);
  if (order.orderListId !== -1) facts.push([words.columns.list, words.cancelBoth]);
  return facts;
}

const sideText = ({ side }: OrderRow): string => (side === "BUY" ? words.buy : words.sell);

export async function cancelOrder(terminal: Confirmer, order: OrderRow): Promise<void> {
  const title = words.cancelTitle(sideText(order), words.types[order.type] ?? order.type);
  const question = { title, facts: factsOf(terminal, order, order), yes: words.cancelYes, no: words.keep };
  if (await isSure(terminal, question)) await terminal.account.cancel(order);
}

/** Both orders of an OCO. */
export async function cancelList(terminal: Confirmer, limit: OrderRow, stop: OrderRow): Promise<void> {
  const title = words.cancelListTitle(sideText(limit));
  const question = { title, facts: factsOf(terminal, limit, stop), yes: words.cancelList, no: words.keep };
  if (await isSure(terminal, question)) await terminal.account.cancelList(limit.symbol, limit.orderListId);
}

/**
 * Null cancels the orders of all markets. More than one order always requires a confirmation, because they cannot be
 * restored.
 */
export async function cancelAll(terminal: Confirmer, symbol: string | null, count: number): Promise<void> {
  const question: Question = {
    title: words.cancelAllTitle,
    facts: [
      [words.market, symbol ?? words.allMarkets],
      [words.cancelAllCount, String(count)],
    ],
    yes: words.cancelAll,
    no: words.keep,
  };
  const isAsked = count > 1 || terminal.preferences.confirms.peek();
  if (!isAsked || (await terminal.ask.confirm(question))) await terminal.account.cancelAll(symbol);
}

// Validates an open order at another price before it is moved.

export type PricePart = "price" | "stopPrice";

/** Null if the order's market is unknown. */
export function aroundOrder(terminal: TerminalContext, { symbol }: OrderRow): Circumstances | null {
  const market = terminal.feed.markets.value.get(symbol);
  if (market === undefined) return null;
  const around = circumstancesOf(terminal, market, terminal.feed.book.peek());
  // The average price is known only for the selected market. For others, only the node can check the filters that
  // depend on it.
  const isLookedAt = symbol === terminal.feed.market.value?.symbol;
  return isLookedAt ? around : { ...around, averagePrice: null, lastPrice: null };
}

/** The order's own balance is free again when it is moved, and it does not count as a second order. */
export function checkMove(order: OrderRow, part: PricePart, to: string, around: Circumstances): readonly Problem[] {
  const { symbol, orderId } = order;
  const openOrders = around.openOrders.filter((one) => one.symbol !== symbol || one.orderId !== orderId);
  const draft = { ...remainderOf(order), [part]: to };
  return checkOrder(draft, { ...around, openOrders, free: null });
}
