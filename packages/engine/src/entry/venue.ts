/**
 * The venue as a whole: suspensions, operators, adjustments, unattributed deposits, approval rules, notes and proofs.
 * Records first, then commands.
 */
import type { CodeOfAct, OperatorRole } from "./access.ts";

/**
 * Scopes of suspensions of the whole venue. `coin:BTC` and `network:ETH` suspend deposits and withdrawals of one asset
 * or network.
 */
export const STOP_SCOPES = ["trading", "placing", "withdrawals"] as const;
/** One of `STOP_SCOPES`, or `coin:` or `network:` with a name. */
export type StopScope = string;

/** In force until it is lifted, or until `untilMs`. */
export interface StopRecord {
  readonly scope: StopScope;
  readonly why: string;
  readonly by: string;
  readonly sinceMs: number;
  readonly untilMs: number | null;
}

/** A symbol stops trading permanently at `atMs`. */
export interface DelistingRecord {
  readonly atMs: number;
  readonly why: string;
  readonly by: string;
  /** When the delisting was scheduled. */
  readonly sinceMs: number;
}

/** The house accounts against which a customer's balance may be adjusted. */
export const HOUSE_ACCOUNTS = ["treasury", "fees", "dust"] as const;
export type HouseAccount = (typeof HOUSE_ACCOUNTS)[number];

export const ADJUSTMENT_CATEGORIES = ["correction", "goodwill", "fee", "unknownDeposit", "other"] as const;
export type AdjustmentCategory = (typeof ADJUSTMENT_CATEGORIES)[number];

/** Why a deposit cannot be attributed to a customer. */
export const UNKNOWN_DEPOSIT_REASONS = ["unknownAddress", "unknownAsset", "noTag", "wrongNetwork", "other"] as const;
export type UnknownDepositReason = (typeof UNKNOWN_DEPOSIT_REASONS)[number];

/** A deposit to the exchange that no rule attributes to a customer. */
export interface UnknownDepositRecord {
  readonly network: string;
  readonly txId: string;
  readonly output: number;
  readonly address: string;
  readonly tag: string;
  /** The asset's name or the token's contract, as the network reports it. */
  readonly coin: string;
  /** The amount that the network reports: a decimal if the asset is listed, otherwise whole units. */
  readonly amount: string;
  readonly reason: UnknownDepositReason;
  readonly seenMs: number;
}

/** Which actions need dual approval. */
export interface ApprovalRules {
  /** Operators besides the author who must approve: 1 to 5. */
  readonly approvals: number;
  /** Withdrawals above the amount, a decimal of the asset, are approved only by an approval request. */
  readonly withdrawalsAbove: readonly { readonly asset: string; readonly amount: string }[];
  /** Types of actions. */
  readonly acts: readonly string[];
}

/** From `fromMs` on no action needs dual approval any more, unless the override is cancelled before. */
export interface BreakGlassRecord {
  readonly by: string;
  readonly why: string;
  readonly sinceMs: number;
  readonly fromMs: number;
}

/** A proof of liabilities whose root is stored in the journal, so that every reader sees the same root. */
export interface PublishedProof {
  /** Counts the proofs of the venue, from 1. */
  readonly number: number;
  /** The entry after which the proof shows the liabilities. */
  readonly seq: number;
  /** 64 hex digits over all public data of the proof. */
  readonly root: string;
  /** The root of the previous proof; 64 zeros for number 1. */
  readonly previous: string;
  readonly publishedMs: number;
}

/** `by` names the operator and is stored in the journal. */
interface Act {
  readonly by: string;
}

/**
 * Suspends the scope from now on, and replaces an earlier suspension of it. `untilMs` null means until it is lifted.
 */
export interface SetStop extends Act {
  readonly type: "setStop";
  readonly scope: StopScope;
  readonly why: string;
  readonly untilMs: number | null;
}
export interface LiftStop extends Act {
  readonly type: "liftStop";
  readonly scope: StopScope;
}

/** Moves money between a customer and a house account. Always needs dual approval. Once per `reference`. */
export interface Adjust extends Act {
  readonly type: "adjust";
  readonly accountId: number;
  readonly asset: string;
  readonly direction: "credit" | "debit";
  /** A decimal of the asset, above zero. */
  readonly amount: string;
  readonly house: HouseAccount;
  readonly category: AdjustmentCategory;
  readonly why: string;
  readonly reference: string;
}

