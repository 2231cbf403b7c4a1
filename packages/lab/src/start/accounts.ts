/** Accounts as a test wants them, set up through the admin API. */
import { PERMISSIONS } from "@pricetime/engine";
import { type Admin, part } from "../client/admin.ts";
import { LabError } from "../client/refusal.ts";
import type { AccountWanted, Balance, LabAccount } from "../types.ts";

/**
 * Returns an account with a valid key and the wanted balances: the lab may have gone back to before the account was
 * opened or given a key.
 */
export async function openAccount(
  admin: Admin,
  wanted: string | AccountWanted,
  known: readonly LabAccount[],
): Promise<LabAccount> {
  const { name, balances = {} } = typeof wanted === "string" ? { name: wanted } : wanted;
  const before = known.find((each) => each.name === name);
  const account = (await found(admin, name, before)) ?? (await newAccount(admin, name));
  if (Object.keys(balances).length > 0) await setBalances(admin, account.email, balances);
  return account;
}

async function found(admin: Admin, name: string, before: LabAccount | undefined): Promise<LabAccount | undefined> {
  const email = before?.email ?? addressOf(name);
  try {
    const keys = await admin.ask<readonly LabAccount[]>("GET", `/v1/accounts/${part(email)}/keys`);
    if (before !== undefined && keys.some(({ apiKey }) => apiKey === before.apiKey)) return before;
  } catch (error) {
    if (error instanceof LabError && error.code === "UNKNOWN_ACCOUNT") return undefined;
    throw error;
  }
  return { name, email, ...(await newKey(admin, email)) };
}

const addressOf = (name: string): string => `${name}@lab.pricetime`;

export async function setBalances(
  admin: Admin,
  email: string,
  free: Readonly<Record<string, string>>,
): Promise<Readonly<Record<string, Balance>>> {
  const path = `/v1/lab/accounts/${part(email)}/balances`;
  return (await admin.ask<{ balances: Readonly<Record<string, Balance>> }>("POST", path, free)).balances;
}

async function newAccount(admin: Admin, name: string): Promise<LabAccount> {
  const email = addressOf(name);
  await admin.ask("POST", "/v1/accounts", { email, name });
  return { name, email, ...(await newKey(admin, email)) };
}

export async function newKey(admin: Admin, email: string): Promise<Pick<LabAccount, "apiKey" | "secretKey">> {
  const path = `/v1/accounts/${part(email)}/keys`;
  const { apiKey, secretKey } = await admin.ask<LabAccount>("POST", path, { permissions: PERMISSIONS });
  return { apiKey, secretKey };
}
