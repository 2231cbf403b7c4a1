/** Random steps: commands of all types to random nodes, close together, with occasional faults. */
import type { InterfaceName } from "@pricetime/engine";
import type { Dice } from "@pricetime/testkit/dice";
import { Workload } from "../plan/workload.ts";
import type { LogAudit } from "./log-audit.ts";
import type { ClusterAct, ClusterStep } from "./step.ts";

/** Below and above the size at which a node's own clock check detects a jump. */
const JUMPS_MS = [-20_000, -3_000, -50, 700, 4_000, 9_000, 3_600_000];

export class ClusterPlan {
  readonly opening: Workload["opening"];
  readonly world: Workload["world"];
  readonly #workload: Workload;
  readonly #dice: Dice;
  readonly #nodes: number;
  /** Faults per hundred steps. */
  readonly #troubles: number;

  constructor(dice: Dice, workloadDice: Dice, nodes: number, name: InterfaceName) {
    this.#dice = dice;
    this.#workload = new Workload(workloadDice, { isMailed: false, name });
    this.#nodes = nodes;
    this.opening = this.#workload.opening;
    this.world = this.#workload.world;
    this.#troubles = dice.pick([1, 3, 6, 10]);
  }

  next(auditor: LogAudit): ClusterStep {
    const dice = this.#dice;
    const afterMs = dice.weighted([
      [40, 0],
      [35, dice.below(6)],
      [20, dice.below(60)],
      [6, dice.below(3_000)],
      [3, dice.below(30_000)],
    ]);
    const node = dice.below(this.#nodes);
    if (dice.below(100) < this.#troubles) return { afterMs, act: this.#trouble(node) };
    if (dice.oneIn(6)) {
      const accountId = dice.pick(this.world.accountIds);
      return {
        afterMs,
        act: { type: "read", accountId, orderId: dice.between(1, auditor.model.lastOrderId + 1), node },
      };
    }
    const via = dice.oneIn(5) ? "inside" : "client";
    return { afterMs, act: { type: "command", command: this.#workload.command(auditor), via, node } };
  }

  #trouble(node: number): ClusterAct {
    const dice = this.#dice;
    const away = (): number => (dice.oneIn(4) ? dice.below(60_000) : dice.below(3_000));
    return dice.weighted<ClusterAct>([
      [16, { type: "kill", node, forMs: away() }],
      [12, { type: "power", node, operations: dice.below(30), forMs: away() }],
      [12, { type: "pause", node, forMs: dice.pick([300, 3_000, 9_000, 40_000]) }],
      [16, { type: "cut", node, forMs: dice.pick([200, 1_500, 6_000, 12_000, 25_000]) }],
      [8, { type: "silent", node, forMs: dice.below(6_000) }],
      [8, { type: "leaderless", forMs: dice.between(300, 9_000) }],
      [5, { type: "clock", node, jumpMs: dice.pick(JUMPS_MS), forMs: dice.below(20_000) }],
      [5, { type: "full", node, forMs: dice.below(5_000) }],
      [5, { type: "failSyncs", node, count: dice.between(1, 3) }],
      [5, { type: "slow", node, forMs: dice.below(8_000), stepMs: dice.between(20, 600) }],
      [2, { type: "allDown" }],
      [5, { type: "oldStore", rows: dice.between(8, 30), forMs: dice.between(2_000, 12_000) }],
      [6, { type: "audit" }],
    ]);
  }
}
