/** The assets that the demo lists, their networks, and the funds of its house accounts. */
import { type AssetNetwork, type AssetSpec, DUST_ACCOUNT, TREASURY_ACCOUNT } from "@pricetime/engine";
import type { Config } from "../../platform/config/config.ts";
import { DEFAULT_MAX_PENDING_PAYMENTS } from "../../platform/config/wallet-schema.ts";
import { act, type DemoNode, grant } from "./operator.ts";

/** An asset with the parameters of its random walk. */
export interface DemoAsset {
  readonly spec: AssetSpec;
  /** The value of one unit in USDT when the demo begins. */
  readonly startValue: number;
  /**
   * The annual standard deviation of the logarithm of the asset's value in USDT, close to the measured values of 2025.
   */
  readonly yearlyVolatility: number;
  /** The correlation with the whole market, 0 to 1. The correlation of two assets is the product of these. */
  readonly marketCorrelation: number;
  /** The amount of the asset that each demo account gets, a decimal. */
  readonly grant: string;
}

/**
 * The number of confirmations until a demo deposit can be traded, and until it is final. A block takes a second, so
 * that clients see every step.
 */
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

/** `walk`: start value, yearly volatility and correlation with the market. */
function demoAsset(spec: AssetSpec, walk: readonly [number, number, number], grant: string): DemoAsset {
  const [startValue, yearlyVolatility, marketCorrelation] = walk;
  return { spec, startValue, yearlyVolatility, marketCorrelation, grant };
}

export const DEMO_ASSETS: readonly DemoAsset[] = [
  demoAsset(
    asset("USDT", "TetherUS", 8, network("ETH", "5", "10"), network("TRX", "1", "10", { isDefault: false })),
    [1, 0, 0],
    "100000000",
  ),
  demoAsset(
    asset("BTC", "Bitcoin", 8, network("BTC", "0.0005", "0.0010", { approvalAbove: "100" })),
    [60_000, 0.45, 0.9],
    "2000",
  ),
  demoAsset(asset("ETH", "Ether", 8, network("ETH", "0.005", "0.010")), [3000, 0.65, 0.85], "20000"),
  demoAsset(
    asset(
      "BNB",
      "BNB",
      8,
      network("BSC", "0.001", "0.002"),
      network("BNB", "0.001", "0.002", { isDefault: false, isTagged: true }),
    ),
    [500, 0.55, 0.7],
    "100000",
  ),
  demoAsset(
    asset("SHIB", "Shiba Inu", 8, network("ETH", "100000", "200000")),
    [0.00001234, 0.85, 0.75],
    "1000000000000",
  ),
  demoAsset(asset("DOGE", "Dogecoin", 8, network("DOGE", "5", "10")), [0.09, 0.85, 0.75], "500000000"),
  demoAsset(asset("USDC", "USD Coin", 6, network("ETH", "5", "10")), [1.0002, 0.01, 0], "50000000"),
  demoAsset(asset("IDR", "Rupiah", 8, network("BANK", "10000", "20000")), [1 / 16_000, 0.06, 0], "1000000000000"),
  demoAsset(asset("LTC", "Litecoin", 8, network("LTC", "0.001", "0.002")), [80, 0.7, 0.75], "500000"),
  demoAsset(asset("TRX", "TRON", 8, network("TRX", "1", "2")), [0.12, 0.55, 0.6], "500000000"),
];

type NetworkSettings = Config["wallet"]["networks"][number];

const BLOCK_MS = 1000;

/** Bot developers wait only a minute between dust conversions. The original interface allows one a day. */
const DUST_RULES = { dustAsset: "BNB", chargeBps: 200, limitAsset: "BTC", limit: "0.001", pauseMs: 60_000 };

const GRANTS: readonly (readonly [holder: string, accountId: number, asset: string, amount: string])[] = [
  ["dust", DUST_ACCOUNT, "BNB", "100000"],
  ...DEMO_ASSETS.map(({ spec, grant: amount }) => ["treasury", TREASURY_ACCOUNT, spec.asset, amount] as const),
];

/** Adds a sandbox for each network of the demo's assets that is not configured. */
export function demoNetworks(configured: readonly NetworkSettings[]): NetworkSettings[] {
  const names = DEMO_ASSETS.flatMap(({ spec }) => spec.networks.map(({ network }) => network));
  const missing = [...new Set(names)].filter((name) => configured.every(({ network }) => network !== name));
  const sandbox = { kind: "sandbox" as const, blockMs: BLOCK_MS, maxPendingPayments: DEFAULT_MAX_PENDING_PAYMENTS };
  return [...configured, ...missing.map((network) => ({ ...sandbox, network }))];
}

/** Funds the house accounts and sets the dust rules. Journals nothing if this was done before. */
export async function openDemoVenue(node: DemoNode): Promise<void> {
  const isListed = (asset: string): boolean => node.view.assets().some(({ spec }) => spec.asset === asset);
  await Promise.all(GRANTS.map(([holder, accountId, asset, amount]) => grant(node, accountId, holder, asset, amount)));
  if (node.view.funds.dustRules !== undefined || !isListed(DUST_RULES.dustAsset) || !isListed(DUST_RULES.limitAsset))
    return;
  await act(node, { type: "setDustRules", rules: DUST_RULES });
}
