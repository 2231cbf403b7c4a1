/** All that the bots know and draw: what assets are worth, and what each symbol's bots are about. They act through others. */
import { z } from "zod";
import type { Keeping, KeptValue } from "../../../platform/world/kept.ts";
import { keptPart, readKept } from "../../../platform/world/read-kept.ts";
import { DEMO_ASSETS } from "../assets.ts";
import type { DemoMarket } from "../markets.ts";
import { AssetValues } from "./asset-values.ts";
import type { BotAccounts, SymbolAccounts } from "./bot-accounts.ts";
import type { MarketHand } from "./conditions.ts";
import type { SymbolDriver } from "./driver.ts";
import { type Grid, gridOf } from "./grid.ts";
import { SymbolBots } from "./symbol-bots.ts";

/** The market time of one step. */
export const STEP_MS = 250;

export interface TradersParts {
  readonly accounts: BotAccounts;
  /** The markets as they are listed now. */
  readonly markets: readonly DemoMarket[];
  readonly seed: number;
  /** Undefined outside a lab. */
  readonly hand?: MarketHand | undefined;
  /** The multiple of a symbol's value that agents have made of it; undefined outside a lab. */
  readonly lean?: ((symbol: string) => number) | undefined;
}

/** A symbol that bots trade. */
export interface TradedSymbol {
  readonly market: DemoMarket;
  readonly grid: Grid;
  readonly accounts: SymbolAccounts;
  readonly driver: SymbolDriver;
}

export class Traders implements Keeping {
  readonly symbols: readonly TradedSymbol[];
  readonly #values: AssetValues;

  /** Symbols whose filters give no tick or no step are left out. */
  constructor({ accounts, markets, seed, hand, lean }: TradersParts, kept?: KeptValue) {
    const traded = markets.flatMap((market) => {
      const [grid, own] = [gridOf(market.spec), accounts.get(market.spec.symbol)];
      return grid === null || own === undefined ? [] : [{ market, grid, accounts: own }];
    });
    const symbolShape = z.strictObject(Object.fromEntries(traded.map(({ market }) => [market.spec.symbol, keptPart])));
    const shape = z.strictObject({ values: keptPart, symbols: symbolShape });
    const state = kept === undefined ? undefined : readKept("bots", shape, kept);
    const values = new AssetValues(walkingAssets(traded), seed, STEP_MS, state?.values);
    this.#values = values;
    this.symbols = traded.map((one) => {
      const { market, grid } = one;
      hand?.drives(market.spec.symbol, "bots");
      const { bids, asks, depth, taker } = one.accounts;
      const counts = { bids: bids.length, asks: asks.length, depth: depth.length, taker: taker.length };
      const parts = { market, grid, accounts: counts, values, seed, stepMs: STEP_MS, hand, lean };
      return { ...one, driver: new SymbolBots(parts, state?.symbols[market.spec.symbol]) };
    });
  }

  kept(): KeptValue {
    const symbols = Object.fromEntries(this.symbols.map(({ driver }) => [driver.symbol, driver.kept()]));
    return { values: this.#values.kept(), symbols };
  }

  /** The standard deviation of the logarithm of a symbol's price over `ms` of an average time. */
  deviation({ spec }: DemoMarket, ms: number): number {
    return this.#values.deviation(spec.baseAsset, spec.quoteAsset, ms);
  }

  /** A step begins: values move. */
  step(nowMs: number): void {
    this.#values.step(nowMs);
  }

  /**
   * Continues from last prices, in the order of `symbols`, 0 where nothing has traded: USDT is worth one, and each market
   * gives the value of one more asset.
   */
  begin(lastPrices: readonly number[]): void {
    const known = new Set(["USDT"]);
    for (const [index, { market, driver }] of this.symbols.entries()) {
      const { baseAsset, quoteAsset } = market.spec;
      const price = lastPrices[index] ?? 0;
      driver.begin(price);
      const unknown = [baseAsset, quoteAsset].filter((asset) => !known.has(asset));
      const [asset] = unknown;
      if (price === 0 || asset === undefined || unknown.length > 1) continue;
      this.#values.anchor(asset, baseAsset, quoteAsset, price);
      known.add(asset);
    }
  }
}

/** The assets of these markets, and USDT: each walks by itself, however many others do. All of the demo's when absent. */
export function walkingAssets(
  markets?: readonly { readonly market: DemoMarket }[],
): ConstructorParameters<typeof AssetValues>[0] {
  const wanted = new Set(markets?.flatMap(({ market: { spec } }) => [spec.baseAsset, spec.quoteAsset, "USDT"]));
  return DEMO_ASSETS.filter(({ spec }) => markets === undefined || wanted.has(spec.asset)).map(
    ({ spec, ...asset }) => ({
      asset: spec.asset,
      ...asset,
    }),
  );
}
