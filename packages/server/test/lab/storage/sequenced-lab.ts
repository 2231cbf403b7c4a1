/** A lab's storage with a sequencer, as in a lab; restarted after each return to an image. */
import type { Command, Entry, Event } from "@pricetime/engine";
import { placeOrder } from "@pricetime/testkit/commands";
import type { StorageImage } from "../../../src/lab/storage/images.ts";
import { type LabStorage, type LabStorageOptions, openLabStorage } from "../../../src/lab/storage/lab-storage.ts";
import { GroupCommitSequencer } from "../../../src/journal/sequencer/group-commit.ts";
import { MACHINE } from "../../../src/platform/world/machine.ts";

export const die = (error: Error): never => {
  throw error;
};

export interface SequencedLab {
  readonly storage: LabStorage;
  /** Runs all of them, mostly in one batch; resolves to the last entry. */
  run(commands: readonly Command[]): Promise<number>;
  /** Stops the sequencer, restores the image, and restarts. */
  goTo(image: StorageImage): Promise<void>;
  stop(): Promise<void>;
}

export type OnApplied = (entry: Entry, events: readonly Event[]) => void;

export function lab(
  folder: string,
  options: Partial<LabStorageOptions> = {},
  onApplied: OnApplied = () => {},
): SequencedLab {
  const world = { ...MACHINE, ...options.world };
  const storage = openLabStorage({ folder, kind: "temporary", history: "on", onFatal: die, ...options, world });
  const begin = (): GroupCommitSequencer => {
    const { record, projector } = storage;
    return new GroupCommitSequencer({
      world,
      journal: storage.journal,
      engine: storage.recovery.engine,
      node: "n1",
      onFatal: die,
      historySeq: () => projector.seq,
      onApplied: (entry, events) => {
        record?.(entry, events);
        onApplied(entry, events);
      },
      onBatch: ({ firstSeq, count }) => projector.publish(firstSeq + count - 1),
    });
  };
  let sequencer = begin();
  return {
    storage,
    run: async (commands) => {
      await Promise.all(commands.map((command) => sequencer.run(command)));
      return storage.recovery.engine.seq;
    },
    goTo: async (image) => {
      await sequencer.stop();
      storage.goTo(image);
      sequencer = begin();
    },
    stop: async () => {
      await sequencer.stop();
      await storage.close();
    },
  };
}

export const order = (n: number): Command =>
  placeOrder({
    accountId: 100,
    side: n % 2 === 0 ? "SELL" : "BUY",
    priceTicks: 4_000_000,
    quantityLots: 1_000,
    clientOrderId: `c${n}`,
  });
