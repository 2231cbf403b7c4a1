/** Converts ticks, lots and units exactly to the interface's decimals with 8 places. Interface 1.10, 4.5. */
import {
  type AssetNetwork,
  type AssetSpec,
  type AveragePriceView,
  decimalsNeeded,
  type EngineView,
  formatDecimal,
  fromScale,
  type MarketView,
  parseDecimal,
  WIRE_PLACES,
} from "@pricetime/engine";

const ZERO = "0.00000000";

export function priceText(market: MarketView, ticks: number): string {
  return fromScale(ticks, market.scale.priceDecimals);
}

export function quantityText(market: MarketView, lots: number): string {
  return fromScale(lots, market.scale.quantityDecimals);
}

export function amountText(engine: EngineView, assetId: number, units: bigint): string {
  return formatDecimal(units, engine.asset(assetId).spec.precision);
}

/** An amount in the asset's smallest units. Has a fast path for zero, which is frequent. */
export function unitsText(units: bigint, decimals: number): string {
  return units === 0n ? ZERO : formatDecimal(units, decimals);
}

/** A volume in lots, which may exceed the range of safe integers. */
export function volumeText(market: MarketView, lots: bigint): string {
  return formatDecimal(lots, market.scale.quantityDecimals);
}

/** The signed difference of two prices. */
export function differenceText(market: MarketView, fromTicks: number, toTicks: number): string {
  return formatDecimal(BigInt(toTicks) - BigInt(fromTicks), market.scale.priceDecimals);
}

/** (to - from) / from * 100 with 3 places, rounded half away from zero; "0.000" if there is no earlier price. */
export function percentText(fromTicks: number | bigint, toTicks: number | bigint): string {
  const from = BigInt(fromTicks);
  if (from === 0n) return "0.000";
  const scaled = (BigInt(toTicks) - from) * 100_000n * 2n;
  const rounded = scaled < 0n ? -((-scaled + from) / (from * 2n)) : (scaled + from) / (from * 2n);
  return formatDecimal(rounded, 3, 3);
}

/** quoteVolume / volume as a price with 8 places, rounded down. */
export function weightedPriceText(engine: EngineView, market: MarketView, quote: bigint, lots: bigint): string {
  if (lots === 0n) return ZERO;
  const quoteDecimals = engine.asset(market.quoteAssetId).spec.precision;
  const shift = WIRE_PLACES + market.scale.quantityDecimals - quoteDecimals;
  const price = shift >= 0 ? (quote * 10n ** BigInt(shift)) / lots : quote / (lots * 10n ** BigInt(-shift));
  return formatDecimal(price, WIRE_PLACES);
}

/** A price that is a fraction of ticks, with 8 places, rounded down; zero if nothing was traded. */
export function averageText(market: MarketView, average: AveragePriceView): string {
  if (average.denominator === 0n) return ZERO;
  const places = BigInt(WIRE_PLACES - market.scale.priceDecimals);
  return formatDecimal((average.numerator * 10n ** places) / average.denominator, WIRE_PLACES);
}

/** Formats an operator's decimal (`0.01`) with 8 places. Exact, because specs have at most 8. */
export function fixedText(decimal: string): string {
  const point = decimal.indexOf(".");
  if (point === -1) return `${decimal}.00000000`;
  return decimal.slice(0, point + 1 + WIRE_PLACES).padEnd(point + 1 + WIRE_PLACES, "0");
}

type Step = "depositStep" | "withdrawStep";

/**
 * Formats an amount for a network: with the decimals of the network's step (8 if it has none), or more if the amount
 * has more. Without `network`, the asset's network with the finest step applies. `amount`: units, or a decimal of the
 * asset.
 */
export function carriedText(
  { precision, networks }: AssetSpec,
  step: Step,
  amount: bigint | string,
  network?: string,
): string {
  const steps = networks.filter((one) => network === undefined || one.network === network).map((one) => one[step]);
  const digits = steps.length === 0 ? WIRE_PLACES : Math.max(...steps.map(digitsOf));
  const text = formatDecimal(typeof amount === "string" ? (parseDecimal(amount, precision) ?? 0n) : amount, precision);
  let end = text.length;
  while (end > text.length - WIRE_PLACES + digits && text.endsWith("0", end)) end--;
  return text.endsWith(".", end) ? text.slice(0, end - 1) : text.slice(0, end);
}

function digitsOf(step: AssetNetwork[Step]): number {
  return (step === undefined ? null : decimalsNeeded(step)) ?? WIRE_PLACES;
}

// Writes decimals to JSON numbers digit by digit, because floats cannot represent all of them.

/** `rawJSON` is part of the language since 2025, but missing in TypeScript's library. */
const { rawJSON } = JSON as unknown as { readonly rawJSON: (text: string) => object };

/** The decimal without trailing zeros: "0.50000000" becomes 0.5. */
export function shortDecimal(decimal: string): string {
  if (!decimal.includes(".")) return decimal;
  let end = decimal.length;
  while (decimal.charCodeAt(end - 1) === 48) end--;
  return decimal.slice(0, decimal.charCodeAt(end - 1) === 46 ? end - 1 : end);
}

/** Works only with `JSON.stringify`, which prints the exact digits. Typed as the number that clients parse. */
export function exactNumber(decimal: string): number {
  return rawJSON(shortDecimal(decimal)) as unknown as number;
}
