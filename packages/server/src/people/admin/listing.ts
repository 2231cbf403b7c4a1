/** Lists at startup the assets and symbols of the configuration that are not listed yet. */
import {
  type Command,
  type AssetSpec,
  CONFIGURATION,
  type EngineView,
  type ExchangeFilters,
  type OperatorCommand,
  type RejectReason,
  type SymbolSpec,
  withoutTrailingZeros,
} from "@pricetime/engine";
import { PLAIN_DECIMAL } from "../../platform/config/listing-schema.ts";
import { roundingFault } from "../../platform/config/listing-warnings.ts";
import type { Sequencer } from "../../journal/sequencer/port.ts";

export interface Listing {
  readonly assets: readonly AssetSpec[];
  readonly symbols: readonly SymbolSpec[];
  /** The exchange filters to set; null leaves them unchanged. */
  readonly exchangeFilters: ExchangeFilters | null;
}

/** An asset or symbol of the configuration cannot be listed. The message is one line. */
export class ListingRefused extends Error {
  override readonly name = "ListingRefused";
}

/**
 * Lists assets first, then symbols. Existing listings are not changed; the result names those that differ from the
 * configuration, for a warning. Journals nothing if everything is listed. A lab accepts any rounding.
 */
export async function applyListing(
  listing: Listing,
  view: EngineView,
  sequencer: Sequencer,
  isLab = false,
): Promise<string[]> {
  const assets = new Map(view.assets().map(({ spec }) => [spec.asset, spec]));
  const symbols = new Map(view.markets().map(({ spec }) => [spec.symbol, spec]));
  const rejection = async (command: OperatorCommand): Promise<RejectReason | null> => {
    const [first] = (await sequencer.run(command)).events;
    return first?.type === "rejected" ? first.reason : null;
  };
  const listAsset = async (asset: AssetSpec): Promise<void> => {
    const reason = await rejection({ type: "listAsset", asset, by: CONFIGURATION });
    // Another node with the same configuration may have listed the asset first.
    if (reason === null || view.assets().some(({ spec }) => spec.asset === asset.asset)) return;
    throw new ListingRefused(`Asset ${asset.asset} of the configuration cannot be listed: ${reason}`);
  };
  const listSymbol = async (symbol: SymbolSpec): Promise<void> => {
    const command = { type: "listSymbol", symbol, by: CONFIGURATION } as const;
    const first = await rejection(command);
    const isAccepted = isLab && first === "ROUNDING_TOO_COARSE";
    const reason = isAccepted ? await rejection(acceptingRounding(command)) : first;
    if (reason === null || view.marketBySymbol(symbol.symbol) !== undefined) return;
    const why = reason === "ROUNDING_TOO_COARSE" ? roundingFault(view, symbol) : undefined;
    throw new ListingRefused(`Symbol ${symbol.symbol} of the configuration cannot be listed: ${why ?? reason}`);
  };
  await Promise.all(listing.assets.filter(({ asset }) => !assets.has(asset)).map(listAsset));
  await Promise.all(listing.symbols.filter(({ symbol }) => !symbols.has(symbol)).map(listSymbol));
  const filters = listing.exchangeFilters;
  if (filters !== null && !isSame(filters, view.exchangeFilters)) {
    const reason = await rejection({ type: "setExchangeFilters", filters, by: CONFIGURATION });
    if (reason !== null) throw new ListingRefused(`exchangeFilters of the configuration cannot be set: ${reason}`);
  }
  return [
    ...listing.assets.filter((spec) => differs(spec, assets.get(spec.asset))).map(({ asset }) => `asset ${asset}`),
    ...listing.symbols
      .filter((spec) => differs(spec, asConfigured(symbols.get(spec.symbol), spec)))
      .map(({ symbol }) => `symbol ${symbol}`),
  ];
}

/** Returns the command with `acceptRounding` set. */
export function acceptingRounding(
  command: Command<"listSymbol"> | Command<"setSymbolFilters">,
): Command<"listSymbol"> | Command<"setSymbolFilters"> {
  if (command.type === "setSymbolFilters") return { ...command, acceptRounding: true };
  return { ...command, symbol: { ...command.symbol, acceptRounding: true } };
}

/** Ignores an `acceptRounding` that an operator set and that is not in the configuration. */
function asConfigured(listed: SymbolSpec | undefined, { acceptRounding }: SymbolSpec): object | undefined {
  return listed === undefined || acceptRounding !== undefined ? listed : lasting(listed, ["acceptRounding"]);
}

/**
 * Checks that configuration and listing are equal, because the nodes of a cluster could have different files. Throws
 * `ListingRefused`. Operators change the status, accepted rounding, self-trade prevention and price range of symbols
 * and the networks of assets, so these may differ.
 */
export function checkListing({ assets, symbols }: Pick<Listing, "assets" | "symbols">, view: EngineView): void {
  const listedAssets = new Map(view.assets().map(({ spec }) => [spec.asset, spec]));
  const listedSymbols = new Map(view.markets().map(({ spec }) => [spec.symbol, spec]));
  const asset = assets.find((spec) => differsLastingly(spec, listedAssets.get(spec.asset), "networks"));
  const symbol = symbols.find((spec) =>
    differsLastingly(
      spec,
      listedSymbols.get(spec.symbol),
      "status",
      "acceptRounding",
      "selfTradePrevention",
      "priceRange",
    ),
  );
  const what = asset === undefined ? symbol && `symbol ${symbol.symbol}` : `asset ${asset.asset}`;
  if (what !== undefined) {
    throw new ListingRefused(
      `The configuration of ${what} differs from its listing. Change it in the file to what \`pricetime ${what.split(" ")[0]}\` shows: nodes of a cluster use the listing`,
    );
  }
}

function differsLastingly(configured: object, listed: object | undefined, ...changing: readonly string[]): boolean {
  return listed !== undefined && !isSame(lasting(configured, changing), lasting(listed, changing));
}

function lasting(spec: object, changing: readonly string[]): object {
  return Object.fromEntries(Object.entries(spec).filter(([key]) => !changing.includes(key)));
}

function differs(configured: object, listed: object | undefined): boolean {
  return listed !== undefined && !isSame(configured, listed);
}

/** Optional flags of a symbol whose default is true. */
const ON_BY_DEFAULT: readonly string[] = [
  "allowTrailingStop",
  "otoAllowed",
  "opoAllowed",
  "pegInstructionsAllowed",
] satisfies (keyof SymbolSpec)[];

/** Compares without regard to the order of keys, trailing zeros of decimals, and whether a flag is omitted or on. */
function isSame(a: object, b: object): boolean {
  return canonical(withoutDefaults(a)) === canonical(withoutDefaults(b));
}

function withoutDefaults(spec: object): object {
  return Object.fromEntries(
    Object.entries(spec).filter(([key, value]) => value !== true || !ON_BY_DEFAULT.includes(key)),
  );
}

function canonical(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) => {
    if (typeof inner === "string") return PLAIN_DECIMAL.test(inner) ? withoutTrailingZeros(inner) : inner;
    return typeof inner === "object" && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : inner;
  });
}
