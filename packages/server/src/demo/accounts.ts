/**
 * The accounts that a demo hands out. Everybody can read their keys here, so they work in demo mode only:
 * a node started without it deletes them before it serves.
 */
import { KEY_LENGTH } from "../config/random-key.ts";
import { PERMISSIONS } from "@pricetime/engine";
import { DEMO_ASSETS } from "./assets.ts";
import { type DemoNode, deleteKey, ensureAccount, ensureKey } from "./operator.ts";

export interface DemoAccount {
  readonly name: string;
  readonly email: string;
  readonly apiKey: string;
  readonly secretKey: string;
}

function demoAccount(name: string): DemoAccount {
  const title = name.charAt(0).toUpperCase() + name.slice(1);
  return {
    name,
    email: `${name}@demo.pricetime`,
    apiKey: `PricetimeDemoKeyOf${title}KnownToEverybody`.padEnd(KEY_LENGTH, "0"),
    secretKey: `PricetimeDemoSecretOf${title}KnownToEverybody`.padEnd(KEY_LENGTH, "0"),
  };
}

export const DEMO_ACCOUNTS: readonly DemoAccount[] = ["alice", "bob", "carol"].map(demoAccount);
/** The first account's sub-accounts: empty, to transfer to. Their keys do everything but withdraw. */
export const DEMO_SUB_ACCOUNTS: readonly DemoAccount[] = ["dave"].map(demoAccount);

/** What each account gets of an asset that only the configuration lists. */
const OTHER_GRANT = "1000000000";

/** Opens and funds the demo accounts and the first one's sub-account; journals nothing when they exist. */
export async function openDemoAccounts(
  node: DemoNode,
  fees: { readonly makerBps: number; readonly takerBps: number },
): Promise<void> {
  const grants = new Map(node.view.assets().map(({ spec }) => [spec.asset, OTHER_GRANT]));
  for (const { spec, grant } of DEMO_ASSETS) grants.set(spec.asset, grant);
  await Promise.all(
    DEMO_ACCOUNTS.map(async ({ name, email, apiKey, secretKey }) => {
      const accountId = await ensureAccount(node, { email, name, grants, ...fees });
      await ensureKey(node, { accountId, apiKey, secretKey, permissions: PERMISSIONS });
    }),
  );
  const masterId = node.view.accountByEmail(DEMO_ACCOUNTS[0]?.email ?? "")?.accountId;
  if (masterId === undefined) throw new Error("the demo's first account was not opened");
  const permissions = PERMISSIONS.filter((permission) => permission !== "WITHDRAW");
  for (const { name, email, apiKey, secretKey } of DEMO_SUB_ACCOUNTS) {
    const accountId = await ensureAccount(node, { email, name, masterId, grants: new Map(), ...fees });
    await ensureKey(node, { accountId, apiKey, secretKey, permissions });
  }
}

/** Deletes the publicly known keys on a node that is not in demo mode. Returns their number. */
export async function withdrawDemoKeys(node: DemoNode): Promise<number> {
  const known = [...DEMO_ACCOUNTS, ...DEMO_SUB_ACCOUNTS].filter(({ apiKey }) => node.view.apiKey(apiKey) !== undefined);
  await Promise.all(known.map(({ apiKey }) => deleteKey(node, apiKey)));
  return known.length;
}
