/** What /metrics says of the exchange's state, and of history behind it. */
import { type Engine, parseDecimal, WITHDRAWAL_WINDOWS, type WithdrawalWindow } from "@pricetime/engine";
import type { Sample } from "../../platform/observe/histogram.ts";
import type { Metrics } from "../../platform/observe/metrics.ts";

type Watched = Pick<Engine, "assets" | "seq" | "openOrderCount" | "funds" | "venue">;

export function watchReplica(
  metrics: Pick<Metrics, "gauge" | "gauges">,
  engine: Watched,
  projector: { readonly seq: number },
  clock: { nowMs(): number },
): void {
  const behind = (): number => Math.max(0, engine.seq - projector.seq);
  metrics.gauge("pricetime_open_orders", "Open orders on all symbols", () => engine.openOrderCount);
  const withdrawals = (): number => engine.funds.openWithdrawals().length;
  metrics.gauge("pricetime_withdrawals_open", "Pending withdrawals", withdrawals);
  metrics.gauges("pricetime_withdrawal_budget_used_ratio", "Used share of the withdrawal limit of all customers", () =>
    budgetsUsed(engine, clock.nowMs()),
  );
  metrics.gauge("pricetime_suspensions", "Suspensions in force", () => countOf(engine.venue.stops()));
  const unknown = (): number => countOf(engine.venue.unknownDeposits());
  metrics.gauge("pricetime_unattributed_deposits", "Unresolved unattributed deposits", unknown);
  metrics.gauge("pricetime_journal_seq", "Sequence number of the last journaled command", () => engine.seq);
  metrics.gauge("pricetime_history_seq", "Sequence number of the last command in history", () => projector.seq);
  metrics.gauge("pricetime_history_lag_commands", "Commands by which history is behind", behind);
}

/** The part of the limit that all customers withdrew, for each asset and window that has a limit above zero. */
function budgetsUsed(engine: Watched, nowMs: number): Sample[] {
  const withdrawn = engine.funds.withdrawn(null, nowMs);
  const windows = Object.keys(WITHDRAWAL_WINDOWS) as WithdrawalWindow[];
  return engine.assets().flatMap(({ assetId, spec }) =>
    windows.flatMap((window): Sample[] => {
      const limit = parseDecimal(spec.withdrawalLimits?.allCustomers?.[window] ?? "0", spec.precision) ?? 0n;
      if (limit === 0n) return [];
      const value = Number(withdrawn.get(assetId)?.[window] ?? 0n) / Number(limit);
      return [{ labels: { asset: spec.asset, hours: WITHDRAWAL_WINDOWS[window] }, value }];
    }),
  );
}

function countOf(things: Iterable<unknown>): number {
  let count = 0;
  for (const _ of things) count++;
  return count;
}
