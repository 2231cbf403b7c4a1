/** Where the soak trades, and what an order there looks like. The demo's symbols, in its ticks and lots. */
export interface Market {
  readonly symbol: string;
  /** Where the price begins. */
  readonly midTicks: number;
  /** Levels of the book are so many ticks apart. */
  readonly stepTicks: number;
  readonly priceDecimals: number;
  readonly quantityDecimals: number;
  /** An order is for 10 to 200 USDT, about. */
  readonly fewestLots: number;
  readonly mostLots: number;
}

function market(
  symbol: string,
  [midTicks, stepTicks, priceDecimals]: readonly [number, number, number],
  [fewestLots, mostLots, quantityDecimals]: readonly [number, number, number],
): Market {
  return { symbol, midTicks, stepTicks, priceDecimals, quantityDecimals, fewestLots, mostLots };
}

export const MARKETS: readonly Market[] = [
  market("BTCUSDT", [5_000_000, 100, 2], [400, 4_000, 6]),
  market("ETHUSDT", [300_000, 10, 2], [100, 700, 4]),
  market("ETHBTC", [6_000, 1, 5], [10, 100, 3]),
  market("BNBUSDT", [50_000, 5, 2], [50, 400, 3]),
  market("USDCUSDT", [10_000, 1, 4], [2_000, 20_000, 2]),
];

/** Nobody trades there: who listens hears nothing. */
export const QUIET_SYMBOLS: readonly string[] = ["shibusdt", "dogebtc"];

/** Whole units of each asset that a trading account is given: no run uses them up. */
export const GRANTS: Readonly<Record<string, string>> = {
  USDT: "10000000",
  BTC: "1000",
  ETH: "20000",
  BNB: "100000",
  USDC: "10000000",
};

/** `units` of 10^-decimals as the wire shows them: 8 places. */
export function wire(units: bigint | number, decimals: number): string {
  const digits = units.toString().padStart(decimals + 1, "0");
  const point = digits.length - decimals;
  return `${digits.slice(0, point)}.${digits.slice(point).padEnd(8, "0")}`;
}

/** As a client writes it. */
export function decimal(units: number, decimals: number): string {
  return (units / 10 ** decimals).toFixed(decimals);
}
