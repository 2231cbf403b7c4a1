/** PRICE_FILTER: bounds and tick of price and stopPrice; a rule with the value 0 is off. Interface 2.8. */

export interface PriceFilter {
  readonly minTicks: number;
  readonly maxTicks: number;
  readonly stepTicks: number;
}

export function passesPriceFilter(filter: PriceFilter, priceTicks: number): boolean {
  if (priceTicks < filter.minTicks) return false;
  if (filter.maxTicks !== 0 && priceTicks > filter.maxTicks) return false;
  return filter.stepTicks <= 1 || (priceTicks - filter.minTicks) % filter.stepTicks === 0;
}
