/** A withdrawal that is not over, and what makes one look twice at it. Amounts are decimal strings. */
import type { ApprovalReason } from "../forms/payment.ts";

export interface OpenWithdrawal {
  readonly withdrawalId: string;
  readonly accountId: number;
  readonly asset: string;
  readonly network: string;
  readonly amount: string;
  readonly fee: string;
  readonly arrives: string;
  readonly address: string;
  readonly tag: string;
  readonly name: string;
  readonly withdrawOrderId: string;
  readonly status: string;
  readonly applyTimeMs: number;
  readonly updateTimeMs: number;
  readonly needsApproval: boolean;
  readonly approvalReasons: readonly ApprovalReason[];
  /** A stop of all withdrawals, of its coin or of its network keeps it. */
  readonly isStopped: boolean;
  readonly txId: string;
  /** Whoever took its last step by hand; both, where two persons did. */
  readonly by?: string;
}

export interface Risk {
  readonly withdrawalId: string;
  readonly applyTimeMs: number;
  readonly email: string;
  readonly waitingMs: number;
  readonly marks: readonly string[];
  readonly isOnAddressList: boolean;
  readonly completedBefore: number;
  readonly completedToAddress: number;
  readonly newestDepositAgeMs: number | null;
  readonly accountAgeMs: number;
}

export const AWAITS = "awaitingApproval";

/** Those that are known, by withdrawal. */
export function risksById(risks: readonly Risk[] | null): ReadonlyMap<string, Risk> {
  return new Map((risks ?? []).map((risk) => [risk.withdrawalId, risk]));
}
