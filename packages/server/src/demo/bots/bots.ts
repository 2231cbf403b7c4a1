/** All bots of a demo: they keep books, trades and klines alive, through the gateway, as anybody would. */
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

/** Of the market's time that one step is. */
export const STEP_MS = 250;
/** A step begins so many times later or earlier at most: a market does not tick. */
const UNEVEN = 0.4;

export interface BotsOptions {
  readonly venue: Venue;
  readonly accounts: BotAccounts;
  /** As they are listed now. */
  readonly markets: readonly DemoMarket[];
  readonly seed: number;
  /** The venue's clock, for timestamps and the time of the day. */
  readonly nowMs: () => number;
  readonly world: Timers;
  /** Whether orders are taken now: where they are not, bots send none. */
  readonly isTrading: (symbol: string) => boolean;
  /** A step failed in a way that is not a plain refusal. */
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

  /** The first step, after which every symbol has a book and a trade; then the others, four a second or so. */
  start(): Promise<void> {
    this.#running = this.#anchor()
      .then(() => this.step())
      .then(() => this.#next());
    return this.#running;
  }

  /** Resolves when the step under way has ended. Open orders stay, and are taken up again at the next start. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#stopTimer();
    await this.#running;
  }

  /** One step of every symbol that trades. Never rejects. */
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

  /** The next step begins when the one before has ended, at the earliest after a time around `STEP_MS`. */
  #next(): void {
    if (this.#isStopped) return;
    const waitMs = STEP_MS * this.#pace.between(1 - UNEVEN, 1 + UNEVEN);
    this.#stopTimer = this.#options.world.after(waitMs, () => {
      this.#running = this.step().then(() => this.#next());
    });
  }

  /** Values go on from last prices: USDT is worth one, and each market tells of one more asset. */
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
