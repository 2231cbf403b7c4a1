/** Warnings about listings that are valid but rarely intended. */
import {
  BPS_IN_WHOLE,
  type EngineView,
  formatDecimal,
  isRoundingCoarse,
  lotsWithoutCommission,
  type MarketView,
  type Precisions,
  type Rounding,
  roundingOf,
  type SymbolSpec,
} from "@pricetime/engine";

/** Maximum number of symbols that `/readyz` names. The others are only counted. */
const MOST_SYMBOLS = 20;
/** Number of decimals of a figure in basis points. */
const BPS_PLACES = 2;

/** The warning that a configuration differs from the existing listing. */
export function differsWarning(what: string): string {
  return `the configuration of ${what} differs from its listing, which is not changed. Change it with \`pricetime ${what.split(" ")[0]}\`, or edit the file`;
}

type Assets = Pick<EngineView, "assets">;
type Listed = Pick<MarketView, "spec" | "scale" | "baseAssetId" | "quoteAssetId">;

export interface WarningParts {
  readonly view: Pick<EngineView, "asset">;
  /** The fee rates of new accounts. */
  readonly fees: { readonly takerBps: number };
}

/** Warnings about missing filters that most clients use for rounding, and about the cost of rounding. */
export function listingWarnings({ view, fees }: WarningParts, market: Listed): string[] {
  const { symbol, baseAsset, quoteAsset, filters } = market.spec;
  const warnings: string[] = [];
  if (filters.lotSize === undefined) {
    warnings.push(
      `${symbol} has no LOT_SIZE filter: any quantity of ${baseAsset} is accepted, and clients that round to stepSize fail`,
    );
  }
  if (filters.priceFilter === undefined) {
    warnings.push(
      `${symbol} has no PRICE_FILTER filter: any price in ${quoteAsset} is accepted, and clients that round to tickSize fail`,
    );
  }
  const precisions = precisionsOf(view, market);
  const rounding = roundingOf(market.spec, precisions, market.scale);
  if (isRoundingCoarse(rounding)) warnings.push(roundingText(market.spec, precisions, rounding));
  const lots = lotsWithoutCommission(market.spec, precisions, market.scale, fees.takerBps);
  if (lots > 0) {
    const most = formatDecimal(BigInt(lots), precisions.base, precisions.base);
    warnings.push(
      `${symbol}: a lot is the smallest unit of ${baseAsset}, so at a rate of ${fees.takerBps} bp a BUY of up to ` +
        `${most} ${baseAsset} pays no commission. Raise minQty or minNotional, or list ${baseAsset} with more digits`,
    );
  }
  return warnings;
}

/**
 * Why a new symbol is rejected because of its rounding, as a sentence. Undefined if it is accepted, or if one of its
 * assets is not listed.
 */
export function roundingFault(view: Assets, spec: SymbolSpec): string | undefined {
  const assets = view.assets();
  const [base, quote] = [spec.baseAsset, spec.quoteAsset].map((name) => assets.find((one) => one.spec.asset === name));
  if (base === undefined || quote === undefined) return undefined;
  const precisions = { base: base.spec.precision, quote: quote.spec.precision };
  const rounding = roundingOf(spec, precisions);
  return rounding === null ? undefined : roundingText(spec, precisions, rounding);
}

/** Same as `roundingFault`, but for new filters of a listed symbol. */
export function filtersFault(view: Pick<EngineView, "asset">, market: Listed): string | undefined {
  const precisions = precisionsOf(view, market);
  const rounding = roundingOf(market.spec, precisions, market.scale);
  return rounding === null ? undefined : roundingText(market.spec, precisions, rounding);
}

/** Warnings for `/readyz` about symbols whose coarse rounding was not accepted. */
export function coarseSymbols(view: Pick<EngineView, "asset" | "markets">): Readonly<Record<string, string>> {
  const coarse = view.markets().flatMap((market) => {
    const { spec, scale } = market;
    if (spec.acceptRounding === true) return [];
    const precisions = precisionsOf(view, market);
    const rounding = roundingOf(spec, precisions, scale);
    return isRoundingCoarse(rounding) ? [{ spec, precisions, rounding }] : [];
  });
  const named = coarse
    .slice(0, MOST_SYMBOLS)
    .map(({ spec, precisions, rounding }): [string, string] => [
      `symbol ${spec.symbol}`,
      roundingText(spec, precisions, rounding),
    ]);
  const others = coarse.length - named.length;
  return Object.fromEntries(
    others === 0 ? named : [...named, ["symbols", `${others} more symbols have coarse rounding: see GET /v1/symbols`]],
  );
}

function precisionsOf(view: Pick<EngineView, "asset">, { baseAssetId, quoteAssetId }: Listed): Precisions {
  return { base: view.asset(baseAssetId).spec.precision, quote: view.asset(quoteAssetId).spec.precision };
}

function roundingText({ symbol, quoteAsset, acceptRounding }: SymbolSpec, { quote }: Precisions, rounding: Rounding) {
  const amount = (units: bigint): string => `${formatDecimal(units, quote, quote)} ${quoteAsset}`;
  const accept = acceptRounding === true ? "" : ", or set acceptRounding: true";
  return (
    `${symbol}: fills are rounded down to ${amount(1n)}, which is ${bpsText(rounding)} of the smallest trade, so ` +
    `splitting an order saves up to that. Quote it in an asset with more digits, raise minNotional to ` +
    `${amount(BPS_IN_WHOLE)} (applyToMarket: true)${accept}`
  );
}

/** Formats a rounding error in basis points, rounded up. */
function bpsText({ unit, smallestTrade }: Rounding): string {
  if (unit > smallestTrade) return `more than all`;
  const hundredths = (unit * BPS_IN_WHOLE * 10n ** BigInt(BPS_PLACES) + smallestTrade - 1n) / smallestTrade;
  return `${formatDecimal(hundredths, BPS_PLACES, BPS_PLACES).replace(/\.00$|0$/, "")} bp`;
}
