/** What the demo's venue needs to move coins: sandbox networks, rules for dust, and its own money. */
import { DUST_ACCOUNT, TREASURY_ACCOUNT } from "@pricetime/engine";
import type { Config } from "../../platform/config/config.ts";
import { DEFAULT_MAX_PENDING_PAYMENTS } from "../../platform/config/wallet-schema.ts";
import { DEMO_ASSETS } from "./assets.ts";
import { act, type DemoNode, grant } from "./operator.ts";

type NetworkSettings = Config["wallet"]["networks"][number];

const BLOCK_MS = 1000;

/** Bot developers wait a minute between dust conversions; the parent interface makes its customers wait a day. */
const DUST_RULES = { dustAsset: "BNB", chargeBps: 200, limitAsset: "BTC", limit: "0.001", pauseMs: 60_000 };

/** Each grant is a holder, its account, an asset and an amount. */
const GRANTS: readonly (readonly [holder: string, accountId: number, asset: string, amount: string])[] = [
  ["dust", DUST_ACCOUNT, "BNB", "100000"],
  ...DEMO_ASSETS.map(({ spec, grant: amount }) => ["treasury", TREASURY_ACCOUNT, spec.asset, amount] as const),
];

/** Returns a sandbox for each network of the demo's coins that is not configured. */
export function demoNetworks(configured: readonly NetworkSettings[]): NetworkSettings[] {
  const names = DEMO_ASSETS.flatMap(({ spec }) => spec.networks.map(({ network }) => network));
  const missing = [...new Set(names)].filter((name) => configured.every(({ network }) => network !== name));
  const sandbox = { kind: "sandbox" as const, blockMs: BLOCK_MS, maxPendingPayments: DEFAULT_MAX_PENDING_PAYMENTS };
  return [...configured, ...missing.map((network) => ({ ...sandbox, network }))];
}

/** Journals nothing when it was done before. */
export async function openDemoVenue(node: DemoNode): Promise<void> {
  const isListed = (asset: string): boolean => node.view.assets().some(({ spec }) => spec.asset === asset);
  await Promise.all(GRANTS.map(([holder, accountId, asset, amount]) => grant(node, accountId, holder, asset, amount)));
  if (node.view.funds.dustRules !== undefined || !isListed(DUST_RULES.dustAsset) || !isListed(DUST_RULES.limitAsset))
    return;
  await act(node, { type: "setDustRules", rules: DUST_RULES });
}
