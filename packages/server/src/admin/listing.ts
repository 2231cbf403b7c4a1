/** Lists at startup what the configuration names and the exchange does not have yet. */
import {
  type AssetSpec,
  CONFIGURATION,
  type EngineView,
  type ExchangeFilters,
  type OperatorCommand,
  type SymbolSpec,
} from "@pricetime/engine";
import { PLAIN_DECIMAL, withoutTrailingZeros } from "../config/decimal-text.ts";
import type { Sequencer } from "../sequencer/port.ts";

export interface Listing {
  readonly assets: readonly AssetSpec[];
  readonly symbols: readonly SymbolSpec[];
  /** The exchange's filters; null: left as they are. */
  readonly exchangeFilters: ExchangeFilters | null;
}

/** Something in the configuration cannot be listed. The message is one line. */
export class ListingRefused extends Error {
  override readonly name = "ListingRefused";
}

/**
 * Lists assets first, then symbols. Anything listed already is left as it is; the answer names those whose
 * configuration differs from their listing, for a warning. Journals nothing when nothing is missing.
 */
export async function applyListing(listing: Listing, view: EngineView, sequencer: Sequencer): Promise<string[]> {
  const assets = new Map(view.assets().map(({ spec }) => [spec.asset, spec]));
  const symbols = new Map(view.markets().map(({ spec }) => [spec.symbol, spec]));
  const list = async (what: string, command: OperatorCommand, isListed: () => boolean): Promise<void> => {
    const { events } = await sequencer.run(command);
    const first = events[0];
    // Another node with the same configuration may have been first.
    if (first?.type !== "rejected" || isListed()) return;
    throw new ListingRefused(`${what} cannot be listed: ${first.reason}`);
  };
  const listAsset = (asset: AssetSpec): Promise<void> =>
    list(`asset ${asset.asset}`, { type: "listAsset", asset, by: CONFIGURATION }, () =>
      view.assets().some(({ spec }) => spec.asset === asset.asset),
    );
  const listSymbol = (symbol: SymbolSpec): Promise<void> =>
    list(`symbol ${symbol.symbol}`, { type: "listSymbol", symbol, by: CONFIGURATION }, () =>
      view.markets().some(({ spec }) => spec.symbol === symbol.symbol),
    );
  await Promise.all(listing.assets.filter(({ asset }) => !assets.has(asset)).map(listAsset));
  await Promise.all(listing.symbols.filter(({ symbol }) => !symbols.has(symbol)).map(listSymbol));
  const filters = listing.exchangeFilters;
  if (filters !== null && !isSame(filters, view.exchangeFilters)) {
    await list("exchangeFilters", { type: "setExchangeFilters", filters, by: CONFIGURATION }, () => false);
  }
  return [
    ...listing.assets.filter((spec) => differs(spec, assets.get(spec.asset))).map(({ asset }) => `asset ${asset}`),
    ...listing.symbols
      .filter((spec) => differs(spec, symbols.get(spec.symbol)))
      .map(({ symbol }) => `symbol ${symbol}`),
  ];
}

/**
 * Refuses a configuration that differs from the listing: in a cluster nobody could say whose file is right. Whether a
 * symbol trades and how an asset moves are operators' day-to-day changes, and may differ. Throws `ListingRefused`.
 */
export function checkListing({ assets, symbols }: Pick<Listing, "assets" | "symbols">, view: EngineView): void {
  const listedAssets = new Map(view.assets().map(({ spec }) => [spec.asset, spec]));
  const listedSymbols = new Map(view.markets().map(({ spec }) => [spec.symbol, spec]));
  const asset = assets.find((spec) => differsLastingly(spec, listedAssets.get(spec.asset), "networks"));
  const symbol = symbols.find((spec) => differsLastingly(spec, listedSymbols.get(spec.symbol), "status"));
  const what = asset === undefined ? symbol && `symbol ${symbol.symbol}` : `asset ${asset.asset}`;
  if (what !== undefined) {
    throw new ListingRefused(`${what} is configured otherwise than it is listed; nodes of a cluster have it as listed`);
  }
}

function differsLastingly(configured: object, listed: object | undefined, changing: string): boolean {
  return listed !== undefined && !isSame(lasting(configured, changing), lasting(listed, changing));
}

function lasting(spec: object, changing: string): object {
  return Object.fromEntries(Object.entries(spec).filter(([key]) => key !== changing));
}

function differs(configured: object, listed: object | undefined): boolean {
  return listed !== undefined && !isSame(configured, listed);
}

/** Compares regardless of the order of keys, and of trailing zeros of decimals. */
function isSame(a: object, b: object): boolean {
  return canonical(a) === canonical(b);
}

function canonical(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) => {
    if (typeof inner === "string") return PLAIN_DECIMAL.test(inner) ? withoutTrailingZeros(inner) : inner;
    return typeof inner === "object" && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : inner;
  });
}
