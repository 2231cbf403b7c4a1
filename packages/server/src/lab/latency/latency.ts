/**
 * The latency of a lab's network: how long requests are on their way to the exchange, answers on their way back, and
 * messages of streams on their way to those who listen. It passes on the lab's clock.
 */
import { z } from "zod";
import type { Keeping, KeptValue } from "../../platform/world/kept.ts";
import type { Dice } from "../../platform/world/port.ts";
import { keptCount, readKept } from "../../platform/world/read-kept.ts";
import { MAX_SIGMA, MAX_WAIT_MS } from "../faults/limits.ts";
import { drawMs } from "../faults/log-normal.ts";

/** Waits that a file may hold. */
export const MAX_SAMPLES = 100_000;

/** Requests by what they do. */
export const REQUEST_KINDS = ["place", "cancel", "query"] as const;
export type RequestKind = (typeof REQUEST_KINDS)[number];

const ms = z.int().min(0).max(MAX_WAIT_MS);
/** Constant, log-normal around a median, or one after the other, over and over. */
export const waitSchema = z.union([
  z.strictObject({ ms }),
  z.strictObject({ medianMs: ms.min(1), sigma: z.number().min(0).max(MAX_SIGMA) }),
  z.strictObject({ samplesMs: z.array(ms).min(1).max(MAX_SAMPLES) }),
]);
export type Wait = z.output<typeof waitSchema>;

const byKind = z.strictObject({
  place: waitSchema.exactOptional(),
  cancel: waitSchema.exactOptional(),
  query: waitSchema.exactOptional(),
});
/** What is absent takes no time. */
export const latencySchema = z.strictObject({
  marketData: waitSchema.exactOptional(),
  orderEntry: z.union([waitSchema, byKind]).exactOptional(),
  answer: z.union([waitSchema, byKind]).exactOptional(),
});
export type LatencySetting = z.output<typeof latencySchema>;

/** Where a list of waits may stand in a setting. */
const PLACES = [
  "marketData",
  ...(["orderEntry", "answer"] as const).flatMap((way) => [
    way,
    ...REQUEST_KINDS.map((kind): `${typeof way}.${RequestKind}` => `${way}.${kind}`),
  ]),
] as const;
type Place = (typeof PLACES)[number];

/** The number of waits taken from each list. */
type Taken = Partial<Record<Place, number>>;

const keptShape = z.strictObject({ setting: latencySchema, taken: z.partialRecord(z.enum(PLACES), keptCount) });

export class Latency implements Keeping {
  readonly #dice: Dice;
  #setting: LatencySetting = {};
  /** Each list goes on by itself: what is drawn from one moves no other. */
  #taken: Taken = {};

  constructor(dice: Dice) {
    this.#dice = dice;
  }

  get setting(): LatencySetting {
    return this.#setting;
  }

  set(setting: LatencySetting): void {
    this.#setting = setting;
    this.#taken = {};
  }

  /** Milliseconds that this request takes to the exchange. */
  orderEntryMs(kind: RequestKind): number {
    return this.#ofKindMs("orderEntry", kind);
  }

  /** Milliseconds that the answer to this request takes back. */
  answerMs(kind: RequestKind): number {
    return this.#ofKindMs("answer", kind);
  }

  /** Milliseconds that a message of a stream takes. */
  marketDataMs(): number {
    return this.#drawMs(this.#setting.marketData, "marketData");
  }

  get isNone(): boolean {
    return Object.keys(this.#setting).length === 0;
  }

  kept(): KeptValue {
    return { setting: structuredClone(this.#setting) as KeptValue, taken: { ...this.#taken } };
  }

  /** Goes back to what was kept. Throws `KeptUnreadable`. */
  goTo(kept: KeptValue | undefined): void {
    const { setting, taken } = readKept("latency", keptShape, kept ?? null);
    this.#setting = setting;
    this.#taken = taken;
  }

  #ofKindMs(way: "answer" | "orderEntry", kind: RequestKind): number {
    const waits = this.#setting[way];
    if (waits === undefined) return 0;
    return isWait(waits) ? this.#drawMs(waits, way) : this.#drawMs(waits[kind], `${way}.${kind}`);
  }

  #drawMs(wait: Wait | undefined, place: Place): number {
    if (wait === undefined) return 0;
    if (!("samplesMs" in wait)) return drawMs(wait, this.#dice);
    const taken = this.#taken[place] ?? 0;
    this.#taken[place] = taken + 1;
    return wait.samplesMs[taken % wait.samplesMs.length] ?? 0;
  }
}

function isWait(waits: Wait | z.output<typeof byKind>): waits is Wait {
  return "ms" in waits || "medianMs" in waits || "samplesMs" in waits;
}
