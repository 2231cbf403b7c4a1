/** One decision about several withdrawals: each is its own action, and a rejected one does not stop the others. */
import { add, decimal, formatDecimal } from "../../exact/decimal.ts";
import type { Admin } from "../wire/admin.ts";
import { type Denied, deniedOf } from "../../pages/denied.ts";
import type { OpenWithdrawal } from "./withdrawal.ts";

export type Decision = { readonly what: "approve" } | { readonly what: "reject"; readonly why: string };

export interface Decided {
  readonly withdrawalId: string;
  /** Null: it was carried out. */
  readonly denied: Denied | null;
}

/** In turn; `told` is called after each. Never rejects. */
export async function decideAll(
  admin: Pick<Admin, "ask">,
  withdrawalIds: readonly string[],
  decision: Decision,
  told: (one: Decided) => void,
): Promise<void> {
  for (const withdrawalId of withdrawalIds) {
    const path = `/v1/withdrawals/${encodeURIComponent(withdrawalId)}/${decision.what}`;
    const sent = decision.what === "reject" ? { body: { why: decision.why } } : {};
    let denied: Denied | null = null;
    try {
      await admin.ask("POST", path, sent);
    } catch (error) {
      denied = deniedOf(error);
    }
    told({ withdrawalId, denied });
  }
}

/** What they take out together, by asset: exact. */
export function sumsOf(withdrawals: readonly OpenWithdrawal[]): [asset: string, amount: string][] {
  const sums = new Map<string, string>();
  for (const { asset, amount } of withdrawals) {
    sums.set(asset, formatDecimal(add(decimal(sums.get(asset) ?? "0"), decimal(amount))));
  }
  return [...sums];
}
