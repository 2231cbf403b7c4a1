/** Random exchanges: what they list, and filters that random orders run into. */
import type { Command, ExchangeFilters, SymbolFilters, SymbolSpec } from "@pricetime/engine";
import { scaled, show } from "../models/amount.ts";
import type { Dice } from "../dice.ts";

/** Prices and quantities that fit a symbol, in its ticks and lots. */
export interface Habit {
  readonly midTicks: number;
  readonly stepTicks: number;
  readonly minTicks: number;
  readonly stepLots: number;
  readonly minLots: number;
  readonly priceDecimals: number;
  readonly quantityDecimals: number;
  readonly quotePlaces: number;
}

export interface World {
  readonly opening: readonly Command[];
  readonly symbols: readonly SymbolSpec[];
  readonly habits: readonly Habit[];
  readonly assets: readonly { readonly asset: string; readonly precision: number }[];
  readonly accountIds: readonly number[];
}

/** Makes filters that the symbol's scale can hold, narrow enough to be hit. */
export function makeFilters(dice: Dice, habit: Habit): SymbolFilters {
  const ticks = (value: number) => show(scaled(value, habit.priceDecimals));
  const lots = (value: number) => show(scaled(value, habit.quantityDecimals));
  const { midTicks, stepTicks, minTicks, stepLots, minLots } = habit;
  const notional = scaled(midTicks, habit.priceDecimals) * scaled(minLots + stepLots, habit.quantityDecimals);
  const unit = 10n ** BigInt(16 - habit.quotePlaces);
  const filters: Record<keyof SymbolFilters, SymbolFilters[keyof SymbolFilters]> = {
    priceFilter: {
      minPrice: ticks(minTicks),
      maxPrice: dice.oneIn(3) ? "0" : ticks(minTicks + stepTicks * Math.ceil(midTicks / stepTicks + 12)),
      tickSize: dice.oneIn(6) ? "0" : ticks(stepTicks),
    },
    lotSize: {
      minQty: lots(minLots),
      maxQty: lots(minLots + stepLots * 60),
      stepSize: dice.oneIn(6) ? "0.00000000" : lots(stepLots),
    },
    marketLotSize: { minQty: lots(minLots), maxQty: lots(minLots + stepLots * 25), stepSize: "0.00000000" },
    percentPrice: {
      multiplierUp: dice.pick(["1.2", "5", "1.02"]),
      multiplierDown: dice.pick(["0.8", "0.2", "0.98"]),
      avgPriceMins: dice.pick([0, 1, 5, 30]),
    },
    minNotional: {
      minNotional: show(((notional / unit) * unit) / 10n ** 8n),
      applyToMarket: dice.oneIn(2),
      avgPriceMins: dice.pick([0, 1, 5, 30]),
    },
    icebergParts: { limit: dice.pick([2, 5, 10]) },
    maxNumOrders: { limit: dice.pick([4, 10]) },
    maxNumAlgoOrders: { maxNumAlgoOrders: dice.pick([2, 5]) },
    maxNumIcebergOrders: { maxNumIcebergOrders: 2 },
  };
  return Object.fromEntries(Object.entries(filters).filter(() => dice.oneIn(3)));
}

export function makeExchangeFilters(dice: Dice): ExchangeFilters {
  return {
    ...(dice.oneIn(2) ? {} : { maxNumOrders: { maxNumOrders: dice.pick([6, 15]) } }),
    ...(dice.oneIn(2) ? {} : { maxNumAlgoOrders: { maxNumAlgoOrders: dice.pick([3, 8]) } }),
  };
}
