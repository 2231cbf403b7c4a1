/** Cancels from the tables: asked about first where that is wanted. None rejects: rows and notices tell what came of it. */
import type { OrderRow } from "../account/port.ts";
import { showDecimal } from "../exact/shown.ts";
import { tables as words } from "../words/words.ts";
import type { Question } from "./ask.tsx";
import type { Desk } from "./desk.ts";

type Asker = Pick<Desk, "account" | "ask" | "preferences" | "feed">;

async function isSure({ preferences, ask }: Asker, question: Question): Promise<boolean> {
  return !preferences.confirms.peek() || ask.confirm(question);
}

/** `stop`: the order that has the stop price, of an OCO the other one. */
function factsOf({ feed }: Asker, order: OrderRow, stop: OrderRow): [string, string][] {
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

export async function cancelOrder(desk: Asker, order: OrderRow): Promise<void> {
  const title = words.cancelTitle(sideText(order), words.types[order.type] ?? order.type);
  const question = { title, facts: factsOf(desk, order, order), yes: words.cancelYes, no: words.keep };
  if (await isSure(desk, question)) await desk.account.cancel(order);
}

/** Both orders of an OCO. */
export async function cancelList(desk: Asker, limit: OrderRow, stop: OrderRow): Promise<void> {
  const title = words.cancelListTitle(sideText(limit));
  const question = { title, facts: factsOf(desk, limit, stop), yes: words.cancelList, no: words.keep };
  if (await isSure(desk, question)) await desk.account.cancelList(limit.symbol, limit.orderListId);
}

/** Null: those of all markets. More than one order is asked about always: many cannot be brought back as they were. */
export async function cancelAll(desk: Asker, symbol: string | null, count: number): Promise<void> {
  const question: Question = {
    title: words.cancelAllTitle,
    facts: [
      [words.market, symbol ?? words.allMarkets],
      [words.cancelAllCount, String(count)],
    ],
    yes: words.cancelAll,
    no: words.keep,
  };
  const isAsked = count > 1 || desk.preferences.confirms.peek();
  if (!isAsked || (await desk.ask.confirm(question))) await desk.account.cancelAll(symbol);
}
