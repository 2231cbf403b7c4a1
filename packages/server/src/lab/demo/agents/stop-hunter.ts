/**
 * Waits until the price is near its latest extreme, beyond which others keep their stops, pushes it through, and closes
 * its position when the stops have moved the market.
 */
import { z } from "zod";
import type { SettingsOf } from "../../../platform/config/agent-schema.ts";
import type { KeptValue } from "../../../platform/world/kept.ts";
import { keptCount, keptPart, readKept } from "../../../platform/world/read-kept.ts";
import { cellsOf } from "../bots/grid.ts";
import { SIDES, type Side } from "../bots/orders.ts";
import { Random } from "../bots/random.ts";
import type { Agent, AgentAct, AgentParts, AgentView } from "./agent.ts";
import { pauseMs } from "./pause.ts";
import { closing, lotsWithin, midOf, takeLots } from "./sizing.ts";

/** How often it pushes before it gives up. */
const MOST_PUSHES = 5;
/** It closes in so many pieces or more. */
const CLOSING_PIECES = 5;

const huntShape = z.strictObject({ side: z.enum(SIDES), targetTicks: z.number(), pushes: z.number() });
type Hunt = z.output<typeof huntShape>;
const keptShape = z.strictObject({
  random: keptPart,
  nextMs: keptCount,
  hunt: huntShape.nullable(),
  closesMs: keptCount,
  quietMs: keptCount,
});

export class StopHunter implements Agent {
  readonly #parts: AgentParts;
  readonly #settings: SettingsOf<"stop-hunter">;
  readonly #random: Random;
  #nextMs: number;
  #hunt: Hunt | null;
  /** It closes no sooner. */
  #closesMs: number;
  /** It hunts no more before then. */
  #quietMs: number;

  constructor(parts: AgentParts, settings: SettingsOf<"stop-hunter">, kept?: KeptValue) {
    const state = kept === undefined ? undefined : readKept(parts.name, keptShape, kept);
    this.#parts = parts;
    this.#settings = settings;
    this.#random = new Random(parts.seed, parts.name, state?.random);
    this.#nextMs = state?.nextMs ?? parts.nowMs + pauseMs(this.#random, settings.everyMs);
    this.#hunt = state?.hunt ?? null;
    this.#closesMs = state?.closesMs ?? 0;
    // It knows no extreme before it has seen some of the past.
    this.#quietMs = state?.quietMs ?? parts.nowMs + settings.pauseMs;
  }

  kept(): KeptValue {
    const hunt = this.#hunt === null ? null : { ...this.#hunt };
    return {
      random: this.#random.kept(),
      nextMs: this.#nextMs,
      hunt,
      closesMs: this.#closesMs,
      quietMs: this.#quietMs,
    };
  }

  get nextMs(): number {
    return this.#nextMs;
  }

  wake(view: AgentView): AgentAct[] {
    const { nowMs } = view;
    this.#nextMs = nowMs + pauseMs(this.#random, this.#settings.everyMs);
    if (this.#hunt !== null) return this.#push(view, this.#hunt);
    if (nowMs < this.#closesMs) return this.#sleep(this.#closesMs);
    const order = closing(this.#parts, view, this.#parts.maxPositionQuote / CLOSING_PIECES);
    if (order !== undefined) return [{ type: "take", order }];
    if (nowMs < this.#quietMs) return this.#sleep(this.#quietMs);
    this.#hunt = this.#prey(view);
    return this.#hunt === null ? [] : this.#push(view, this.#hunt);
  }

  #push(view: AgentView, hunt: Hunt): AgentAct[] {
    const { side, targetTicks, pushes } = hunt;
    const last = cellsOf(this.#parts.grid, view.tape.last) * this.#parts.grid.tick;
    // A trade sets off stops; quotes that have stepped back do not.
    const isThrough = side === "BUY" ? last >= targetTicks : last <= targetTicks;
    const isOver = isThrough || pushes === MOST_PUSHES;
    const lots = isOver ? 0 : lotsWithin(this.#parts, view, side, this.#parts.maxPositionQuote / MOST_PUSHES);
    if (lots > 0) {
      this.#hunt = { ...hunt, pushes: pushes + 1 };
      return [{ type: "take", order: takeLots(this.#parts, view, side, lots) }];
    }
    this.#hunt = null;
    this.#closesMs = view.nowMs + this.#settings.holdMs;
    this.#quietMs = this.#closesMs + this.#settings.pauseMs;
    return [];
  }

  /** There is nothing to do before then. */
  #sleep(untilMs: number): AgentAct[] {
    this.#nextMs = Math.max(this.#nextMs, untilMs);
    return [];
  }

  /** The nearer extreme, when the price is near it. */
  #prey(view: AgentView): Hunt | null {
    const { lookbackMs, withinBps, pushBps } = this.#settings;
    const { grid } = this.#parts;
    const mid = midOf(grid, view);
    const [high, low] = [view.tape.high(lookbackMs), view.tape.low(lookbackMs)];
    if (high === 0 || low === 0) return null;
    const [up, down] = [Math.max(0, high / mid - 1), Math.max(0, 1 - low / mid)];
    if (Math.min(up, down) * 10_000 > withinBps) return null;
    const side: Side = up <= down ? "BUY" : "SELL";
    const goal =
      side === "BUY" ? Math.max(high, mid) * (1 + pushBps / 10_000) : Math.min(low, mid) * (1 - pushBps / 10_000);
    const cells = cellsOf(grid, goal);
    const targetTicks = Math.max(1, side === "BUY" ? Math.ceil(cells) : Math.floor(cells)) * grid.tick;
    return { side, targetTicks, pushes: 0 };
  }
}
