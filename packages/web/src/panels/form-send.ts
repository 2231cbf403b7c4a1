/** Asks before an order is sent, and sends what stands in the form. */
import type { Account, Refusal } from "../account/port.ts";
import { tables, form as words } from "../words/words.ts";
import type { Desk } from "./desk.ts";
import type { Check } from "./form-check.ts";
import { fieldsOf } from "./ticket.ts";

/** What the last sent order was answered with, if it was not taken; from its row, else from the last notice. */
function whyNot({ orders, notices }: Account, sinceMs: number): string {
  const failed = orders
    .peek()
    .filter((order) => order.state === "failed" || order.state === "unknown")
    .toSorted((one, other) => other.timeMs - one.timeMs)
    .at(0);
  const refusal: Refusal | null = failed?.refusal ?? null;
  if (refusal !== null) return words.refused(refusal.code, refusal.message);
  const notice = notices
    .peek()
    .filter(({ tone, timeMs }) => tone === "bad" && timeMs >= sinceMs)
    .at(-1);
  return notice?.text ?? words.notTaken;
}

/** Whether it is to be sent: asked, where that is wanted. */
export async function isSure(desk: Desk, { market }: Check): Promise<boolean> {
  const { ticket, preferences, ask } = desk;
  if (!preferences.confirms.peek()) return true;
  const side = ticket.side.peek() === "BUY" ? words.buy : words.sell;
  const kind = ticket.kind.peek();
  const facts = fieldsOf(ticket)
    .filter((name) => ticket.fields[name].peek() !== "")
    .map((name): [string, string] => {
      const unit = name === "quantity" ? market.baseAsset : market.quoteAsset;
      return [words.fields[name], `${ticket.fields[name].peek()} ${unit}`];
    });
  if (kind === "oco") facts.unshift([words.limitLeg, tables.types[ticket.limitType.peek()] ?? ""]);
  const title = words.confirmTitle(side, words.kinds[kind], market.symbol);
  return ask.confirm({ title, facts, yes: side, tone: ticket.side.peek() === "BUY" ? "buy" : "sell" });
}

/** Null: the node took it. Else why not, in words. */
export async function sendTicket(desk: Desk, check: Check): Promise<string | null> {
  const { account, ticket } = desk;
  const sinceMs = Date.now();
  const { draft, oco } = check;
  const isTaken = draft !== null ? await account.place(draft) : oco !== null && (await account.placeOco(oco));
  if (!isTaken) return whyNot(account, sinceMs);
  ticket.fields.quantity.value = "";
  ticket.fields.quoteQuantity.value = "";
  return null;
}
