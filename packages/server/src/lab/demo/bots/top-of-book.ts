/** The best bid and ask that the makers of a symbol want; they follow its value, but not every small move. */
import { z } from "zod";
import type { Keeping, KeptValue } from "../../../platform/world/kept.ts";
import { keptPart, readKept } from "../../../platform/world/read-kept.ts";
import { Random } from "./random.ts";

/** How often a spread is wider than necessary, and by how many ticks at most. */
const WIDE_CHANCE = 0.15;
const WIDE_TAIL = 1.2;
const WIDEST = 12;

/** The best prices in multiples of the tick. */
export interface Top {
  readonly bid: number;
  readonly ask: number;
}

/** What makers leave between bid and ask. */
export interface SpreadTerms {
  /** In ticks. */
  readonly usual: number;
  /** A multiple of the usual one. */
  readonly times: number;
  /** In ticks. */
  readonly least: number;
}

const keptShape = z.strictObject({
  random: keptPart,
  mid: z.number().nullable(),
  top: z.strictObject({ bid: z.number(), ask: z.number() }),
});

export class TopOfBook implements Keeping {
  readonly #random: Random;
  #mid: number | undefined;
  #top: Top = { bid: 0, ask: 0 };

  constructor(seed: number, name: string, kept?: KeptValue) {
    const state = kept === undefined ? undefined : readKept(name, keptShape, kept);
    this.#random = new Random(seed, name, state?.random);
    if (state === undefined) return;
    this.#mid = state.mid ?? undefined;
    this.#top = state.top;
  }

  kept(): KeptValue {
    return { random: this.#random.kept(), mid: this.#mid ?? null, top: { ...this.#top } };
  }

  get top(): Top {
    return this.#top;
  }

  /** The next `follow` follows however little the value has moved. */
  forget(): void {
    this.#mid = undefined;
  }

  /** `patience`: how far the value may move before the quotes follow. It and `value`, too, are in ticks. */
  follow(value: number, patience: number, { usual, times, least }: SpreadTerms): Top {
    const spread = Math.max(usual * times, least);
    // A wide spread need not follow each step, and nobody follows within a tick.
    const enough = Math.max(patience, spread / 3, 0.75);
    if (this.#mid !== undefined && Math.abs(value - this.#mid) <= enough) return this.#top;
    this.#mid = value;
    const wide = this.#random.chance(WIDE_CHANCE) ? Math.min(WIDEST, Math.floor(this.#random.pareto(WIDE_TAIL))) : 0;
    // Where a tick is a large part of the patience, no tick is left free.
    const drawn = Math.max(1, Math.round(usual)) + (patience > 4 ? wide : 0);
    const ticks = Math.max(1, Math.round(drawn * times), Math.round(least));
    const bid = Math.max(1, Math.floor(value - (ticks - 1) / 2));
    this.#top = { bid, ask: bid + ticks };
    return this.#top;
  }
}
