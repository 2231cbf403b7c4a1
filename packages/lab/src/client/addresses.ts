/** The admin API knows accounts by mail address or number; a test knows them by the names that it gave. */
import type { LabAccount } from "../types.ts";

export type KnownAccounts = () => readonly LabAccount[];

/** The value with the address for each name of an account that stands in a field `account`, however deep. */
export function withAddresses<T>(value: T, accounts: readonly LabAccount[]): T {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  const changed = Object.entries(value).map(([name, inner]: [string, unknown]) => {
    const known = name === "account" ? accounts.find((account) => account.name === inner) : undefined;
    return [name, known?.email ?? withAddresses(inner, accounts)];
  });
  return Object.fromEntries(changed) as T;
}
