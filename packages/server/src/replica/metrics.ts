/** What /metrics says of the exchange's state, and of history behind it. */
import type { Engine } from "@pricetime/engine";
import type { Metrics } from "../observe/metrics.ts";

type Watched = Pick<Engine, "seq" | "openOrderCount" | "funds">;

export function watchReplica(
  metrics: Pick<Metrics, "gauge">,
  engine: Watched,
  projector: { readonly seq: number },
): void {
  const behind = (): number => Math.max(0, engine.seq - projector.seq);
  metrics.gauge("pricetime_open_orders", "Open orders of all symbols", () => engine.openOrderCount);
  const withdrawals = (): number => engine.funds.openWithdrawals().length;
  metrics.gauge("pricetime_withdrawals_open", "Withdrawals that are not over", withdrawals);
  metrics.gauge("pricetime_journal_seq", "The last journaled command", () => engine.seq);
  metrics.gauge("pricetime_history_seq", "The last command that the history holds", () => projector.seq);
  metrics.gauge("pricetime_history_lag_commands", "How many commands the history is behind", behind);
}
