/** What a replay is asked for, and what it keeps for a checkpoint. */
import type { SymbolFilters } from "@pricetime/engine";
import { z } from "zod";
import { MAX_TIME_MS } from "../../platform/config/lab-schema.ts";
import { LAYOUTS } from "../../research/market-files/rows.ts";
import { keptCount, keptPart } from "../../platform/world/read-kept.ts";
import { REPLAY_LIMITS } from "./limits.ts";
import { IMPACTS } from "./player.ts";

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
    id: keptCount.min(1),
    settings: settingsShape,
    layout: z.enum(LAYOUTS),
    bytes: z.array(keptCount),
    phase: z.enum(PHASES),
    error: z.string().nullable(),
    /** What is strange about its files, in sentences; checkpoints of before say nothing. */
    doubts: z.array(z.string()).default([]),
    /** How messages and the files of the book beside them agree; null where there are none. */
    book: z
      .strictObject({ rows: keptCount, equalRows: keptCount, came: keptCount, vanished: keptCount })
      .nullable()
      .default(null),
    speed: speedShape,
    /** A moment of the file's time, and when it is in the lab's: the others are counted from there. */
    anchor: moment,
    /** The place before the next row. */
    place: z
      .strictObject({
        file: keptCount,
        line: keptCount,
        byte: keptCount,
        lastMs: z.int(),
        lastId: z.int(),
        part: keptCount,
      })
      .nullable(),
    /** The file's time of the next row. */
    nextMs: keptCount,
    /** When the last row was played, and when it was. */
    last: moment.nullable(),
    rows: keptCount,
    trades: keptCount,
    lastId: keptCount,
    player: keptPart.nullable(),
    /** As the symbol had them; null before the replay has begun. */
    filters: z.custom<SymbolFilters>((value) => typeof value === "object" && value !== null).nullable(),
    band: z.strictObject({ levels: keptCount, spacingTicks: ticks, lots: ticks, tick: ticks }),
  })
  .refine(({ phase, filters }) => !PLAYS.has(phase) || filters !== null, "it plays, and has not begun");
export type ReplayState = z.output<typeof replayShape>;
