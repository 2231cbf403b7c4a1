/**
 * How far this node's clock is ahead of the others'. The entries of all nodes carry the latest time that any of them has
 * written, so one that is ahead would take all of them along.
 */

/** What another node's clock showed, and when that was read here (steady). */
export interface ClockReading {
  readonly clockMs: number;
  readonly readMs: number;
}

/**
 * Returns how far `nowMs` is ahead of the median of the others, by `steadyMs`; negative: behind; 0 without others. Of
 * two in the middle the later counts, so that one clock that is far behind does not make all others look ahead. The
 * others' clocks look a little behind, by the time that a reading takes.
 */
export function aheadMs(nowMs: number, steadyMs: number, others: readonly ClockReading[]): number {
  if (others.length === 0) return 0;
  const clocks = others.map(({ clockMs, readMs }) => clockMs + (steadyMs - readMs)).sort((a, b) => a - b);
  return nowMs - (clocks[Math.floor(clocks.length / 2)] as number);
}
