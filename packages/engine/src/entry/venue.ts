/**
 * The venue as a whole: suspensions, operators, adjustments, deposits without an owner, approval rules, notes and
 * proofs. Records first, then commands.
 */
import type { CodeOfAct, OperatorRole } from "./access.ts";

/** What may be stopped everywhere at once; `coin:BTC` and `network:ETH` stop one coin's and one network's movements. */
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

/** A symbol stops trading for good at `atMs`. */
export interface DelistingRecord {
  readonly atMs: number;
  readonly why: string;
  readonly by: string;
  /** When the time was set. */
  readonly sinceMs: number;
}

/** The venue's own accounts against which a customer's balance may be adjusted. */
export const HOUSE_ACCOUNTS = ["treasury", "fees", "dust"] as const;
export type HouseAccount = (typeof HOUSE_ACCOUNTS)[number];

export const ADJUSTMENT_CATEGORIES = ["correction", "goodwill", "fee", "unknownDeposit", "other"] as const;
export type AdjustmentCategory = (typeof ADJUSTMENT_CATEGORIES)[number];

/** Why a coin that came is nobody's. */
export const UNKNOWN_DEPOSIT_REASONS = ["unknownAddress", "unknownAsset", "noTag", "wrongNetwork", "other"] as const;
export type UnknownDepositReason = (typeof UNKNOWN_DEPOSIT_REASONS)[number];

/** A coin that came to the venue and that no rule gives to a customer. */
export interface UnknownDepositRecord {
  readonly network: string;
  readonly txId: string;
  readonly output: number;
  readonly address: string;
  readonly tag: string;
  /** The asset's name or the token's contract, as the network says. */
  readonly coin: string;
  /** As the network says: a decimal of an asset that is listed, whole units of anything else. */
  readonly amount: string;
  readonly reason: UnknownDepositReason;
  readonly seenMs: number;
}

/** Which acts need two persons. */
export interface ApprovalRules {
  /** Operators besides the author who must approve: 1 to 5. */
  readonly approvals: number;
  /** Withdrawals above the amount, a decimal of the asset, are approved by a proposal alone. */
  readonly withdrawalsAbove: readonly { readonly asset: string; readonly amount: string }[];
  /** Types of acts. */
  readonly acts: readonly string[];
}

/** From `fromMs` on no act needs two persons any more, unless somebody stops it before. */
export interface BreakGlassRecord {
  readonly by: string;
  readonly why: string;
  readonly sinceMs: number;
  readonly fromMs: number;
}

/** A proof of liabilities whose root stands in the journal, where all see the same. */
export interface PublishedProof {
  /** Counts the venue's proofs, from 1. */
  readonly number: number;
  /** The entry as of which it proves. */
  readonly seq: number;
  /** 64 hex digits over all of the proof that is public. */
  readonly root: string;
  /** The root of the proof before it; 64 zeros: it is number 1. */
  readonly previous: string;
  readonly publishedMs: number;
}

/** `by` names the operator and is kept in the journal. */
interface Act {
  readonly by: string;
}

/** Stops from now on; replaces a stop of the same scope. `untilMs` null: until it is lifted. */
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

/** Moves money between a customer and an account of the venue. Needs two persons always. Once per `reference`. */
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

/** A sentence about a customer, for the operators. The exchange keeps it in the journal and in history alone. */
export interface NoteAccount extends Act {
  readonly type: "noteAccount";
  readonly accountId: number;
  readonly text: string;
}

/** A coin came that is nobody's. `by`: an operator says so by hand. */
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
 * What becomes of it. credit: the coins came in and are the account's (two persons); keep: they are the treasury's (two
 * persons); dismiss: nothing is posted, because it was an error or worthless.
 */
export interface SettleUnknownDeposit extends Act {
  readonly type: "settleUnknownDeposit";
  readonly network: string;
  readonly txId: string;
  readonly output: number;
  readonly how: "credit" | "keep" | "dismiss";
  /** For credit; else null. */
  readonly toAccountId: number | null;
  /** For credit and keep; else null. */
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
/** Absent fields stay. Whoever is disabled has no session any more; links that were mailed to another address end. */
export interface ChangeOperator extends Act {
  readonly type: "changeOperator";
  readonly name: string;
  readonly email?: string;
  readonly role?: OperatorRole;
  readonly isEnabled?: boolean;
}
/** As `SetTotp`. */
export interface SetOperatorTotp extends Act, CodeOfAct {
  readonly type: "setOperatorTotp";
  readonly name: string;
  readonly sealedSecret: string | null;
}

export interface SetApprovalRules extends Act {
  readonly type: "setApprovalRules";
  readonly rules: ApprovalRules;
}
/** Announces that the rules end in a day, for a venue whose second person is gone. All operators get a letter. */
export interface BreakGlass extends Act {
  readonly type: "breakGlass";
  readonly why: string;
}
export interface StopBreakGlass extends Act {
  readonly type: "stopBreakGlass";
}

/** A proof of an earlier entry. Each follows the one that was published last, by its number and by `previous`. */
export interface PublishProof extends Act {
  readonly type: "publishProof";
  /** As the proof says of itself: the first that is published may have any. */
  readonly number: number;
  readonly seq: number;
  readonly root: string;
  /** The root of the proof before it; 64 zeros for number 1 and for it alone. */
  readonly previous: string;
}

/** Ends one open order of a customer, and with it the list that it belongs to. */
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
/** Ends all open orders of a symbol that does not trade: the first now, the rest in steps with the ticks that follow. */
export interface EndSymbolOrders extends Act {
  readonly type: "endSymbolOrders";
  readonly symbol: string;
  readonly why: string;
}
/** Sets, moves or (with null) withdraws the time from which a symbol no longer trades. Final once the time has come. */
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
