/** Recorded markets that a lab plays: `docs/guides/lab-replay.md` says which files, and how they meet own orders. */

export type ReplayLayout = "trades" | "aggTrades" | "klines" | "lobster" | "recording";

/** A moment as milliseconds since 1970, or as ISO 8601 writes it. */
export type ReplayMoment = number | string;

export interface ReplayWanted {
  readonly symbol: string;
  /** Paths on the node's machine, the oldest first; relative ones are taken from this program's folder. */
  readonly files: readonly string[];
  /** Default: by the files' columns. */
  readonly layout?: ReplayLayout;
  /** What own orders do to recorded ones. Default: book. */
  readonly impact?: "book" | "none";
  /** The files' time in a unit of the lab's. Default: 1. */
  readonly speed?: number;
  /** Quotes around the last price, where the files have no book: how many a side, how far apart, and of which quantity. */
  readonly band?: { readonly levels?: number; readonly spacing?: string; readonly size?: string };
  /** Which rows are looked at before any is played. Default: all. */
  readonly check?: "all" | "beginning";
  /** The part of the files that is played: rows from `fromMs` to before `toMs`. */
  readonly fromMs?: ReplayMoment;
  readonly toMs?: ReplayMoment;
  /** When the first row is played, by the lab's clock. Default: now. */
  readonly startAtMs?: ReplayMoment;
}

export interface Replay {
  readonly id: number;
  readonly symbol: string;
  readonly layout: ReplayLayout;
  /** True: candles, played as four trades each in an assumed order. */
  readonly isAssumed: boolean;
  readonly files: readonly string[];
  readonly impact: "book" | "none";
  readonly state: "checking" | "waiting" | "playing" | "paused" | "ended" | "failed";
  readonly speed: number;
  /** When the last row was played, by the lab's clock, and its time in the file; null before the first. */
  readonly atMs: number | null;
  readonly fileMs: number | null;
  /** How many were played. */
  readonly rows: number;
  readonly trades: number;
  /** Rows that are no orders of anybody, such as executions of hidden ones. */
  readonly skipped: number;
  /** How far it is in the files. */
  readonly bytes: number;
  readonly totalBytes: number;
  /** How far the look at large files is, while it is `checking`. */
  readonly checkedBytes?: number;
  /** What is strange about its files, which are played all the same: every row has the same side, candles are missing. */
  readonly doubts: readonly string[];
  /** Why it has failed. */
  readonly error?: string;
}

/** A replay may be named by its `id`. All reject with `LabError` `UNKNOWN_REPLAY` where it is gone. */
export interface Replays {
  /**
   * Plays a recording on a symbol, whose bots stand still until it is removed. Resolves when its files were looked at;
   * then it plays as the clock goes. Rejects with `BAD_FILE`, which names file and line, or `ALREADY_REPLAYED`.
   */
  play(wanted: ReplayWanted): Promise<Replay>;
  /** Those that are over among them. */
  list(): Promise<readonly Replay[]>;
  pause(replay: Replay | Replay["id"]): Promise<Replay>;
  resume(replay: Replay | Replay["id"]): Promise<Replay>;
  /** The files' time in a unit of the lab's. */
  setSpeed(replay: Replay | Replay["id"], speed: number): Promise<Replay>;
  /** Plays the next rows now, whatever their time: one by default. Rejects with `NOT_PAUSED` unless it is paused. */
  step(replay: Replay | Replay["id"], rows?: number): Promise<Replay>;
  /** Its orders go, the symbol's filters are as before, and its bots go on. */
  remove(replay: Replay | Replay["id"]): Promise<void>;
}
