/** Writes the rows of a shared log into the node's own journal. A row cannot be refused: the log has it. */
import type { Engine } from "@pricetime/engine";
import type { LogRow } from "../port.ts";
import type { Timers } from "../../platform/world/port.ts";
import type { SequencerLimits } from "./limits.ts";
import type { PlacedBatch, Placement } from "./placement.ts";

export interface OwnJournalOptions {
  readonly placement: Placement;
  readonly engine: Engine;
  /** Called when the journal refuses a row, so nothing can be applied; null: it works again. */
  readonly onStall: (error: Error | null) => void;
  readonly world: Timers;
  readonly limits: Pick<SequencerLimits, "retryPauseMs">;
}

export class OwnJournal {
  readonly #options: OwnJournalOptions;
  #isClosed = false;

  constructor(options: OwnJournalOptions) {
    this.#options = options;
  }

  /** Retries until the journal has the row. Resolves to undefined when it is applied already, or when closed. */
  async write({ count, node, bytes, place }: LogRow, timeMs: number): Promise<PlacedBatch | undefined> {
    const { placement, engine, world, limits, onStall } = this.#options;
    const priorSeq = engine.seq;
    for (let isStalled = false; ; ) {
      try {
        const placed = await placement.write({ count, timeMs, node, bytes }, place);
        if (isStalled) onStall(null);
        return placed;
      } catch (error) {
        const stall = new Error((error as Error).message, { cause: error });
        isStalled = true;
        onStall(stall);
        await placement.recover(stall);
      }
      if (engine.seq > priorSeq) {
        onStall(null);
        return undefined;
      }
      await world.pause(limits.retryPauseMs);
      if (this.#isClosed) return undefined;
    }
  }

  /** No attempt is repeated any more. */
  close(): void {
    this.#isClosed = true;
  }
}
