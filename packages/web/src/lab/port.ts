/** The lab that a node may be, as panels see it: its clock, and the parts that it may have. */
import type { ReadonlySignal } from "@preact/signals";

export type ClockMode = "real" | "scaled" | "manual";

export interface LabClock {
  /** `real`: the machine's pace; `scaled`: `speed` times as fast; `manual`: it stands until it is advanced. */
  readonly mode: ClockMode;
  readonly nowMs: number;
  readonly speed: number;
}

export interface ClockSetting {
  readonly mode: ClockMode;
  readonly speed?: number;
  readonly nowMs?: number;
}

/** What a market is told to do, at once. As the node's `POST /v1/lab/markets/SYMBOL` takes it. */
export type MarketMove = Readonly<Record<string, unknown>>;
/** What is to go wrong. As the node's `POST /v1/lab/faults` takes it. */
export interface FaultAsked {
  readonly fault: string;
  readonly where?: Readonly<Record<string, string>>;
  readonly [more: string]: unknown;
}

export interface LabFault {
  readonly id: number;
  readonly fault: string;
  /** What it is meant for: endpoint, account, symbol, stream. Empty: everything. */
  readonly where: Readonly<Record<string, string>>;
  /** How often it struck. */
  readonly struck: number;
}

export interface LabCheckpoint {
  readonly name: string;
  readonly seq: number;
  readonly nowMs: number;
}

/** Agents of one type that trade a symbol beside its bots. Amounts are decimals as sent. */
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

/** A recorded market that is played as orders. */
export interface LabReplay {
  readonly id: number;
  readonly symbol: string;
  readonly layout: string;
  /** Candles, played in an order that nobody knows. */
  readonly isAssumed: boolean;
  readonly files: readonly string[];
  /** What is strange about them, in sentences. */
  readonly doubts: readonly string[];
  readonly state: "checking" | "waiting" | "playing" | "paused" | "ended" | "failed";
  /** File time in a unit of the lab's. */
  readonly speed: number;
  /** The file's time of the row that was played last; null: none was. */
  readonly fileMs: number | null;
  readonly rows: number;
  readonly trades: number;
  readonly skipped: number;
  readonly bytes: number;
  readonly totalBytes: number;
  /** While large files are looked at, before they are played. */
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

/** A scenario as its player tells it. `timeline`: in the order of time. */
export interface LabScenario {
  readonly name: string;
  readonly startMs: number;
  readonly endMs: number;
  readonly timeline: readonly LabPoint[];
  readonly asserts: readonly LabAssert[];
}

/** What was seen of a part of the lab last; `problem`: why the look after it failed, in words. */
export type Seen<Value> =
  /** Absent: this lab has no such thing. */
  | { readonly state: "unknown" | "absent"; readonly problem: string | null }
  | { readonly state: "known"; readonly value: Value; readonly problem: string | null };

/** As the node's addresses call them. */
export interface LabParts {
  readonly markets: readonly unknown[];
  readonly agents: readonly LabAgents[];
  readonly replays: readonly LabReplay[];
  /** Null: none is played. */
  readonly scenario: LabScenario | null;
  readonly faults: readonly LabFault[];
  readonly checkpoints: readonly LabCheckpoint[];
}
export type LabPartName = keyof LabParts;

/** What is asked of it resolves to true when the node has done it, else to false; `refusal` then says why. */
export interface Lab {
  /** Null: the node is no lab, or it is not this page's to hold. */
  readonly clock: ReadonlySignal<LabClock | null>;
  /** What the clock shows now, as far as it is known. */
  nowMs(): number;
  /** The node is doing what it was asked last. */
  readonly isBusy: ReadonlySignal<boolean>;
  /** Why the node has not done what it was asked last, in words; null: it has. */
  readonly refusal: ReadonlySignal<string | null>;
  seen<Name extends LabPartName>(name: Name): Seen<LabParts[Name]>;
  /** Looks at that part every second and at the others now and then, until what is returned is called. */
  watch(shown?: LabPartName): () => void;
  setClock(setting: ClockSetting): Promise<boolean>;
  /** It stands, until it is advanced or runs. */
  freeze(): Promise<boolean>;
  /** As it went before it stood; at the machine's pace where it never did. */
  run(): Promise<boolean>;
  /** What falls due on the way happens in its turn. The clock must be manual. */
  advance(spanMs: number): Promise<boolean>;
  /** Advances to the end of what is under way now. The clock must be manual. */
  advanceUntilIdle(): Promise<boolean>;
  /** A manual clock is advanced, any other leaps. Time does not go back. */
  goTo(timeMs: number): Promise<boolean>;
  moveMarket(symbol: string, move: MarketMove): Promise<boolean>;
  turnAgents(id: number, isOn: boolean): Promise<boolean>;
  /** Their open orders go. */
  removeAgents(id: number): Promise<boolean>;
  changeReplay(id: number, change: ReplayChange): Promise<boolean>;
  /** Plays the next row of a paused replay. */
  stepReplay(id: number): Promise<boolean>;
  /** Its symbol's bots go on. */
  removeReplay(id: number): Promise<boolean>;
  addFault(fault: FaultAsked): Promise<boolean>;
  /** Null: all of them. */
  removeFault(id: number | null): Promise<boolean>;
  takeCheckpoint(name: string): Promise<boolean>;
  restore(name: string): Promise<boolean>;
  deleteCheckpoint(name: string): Promise<boolean>;
  /** Back to the lab's start. */
  reset(): Promise<boolean>;
}
