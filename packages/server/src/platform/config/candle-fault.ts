/** Explains why a recorded candle cannot be imported. */
import {
  type CandleScale,
  decimalsNeeded,
  type ImportedCandle,
  MAX_CANDLE_AMOUNT_DIGITS,
  MAX_TRADES_A_CANDLE,
  OFF_SCALE,
  parseDecimal,
  toScale,
  WIRE_PLACES,
} from "@pricetime/engine";

/** Maximum numbers of decimals, used until the first candles of a symbol set its scale. */
const WIDEST: CandleScale = {
  priceDecimals: WIRE_PLACES,
  quantityDecimals: WIRE_PLACES,
  quoteDecimals: WIRE_PLACES,
};

/**
 * Returns why the candle cannot be imported, or null if it is valid. `scale`: the scale of the symbol's stored candles,
 * null if it has none.
 */
export function candleFault(candle: ImportedCandle, scale: CandleScale | null): string | null {
  const [, open, high, low, close, volume, quoteVolume, count, takerVolume, takerQuoteVolume] = candle;
  const prices = [open, high, low, close];
  const amounts = [volume, quoteVolume, takerVolume, takerQuoteVolume];
  const tooMuch = amounts.find((amount) => amount.replace(/\..*/, "").length > MAX_CANDLE_AMOUNT_DIGITS);
  if (tooMuch !== undefined) return `${tooMuch} has more than ${MAX_CANDLE_AMOUNT_DIGITS} digits before the point`;
  if (count > MAX_TRADES_A_CANDLE) return `${count} trades exceed the maximum of ${MAX_TRADES_A_CANDLE} per candle`;
  const { priceDecimals, quantityDecimals, quoteDecimals } = scale ?? WIDEST;
  const finer =
    finerOf("price", prices, priceDecimals, scale) ??
    finerOf("volume", [volume, takerVolume], quantityDecimals, scale) ??
    finerOf("quote volume", [quoteVolume, takerQuoteVolume], quoteDecimals, scale);
  if (finer !== undefined) return finer;
  const large = scale && prices.find((price) => toScale(price, priceDecimals) === OFF_SCALE);
  if (large !== null && large !== undefined) return `price ${large} is too large for ${priceDecimals} decimals`;
  const [o, h, l, c] = prices.map(unitsOf) as [bigint, bigint, bigint, bigint];
  if (l === 0n) return "a price is 0";
  if (o > h || c > h || o < l || c < l)
    return `open ${open} and close ${close} are not between low ${low} and high ${high}`;
  if (unitsOf(takerVolume) > unitsOf(volume)) return "the taker buy volume exceeds the volume";
  if (unitsOf(takerQuoteVolume) > unitsOf(quoteVolume)) return "the taker buy quote volume exceeds the quote volume";
  return null;
}

function finerOf(
  what: string,
  values: readonly string[],
  decimals: number,
  scale: CandleScale | null,
): string | undefined {
  const wide = values.find((value) => (decimalsNeeded(value) ?? Number.POSITIVE_INFINITY) > decimals);
  if (wide === undefined) return undefined;
  const whose = scale === null ? "a candle can have" : "the symbol's candles have";
  return `${what} ${wide} has more decimals than the ${decimals} that ${whose}`;
}

/** The value must have at most eight decimals, not counting trailing zeros. */
function unitsOf(text: string): bigint {
  const [whole = "", places = ""] = text.split(".");
  return parseDecimal(`${whole}.${places.slice(0, WIRE_PLACES) || "0"}`, WIRE_PLACES) ?? 0n;
}
