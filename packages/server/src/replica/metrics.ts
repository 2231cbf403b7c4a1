/** What /metrics says of the exchange's state, and of history behind it. */
import type { Engine } from "@pricetime/engine";
import type { Metrics } from "../observe/metrics.ts";

type Watched = Pick<Engine, "seq" | "openOrderCount" | "funds" | "venue">;

export function watchReplica(
  metrics: Pick<Metrics, "gauge">,
  engine: Watched,
  projector: { readonly seq: number },
): void {
  const behind = (): number => Math.max(0, engine.seq - projector.seq);
  metrics.gauge("pricetime_open_orders", "Open orders of all symbols", () => engine.openOrderCount);
  const withdrawals = (): number => engine.funds.openWithdrawals().length;
  metrics.gauge("pricetime_withdrawals_open", "Withdrawals that are not over", withdrawals);
  metrics.gauge("pricetime_stops", "What is stopped on the venue", () => countOf(engine.venue.stops()));
  const unknown = (): number => countOf(engine.venue.unknownDeposits());
  metrics.gauge("pricetime_unknown_deposits", "Coins of nobody that wait for an operator", unknown);
  metrics.gauge("pricetime_journal_seq", "The last journaled command", () => engine.seq);
  metrics.gauge("pricetime_history_seq", "The last command that the history holds", () => projector.seq);
  metrics.gauge("pricetime_history_lag_commands", "How many commands the history is behind", behind);
}

function countOf(things: Iterable<unknown>): number {
  let count = 0;
  for (const _ of things) count++;
  return count;
}
