/** What checkpoints know of the lab that they hold. */
import type { Command, EngineView } from "@pricetime/engine";
import type { KeptValue } from "../../platform/world/kept.ts";
import type { LabStorage } from "../storage/lab-storage.ts";

/** State that rooms keep beside the journal, by the room's name. */
export type Kept = Readonly<Record<string, KeptValue>>;

export interface Rebuilding {
  /** Called when nothing of the lab runs any more. Brings back the storage. */
  readonly bringBack: () => void;
  /** State from which the rooms are made anew, the clock and the dice among them. */
  readonly kept: Kept;
  /** It came in a file: rooms may refuse what it says they kept. */
  readonly isForeign: boolean;
  /** Whether streams and sessions stay open. */
  readonly keepsConnections: boolean;
  /** Called when the parts have looked whether their journal says what it must: what that drew from the dice is void. */
  readonly onPrepared: () => void;
  /** Called when they run again; nothing has happened yet. Connections that stay go on when it has resolved. */
  readonly onRebuilt: () => Promise<void>;
}

export type Rebuild = (rebuilding: Rebuilding) => Promise<void>;

export interface HeldLab {
  readonly storage: Pick<
    LabStorage,
    "capture" | "drop" | "goTo" | "journal" | "keysOf" | "recovery" | "rowsTo" | "takeIn"
  >;
  readonly view: () => EngineView;
  /** The program's version. */
  readonly version: string;
  kept(): Kept;
  /** Runs `work` when nothing is under way; time stands, and nobody comes in, until it is over. */
  alone<T>(work: () => Promise<T>): Promise<T>;
  /**
   * Stops everything but the ports, and makes it anew. Rejects with `KeptUnreadable` when something foreign does not
   * fit: then call it again with something that fits. Any other error ends the lab.
   */
  readonly rebuild: (rebuilding: Omit<Rebuilding, "onPrepared">) => Promise<void>;
  /** Rejects as `Sequencer.run` does. */
  run(command: Command): Promise<unknown>;
  /** A checkpoint was taken, or gone to. */
  wasTaken(): void;
  /** Others have their turn. */
  rest(): Promise<void>;
}
