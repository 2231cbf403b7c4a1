/**
 * Pending withdrawals: risk indicators, the queue's filter, and decisions about several at once. Amounts are decimal
 * strings.
 */
import type { OpenWithdrawal, Risk } from "@pricetime/server/answers";
import { AWAITS, shownOf } from "../forms/withdrawal-approval.ts";
import { add, decimal, formatDecimal } from "../../exact/decimal.ts";
import type { Admin } from "../admin-client.ts";
import { type Denied, deniedOf } from "../../pages/request.ts";

/** The known risk indicators by withdrawal ID. */
export function risksById(risks: readonly Risk[] | null): ReadonlyMap<string, Risk> {
  return new Map((risks ?? []).map((risk) => [risk.withdrawalId, risk]));
}

// A decision about several withdrawals sends one action for each withdrawal. If one is rejected, the others are still
// sent.

export type Decision = { readonly what: "approve" } | { readonly what: "reject"; readonly why: string };

export interface Decided {
  readonly withdrawalId: string;
  /** The node's error; null if the decision was carried out. */
  readonly denied: Denied | null;
}

/** Decides withdrawals, with the values that were shown, one after another and calls `onDecided` after each. The promise never rejects. */
export async function decideAll(
  admin: Pick<Admin, "ask">,
  withdrawals: readonly OpenWithdrawal[],
  decision: Decision,
  onDecided: (one: Decided) => void,
): Promise<void> {
  for (const withdrawal of withdrawals) {
    const { withdrawalId } = withdrawal;
    const path = `/v1/withdrawals/${encodeURIComponent(withdrawalId)}/${decision.what}`;
    const body = decision.what === "reject" ? { why: decision.why } : shownOf(withdrawal);
    let denied: Denied | null = null;
    try {
      await admin.ask("POST", path, { body });
    } catch (error) {
      denied = deniedOf(error);
    }
    onDecided({ withdrawalId, denied });
  }
}

/** The total amount of the withdrawals by asset. */
export function sumsOf(withdrawals: readonly OpenWithdrawal[]): [asset: string, amount: string][] {
  const sums = new Map<string, string>();
  for (const { asset, amount } of withdrawals) {
    sums.set(asset, formatDecimal(add(decimal(sums.get(asset) ?? "0"), decimal(amount))));
  }
  return [...sums];
}

// The filter of the queue by status, asset, network or account.

/** Maximum number of rows that are refreshed. Use filters to see others. */
export const MAX_ROWS = 500;

export const EVERY_STATUS = "all";
export const STATUSES = [AWAITS, "emailSent", "processing", EVERY_STATUS] as const;
export const FIELDS = ["asset", "network", "account"] as const;
export type Params = Readonly<Record<string, string>>;

export const statusOf = (params: Params): (typeof STATUSES)[number] =>
  STATUSES.find((one) => one === params["status"]) ?? AWAITS;
export const narrowed = (params: Params): Params =>
  Object.fromEntries(FIELDS.map((name) => [name, params[name] ?? ""]).filter(([, value]) => value !== ""));

/** The API query for the filter in the page's address. By default, withdrawals that await approval. */
export function queryOf(params: Params): Params {
  const status = statusOf(params);
  return { ...(status !== EVERY_STATUS && { status }), ...narrowed(params) };
}
