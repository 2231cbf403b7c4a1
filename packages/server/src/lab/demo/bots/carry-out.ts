/** Carries out the moves of a symbol's driver through desks, which ask the gateway as any client does. */
import type { Desks } from "./desks.ts";
import type { Action, Job, Moves } from "./driver.ts";
import type { OpenQuote } from "./orders.ts";

export type SymbolDesks = Readonly<Record<Job, Desks>>;

/** The actions of one move are sent together. Rejects when a desk fails by anything but a plain refusal. */
export async function carryOut(moves: Moves, desks: SymbolDesks): Promise<void> {
  let seen: readonly (readonly OpenQuote[])[] = [];
  for (;;) {
    const { done, value: move } = moves.next(seen);
    if (done === true) return;
    if (move.type === "look") seen = await Promise.all(move.jobs.map((job) => desks[job].open()));
    else await Promise.all(move.actions.map((action) => act(action, desks)));
  }
}

function act(action: Action, desks: SymbolDesks): Promise<void> {
  if (action.type === "take") return desks.taker.take(action.order);
  if (action.type === "cancel") return desks[action.job].cancel(action.orderId);
  return desks[action.job].quote(action.side, action.quote);
}
