/** The route that shows a cluster, as this node sees it. */
import type { ClusterStatus, NodeStatus } from "../../cluster/status.ts";
import { AdminRefusal, ok } from "./answer.ts";
import type { AdminNode } from "./node.ts";
import { type Route, route } from "./router.ts";

export interface ClusterBody extends Omit<ClusterStatus, "edition" | "lastRow" | "tailRows" | "nodes" | "roles"> {
  readonly rulesVersion: number;
  readonly lastBatch: number;
  readonly tailBatches: number;
  readonly nodes: readonly (Omit<NodeStatus, "row"> & { readonly batch: number })[];
  readonly tasks: readonly { readonly task: string; readonly node: string; readonly fencingToken: number }[];
}

/** The status as answers show it. */
function clusterBody({ edition, lastRow, tailRows, nodes, roles, ...status }: ClusterStatus): ClusterBody {
  return {
    ...{ ...status, rulesVersion: edition, lastBatch: lastRow, tailBatches: tailRows },
    nodes: nodes.map(({ row, ...node }) => ({ ...node, batch: row })),
    tasks: roles.map(({ role, node, number }) => ({ task: role, node, fencingToken: number })),
  };
}

export function clusterRoutes({ cluster }: AdminNode): Route[] {
  return [
    route({
      method: "GET",
      pattern: "/v1/cluster",
      needs: "view",
      summary:
        "Returns the status of the cluster: its nodes and their positions, the owners of tasks, and the shared log.",
      answers: "The cluster as this node sees it. 404 `NO_CLUSTER` on a single node.",
      handle: () => {
        if (cluster === undefined)
          throw new AdminRefusal(404, "NO_CLUSTER", "This is a single node, not part of a cluster.");
        return ok(clusterBody(cluster.status()));
      },
    }),
  ];
}
