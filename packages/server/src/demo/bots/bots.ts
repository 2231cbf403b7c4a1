/** All bots of a demo: they keep books, trades and klines alive, through the gateway like any client. */
import { DEMO_ASSETS } from "../assets.ts";
import type { Cancel, Timers } from "../../world/port.ts";
import type { DemoMarket } from "../markets.ts";
import { AssetValues } from "./asset-values.ts";
import type { BotAccounts } from "./bot-accounts.ts";
import { BotClient, type Credentials, type Venue } from "./client.ts";
import { Desk, type Tell } from "./desk.ts";
import { Desks } from "./desks.ts";
import { gridOf } from "./grid.ts";
import { Random } from "./random.ts";
import { SymbolBots } from "./symbol-bots.ts";

/** The market time of one step. */
export const STEP_MS = 250;
/** The most by which a step begins early or late, as a part of a step: real markets do not tick. */
const UNEVEN = 0.4;

export interface BotsOptions {
  readonly venue: Venue;
  readonly accounts: BotAccounts;
  /** The markets as they are listed now. */
  readonly markets: readonly DemoMarket[];
  readonly seed: number;
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
  readonly #values: AssetValues;
  readonly #symbols: readonly (readonly [DemoMarket, SymbolBots])[];
  readonly #pace: Random;
  #stopTimer: Cancel = () => {};
  #running: Promise<void> = Promise.resolve();
  #isStopped = false;

  constructor(options: BotsOptions) {
    const { seed, markets } = options;
    this.#options = options;
    this.#values = new AssetValues(walkingAssets(), seed, STEP_MS);
    this.#pace = new Random(seed, "pace");
    this.#symbols = markets.flatMap((market) => {
      const bots = this.#openSymbol(market);
      return bots === null ? [] : [[market, bots] as const];
    });
  }

  /** Runs the first step, which gives every symbol a book and a trade; then further steps, about four a second. */
  start(): Promise<void> {
    this.#running = this.#anchor()
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
    this.#values.step(atMs);
    const open = this.#symbols.filter(([{ spec }]) => isTrading(spec.symbol));
    await Promise.all(open.map(([, bots]) => bots.step(atMs).catch(onError)));
  }

  #openSymbol(market: DemoMarket): SymbolBots | null {
    const { venue, accounts, seed, nowMs, tell = () => {} } = this.#options;
    const { symbol } = market.spec;
    const grid = gridOf(market.spec);
    const own = accounts.get(symbol);
    if (grid === null || own === undefined) return null;
    const desk = (one: Credentials): Desk => new Desk(new BotClient(venue, one, nowMs), symbol, grid, tell);
    const desks = ([first, ...more]: readonly [Credentials, ...Credentials[]]): Desks =>
      new Desks([desk(first), ...more.map(desk)]);
    const jobs = {
      bids: desks(own.bids),
      asks: desks(own.asks),
      depth: desks(own.depth),
      taker: desks(own.taker),
    };
    return new SymbolBots({ market, grid, desks: jobs, values: this.#values, seed, stepMs: STEP_MS });
  }

  /** Schedules the next step for when this one has ended, but not before a time around `STEP_MS`. */
  #next(): void {
    if (this.#isStopped) return;
    const waitMs = STEP_MS * this.#pace.between(1 - UNEVEN, 1 + UNEVEN);
    this.#stopTimer = this.#options.world.after(waitMs, () => {
      this.#running = this.step().then(() => this.#next());
    });
  }

  /** Continues values from last prices: USDT is worth one, and each market gives the value of one more asset. */
  async #anchor(): Promise<void> {
    const known = new Set(["USDT"]);
    const prices = await Promise.all(this.#symbols.map(([, bots]) => bots.lastPrice().catch(() => 0)));
    for (const [index, [{ spec }]] of this.#symbols.entries()) {
      const price = prices[index] ?? 0;
      const unknown = [spec.baseAsset, spec.quoteAsset].filter((asset) => !known.has(asset));
      const [asset] = unknown;
      if (price === 0 || asset === undefined || unknown.length > 1) continue;
      this.#values.anchor(asset, spec.baseAsset, spec.quoteAsset, price);
      known.add(asset);
    }
  }
}

export function walkingAssets(): ConstructorParameters<typeof AssetValues>[0] {
  return DEMO_ASSETS.map(({ spec, ...asset }) => ({ asset: spec.asset, ...asset }));
}
