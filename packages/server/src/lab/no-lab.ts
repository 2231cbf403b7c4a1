/** A node that is no lab: the machine's time, and a folder that no lab has made. */
import type { Config } from "../config/config.ts";
import { openStorage, type Storage, type StorageOptions } from "../storage/storage.ts";
import { checkNotBehind } from "../world/clock-behind.ts";
import type { UpgradeTaker } from "../edge/http/edge.ts";
import type { World } from "../world/port.ts";
import type { Lab } from "./port.ts";

export class NoLab implements Lab {
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

  doors(): undefined {}

  async started(): Promise<void> {}

  forUpgrades(taker: UpgradeTaker): UpgradeTaker {
    return taker;
  }

  goesBackBy(): void {}

  ended(): void {}

  close(): void {}
}
