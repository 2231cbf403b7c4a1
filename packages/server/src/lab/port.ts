/** The lab as the wiring of a node uses it. A node that is no lab has one too, which changes nothing. */
import type { Command, EngineView } from "@pricetime/engine";
import type { LabDoors } from "../people/admin/server.ts";
import type { GatewayOptions } from "../api/options.ts";
import type { Config } from "../platform/config/config.ts";
import type { LabAgents } from "./demo/agents/lab-agents.ts";
import type { DemoInLab } from "./demo/port.ts";
import type { UpgradeTaker } from "../api/edge/http/edge.ts";
import type { TellingOrder } from "../api/edge/telling-order.ts";
import type { PromptSequencer } from "../journal/sequencer/port.ts";
import type { Storage, StorageOptions } from "../journal/storage/storage.ts";
import type { World } from "../platform/world/port.ts";
import type { FaultPorts, FaultyNode } from "./faults/faults.ts";
import type { PartStates } from "../platform/world/saved-state.ts";
import type { LabStorage } from "./storage/lab-storage.ts";

/** The parts of a node that a lab holds. */
export interface LabNode {
  readonly view: EngineView;
  readonly sequencer: PromptSequencer;
  readonly telling: TellingOrder;
  /** Messages that clients outside were sent. */
  readonly messagesSent: () => number;
  /** WebSockets that they have opened. */
  readonly socketsOpened: () => number;
  /** Agents of the node's demo. */
  readonly agents: () => LabAgents | undefined;
  readonly wallet: ReturnType<FaultyNode["wallet"]>;
}

export interface Lab {
  /** As the operator gave it, and what a lab has of its own. */
  readonly config: Config;
  /** The exchange's time, timers and dice. */
  readonly world: World;
  /** Throws one of those that `openStorage` throws, and `ConfigError` for a folder of the other kind. */
  readonly openStorage: (options: StorageOptions) => Storage;
  /** The door that clients pass, the clock by which their timestamps are judged, and what a moment waits for. */
  readonly forClients: Pick<GatewayOptions, "door" | "refuses" | "during" | "timing">;
  /** Control of a demo's bots; undefined: the node is no lab. */
  readonly forDemo: DemoInLab | undefined;
  /** The time of the journal's last entry is known. Throws `ClockBehind`. */
  begin(journalMs: number): void;
  /** Makes the faults, before the gateway; undefined: the node is no lab. */
  faults(node: Omit<FaultyNode, "wallet">): FaultPorts | undefined;
  /** The routes under /v1/lab; undefined: it is none. Called again for the node that takes the place of the first. */
  doors(node: LabNode): LabDoors | undefined;
  /** Wraps `taker` with what connections pass before they become WebSockets. */
  forUpgrades(taker: UpgradeTaker): UpgradeTaker;
  /** How its checkpoints make the node anew: see `HeldLab`. */
  goesBackBy(rebuild: Rebuild): void;
  /** The node has started: what a reset goes back to. */
  started(): Promise<void>;
  /** The token by which a page of this machine may control the lab; null: the node is no lab. */
  readonly pageToken: string | null;
  /** What the banner says of it, a line each: name and text. */
  readonly shown: readonly (readonly [name: string, text: string])[];
  /** The node has ended in order; its folder is still its own. */
  ended(): void;
  /** Nothing of the node runs any more. */
  close(): void;
}

// What checkpoints need of the lab that they capture.

export interface Rebuilding {
  /** Called when nothing of the lab runs any more. Brings back the storage, the clock and the random source. */
  readonly bringBack: () => void;
  /** It came in a file: parts may reject the state in it. */
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
  /** The state of all parts, when the lab is idle. */
  states(): PartStates;
  /** Runs `work` when nothing is under way; time stands, and nobody comes in, until it is over. */
  alone<T>(work: () => Promise<T>): Promise<T>;
  /**
   * Stops everything but the ports, and makes it anew. Rejects with `SavedStateUnreadable` when something foreign does not
   * fit: then call it again with something that fits. Any other error ends the lab.
   */
  readonly rebuild: (rebuilding: Omit<Rebuilding, "onPrepared"> & { readonly states: PartStates }) => Promise<void>;
  /** Rejects as `Sequencer.run` does. */
  run(command: Command): Promise<unknown>;
  /** A checkpoint was taken, or gone to. */
  wasTaken(): void;
  /** Others have their turn. */
  rest(): Promise<void>;
}
