/** A withdrawal that is not over, and what makes one look twice at it. Amounts are decimal strings. */
import type { Payment } from "../forms/payment.ts";

export interface OpenWithdrawal extends Payment {
  readonly withdrawalId: string;
  readonly withdrawOrderId: string;
  readonly updateTimeMs: number;
  readonly needsApproval: boolean;
  readonly txId: string;
  /** The operator who took its last step; both, where two did. */
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
