/** The markets of the soak test and the orders on them: the demo's symbols, in its ticks and lots. */
export interface Market {
  readonly symbol: string;
  /** The initial price. */
  readonly midTicks: number;
  /** The distance between levels of the book, in ticks. */
  readonly stepTicks: number;
  readonly priceDecimals: number;
  readonly quantityDecimals: number;
  /** The least and the most lots of an order: about 10 to 200 USDT. */
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

/** Markets without trades, whose subscribers receive no messages. */
export const QUIET_SYMBOLS: readonly string[] = ["shibusdt", "dogebtc"];

/** Whole units of each asset that a trading account receives: enough for any run. */
export const GRANTS: Readonly<Record<string, string>> = {
  USDT: "10000000",
  BTC: "1000",
  ETH: "20000",
  BNB: "100000",
  USDC: "10000000",
};

/** `units` of 10^-decimals in the format of the wire: 8 decimal places. */
export function wire(units: bigint | number, decimals: number): string {
  const digits = units.toString().padStart(decimals + 1, "0");
  const point = digits.length - decimals;
  return `${digits.slice(0, point)}.${digits.slice(point).padEnd(8, "0")}`;
}

/** In the format of a client. */
export function decimal(units: number, decimals: number): string {
  return (units / 10 ** decimals).toFixed(decimals);
}
