/** All bots of a demo: they keep books, trades and klines alive, through the gateway, as anybody would. */
import { DEMO_ASSETS } from "../assets.ts";
import type { DemoMarket } from "../markets.ts";
import { AssetValues } from "./asset-values.ts";
import type { BotAccounts } from "./bot-accounts.ts";
import { BotClient, type Credentials, type Venue } from "./client.ts";
import type { Tell } from "./desk.ts";
import { gridOf } from "./grid.ts";
import { SymbolBots } from "./symbol-bots.ts";

const STEP_MS = 500;

export interface BotsOptions {
  readonly venue: Venue;
  readonly accounts: BotAccounts;
  /** As they are listed now. */
  readonly markets: readonly DemoMarket[];
  readonly seed: number;
  /** The venue's clock, for timestamps. */
  readonly nowMs: () => number;
  /** A step failed in a way that is not a plain refusal. */
  readonly onError: (error: unknown) => void;
  readonly tell?: Tell;
}

export class Bots {
  readonly #values: AssetValues;
  readonly #symbols: readonly (readonly [DemoMarket, SymbolBots])[];
  readonly #onError: (error: unknown) => void;
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> = Promise.resolve();
  #isStopped = false;

  constructor({ venue, accounts, markets, seed, nowMs, onError, tell = () => {} }: BotsOptions) {
    const assets = DEMO_ASSETS.map(({ spec, startValue, volatilityBps }) => ({
      asset: spec.asset,
      startValue,
      volatilityBps,
    }));
    this.#values = new AssetValues(assets, seed);
    this.#onError = onError;
    const connect = (credentials: Credentials): BotClient => new BotClient(venue, credentials, nowMs);
    this.#symbols = markets.flatMap((market) => {
      const { baseAsset, quoteAsset } = market.spec;
      const grid = gridOf(market.spec, this.#values.price(baseAsset, quoteAsset));
      const own = accounts.get(market.spec.symbol);
      if (grid === null || own === undefined) return [];
      const clients = {
        bids: connect(own.bids),
        asks: connect(own.asks),
        depth: connect(own.depth),
        taker: connect(own.taker),
      };
      return [[market, new SymbolBots(market, grid, clients, this.#values, { seed, tell })] as const];
    });
  }

  /** The first step, after which every symbol has a book and a trade; then the others, twice a second. */
  start(): Promise<void> {
    this.#running = this.#anchor()
      .then(() => this.step())
      .then(() => this.#next());
    return this.#running;
  }

  /** Resolves when the step under way has ended. Open orders stay, and are taken up again at the next start. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    clearTimeout(this.#timer);
    await this.#running;
  }

  /** One step of every symbol. Never rejects. */
  async step(): Promise<void> {
    this.#values.step();
    await Promise.all(this.#symbols.map(([, bots]) => bots.step().catch(this.#onError)));
  }

  /** The next step begins when the one before has ended, at the earliest after `STEP_MS`. */
  #next(): void {
    if (this.#isStopped) return;
    this.#timer = setTimeout(() => {
      this.#running = this.step().then(() => this.#next());
    }, STEP_MS);
    this.#timer.unref();
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