/** A note about a customer, for operators. It is stored only in the journal and in history. */
export interface NoteAccount extends Act {
  readonly type: "noteAccount";
  readonly accountId: number;
  readonly text: string;
}

/** Reports an unattributed deposit. `by` is present if an operator reports it by hand. */
export interface NoteUnknownDeposit {
  readonly type: "noteUnknownDeposit";
  readonly network: string;
  readonly txId: string;
  readonly output: number;
  readonly address: string;
  readonly tag: string;
  readonly coin: string;
  readonly amount: string;
  readonly reason: UnknownDepositReason;
  readonly by?: string;
}
/**
 * Settles an unattributed deposit. credit: the amount belongs to the account (dual approval). keep: it belongs to the
 * treasury (dual approval). dismiss: nothing is posted, because it was an error or worthless.
 */
export interface SettleUnknownDeposit extends Act {
  readonly type: "settleUnknownDeposit";
  readonly network: string;
  readonly txId: string;
  readonly output: number;
  readonly how: "credit" | "keep" | "dismiss";
  /** For credit; otherwise null. */
  readonly toAccountId: number | null;
  /** For credit and keep; otherwise null. */
  readonly asset: string | null;
  readonly amount: string | null;
  readonly why: string;
}

export interface OpenOperator extends Act {
  readonly type: "openOperator";
  readonly name: string;
  readonly email: string;
  readonly role: OperatorRole;
}
/**
 * Absent fields do not change. Disabling an operator closes all their sessions; a new address invalidates links that
 * were sent to the previous one.
 */
export interface ChangeOperator extends Act {
  readonly type: "changeOperator";
  readonly name: string;
  readonly email?: string;
  readonly role?: OperatorRole;
  readonly isEnabled?: boolean;
}
/** Same as `SetTotp`, for an operator. */
export interface SetOperatorTotp extends Act, CodeOfAct {
  readonly type: "setOperatorTotp";
  readonly name: string;
  readonly sealedSecret: string | null;
}

export interface SetApprovalRules extends Act {
  readonly type: "setApprovalRules";
  readonly rules: ApprovalRules;
}
/**
 * Announces an emergency override, which switches dual approval off after a day, for a venue without a second approver.
 * All operators are notified by email.
 */
export interface BreakGlass extends Act {
  readonly type: "breakGlass";
  readonly why: string;
}
export interface StopBreakGlass extends Act {
  readonly type: "stopBreakGlass";
}

/**
 * Publishes a proof as of an earlier entry. Each proof must follow the last published one, by `number` and `previous`.
 */
export interface PublishProof extends Act {
  readonly type: "publishProof";
  /** The number in the proof itself. The first published proof may have any number. */
  readonly number: number;
  readonly seq: number;
  readonly root: string;
  /** The root of the previous proof; 64 zeros only for number 1. */
  readonly previous: string;
}

/** Ends one open order of a customer, and the list to which it belongs. */
export interface EndOrder extends Act {
  readonly type: "endOrder";
  readonly orderId: number;
  readonly why: string;
}
/** Ends all open orders of one account, on one symbol or on all, in one entry. */
export interface EndAccountOrders extends Act {
  readonly type: "endAccountOrders";
  readonly accountId: number;
  readonly symbol?: string;
  readonly why: string;
}
/**
 * Ends all open orders of a symbol that does not trade: the first ones now, the rest in steps with the following ticks.
 */
export interface EndSymbolOrders extends Act {
  readonly type: "endSymbolOrders";
  readonly symbol: string;
  readonly why: string;
}
/** Schedules, changes or (with null) cancels a delisting. It is final when the time has come. */
export interface SetDelisting extends Act {
  readonly type: "setDelisting";
  readonly symbol: string;
  readonly atMs: number | null;
  readonly why: string;
}

export type VenueCommand =
  | SetStop
  | LiftStop
  | Adjust
  | NoteAccount
  | NoteUnknownDeposit
  | SettleUnknownDeposit
  | OpenOperator
  | ChangeOperator
  | SetOperatorTotp
  | SetApprovalRules
  | BreakGlass
  | StopBreakGlass
  | PublishProof
  | EndOrder
  | EndAccountOrders
  | EndSymbolOrders
  | SetDelisting;
