/**
 * Hears now and then by how much the value will change, trades until the price is there, and closes its position when
 * everybody knows.
 */
import { z } from "zod";
import type { SettingsOf } from "../../../platform/config/agent-schema.ts";
import type { KeptValue } from "../../../platform/world/kept.ts";
import { keptCount, keptPart, readKept } from "../../../platform/world/read-kept.ts";
import { exp } from "../exact.ts";
import { Random } from "../bots/random.ts";
import type { Agent, AgentAct, AgentParts, AgentView } from "./agent.ts";
import { pauseMs } from "./pause.ts";
import { closing, lotsWithin, midOf, takeLots } from "./sizing.ts";

/** It stops when the price is half the way there: what it moved itself is gone when it closes. */
const LEAVES = 0.5;
/** News of less than this is not worth a trade. */
const LEAST_NEWS = 0.0003;
/** It gives the market so long to follow the news before it closes. */
const SETTLE_MS = 2000;

const newsShape = z.strictObject({ size: z.number(), publicMs: keptCount, from: z.number().positive() });
const keptShape = z.strictObject({
  random: keptPart,
  nextMs: keptCount,
  hearsMs: keptCount,
  news: newsShape.nullable(),
  closesMs: keptCount,
});

export class InformedTrader implements Agent {
  readonly #parts: AgentParts;
  readonly #settings: SettingsOf<"informed">;
  readonly #random: Random;
  #nextMs: number;
  /** When it hears the next news. */
  #hearsMs: number;
  /** What it knows and others do not: a logarithm, and the price when it heard of it. */
  #news: z.output<typeof newsShape> | null;
  #closesMs: number;

  constructor(parts: AgentParts, settings: SettingsOf<"informed">, kept?: KeptValue) {
    const state = kept === undefined ? undefined : readKept(parts.name, keptShape, kept);
    this.#parts = parts;
    this.#settings = settings;
    this.#random = new Random(parts.seed, parts.name, state?.random);
    this.#nextMs = state?.nextMs ?? parts.nowMs + pauseMs(this.#random, settings.everyMs);
    this.#hearsMs = state?.hearsMs ?? parts.nowMs + pauseMs(this.#random, settings.newsEveryMs);
    this.#news = state?.news ?? null;
    this.#closesMs = state?.closesMs ?? 0;
  }

  kept(): KeptValue {
    const news = this.#news === null ? null : { ...this.#news };
    return {
      random: this.#random.kept(),
      nextMs: this.#nextMs,
      hearsMs: this.#hearsMs,
      news,
      closesMs: this.#closesMs,
    };
  }

  get nextMs(): number {
    return this.#nextMs;
  }

  wake(view: AgentView): AgentAct[] {
    const { nowMs } = view;
    this.#nextMs = nowMs + pauseMs(this.#random, this.#settings.everyMs);
    if (this.#news === null && nowMs >= this.#hearsMs) this.#hear(view);
    if (this.#news === null) return nowMs < this.#closesMs ? this.#sleep(this.#closesMs) : this.#close(view);
    const { size, publicMs } = this.#news;
    if (nowMs < publicMs) return this.#trade(view);
    this.#news = null;
    this.#closesMs = nowMs + SETTLE_MS;
    return [{ type: "news", size }];
  }

  #hear(view: AgentView): void {
    const { newsEveryMs, newsBps, aheadMs } = this.#settings;
    const size = (this.#random.normal() * newsBps) / 10_000;
    this.#hearsMs = view.nowMs + aheadMs + pauseMs(this.#random, newsEveryMs);
    this.#news = { size, publicMs: view.nowMs + aheadMs, from: midOf(this.#parts.grid, view) };
  }

  #trade(view: AgentView): AgentAct[] {
    if (this.#news === null) return [];
    const { size, publicMs, from } = this.#news;
    if (Math.abs(size) < LEAST_NEWS) return this.#sleep(publicMs);
    const left = (from * exp(size)) / midOf(this.#parts.grid, view) - 1;
    // Chance may have carried the price beyond: that tells it nothing, and it never trades against its news.
    if (left * size <= 0 || Math.abs(left) < LEAVES * Math.abs(size)) return [];
    const side = left > 0 ? "BUY" : "SELL";
    const lots = lotsWithin(this.#parts, view, side, this.#parts.orderQuote);
    return lots === 0 ? [] : [{ type: "take", order: takeLots(this.#parts, view, side, lots) }];
  }

  #close(view: AgentView): AgentAct[] {
    const order = closing(this.#parts, view, this.#parts.orderQuote);
    return order === undefined ? this.#sleep(this.#hearsMs) : [{ type: "take", order }];
  }

  /** There is nothing to do before then. */
  #sleep(untilMs: number): AgentAct[] {
    this.#nextMs = Math.max(this.#nextMs, untilMs);
    return [];
  }
}
