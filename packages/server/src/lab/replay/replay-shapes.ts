/** The settings of a replay, its state in a checkpoint, and what its players have in common. */
import type { Side, SymbolFilters, Trade } from "@pricetime/engine";
import { LAYOUTS, type MarketRow } from "../../research/market-files/rows.ts";
import type { SavedValue } from "../../platform/world/port.ts";
import { z } from "zod";
import { MAX_TIME_MS } from "../../platform/config/lab-schema.ts";
import { savedCount, savedPart } from "../../platform/world/saved-state.ts";

/** How far recorded markets reach into a lab. */
export const REPLAY_LIMITS = {
  /** Replays that are listed, those that are over among them. */
  maxReplays: 100,
  maxFiles: 1_000,
  maxPathLength: 1_000,
  /** File time in a unit of the lab's. */
  minSpeed: 1e-6,
  maxSpeed: 1e6,
  /** Rows of one step by hand. */
  maxStepRows: 1_000_000,
  /** Files that are together no larger are checked before the request is answered; larger ones after it. */
  maxBytesBeforeAnswer: 64 << 20,
  /** Commands that are sent together; a run of one taker may bring more. */
  maxCommandsAtATime: 800,
  /** Rows that are played before sockets have their turn, where a moment has not more. */
  maxRowsInTurn: 1_000,
  /** Quotes of a side between trades. */
  maxBandLevels: 100,
  /** So many rows decide the size of those quotes, unless it is given. */
  measuredRows: 1_000,
  /** Orders of messages that stand before the first, or are cut later: known before they are played. */
  maxKnownOrders: 2_000_000,
} as const;

// Players turn rows of a recording into orders on the book.

/** `book`: own orders take, and take away, what recorded ones would have had. `none`: recorded trades print whole beside them. */
export const IMPACTS = ["book", "none"] as const;
export type Impact = (typeof IMPACTS)[number];

/** A player knows which rows in sequence were several trades of one taking order. */
export interface Player {
  /** Whether the row is one more trade of the order that the row before it began. */
  goesOn(row: MarketRow): boolean;
  /** Takes in a row; what it becomes is sent by `end`, or before. Throws `OffGrid`. */
  take(row: MarketRow): void;
  /** Queues the order made of the rows taken in so far. Resolves when the next may come. */
  end(): Promise<void>;
  /** Called when all rows due at this moment were played: puts into the book what stands until the next. */
  rest(): Promise<void>;
  /** An order begins, in this file. */
  begin(file: number): void | Promise<void>;
  /** A trade of which we were the maker. */
  ownTaken(trade: Trade): void;
  /** Rows that became nothing. */
  readonly skipped: number;
  toSave(): SavedValue;
}

/** A player that can do without waiting. */
export interface PromptPlayer extends Player {
  /** Whether nobody else has to do with the book. Only then may the others be called. */
  readonly isAlone: boolean;
  /** Does in this turn what `end` does. */
  endNow(): void;
  /** Queues in this turn what `rest` sends. */
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
  /** The distance between two prices of the band; `size` is the quantity of each quote. */
  spacing: decimal.exactOptional(),
  size: decimal.exactOptional(),
});

/** How far files are looked at before they are played. */
const CHECKS = ["all", "beginning"] as const;

const fields = {
  symbol: z.string(),
  /** Paths as the node sees them, the oldest first. */
  files: filesShape,
  layout: z.enum(LAYOUTS).exactOptional(),
  impact: z.enum(IMPACTS).default("book"),
  /** File time in a unit of the lab's. */
  speed: speedShape.default(1),
  band: bandShape.exactOptional(),
  /** How much is looked at before any of it is played: `beginning`, the first rows alone; messages are always looked at as a whole. */
  check: z.enum(CHECKS).exactOptional(),
};

/** The body of a request. Times of the files, and of the lab. */
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
    /** What is strange about its files, in sentences; checkpoints of before say nothing. */
    doubts: z.array(z.string()).default([]),
    /** How messages and the files of the book beside them agree; null where there are none. */
    book: z
      .strictObject({ rows: savedCount, equalRows: savedCount, came: savedCount, vanished: savedCount })
      .nullable()
      .default(null),
    speed: speedShape,
    /** A moment of the file's time, and when it is in the lab's: the others are counted from there. */
    anchor: moment,
    /** The place before the next row. */
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
    /** The file's time of the next row. */
    nextMs: savedCount,
    /** When the last row was played, and when it was. */
    last: moment.nullable(),
    rows: savedCount,
    trades: savedCount,
    lastId: savedCount,
    player: savedPart.nullable(),
    /** As the symbol had them; null before the replay has begun. */
    filters: z.custom<SymbolFilters>((value) => typeof value === "object" && value !== null).nullable(),
    band: z.strictObject({ levels: savedCount, spacingTicks: ticks, lots: ticks, tick: ticks }),
  })
  .refine(({ phase, filters }) => !PLAYS.has(phase) || filters !== null, "it plays, and has not begun");
export type ReplayState = z.output<typeof replayShape>;
