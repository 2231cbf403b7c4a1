/** Routes of a node's overview and of the status of its cluster. */
import type { EngineView } from "@pricetime/engine";
import { ok, Rejection } from "../http/answer.ts";
import type { AdminNode } from "./node.ts";
import { type AdminRoute, route } from "./router.ts";
import { suspensions } from "./venue-routes.ts";
import type { ClusterStatus, NodeStatus } from "../../cluster/port.ts";
import { overview } from "./answers.ts";

export function overviewRoutes(node: AdminNode): AdminRoute[] {
  return [
    route({
      endpoint: "GET /v1/overview",
      needs: "view",
      summary:
        "Returns an overview of the node: health, positions of journal and history, and metrics of the last hour.",
      answers:
        "`figures` have a name, a unit, the newest sample (`now`) and the samples of the last hour, oldest first, one per `periodMs`. A sample is null when no value is available.",
      answer: overview,
      handle: async () => ok(await overviewBody(node)),
    }),
  ];
}

async function overviewBody({ view, world, watch, journalHead, history }: AdminNode): Promise<object> {
  const { health, hour, disk, version, startedMs } = watch;
  const faults = health.faults();
  const { lastSeq, lastTimeMs, chainHash } = await journalHead();
  const historySeq = history.seq;
  return {
    timeMs: world.nowMs(),
    version,
    interface: view.interface,
    orderIds: view.orderIds,
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

export interface ClusterBody extends Omit<ClusterStatus, "edition" | "lastRow" | "tailRows" | "nodes" | "roles"> {
  readonly rulesVersion: number;
  readonly lastBatch: number;
  readonly tailBatches: number;
  readonly nodes: readonly (Omit<NodeStatus, "row"> & { readonly batch: number })[];
  readonly tasks: readonly { readonly task: string; readonly node: string; readonly fencingToken: number }[];
}

/** The cluster's status as sent in answers. */
function clusterBody({ edition, lastRow, tailRows, nodes, roles, ...status }: ClusterStatus): ClusterBody {
  return {
    ...{ ...status, rulesVersion: edition, lastBatch: lastRow, tailBatches: tailRows },
    nodes: nodes.map(({ row, ...node }) => ({ ...node, batch: row })),
    tasks: roles.map(({ role, node, number }) => ({ task: role, node, fencingToken: number })),
  };
}

export function clusterRoutes({ cluster }: AdminNode): AdminRoute[] {
  return [
    route({
      endpoint: "GET /v1/cluster",
      needs: "view",
      summary:
        "Returns the status of the cluster: its nodes and their positions, the owners of tasks, and the shared log.",
      answers: "The cluster as this node sees it. 404 `NO_CLUSTER` on a single node.",
      handle: () => {
        if (cluster === undefined)
          throw new Rejection(404, "NO_CLUSTER", "This is a single node, not part of a cluster.");
        return ok(clusterBody(cluster.status()));
      },
    }),
  ];
}
