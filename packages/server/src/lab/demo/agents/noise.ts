/**
 * Trades without a reason, on either side: at once, or with an order that rests near the price until its patience ends.
 */
import { z } from "zod";
import type { SettingsOf } from "../../../platform/config/agent-schema.ts";
import type { KeptValue } from "../../../platform/world/kept.ts";
import { keptCount, keptPart, readKept } from "../../../platform/world/read-kept.ts";
import { log } from "../exact.ts";
import { type OpenQuote, SIDES, type Side } from "../bots/orders.ts";
import { Random } from "../bots/random.ts";
import type { Agent, AgentAct, AgentParts, AgentView } from "./agent.ts";
import { lotsWithin, takeLots } from "./sizing.ts";

/** The standard deviation of the logarithm of an order's size; the largest is so many times the average. */
const SIZE_DEVIATION = 1;
const LARGEST = 10;
/** The mean of such sizes is e to the power of half their variance. */
const MEAN = 1.6487212707001282;

const restingShape = z.strictObject({ orderId: z.int(), sinceMs: keptCount });
const keptShape = z.strictObject({ random: keptPart, nextMs: keptCount, resting: z.array(restingShape) });

export class NoiseTrader implements Agent {
  readonly #parts: AgentParts;
  readonly #settings: SettingsOf<"noise">;
  readonly #random: Random;
  #nextMs: number;
  /** Since when its orders rest, as far as it has seen. */
  #resting: readonly z.output<typeof restingShape>[];

  constructor(parts: AgentParts, settings: SettingsOf<"noise">, kept?: KeptValue) {
    const state = kept === undefined ? undefined : readKept(parts.name, keptShape, kept);
    this.#parts = parts;
    this.#settings = settings;
    this.#random = new Random(parts.seed, parts.name, state?.random);
    this.#nextMs = state?.nextMs ?? parts.nowMs + this.#pauseMs();
    this.#resting = state?.resting ?? [];
  }

  kept(): KeptValue {
    return { random: this.#random.kept(), nextMs: this.#nextMs, resting: this.#resting.map((one) => ({ ...one })) };
  }

  get nextMs(): number {
    return this.#nextMs;
  }

  wake(view: AgentView): AgentAct[] {
    this.#nextMs = view.nowMs + this.#pauseMs();
    const acts = this.#takeBack(view);
    const act = this.#trade(view);
    return act === undefined ? acts : [...acts, act];
  }

  #trade(view: AgentView): AgentAct | undefined {
    const side = this.#random.chance(0.5) ? SIDES[0] : SIDES[1];
    const times = Math.min(LARGEST, this.#random.lognormal(SIZE_DEVIATION) / MEAN);
    const rests = this.#random.chance(this.#settings.restShare);
    const lots = lotsWithin(this.#parts, view, side, times * this.#parts.orderQuote);
    const ticks = this.#restingTicks(view, side);
    if (lots === 0) return undefined;
    if (!rests) return { type: "take", order: takeLots(this.#parts, view, side, lots) };
    return view.open.length < this.#settings.maxOpen ? { type: "quote", side, quote: { ticks, lots } } : undefined;
  }

  /** At the best price of its own side, or up to `reachBps` behind it. */
  #restingTicks({ bid, ask }: AgentView, side: Side): number {
    const { tick } = this.#parts.grid;
    const best = side === "BUY" ? bid : ask;
    const behind = Math.floor((this.#random.next() * best * this.#settings.reachBps) / 10_000 / tick) * tick;
    return Math.max(tick, side === "BUY" ? best - behind : best + behind);
  }

  #takeBack({ open, nowMs }: AgentView): AgentAct[] {
    const sinceMs = new Map(this.#resting.map((one) => [one.orderId, one.sinceMs]));
    const since = ({ orderId }: OpenQuote): number => sinceMs.get(orderId) ?? nowMs;
    const isStale = (order: OpenQuote): boolean => nowMs - since(order) >= this.#settings.patienceMs;
    this.#resting = open
      .filter((order) => !isStale(order))
      .map((order) => ({ orderId: order.orderId, sinceMs: since(order) }));
    return open.filter(isStale).map(({ orderId }) => ({ type: "cancel", orderId }));
  }

  #pauseMs(): number {
    return Math.ceil(-log(1 - this.#random.next()) * this.#settings.everyMs);
  }
}
