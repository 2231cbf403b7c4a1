/** What a node does by itself: all of it when it is alone, else what it holds the role of. */
import type { ClusterNode } from "../../cluster/cluster-node.ts";
import type { RolePart } from "../../cluster/roles/port.ts";
import type { Demo } from "../../lab/demo/port.ts";
import type { GroupCommitSequencer } from "../../journal/sequencer/group-commit.ts";
import type { KeptValue } from "../../platform/world/kept.ts";
import type { Addresses } from "./address.ts";

export interface WorkingNode {
  /** Undefined where the node is alone. */
  readonly cluster: ClusterNode | undefined;
  readonly sequencer: GroupCommitSequencer;
  readonly demo: Demo;
  readonly tradingRules: { readonly part: RolePart; start(): void };
  readonly wallet: { readonly parts: readonly RolePart[]; start(): void };
  readonly mail: { readonly parts: readonly RolePart[] };
  readonly dailyProofs: { readonly part: RolePart; start(): void };
}

/** Resolves when the demo, if there is one, has a market. `keptOfDemo`: of the bots that these go on for. */
export async function beginWork(node: WorkingNode, at: Addresses, keptOfDemo?: KeptValue): Promise<void> {
  const { cluster, sequencer, demo, tradingRules, wallet, mail, dailyProofs } = node;
  if (cluster !== undefined) {
    await demo.show(at);
    const parts = [...wallet.parts, ...mail.parts, tradingRules.part, dailyProofs.part, ...demo.parts];
    cluster.holdRoles(parts, sequencer);
    return;
  }
  await demo.start(at, keptOfDemo);
  tradingRules.start();
  wallet.start();
  dailyProofs.start();
}
