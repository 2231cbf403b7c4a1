/** What runs in a node beside the sequencer while it is one of several. docs/decisions/0044. */
import type { Engine } from "@pricetime/engine";
import type { SharedOrder } from "../sequencer/shared-placement.ts";
import type { LogPlace } from "../journal/port.ts";
import type { World } from "../world/port.ts";
import type { OpenCluster } from "./open-cluster.ts";
import type { Freshness } from "./port.ts";

const INCARNATION_BYTES = 8;
const POLL_MS = 2;

export interface ClusterNodeOptions extends Pick<OpenCluster, "store" | "place"> {
  readonly engine: Engine;
  readonly release: string;
  readonly world: World;
}

export class ClusterNode implements Freshness {
  /** For the sequencer: the log, and where this node stands in it. */
  readonly order: SharedOrder;
  readonly #options: ClusterNodeOptions;
  #number: number;

  constructor(options: ClusterNodeOptions) {
    const { store, place, release, world } = options;
    this.#options = options;
    this.#number = place?.number ?? 0;
    const rowIsDone = (done: LogPlace): void => {
      this.#number = done.number;
    };
    this.order = {
      log: store,
      place,
      release,
      incarnation: world.randomBytes(INCARNATION_BYTES).toString("hex"),
      observer: { rowComes: () => {}, rowIsDone, returned: () => {} },
    };
  }

  get seq(): number {
    return this.#options.engine.seq;
  }

  staleMs(): number {
    return 0;
  }

  async latest(): Promise<void> {
    const number = await this.#options.store.lastNumber();
    while (this.#number < number) await this.#options.world.pause(POLL_MS);
  }
}
