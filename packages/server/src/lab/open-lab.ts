/** Loads the rest of `lab/` only if the node is a lab; other nodes load only this file. */
import type { Config } from "../platform/config/config.ts";
import { openStorage, type Storage, type StorageOptions } from "../journal/storage/storage.ts";
import { checkNotBehind } from "../platform/world/clock.ts";
import type { UpgradeTaker } from "../api/edge/http/edge.ts";
import type { World } from "../platform/world/port.ts";
import type { Lab } from "./port.ts";
import type { LabGround } from "./lab.ts";

// A node that is not a lab: it uses the machine's time and rejects a lab's data folder.

class NoLab implements Lab {
  readonly config: Config;
  readonly world: World;
  readonly forClients = {};
  readonly forDemo = undefined;
  readonly shown = [];
  readonly pageToken = null;

  constructor(config: Config, world: World) {
    this.config = config;
    this.world = world;
  }

  readonly openStorage = (options: StorageOptions): Storage => openStorage(options);

  begin(journalMs: number): void {
    checkNotBehind(this.world.nowMs(), journalMs, this.config.clock.maxLeapMs);
  }

  faults(): undefined {}

  access(): undefined {}

  async started(): Promise<void> {}

  forUpgrades(taker: UpgradeTaker): UpgradeTaker {
    return taker;
  }

  goesBackBy(): void {}

  ended(): void {}

  close(): void {}
}

/** Creates the lab of a node. `config`: the operator's settings. */
export async function labOf(config: Config, ground: LabGround): Promise<Lab> {
  if (config.lab === null) return new NoLab(config, ground.machine);
  const { RunningLab } = await import("./lab.ts");
  return new RunningLab(config, config.lab, ground);
}
