/** Trades on how far the price has gone: with it (momentum) or against it (reversion). */
import { z } from "zod";
import type { SettingsOf } from "../../../platform/config/agent-schema.ts";
import type { KeptValue } from "../../../platform/world/kept.ts";
import { keptCount, keptPart, readKept } from "../../../platform/world/read-kept.ts";
import type { Side } from "../bots/orders.ts";
import { Random } from "../bots/random.ts";
import type { Agent, AgentAct, AgentParts, AgentView } from "./agent.ts";
import { pauseMs } from "./pause.ts";
import { lotsWithin, takeLots } from "./sizing.ts";

const keptShape = z.strictObject({ random: keptPart, nextMs: keptCount });

export class TrendTaker implements Agent {
  readonly #parts: AgentParts;
  readonly #settings: SettingsOf<"momentum" | "reversion">;
  readonly #random: Random;
  #nextMs: number;

  constructor(parts: AgentParts, settings: SettingsOf<"momentum" | "reversion">, kept?: KeptValue) {
    const state = kept === undefined ? undefined : readKept(parts.name, keptShape, kept);
    this.#parts = parts;
    this.#settings = settings;
    this.#random = new Random(parts.seed, parts.name, state?.random);
    this.#nextMs = state?.nextMs ?? parts.nowMs + pauseMs(this.#random, settings.everyMs);
  }

  kept(): KeptValue {
    return { random: this.#random.kept(), nextMs: this.#nextMs };
  }

  get nextMs(): number {
    return this.#nextMs;
  }

  wake(view: AgentView): AgentAct[] {
    const { everyMs, lookbackMs, thresholdBps } = this.#settings;
    this.#nextMs = view.nowMs + pauseMs(this.#random, everyMs);
    const gone = view.tape.returnOver(lookbackMs);
    if (gone === 0 || Math.abs(gone) * 10_000 < thresholdBps) return [];
    const side = this.#sideOf(gone);
    const lots = lotsWithin(this.#parts, view, side, this.#parts.orderQuote);
    return lots === 0 ? [] : [{ type: "take", order: takeLots(this.#parts, view, side, lots) }];
  }

  #sideOf(gone: number): Side {
    return gone > 0 === (this.#settings.type === "momentum") ? "BUY" : "SELL";
  }
}
