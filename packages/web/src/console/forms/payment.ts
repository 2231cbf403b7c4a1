/** A withdrawal as the admin API answers with it, and what it waits for. */
import { grouped } from "../../exact/shown.ts";
import { consoleWithdrawals as words } from "../../words/words.ts";

export interface Payment {
  readonly accountId: number;
  readonly asset: string;
  readonly amount: string;
  readonly fee: string;
  readonly arrives: string;
  readonly network: string;
  readonly address: string;
  readonly tag: string;
  readonly name: string;
  readonly applyTimeMs: number;
  readonly status: string;
  readonly isSuspended: boolean;
  readonly approvalReasons: readonly ApprovalReason[];
}

/** A limit that the withdrawal exceeded at its request, with the sum then; `hours` 0: by its own amount. */
export interface ApprovalReason {
  readonly rule: "network" | "account" | "allCustomers" | "dualApproval";
  readonly hours: number;
  readonly limit: string;
  readonly sum: string;
}

/** What a withdrawal waits for, and why: each limit that it exceeded at its request, with the sum. */
export function waitsForText({ status, asset, network, isSuspended, approvalReasons }: Payment): string {
  const amount = (text: string): string => `${grouped(text)} ${asset}`;
  const reasons = approvalReasons.map(({ rule, hours, limit, sum }) =>
    words.exceeded[rule](amount(sum), amount(limit), hours, network),
  );
  const isReasoned = status === "awaitingApproval" && reasons.length > 0;
  const text = isReasoned ? reasons.join(". ") : (words.waits[status] ?? words.statuses[status] ?? status);
  return isSuspended ? `${text}${words.suspended}` : text;
}
