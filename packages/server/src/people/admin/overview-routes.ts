/** The routes that show a node at a glance, and its cluster as it sees it. */
import type { EngineView } from "@pricetime/engine";
import { ok } from "./answer.ts";
import type { AdminNode } from "./node.ts";
import { type Route, route } from "./router.ts";
import { suspensions } from "./stop-routes.ts";

export function overviewRoutes(node: AdminNode): Route[] {
  return [
    route({
      method: "GET",
      pattern: "/v1/overview",
      needs: "view",
      summary:
        "Returns an overview of the node: health, positions of journal and history, and metrics of the last hour.",
      answers:
        "`figures` have a name, a unit, the newest sample (`now`) and the samples of the last hour, oldest first, one per `periodMs`. A sample is null when no value is available.",
      handle: async () => ok(await overview(node)),
    }),
  ];
}

async function overview({ view, world, watch, journalHead, history }: AdminNode): Promise<object> {
  const { health, hour, disk, version, startedMs } = watch;
  const faults = health.faults();
  const { lastSeq, lastTimeMs, chainHash } = await journalHead();
  const historySeq = history.seq;
  return {
    timeMs: world.nowMs(),
    version,
    startedMs,
    isReady: Object.keys(faults).length === 0,
    faults,
    warnings: health.warnings(),
    networks: health.networks(),
    tasks: health.roles(),
    isInMaintenance: view.isInMaintenance,
    suspensions: suspensions(view),
    unattributedDeposits: Array.from(view.venue.unknownDeposits()).length,
    isDustOffered: view.funds.dustRules !== undefined,
    markets: marketsByStatus(view),
    withdrawals: withdrawalsByStatus(view),
    journal: { lastSeq, lastTimeMs, chainHash },
    state: { seq: view.seq, timeMs: view.timeMs },
    history: { seq: historySeq, lag: Math.max(0, view.seq - historySeq) },
    disk: disk.last,
    periodMs: hour.periodMs,
    figures: hour.figures(),
  };
}

function marketsByStatus(view: EngineView): object {
  const counts: Record<string, number> = {};
  for (const { spec } of view.markets()) counts[spec.status] = (counts[spec.status] ?? 0) + 1;
  return counts;
}

function withdrawalsByStatus(view: EngineView): object {
  const counts: Record<string, number> = { emailSent: 0, awaitingApproval: 0, processing: 0 };
  for (const { status } of view.funds.openWithdrawals()) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}
