/** The interface between a node and its lab. A node that is not a lab has an implementation that changes nothing. */
import type { Command, EngineView } from "@pricetime/engine";
import type { LabAccess } from "../people/admin/server.ts";
import type { GatewayOptions } from "../api/options.ts";
import type { Config } from "../platform/config/config.ts";
import type { LabAgents } from "./demo/agents/lab-agents.ts";
import type { DemoInLab } from "./demo/port.ts";
import type { UpgradeTaker } from "../api/edge/http/edge.ts";
import type { SendQueue } from "../api/edge/send-queue.ts";
import type { PromptSequencer } from "../journal/sequencer/port.ts";
import type { Storage, StorageOptions } from "../journal/storage/storage.ts";
import type { World } from "../platform/world/port.ts";
import type { FaultPorts, FaultyNode } from "./faults/faults.ts";
import type { PartStates } from "../platform/world/saved-state.ts";
import type { LabStorage } from "./storage/lab-storage.ts";

/** The parts of a node that a lab uses. */
export interface LabNode {
  readonly view: EngineView;
  readonly sequencer: PromptSequencer;
  readonly sendQueue: SendQueue;
  /** Returns the number of messages that were sent to external clients. */
  readonly messagesSent: () => number;
  /** Returns the number of WebSockets that clients have opened. */
  readonly socketsOpened: () => number;
  /** Returns the agents of the node's demo. */
  readonly agents: () => LabAgents | undefined;
  readonly wallet: ReturnType<FaultyNode["wallet"]>;
}

export interface Lab {
  /** The operator's settings, with the settings that a lab adds. */
  readonly config: Config;
  /** The exchange's time, timers and random source. */
  readonly world: World;
  /** Opens the storage. Throws the errors of `openStorage`, and `ConfigError` for a folder of the other kind. */
  readonly openStorage: (options: StorageOptions) => Storage;
  /**
   * Options of the gateway: the queue that admits clients, the clock for their timestamps, and work that an instant
   * waits for.
   */
  readonly forClients: Pick<GatewayOptions, "door" | "refuses" | "during" | "timing">;
  /** Control of a demo's bots; undefined if the node is not a lab. */
  readonly forDemo: DemoInLab | undefined;
  /** Called once the time of the journal's last entry is known. Throws `ClockBehind`. */
  begin(journalMs: number): void;
  /** Creates the faults. Called before the gateway is created. Returns undefined if the node is not a lab. */
  faults(node: Omit<FaultyNode, "wallet">): FaultPorts | undefined;
  /**
   * Returns the routes under /v1/lab; undefined if the node is not a lab. Called again for the new node after a
   * restore.
   */
  access(node: LabNode): LabAccess | undefined;
  /** Wraps `taker` with the admission queue and the faults of new WebSocket connections. */
  forUpgrades(taker: UpgradeTaker): UpgradeTaker;
  /** Sets the function that rebuilds the node for a restore. */
  goesBackBy(rebuild: Rebuild): void;
  /** Called when the node has started. A reset restores this state. */
  started(): Promise<void>;
  /** The token that lets a page of this machine control the lab; null if the node is not a lab. */
  readonly pageToken: string | null;
  /** Lines of the start banner: name and text. */
  readonly shown: readonly (readonly [name: string, text: string])[];
  /** Called when the node has shut down in order; its folder is still locked. */
  ended(): void;
  /** Called when no part of the node runs any more. */
  close(): void;
}

// The steps in which a restore rebuilds the node.

export interface Rebuilding {
  /** Restores the storage, the clock and the random source. Called when nothing of the lab runs. */
  readonly bringBack: () => void;
  /** Whether the checkpoint was imported from a file: modules may reject its state. */
  readonly isForeign: boolean;
  /** Whether streams and sessions stay open. */
  readonly keepsConnections: boolean;
  /** Called when the modules have checked their journal. Discards the random bytes that they drew. */
  readonly onPrepared: () => void;
  /**
   * Called when the modules run again, before anything else happens. Connections that stay open continue when the
   * promise has resolved.
   */
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
  /** Returns the state of all modules. Called when the lab is idle. */
  states(): PartStates;
  /** Runs `work` when no other work is pending. Time stands still and requests wait until it has finished. */
  alone<T>(work: () => Promise<T>): Promise<T>;
  /**
   * Stops and rebuilds everything but the ports. Rejects with `SavedStateUnreadable` if imported state does not fit;
   * call it again with state that fits. Any other error ends the lab.
   */
  readonly rebuild: (rebuilding: Omit<Rebuilding, "onPrepared"> & { readonly states: PartStates }) => Promise<void>;
  /** Executes a command. Rejects like `Sequencer.run`. */
  run(command: Command): Promise<unknown>;
  /** Called when a checkpoint was taken or restored. */
  wasTaken(): void;
  /** Gives other tasks a turn. */
  rest(): Promise<void>;
}
