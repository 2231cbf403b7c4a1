/**
 * The bots in a lab: their orders depend only on the seed, the lab's time and the book. Each step has its own time, and
 * all its commands are submitted at once, symbol by symbol.
 */
import { z } from "zod";
import type { Command, EngineView } from "@pricetime/engine";
import type { Sequencer } from "../../journal/sequencer/port.ts";
import type { Cancel, Clock, Saves, Timers } from "../../platform/world/port.ts";
import { savedCount } from "../../platform/world/saved-state.ts";
import { type Tell, UNEVEN } from "./bots/bots.ts";
import type { DemoMarket } from "./markets.ts";
import { LabAgents } from "./agents/lab-agents.ts";
import { DirectSenders, OrderIds } from "./bots/direct-senders.ts";
import { Random } from "./bots/random.ts";
import { STEP_MS, Traders, type TradersParts } from "./bots/traders.ts";

/**
 * The maximum lateness of a step; later ones are skipped, because the clock was set ahead or runs faster than the
 * machine can follow.
 */
const MOST_LATE_MS = 10_000;

type Settle = Parameters<Sequencer["submit"]>[1];

export interface LabBotsOptions extends Omit<TradersParts, "priceImpact"> {
  readonly view: EngineView;
  readonly sequencer: Sequencer;
  /** The lab's clock, timers and registry of saved state. */
  readonly world: Pick<Clock, "nowMs"> & Timers & Saves;
  readonly isTrading: (symbol: string) => boolean;
  /** Called when a step fails for any reason but a rejection. */
  readonly onError: (error: unknown) => void;
  /** Receives the texts of rejections. */
  readonly tell?: Tell;
}

/** Draws the interval to the next step. */
export const nextStepMs = (pace: Random): number => Math.round(STEP_MS * pace.between(1 - UNEVEN, 1 + UNEVEN));

const SAVED = z.strictObject({ dueMs: savedCount });

export class LabBots {
  /** The agents that trade beside the bots. */
  readonly agents: LabAgents;
  readonly #options: LabBotsOptions;
  readonly #traders: Traders;
  readonly #senders: readonly DirectSenders[];
  readonly #ids: OrderIds;
  /** The ids of agents' orders are separate, so that the bots' ids do not depend on agents. */
  readonly #agentIds: OrderIds;
  readonly #pace: Random;
  /** Whether the bots continue from a checkpoint, so that they have already done their first step. */
  readonly goesOn: boolean;
  /** The time at which the next step is due; during a step, the time of that step. */
  #dueMs: number;
  #stopTimer: Cancel = () => {};
  #running: Promise<void> = Promise.resolve();
  #isStopped = false;
  /** The number of commands whose outcome is not known yet. */
  #underWay = 0;
  #onSettled: (() => void) | undefined;

  constructor(options: LabBotsOptions) {
    const { seed } = options;
    const saved = options.world.saved.within("demo");
    this.#options = options;
    const state = saved.restore("bots", SAVED, () => ({ dueMs: this.#dueMs }));
    this.goesOn = state !== undefined;
    this.#traders = new Traders({ ...options, priceImpact: (symbol) => this.agents.priceImpactOf(symbol) }, saved);
    this.#ids = new OrderIds(seed, "order ids", saved);
    this.#pace = new Random(seed, "pace", saved);
    this.#dueMs = state?.dueMs ?? options.world.nowMs();
    const venue = {
      view: options.view,
      submit: (command: Command, settle: Settle) => this.#submit(command, settle),
      newId: () => this.#ids.next(this.#dueMs),
      tell: options.tell ?? (() => {}),
    };
    this.#agentIds = new OrderIds(seed, "order ids of agents", saved);
    const port = {
      ...{ view: options.view, sequencer: options.sequencer, seed, saved, isTrading: this.#acts },
      markets: this.#traders.symbols.map(({ market }) => market),
      deviation: (market: DemoMarket, ms: number) => this.#traders.deviation(market, ms),
      submit: (command: Command) => this.#submit(command, this.#heard),
      newId: () => this.#agentIds.next(this.#dueMs),
    };
    this.agents = new LabAgents(port, this.#dueMs);
    this.#senders = this.#traders.symbols.map(
      ({ driver, grid, accounts: own }) => new DirectSenders(venue, driver.symbol, grid, own, saved),
    );
  }

  /** The time at which the next step is due. */
  get dueMs(): number {
    return this.#dueMs;
  }

  /** Starts the bots. Resolves when every symbol has a book and a trade; after a restore, they already have them. */
  async start(): Promise<void> {
    if (!this.goesOn) {
      this.#traders.begin(this.#senders.map(({ lastPrice }) => lastPrice));
      this.#running = this.step();
      await this.#running;
    }
    this.#schedule();
  }

  /** Stops the bots. Resolves when the current step has ended. Open orders are not canceled. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#stopTimer();
    await this.#running;
  }

  /** Runs the step that is due. Resolves when its commands are applied. Never rejects. */
  async step(): Promise<void> {
    const { control, onError } = this.#options;
    const asked = control?.begin(this.#dueMs);
    if (asked !== undefined) await asked;
    this.#traders.step(this.#dueMs);
    for (const [index, { driver }] of this.#traders.symbols.entries()) {
      if (!this.#acts(driver.symbol)) continue;
      try {
        this.#senders[index]?.carryOut(driver.step(this.#dueMs));
      } catch (error) {
        onError(error);
      }
    }
    this.agents.step(this.#dueMs);
    this.#dueMs += nextStepMs(this.#pace);
    if (this.#underWay > 0) await new Promise<void>((resolve) => (this.#onSettled = resolve));
  }

  /** Whether bots and agents act on a symbol. They pause while another driver makes its market. */
  readonly #acts = (symbol: string): boolean =>
    this.#options.isTrading(symbol) && this.#options.control?.isStoodInFor(symbol) !== true;

  /** Schedules the next step. A step that is already due runs in its own turn. */
  #schedule(): void {
    if (this.#isStopped) return;
    const { world } = this.#options;
    const nowMs = world.nowMs();
    if (nowMs - this.#dueMs > MOST_LATE_MS) this.#dueMs = nowMs;
    this.#stopTimer = world.after(Math.max(0, this.#dueMs - nowMs), () => {
      this.#running = this.step().then(() => this.#schedule());
    });
  }

  /** Reports rejections of agents' commands. */
  readonly #heard: Settle = (outcome) => {
    const { tell = () => {} } = this.#options;
    const first = outcome instanceof Error ? outcome.message : outcome.events[0];
    if (typeof first === "string") tell(`refused an agent: ${first}`);
    // If an order was filled before its cancel arrived, the rejection is not reported.
    else if (first?.type === "rejected" && first.reason !== "UNKNOWN_ORDER") tell(`refused an agent: ${first.reason}`);
  };

  #submit(command: Command, settle: Settle): void {
    this.#underWay++;
    this.#options.sequencer.submit(command, (outcome) => {
      settle(outcome);
      this.#underWay--;
      if (this.#underWay === 0) this.#onSettled?.();
    });
  }
}
