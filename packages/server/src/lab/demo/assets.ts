/** The assets that the demo lists, and the networks on which they move. */
import type { AssetNetwork, AssetSpec } from "@pricetime/engine";

/** What the bots need to know of an asset. */
export interface DemoAsset {
  readonly spec: AssetSpec;
  /** The value of one unit in USDT when the demo begins. */
  readonly startValue: number;
  /** The standard deviation of the logarithm of its value in USDT over a year; near the measured ones of 2025. */
  readonly yearlyVolatility: number;
  /** How much of that comes from the market of all coins: 0 to 1. Two coins correlate by the product of theirs. */
  readonly marketCorrelation: number;
  /** The grant of each demo account, a decimal. */
  readonly grant: string;
}

/** The blocks until a demo deposit can be traded with and is final: one a second, so that a client sees every step. */
const DEPTHS = { creditConfirmations: 2, finalConfirmations: 4 };

function network(
  name: string,
  withdrawFee: string,
  withdrawMin: string,
  more: Partial<AssetNetwork> = {},
): AssetNetwork {
  const open = { network: name, isDefault: true, depositEnabled: true, withdrawEnabled: true };
  return { ...open, withdrawFee, withdrawMin, withdrawMax: "1000000000", ...DEPTHS, ...more };
}

function asset(name: string, fullName: string, precision: number, ...networks: readonly AssetNetwork[]): AssetSpec {
  return { asset: name, name: fullName, precision, networks };
}

export const DEMO_ASSETS: readonly DemoAsset[] = [
  {
    spec: asset("USDT", "TetherUS", 8, network("ETH", "5", "10"), network("TRX", "1", "10", { isDefault: false })),
    startValue: 1,
    yearlyVolatility: 0,
    marketCorrelation: 0,
    grant: "100000000",
  },
  {
    spec: asset("BTC", "Bitcoin", 8, network("BTC", "0.0005", "0.0010", { approvalAbove: "100" })),
    startValue: 60_000,
    yearlyVolatility: 0.45,
    marketCorrelation: 0.9,
    grant: "2000",
  },
  {
    spec: asset("ETH", "Ether", 8, network("ETH", "0.005", "0.010")),
    startValue: 3000,
    yearlyVolatility: 0.65,
    marketCorrelation: 0.85,
    grant: "20000",
  },
  {
    spec: asset(
      "BNB",
      "BNB",
      8,
      network("BSC", "0.001", "0.002"),
      network("BNB", "0.001", "0.002", { isDefault: false, isTagged: true }),
    ),
    startValue: 500,
    yearlyVolatility: 0.55,
    marketCorrelation: 0.7,
    grant: "100000",
  },
  {
    spec: asset("SHIB", "Shiba Inu", 8, network("ETH", "100000", "200000")),
    startValue: 0.00001234,
    yearlyVolatility: 0.85,
    marketCorrelation: 0.75,
    grant: "1000000000000",
  },
  {
    spec: asset("DOGE", "Dogecoin", 8, network("DOGE", "5", "10")),
    startValue: 0.09,
    yearlyVolatility: 0.85,
    marketCorrelation: 0.75,
    grant: "500000000",
  },
  {
    spec: asset("USDC", "USD Coin", 6, network("ETH", "5", "10")),
    startValue: 1.0002,
    yearlyVolatility: 0.01,
    marketCorrelation: 0,
    grant: "50000000",
  },
  {
    spec: asset("IDR", "Rupiah", 8, network("BANK", "10000", "20000")),
    startValue: 1 / 16_000,
    yearlyVolatility: 0.06,
    marketCorrelation: 0,
    grant: "1000000000000",
  },
  {
    spec: asset("LTC", "Litecoin", 8, network("LTC", "0.001", "0.002")),
    startValue: 80,
    yearlyVolatility: 0.7,
    marketCorrelation: 0.75,
    grant: "500000",
  },
  {
    spec: asset("TRX", "TRON", 8, network("TRX", "1", "2")),
    startValue: 0.12,
    yearlyVolatility: 0.55,
    marketCorrelation: 0.6,
    grant: "500000000",
  },
];
