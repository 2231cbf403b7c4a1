/** LOT_SIZE and MARKET_LOT_SIZE: bounds and step of a quantity; a step or maximum of 0 is off. Interface 2.8. */

export interface LotSize {
  readonly minLots: number;
  readonly maxLots: number;
  readonly stepLots: number;
}

export function passesLotSize(filter: LotSize, lots: number): boolean {
  if (lots < filter.minLots) return false;
  if (filter.maxLots !== 0 && lots > filter.maxLots) return false;
  return filter.stepLots <= 1 || (lots - filter.minLots) % filter.stepLots === 0;
}

/** The largest quantity of at most `lots` that is on the filter's step; 0 when there is none. */
export function roundDownToStep(filter: LotSize | null, lots: number): number {
  if (filter === null || filter.stepLots <= 1) return lots;
  return lots < filter.minLots ? 0 : floorToStep(filter, lots);
}

/** As `roundDownToStep` for executed quantities: the step applies, the minimum does not. May be below 0. */
export function floorToStep(filter: LotSize | null, lots: number): number {
  if (filter === null || filter.stepLots <= 1) return lots;
  const { minLots, stepLots } = filter;
  return minLots + Math.floor((lots - minLots) / stepLots) * stepLots;
}
