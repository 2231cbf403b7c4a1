/** A large order that is worked: cut into small ones, as a part of what is usually traded at this hour, until it is done. */
import { DAY_MS } from "@pricetime/engine";
import { z } from "zod";
import type { SettingsOf } from "../../../platform/config/agent-schema.ts";
import type { KeptValue } from "../../../platform/world/kept.ts";
import { keptCount, keptPart, readKept } from "../../../platform/world/read-kept.ts";
import { volumeFactor } from "../day-shape.ts";
import { lotsFor } from "../bots/grid.ts";
import { Random } from "../bots/random.ts";
import type { Agent, AgentAct, AgentParts, AgentView } from "./agent.ts";
import { pauseMs } from "./pause.ts";
import { lotsAtLeast, midOf, takeLots } from "./sizing.ts";

const keptShape = z.strictObject({
  random: keptPart,
  nextMs: keptCount,
  lookedMs: keptCount,
  owedQuote: z.number(),
  targetLots: z.number().nullable(),
});

export class WorkedOrder implements Agent {
  readonly #parts: AgentParts;
  readonly #settings: SettingsOf<"worked">;
  readonly #random: Random;
  #nextMs: number;
  #lookedMs: number;
  /** The value that should have been traded by now but was not sent yet. */
  #owedQuote: number;
  /** The position at which the order is done; null before the first look, which values the order. */
  #targetLots: number | null;

  constructor(parts: AgentParts, settings: SettingsOf<"worked">, kept?: KeptValue) {
    const state = kept === undefined ? undefined : readKept(parts.name, keptShape, kept);
    this.#parts = parts;
    this.#settings = settings;
    this.#random = new Random(parts.seed, parts.name, state?.random);
    this.#nextMs = state?.nextMs ?? parts.nowMs + pauseMs(this.#random, settings.everyMs);
    this.#lookedMs = state?.lookedMs ?? parts.nowMs;
    this.#owedQuote = state?.owedQuote ?? 0;
    this.#targetLots = state?.targetLots ?? null;
  }

  kept(): KeptValue {
    const [owedQuote, targetLots] = [this.#owedQuote, this.#targetLots];
    return { random: this.#random.kept(), nextMs: this.#nextMs, lookedMs: this.#lookedMs, owedQuote, targetLots };
  }

  get nextMs(): number {
    return this.#nextMs;
  }

  wake(view: AgentView): AgentAct[] {
    const { side, totalQuote, participation, everyMs } = this.#settings;
    const { grid, dailyVolume, minNotional } = this.#parts;
    const { nowMs, positionLots } = view;
    const mid = midOf(grid, view);
    const sign = side === "BUY" ? 1 : -1;
    this.#nextMs = nowMs + pauseMs(this.#random, everyMs);
    this.#targetLots ??= positionLots + sign * lotsFor(grid, totalQuote, mid);
    this.#owedQuote += ((nowMs - this.#lookedMs) / DAY_MS) * dailyVolume * volumeFactor(nowMs) * participation;
    this.#lookedMs = nowMs;
    const left = sign * (this.#targetLots - positionLots);
    const lots = lotsAtLeast(grid, Math.min(left, lotsFor(grid, this.#owedQuote, mid)), minNotional, mid);
    if (lots === 0) return [];
    this.#owedQuote = 0;
    return [{ type: "take", order: takeLots(this.#parts, view, side, lots) }];
  }
}
