/** Nodes on one shared log, in virtual time. */
import { Dice } from "@pricetime/testkit/dice";
import { setup, START_MS } from "@pricetime/testkit/journal";
import { Schedule } from "@pricetime/testkit/schedule";
import { LogModel } from "./log-model.ts";
import { MemoryLog } from "./memory-log.ts";
import { SharedNode, type SharedWorld } from "./shared-node.ts";

export class SharedRig {
  readonly world: SharedWorld;
  readonly nodes: readonly SharedNode[];

  /** `skewsMs`: a node for each, with this error of its clock. */
  constructor(seed: number, skewsMs: readonly number[]) {
    const schedule = new Schedule();
    schedule.nowMs = START_MS;
    const log = new MemoryLog();
    this.world = { log, model: new LogModel(log), schedule, dice: new Dice(seed + 1), told: [], fatal: [] };
    this.nodes = skewsMs.map((skewMs, number) => new SharedNode(this.world, number, skewMs));
  }

  async runFor(ms: number): Promise<void> {
    const { schedule, fatal } = this.world;
    let isOver = false;
    schedule.after(ms, () => (isOver = true));
    await schedule.run(
      () => isOver,
      (error) => void fatal.push(error as Error),
    );
  }

  /** Waits until the nodes know each other, and adds balances to trade with. */
  async open(): Promise<void> {
    const [first] = this.nodes as [SharedNode];
    first.line.isCalm = true;
    await this.runFor(400);
    for (const command of setup()) first.submit(command);
    await this.runFor(600);
    first.line.isCalm = false;
  }

  set isCalm(isCalm: boolean) {
    for (const { line } of this.nodes) line.isCalm = isCalm;
  }
}
