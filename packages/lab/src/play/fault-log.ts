/** Records what the faults of a time line have struck, including faults that were healed since. */
import type { RunningLab } from "../start/exchange.ts";
import type { BegunFault } from "./acts.ts";

/** One request, message or coin that was struck. */
export interface Strike {
  readonly atMs: number;
  readonly [name: string]: string | number;
}

export interface FaultTold extends Omit<BegunFault, "id"> {
  readonly met: number;
  readonly struck: number;
  /** The first and the latest: the node tells a hundred of each fault. */
  readonly strikes: readonly Strike[];
}

interface Listed {
  readonly id: number;
  readonly met?: number;
  readonly struck: number;
  readonly strikes: readonly Strike[];
}

export class FaultLog {
  readonly #lab: RunningLab;
  readonly #begun: readonly BegunFault[];
  readonly #listed = new Map<number, Listed>();

  constructor(lab: RunningLab, begun: readonly BegunFault[]) {
    [this.#lab, this.#begun] = [lab, begun];
  }

  /** Asks the node. To be called before one is healed: it is forgotten there. */
  async look(): Promise<void> {
    if (this.#begun.length === 0) return;
    for (const listed of (await this.#lab.faults.list()) as unknown as readonly Listed[])
      this.#listed.set(listed.id, listed);
  }

  /** How often those of a name have struck. */
  counts(): ReadonlyMap<string, number> {
    const counts = new Map<string, number>();
    for (const { name, struck } of this.told()) counts.set(name, (counts.get(name) ?? 0) + struck);
    return counts;
  }

  told(): readonly FaultTold[] {
    return this.#begun.map(({ id, ...fault }) => {
      const { met = 0, struck = 0, strikes = [] } = this.#listed.get(id) ?? {};
      return { ...fault, met, struck, strikes };
    });
  }
}
