/** Who holds the roles, for /metrics: the sum over all nodes is one for each role that is held. */
import type { Metrics } from "../../observe/metrics.ts";
import type { HeldRoles } from "./hold-roles.ts";

export function watchRoles(metrics: Pick<Metrics, "gauges">, roles: Pick<HeldRoles, "names" | "holder">): void {
  const gauges = (name: string, help: string, value: (role: string) => number): void =>
    metrics.gauges(name, help, () => roles.names().map((role) => ({ labels: { role }, value: value(role) })));
  gauges("pricetime_role_held", "Whether this node holds the role", (role) =>
    Number(roles.holder(role)?.isHere ?? false),
  );
  gauges("pricetime_role_grants", "How often the role was granted", (role) => roles.holder(role)?.number ?? 0);
}
