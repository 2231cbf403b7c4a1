/** Prices that an order may have: what a pointer or an arrow key makes of one. Exact, in units of the last digit. */
import { formatUnits, toUnits } from "../exact/units.ts";
import type { Market } from "../market/port.ts";

/** Prices are `fromUnits` and whole ticks above it, up to `maxUnits` (Interface 2.8, PRICE_FILTER). */
export interface TickRule {
  readonly digits: number;
  readonly tickUnits: number;
  readonly fromUnits: number;
  readonly maxUnits: number;
}

/** The step of the market's PRICE_FILTER. Without a step, every unit is allowed. */
export function tickRule(market: Market): TickRule {
  const digits = market.priceDigits;
  const filter = market.filters.find(({ filterType }) => filterType === "PRICE_FILTER");
  const units = (name: string): number => toUnits(String(filter?.[name] ?? "0"), digits) || 0;
  return {
    digits,
    tickUnits: toUnits(market.tickSize, digits) || 1,
    fromUnits: units("minPrice"),
    maxUnits: units("maxPrice") || Number.MAX_SAFE_INTEGER,
  };
}

/** The price so many ticks from the first one; the nearest allowed one where that is too low, too high or no number. */
function priceAt(ticks: number, { digits, tickUnits, fromUnits, maxUnits }: TickRule): string {
  const least = fromUnits === 0 ? 1 : 0;
  const most = Math.floor((maxUnits - fromUnits) / tickUnits);
  const inside = Number.isNaN(ticks) ? least : Math.max(least, Math.min(ticks, most));
  return formatUnits(fromUnits + inside * tickUnits, digits);
}

/** The allowed price that is nearest to a place on the chart. */
export function nearestTick(price: number, rule: TickRule): string {
  return priceAt(Math.round((price * 10 ** rule.digits - rule.fromUnits) / rule.tickUnits), rule);
}

/** The price `ticks` higher, or lower when negative; a price between two ticks goes to the next tick first. */
export function steppedPrice(price: string, ticks: number, rule: TickRule): string {
  const at = (toUnits(price, rule.digits) - rule.fromUnits) / rule.tickUnits;
  return priceAt((ticks > 0 ? Math.floor(at) : Math.ceil(at)) + ticks, rule);
}
