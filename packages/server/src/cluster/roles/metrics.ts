/** Who holds the roles, for /metrics: the sum over all nodes is one for each role that is held. */
import type { Metrics } from "../../platform/observe/metrics.ts";
import type { HeldRoles } from "./hold-roles.ts";

/** `roles`: undefined until the node has asked for them. */
export function watchRoles(metrics: Pick<Metrics, "gauges">, roles: () => HeldRoles | undefined): void {
  const gauges = (name: string, help: string, value: (role: string, held: HeldRoles) => number): void =>
    metrics.gauges(name, help, () => {
      const held = roles();
      return held?.names().map((role) => ({ labels: { task: role }, value: value(role, held) })) ?? [];
    });
  gauges("pricetime_task_owned", "1 if this node owns the task", (role, held) =>
    Number(held.holder(role)?.isHere ?? false),
  );
  gauges("pricetime_task_grants", "Times the task was granted", (role, held) => held.holder(role)?.number ?? 0);
}
