/** The data of a lab: its clock, and its optional parts. */

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

/** Agents of one type that trade a symbol alongside its bots. Amounts are decimal strings. */
export interface LabAgents {
  readonly id: number;
  readonly type: string;
  readonly symbol: string;
  readonly count: number;
  readonly isOn: boolean;
  readonly trades: number;
  readonly positionBase: string;
  readonly profitQuote: string;
}

/** A replay of a recorded market as orders. */
export interface LabReplay {
  readonly id: number;
  readonly symbol: string;
  readonly layout: string;
  /** Whether the recording has only candles, so that the order of prices within each candle is assumed. */
  readonly isAssumed: boolean;
  readonly files: readonly string[];
  /** Anomalies in the file, as sentences. */
  readonly doubts: readonly string[];
  readonly state: "checking" | "waiting" | "playing" | "paused" | "ended" | "failed";
  /** The replay speed: seconds of the recording per second of the lab's clock. */
  readonly speed: number;
  /** The recorded time of the last replayed row; null if no row was replayed yet. */
  readonly fileMs: number | null;
  readonly rows: number;
  readonly trades: number;
  readonly skipped: number;
  readonly bytes: number;
  readonly totalBytes: number;
  /** The number of bytes checked so far, while large files are checked before the replay. */
  readonly checkedBytes?: number;
  readonly error?: string;
}

export interface ReplayChange {
  readonly state?: "playing" | "paused";
  readonly speed?: number;
}

export interface LabPoint {
  readonly atMs: number;
  readonly kind: string;
  readonly text: string;
  readonly isDone: boolean;
}

export interface LabAssert {
  readonly name: string;
  readonly kind: "always" | "never" | "sometimes" | "finally";
  readonly state: "holds" | "waiting" | "failed";
  readonly text: string;
}

/** A scenario as reported by the node. `timeline` is in chronological order. */
export interface LabScenario {
  readonly name: string;
  readonly startMs: number;
  readonly endMs: number;
  readonly timeline: readonly LabPoint[];
  readonly asserts: readonly LabAssert[];
}

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
