/** The data of a lab: its clock, and its optional parts. */
import type { AgentGroup, Replay, ScenarioStatus } from "@pricetime/protocol";

export type ClockMode = "real" | "scaled" | "manual";

export interface LabClock {
  /**
   * `real`: as fast as the machine's clock; `scaled`: `speed` times as fast; `manual`: stopped until it is advanced.
   */
  readonly mode: ClockMode;
  readonly nowMs: number;
  readonly speed: number;
}

export interface ClockSetting {
  readonly mode: ClockMode;
  readonly speed?: number;
  readonly nowMs?: number;
}

/** An immediate change of a market, as the body of the node's `POST /v1/lab/markets/SYMBOL`. */
export type MarketMove = Readonly<Record<string, unknown>>;
/** A fault to inject, as the body of the node's `POST /v1/lab/faults`. */
export interface FaultRequest {
  readonly fault: string;
  readonly where?: Readonly<Record<string, string>>;
  readonly [more: string]: unknown;
}

export interface LabFault {
  readonly id: number;
  readonly fault: string;
  /** The endpoint, account, symbol or stream that the fault affects; empty if it affects everything. */
  readonly where: Readonly<Record<string, string>>;
  /** How many times the fault has occurred. */
  readonly struck: number;
}

export interface LabCheckpoint {
  readonly name: string;
  readonly seq: number;
  readonly nowMs: number;
}

/** Agents of one type that trade a symbol alongside its bots. */
export type LabAgents = Omit<AgentGroup, "settings" | "accounts" | "volumeQuote">;
/** A replay of a recorded market as orders. */
export type LabReplay = Omit<Replay, "impact" | "atMs">;

export interface ReplayChange {
  readonly state?: "playing" | "paused";
  readonly speed?: number;
}

/** A scenario as reported by the node. `timeline` is in chronological order. */
export type LabScenario = Omit<ScenarioStatus, "hash">;
export type LabPoint = LabScenario["timeline"][number];
export type LabAssert = LabScenario["asserts"][number];

/** The last known state of a part of the lab. `problem` is the error of a later read; null if it succeeded. */
export type Seen<Value> =
  /** `absent`: this lab does not have the part. */
  | { readonly state: "unknown" | "absent"; readonly problem: string | null }
  | { readonly state: "known"; readonly value: Value; readonly problem: string | null };

/** The parts of a lab, named as in the node's routes. */
export interface LabParts {
  readonly markets: readonly unknown[];
  readonly agents: readonly LabAgents[];
  readonly replays: readonly LabReplay[];
  /** The running scenario; null if there is none. */
  readonly scenario: LabScenario | null;
  readonly faults: readonly LabFault[];
  readonly checkpoints: readonly LabCheckpoint[];
}
export type LabPartName = keyof LabParts;
