/** Events of the venue as a whole, of its operators, and of those who sign in. */
import type { Holder, NoticeKind, SessionRecord } from "./access-record.ts";
import type { ProposalRecord, ProposalStatus } from "./proposal-record.ts";
import type {
  AdjustmentCategory,
  HouseAccount,
  PublishedProof,
  StopRecord,
  UnknownDepositRecord,
} from "./venue-record.ts";
import type { LetterStatus } from "./wallet-record.ts";

export interface StopChanged {
  readonly type: "stopChanged";
  readonly stop: StopRecord;
  readonly isOn: boolean;
}
/** `amount`: units of the asset, from the account's view: below zero when it paid. */
export interface BalanceAdjusted {
  readonly type: "balanceAdjusted";
  readonly accountId: number;
  readonly assetId: number;
  readonly amount: bigint;
  readonly house: HouseAccount;
  readonly category: AdjustmentCategory;
  readonly why: string;
  readonly reference: string;
  readonly by: string;
}
export interface AccountNoted {
  readonly type: "accountNoted";
  readonly accountId: number;
  readonly text: string;
  readonly by: string;
}
export interface UnknownDepositChanged {
  readonly type: "unknownDepositChanged";
  readonly deposit: UnknownDepositRecord;
  readonly status: "seen" | "credit" | "keep" | "dismiss";
  /** Whose the coins are; null: nobody's. */
  readonly accountId: number | null;
  readonly why: string;
}
export interface OperatorChanged {
  readonly type: "operatorChanged";
  readonly name: string;
}
export interface ApprovalRulesChanged {
  readonly type: "approvalRulesChanged";
  /** Whether any act needs two persons by them. */
  readonly isAny: boolean;
}
export interface ProposalChanged {
  readonly type: "proposalChanged";
  readonly proposal: ProposalRecord;
  readonly status: ProposalStatus;
  readonly by: string;
  /** Reason of a rejection or cancellation; else "". */
  readonly why: string;
}
/** `fromMs` 0: it was stopped, or is over. */
export interface BreakGlassChanged {
  readonly type: "breakGlassChanged";
  readonly fromMs: number;
}
export interface ProofPublished {
  readonly type: "proofPublished";
  readonly proof: PublishedProof;
}

export interface InvitationChanged {
  readonly type: "invitationChanged";
  readonly invitationId: string;
  readonly email: string;
  readonly status: "open" | "accepted" | "revoked" | "expired";
  /** Whose password it is; null: nobody accepted it yet. */
  readonly holder: Holder | null;
}
export interface PasswordSet {
  readonly type: "passwordSet";
  readonly holder: Holder;
}
export interface SessionOpened {
  readonly type: "sessionOpened";
  readonly session: SessionRecord;
}
export interface SessionClosed {
  readonly type: "sessionClosed";
  readonly sessionId: string;
  readonly holder: Holder;
}
export interface RecoveryChanged {
  readonly type: "recoveryChanged";
  readonly recoveryId: string;
  readonly holder: Holder;
  readonly status: "asked" | "cancelled" | "done";
}
export interface AccountFrozen {
  readonly type: "accountFrozen";
  readonly accountId: number;
}
export interface NoticeChanged {
  readonly type: "noticeChanged";
  readonly noticeId: number;
  readonly kind: NoticeKind;
  readonly status: LetterStatus;
}

export type VenueEvent =
  | StopChanged
  | BalanceAdjusted
  | AccountNoted
  | UnknownDepositChanged
  | OperatorChanged
  | ApprovalRulesChanged
  | ProposalChanged
  | BreakGlassChanged
  | ProofPublished
  | InvitationChanged
  | PasswordSet
  | SessionOpened
  | SessionClosed
  | RecoveryChanged
  | AccountFrozen
  | NoticeChanged;
