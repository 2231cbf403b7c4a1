/** All bots of a demo: they keep books, trades and klines alive, through the gateway like any client. */
import type { Cancel, Timers } from "../../../platform/world/port.ts";
import type { Credentials } from "./client.ts";
import { BotClient, type Venue } from "./client.ts";
import { carryOut, type SymbolDesks } from "./carry-out.ts";
import { Desk, type Tell } from "./desk.ts";
import { Desks } from "./desks.ts";
import { Random } from "./random.ts";
import { STEP_MS, type TradedSymbol, Traders, type TradersParts } from "./traders.ts";

/** The most by which a step begins early or late, as a part of a step: real markets do not tick. */
export const UNEVEN = 0.4;

export interface BotsOptions extends Omit<TradersParts, "hand"> {
  readonly venue: Venue;
  /** The venue's clock, for timestamps and the time of day. */
  readonly nowMs: () => number;
  readonly world: Timers;
  /** Whether orders are accepted now; bots send none where they are not. */
  readonly isTrading: (symbol: string) => boolean;
  /** Called when a step failed by anything but a plain refusal. */
  readonly onError: (error: unknown) => void;
  readonly tell?: Tell;
}

export class Bots {
  readonly #options: BotsOptions;
  readonly #traders: Traders;
  readonly #desks: readonly SymbolDesks[];
  readonly #pace: Random;
  #stopTimer: Cancel = () => {};
  #running: Promise<void> = Promise.resolve();
  #isStopped = false;

  constructor(options: BotsOptions) {
    this.#options = options;
    this.#traders = new Traders(options);
    this.#desks = this.#traders.symbols.map((symbol) => this.#desksOf(symbol));
    this.#pace = new Random(options.seed, "pace");
  }

  /** Runs the first step, which gives every symbol a book and a trade; then further steps, about four a second. */
  start(): Promise<void> {
    this.#running = this.#begin()
      .then(() => this.step())
      .then(() => this.#next());
    return this.#running;
  }

  /** Resolves when the current step has ended. Open orders stay, and the next start takes them over. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#stopTimer();
    await this.#running;
  }

  /** Runs one step of every symbol that trades. Never rejects. */
  async step(): Promise<void> {
    const { nowMs, isTrading, onError } = this.#options;
    const atMs = nowMs();
    this.#traders.step(atMs);
    const steps = this.#traders.symbols.map(async ({ driver }, index) => {
      const desks = this.#desks[index];
      if (desks !== undefined && isTrading(driver.symbol)) await carryOut(driver.step(atMs), desks);
    });
    await Promise.all(steps.map((step) => step.catch(onError)));
  }

  #desksOf({ grid, accounts, driver }: TradedSymbol): SymbolDesks {
    const { venue, nowMs, tell = () => {} } = this.#options;
    const desk = (one: Credentials): Desk => new Desk(new BotClient(venue, one, nowMs), driver.symbol, grid, tell);
    const desks = ([first, ...more]: readonly [Credentials, ...Credentials[]]): Desks =>
      new Desks([desk(first), ...more.map(desk)]);
    const { bids, asks, depth, taker } = accounts;
    return { bids: desks(bids), asks: desks(asks), depth: desks(depth), taker: desks(taker) };
  }

  /** Schedules the next step for when this one has ended, but not before a time around `STEP_MS`. */
  #next(): void {
    if (this.#isStopped) return;
    const waitMs = STEP_MS * this.#pace.between(1 - UNEVEN, 1 + UNEVEN);
    this.#stopTimer = this.#options.world.after(waitMs, () => {
      this.#running = this.step().then(() => this.#next());
    });
  }

  async #begin(): Promise<void> {
    this.#traders.begin(await Promise.all(this.#desks.map(({ taker }) => taker.lastPrice().catch(() => 0))));
  }
}
