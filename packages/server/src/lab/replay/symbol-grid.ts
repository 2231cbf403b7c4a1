/** The units and filters of a replayed symbol. A value that the units cannot represent is rejected, not rounded. */
import { type MarketView, OFF_SCALE, type SymbolFilters, toScale } from "@pricetime/engine";

export class OffGrid extends Error {
  override readonly name = "OffGrid";
}

export class SymbolGrid {
  readonly symbol: string;
  readonly #priceDecimals: number;
  readonly #quantityDecimals: number;
  /** The smallest distance between two prices and between two quantities, in the engine's ticks and lots. */
  readonly tick: number;
  readonly lot: number;

  constructor({ spec, scale }: MarketView) {
    const { priceFilter, lotSize } = spec.filters;
    this.symbol = spec.symbol;
    this.#priceDecimals = scale.priceDecimals;
    this.#quantityDecimals = scale.quantityDecimals;
    this.tick = Math.max(1, toScale(priceFilter?.tickSize ?? "0", scale.priceDecimals));
    this.lot = Math.max(1, toScale(lotSize?.stepSize ?? "0", scale.quantityDecimals));
  }

  /** Converts a price to ticks. Throws `OffGrid`. */
  ticksOf(price: string): number {
    const ticks = toScale(price, this.#priceDecimals);
    if (ticks === OFF_SCALE || ticks === 0 || ticks % this.tick !== 0) {
      throw new OffGrid(`the price ${price} is off the tick of ${this.symbol}`);
    }
    return ticks;
  }

  /** Converts a quantity to lots; the result may be 0. Throws `OffGrid`. */
  lotsOf(quantity: string): number {
    const lots = toScale(quantity, this.#quantityDecimals);
    if (lots === OFF_SCALE || lots % this.lot !== 0) {
      throw new OffGrid(`the quantity ${quantity} is off the step of ${this.symbol}`);
    }
    return lots;
  }

  /** Rounds a quantity down to the symbol's step. */
  wholeLots(lots: number): number {
    return Math.floor(lots / this.lot) * this.lot;
  }

  /** Converts ticks to a price as a decimal. */
  priceOf(ticks: number): string {
    return decimalOf(ticks, this.#priceDecimals);
  }

  /** Converts lots to a quantity as a decimal. */
  quantityOf(lots: number): string {
    return decimalOf(lots, this.#quantityDecimals);
  }
}

/** Formats an integer in units of 10^-scale as a decimal. */
export function decimalOf(value: number, scale: number): string {
  const digits = String(value).padStart(scale + 1, "0");
  return scale === 0 ? digits : `${digits.slice(0, -scale)}.${digits.slice(-scale)}`;
}

// The filters of a symbol during a replay. A recorded trade can be smaller than the venue's own filters allow, because
// it may be only a part of an order: a trade below MIN_NOTIONAL, for example, may be the last part of a larger order.
// Tick and step are not changed, and the filters still exist, but without restrictions.

const MANY_ORDERS = 1_000_000;

const EVERY_PRICE = { multiplierUp: "1000000000", multiplierDown: "0" };
const EVERY_PRICE_BY_SIDE = {
  ...{ bidMultiplierUp: EVERY_PRICE.multiplierUp, bidMultiplierDown: EVERY_PRICE.multiplierDown },
  ...{ askMultiplierUp: EVERY_PRICE.multiplierUp, askMultiplierDown: EVERY_PRICE.multiplierDown },
};

/** MAX_POSITION has no value that means no limit, so it is removed. */
export function wideFilters(listed: SymbolFilters): SymbolFilters {
  const { priceFilter, lotSize, maxPosition: _, ...filters } = listed;
  const { percentPrice, percentPriceBySide, minNotional, notional, maxNumOrders } = filters;
  return {
    ...filters,
    ...(priceFilter && { priceFilter: { ...priceFilter, minPrice: priceFilter.tickSize, maxPrice: "0" } }),
    ...(lotSize && { lotSize: { ...lotSize, minQty: lotSize.stepSize, maxQty: "0" } }),
    ...(percentPrice && { percentPrice: { ...percentPrice, ...EVERY_PRICE } }),
    ...(percentPriceBySide && { percentPriceBySide: { ...percentPriceBySide, ...EVERY_PRICE_BY_SIDE } }),
    ...(minNotional && { minNotional: { ...minNotional, minNotional: "0", applyToMarket: false } }),
    ...(notional && { notional: { ...notional, minNotional: "0", maxNotional: "0", applyMinToMarket: false } }),
    ...(maxNumOrders && { maxNumOrders: { limit: MANY_ORDERS } }),
  };
}
