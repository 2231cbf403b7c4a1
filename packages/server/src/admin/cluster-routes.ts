/** The route that shows a cluster, as this node sees it. */
import { AdminRefusal, ok } from "./answer.ts";
import type { AdminNode } from "./node.ts";
import { type Route, route } from "./router.ts";

export function clusterRoutes({ cluster }: AdminNode): Route[] {
  return [
    route({
      method: "GET",
      pattern: "/v1/cluster",
      needs: "view",
      summary: "The nodes of the cluster, how far each is, who holds which role, and the log that they share.",
      answers: "As this node sees it. 404 (NO_CLUSTER) where the node is alone.",
      handle: () => {
        if (cluster === undefined) throw new AdminRefusal(404, "NO_CLUSTER", "This node is alone.");
        return ok(cluster.status());
      },
    }),
  ];
}
