/** The settings of a replay, its state in a checkpoint, and the interface of its players. */
import type { Side, SymbolFilters, Trade } from "@pricetime/engine";
import { LAYOUTS, type MarketRow } from "../../research/market-files/rows.ts";
import type { SavedValue } from "../../platform/world/port.ts";
import { z } from "zod";
import { MAX_TIME_MS } from "../../platform/config/lab-schema.ts";
import { savedCount, savedPart } from "../../platform/world/saved-state.ts";

/** Limits of replays and their requests. */
export const REPLAY_LIMITS = {
  /** Maximum number of replays in the list, including ended ones. */
  maxReplays: 100,
  maxFiles: 1_000,
  maxPathLength: 1_000,
  /** Minimum replay speed: file time per lab time. */
  minSpeed: 1e-6,
  maxSpeed: 1e6,
  /** Maximum number of rows in one manual step. */
  maxStepRows: 1_000_000,
  /** Files up to this total size are checked before the request is answered; larger files are checked afterwards. */
  maxBytesBeforeAnswer: 64 << 20,
  /** Maximum number of commands that are sent together; the trades of one taker order may have more. */
  maxCommandsAtATime: 800,
  /** Maximum number of rows that are replayed before sockets get a turn; one instant may have more. */
  maxRowsInTurn: 1_000,
  /** Maximum number of quotes per side between trades. */
  maxBandLevels: 100,
  /** The number of rows from which the size of those quotes is computed, unless the size is given. */
  measuredRows: 1_000,
  /** Orders from before the first message or with later reductions, in files of messages. */
  maxKnownOrders: 2_000_000,
} as const;

// Players turn rows of a recording into orders.

/**
 * `book`: the user's orders compete with the recorded ones and take their fills. `none`: the user's orders do not
 * affect recorded trades, which are executed in full.
 */
export const IMPACTS = ["book", "none"] as const;
export type Impact = (typeof IMPACTS)[number];

export function lotsOf(all: readonly { readonly lots: number }[]): number {
  return all.reduce((sum, { lots }) => sum + lots, 0);
}

/** Turns rows of a recording into orders. It recognizes rows that were several trades of one taker order. */
export interface Player {
  /** Returns whether the row is another trade of the order that the previous row began. */
  goesOn(row: MarketRow): boolean;
  /** Adds a row; this call, a later one or `end` executes it. Throws `OffGrid`. */
  take(row: MarketRow): void;
  /** Queues the order of the rows added so far. Resolves when the next row may be added. */
  end(): Promise<void>;
  /** Called when all rows due at this instant were replayed. Places the quotes that stay until the next instant. */
  rest(): Promise<void>;
  /** Called before the first row of each order. `file`: the number of the row's file. */
  begin(file: number): void | Promise<void>;
  /** Called for each trade in which an order of the replay was the maker. */
  ownTaken(trade: Trade): void;
  /** The number of rows that led to no order. */
  readonly skipped: number;
  toSave(): SavedValue;
}

/** A player that can work synchronously. */
export interface PromptPlayer extends Player {
  /** Whether no other trader has orders on the symbol. The other methods of this interface may be called only then. */
  readonly isAlone: boolean;
  /** Synchronous version of `end`. */
  endNow(): void;
  /** Synchronous version of `rest`. */
  restNow(): void;
}

export const opposite = (side: Side): Side => (side === "BUY" ? "SELL" : "BUY");

const timeMs = z.int().min(0).max(MAX_TIME_MS);
const timeText = z.union([timeMs, z.iso.datetime().transform((text) => Date.parse(text))]);
const decimal = z.string().regex(/^[0-9]{1,20}(\.[0-9]{1,20})?$/, "a decimal, as in prices of the interface");
export const speedShape = z.number().min(REPLAY_LIMITS.minSpeed).max(REPLAY_LIMITS.maxSpeed);
const filesShape = z.array(z.string().min(1).max(REPLAY_LIMITS.maxPathLength)).min(1).max(REPLAY_LIMITS.maxFiles);

const bandShape = z.strictObject({
  levels: z.int().min(0).max(REPLAY_LIMITS.maxBandLevels).exactOptional(),
  /** The distance between adjacent prices of the band; `size` is the quantity of each quote. */
  spacing: decimal.exactOptional(),
  size: decimal.exactOptional(),
});

/** Which part of the files is checked before the replay starts. */
const CHECKS = ["all", "beginning"] as const;

const fields = {
  symbol: z.string(),
  /** Paths on the node's machine, the oldest file first. */
  files: filesShape,
  layout: z.enum(LAYOUTS).exactOptional(),
  impact: z.enum(IMPACTS).default("book"),
  /** Replay speed: file time per lab time. */
  speed: speedShape.default(1),
  band: bandShape.exactOptional(),
  /**
   * Which part of the files is checked. `beginning`: only the first rows, except for messages, which are always checked
   * completely.
   */
  check: z.enum(CHECKS).exactOptional(),
};

/** The body of a request. `fromMs` and `toMs` are file times, `startAtMs` is lab time. */
export const sentReplay = z.strictObject({
  ...fields,
  fromMs: timeText.exactOptional(),
  toMs: timeText.exactOptional(),
  startAtMs: timeText.exactOptional(),
});

const settingsShape = z.strictObject({
  ...fields,
  fromMs: timeMs.exactOptional(),
  toMs: timeMs.exactOptional(),
  startAtMs: timeMs.exactOptional(),
});
export type ReplaySettings = z.output<typeof settingsShape>;

const PHASES = ["checking", "waiting", "playing", "paused", "ended", "failed"] as const;
const moment = z.strictObject({ fileMs: z.int(), labMs: z.int() });
const ticks = z.int().positive();

const PLAYS: ReadonlySet<(typeof PHASES)[number]> = new Set(["playing", "paused"]);

export const replayShape = z
  .strictObject({
    id: savedCount.min(1),
    settings: settingsShape,
    layout: z.enum(LAYOUTS),
    bytes: z.array(savedCount),
    phase: z.enum(PHASES),
    error: z.string().nullable(),
    /** Anomalies in the files, as sentences; absent in older checkpoints. */
    doubts: z.array(z.string()).default([]),
    /** How well messages and the order book files agree; null without such files. */
    book: z
      .strictObject({ rows: savedCount, equalRows: savedCount, came: savedCount, vanished: savedCount })
      .nullable()
      .default(null),
    speed: speedShape,
    /** A file time and the corresponding lab time, from which the lab times of rows are computed. */
    anchor: moment,
    /** The position of the next row. */
    place: z
      .strictObject({
        file: savedCount,
        line: savedCount,
        byte: savedCount,
        lastMs: z.int(),
        lastId: z.int(),
        part: savedCount,
      })
      .nullable(),
    /** The file time of the next row. */
    nextMs: savedCount,
    /** The file time of the last row, and the lab time at which it was replayed. */
    last: moment.nullable(),
    rows: savedCount,
    trades: savedCount,
    lastId: savedCount,
    player: savedPart.nullable(),
    /** The symbol's original filters; null before the replay begins. */
    filters: z.custom<SymbolFilters>((value) => typeof value === "object" && value !== null).nullable(),
    band: z.strictObject({ levels: savedCount, spacingTicks: ticks, lots: ticks, tick: ticks }),
  })
  .refine(({ phase, filters }) => !PLAYS.has(phase) || filters !== null, "it plays, and has not begun");
export type ReplayState = z.output<typeof replayShape>;
