/** The lab as a node's wiring knows it. A node that is no lab has one too, which leaves everything as it is. */
import type { EngineView } from "@pricetime/engine";
import type { LabDoors } from "../people/admin/door/server.ts";
import type { GatewayOptions } from "../api/options.ts";
import type { Config } from "../platform/config/config.ts";
import type { LabAgents } from "./demo/agents/lab-agents.ts";
import type { DemoInLab } from "./demo/port.ts";
import type { UpgradeTaker } from "../api/edge/http/edge.ts";
import type { TellingOrder } from "../api/edge/telling-order.ts";
import type { PromptSequencer } from "../journal/sequencer/port.ts";
import type { Storage, StorageOptions } from "../journal/storage/storage.ts";
import type { KeptValue } from "../platform/world/kept.ts";
import type { World } from "../platform/world/port.ts";
import type { Kept, Rebuild } from "./checkpoints/port.ts";
import type { FaultPorts, FaultyNode } from "./faults/port.ts";

/** The parts of a node that a lab holds. */
export interface LabNode {
  readonly view: EngineView;
  readonly sequencer: PromptSequencer;
  readonly telling: TellingOrder;
  /** Messages that clients outside were sent. */
  readonly messagesSent: () => number;
  /** WebSockets that they have opened. */
  readonly socketsOpened: () => number;
  /** State that the rooms keep, by their names. Call it at a settled moment. */
  readonly kept: () => Kept;
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
  /** Makes the faults, before the gateway; undefined: the node is no lab. `kept`: state of the faults before them. */
  faults(node: Omit<FaultyNode, "wallet">, kept?: KeptValue): FaultPorts | undefined;
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
