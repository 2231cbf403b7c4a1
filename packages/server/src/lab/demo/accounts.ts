/**
 * The accounts of a demo, and the file with their keys. Keys and password are public, so they are valid only in demo
 * mode: a node that is started without it deletes the keys and replaces the password before it serves.
 */
import { KEY_LENGTH } from "../../platform/secrets/api-keys.ts";
import { PERMISSIONS } from "@pricetime/engine";
import { DEMO_ASSETS } from "./assets.ts";
import { deleteKey, type DemoNode, ensureAccount, ensureKey, passwordHashOf, setPassword } from "./operator.ts";
import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { writePrivateFile } from "../../platform/config/private-file.ts";

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

/** The password for the account pages of every demo account that customers can sign in to. Sub-accounts have none. */
const DEMO_PASSWORD = "pricetime demo";
/** The hash is precomputed: hashing at each start of a new demo would take longer than the rest of the start. */
const DEMO_PASSWORD_HASH =
  "$argon2id$v=19$m=32768,t=2,p=1$UHJpY2V0aW1lRGVtb1NhbA$434+cyub71XOS2evx9C5Htr44+KV87vRL3eg2uLVUIY";

export const DEMO_ACCOUNTS: readonly (DemoAccount & { readonly password: string })[] = ["alice", "bob", "carol"].map(
  (name) => ({ ...demoAccount(name), password: DEMO_PASSWORD }),
);
/** The sub-accounts of the first account. They have no balances, and keys with all permissions except withdrawing. */
export const DEMO_SUB_ACCOUNTS: readonly DemoAccount[] = ["dave"].map(demoAccount);

/** The amount that each account gets of an asset that is listed only in the configuration. */
const OTHER_GRANT = "1000000000";

/** Opens and funds the demo accounts and the sub-account of the first one. Journals nothing if they exist. */
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
      // A password that a visitor has set is not replaced.
      if (passwordHashOf(node, accountId) === undefined) {
        await setPassword(node, { accountId, email, passwordHash: DEMO_PASSWORD_HASH });
      }
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

/**
 * On a node that is not in demo mode, deletes the publicly known keys and replaces the publicly known password with an
 * unusable one, which ends the sessions. Returns the number of deleted keys.
 */
export async function withdrawDemoKeys(node: DemoNode): Promise<number> {
  for (const { email } of DEMO_ACCOUNTS) {
    const accountId = node.view.accountByEmail(email)?.accountId;
    if (accountId === undefined || passwordHashOf(node, accountId) !== DEMO_PASSWORD_HASH) continue;
    await setPassword(node, { accountId, email, passwordHash: hashOfNoPassword(node) });
  }
  const known = [...DEMO_ACCOUNTS, ...DEMO_SUB_ACCOUNTS].filter(({ apiKey }) => node.view.apiKey(apiKey) !== undefined);
  await Promise.all(known.map(({ apiKey }) => deleteKey(node, apiKey)));
  return known.length;
}

/** Returns a random hash that no password has. */
function hashOfNoPassword({ world }: DemoNode): string {
  const drawn = (bytes: number): string => world.randomBytes(bytes).toString("base64").replaceAll("=", "");
  return `$argon2id$v=19$m=32768,t=2,p=1$${drawn(16)}$${drawn(32)}`;
}

// `<data>/demo.json`: everything that a script needs to trade on a demo. Mode 0600.

export interface DemoFile {
  /** The URL of the REST API, for example `http://127.0.0.1:8080`. */
  readonly rest: string;
  /** The URL for WebSockets, for example `ws://127.0.0.1:8080`. */
  readonly ws: string;
  readonly admin: string;
  readonly adminToken: string;
  readonly accounts: readonly DemoAccount[];
  /** Sub-accounts of the first account. */
  readonly subAccounts: readonly DemoAccount[];
}

const NAME = "demo.json";

/**
 * Writes the file. Returns its text. `before`: the text returned by the previous call; an unchanged file is not written
 * again.
 */
export function writeDemoFile(dataFolder: string, file: DemoFile, before?: string): string {
  const path = join(dataFolder, NAME);
  const text = `${JSON.stringify(file, null, 2)}\n`;
  if (text !== before || !existsSync(path)) writePrivateFile(path, text);
  return text;
}

/** Deletes `demo.json`. Called on a node that is not a demo. */
export function removeDemoFile(dataFolder: string): void {
  rmSync(join(dataFolder, NAME), { force: true });
}
