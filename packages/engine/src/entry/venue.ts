/**
 * The venue as a whole: suspensions, operators, adjustments, unattributed deposits, approval rules, notes and proofs.
 * Records first, then commands.
 */
import { MAX_APPROVAL_RULES, MAX_APPROVALS, MAX_OPERATOR_NAME_LENGTH, MAX_TEXT_LENGTH } from "../limits.ts";
import { CODE, OPERATOR_ROLES } from "./access.ts";
import * as digest from "./digest.ts";
import {
  AUTHOR,
  chainText,
  type Check,
  type CommandsOf,
  count,
  fields,
  hash,
  integer,
  isBoolean,
  isString,
  listOf,
  matching,
  name,
  nullable,
  oneOf,
  optional,
  reason,
  sealed,
  type Shaped,
  tag,
} from "./shape.ts";
import { COIN } from "./wallet-command.ts";

/**
 * Scopes of suspensions of the whole venue. `coin:BTC` and `network:ETH` suspend deposits and withdrawals of one asset
 * or network.
 */
export const STOP_SCOPES = ["trading", "placing", "withdrawals"] as const;
/** One of `STOP_SCOPES`, or `coin:` or `network:` with a name. */
export type StopScope = string;

/** A suspension, in force until it is lifted or until `untilMs`. */
export type StopRecord = digest.RecordOf<typeof STOP>;
export const STOP = {
  scope: digest.textAs<StopScope>(),
  why: digest.text,
  by: digest.text,
  sinceMs: digest.number,
  untilMs: digest.orNull(digest.number),
};

/** A scheduled delisting: the symbol stops trading permanently at `atMs`. */
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

const UNKNOWN_DEPOSIT = {
  ...COIN,
  address: chainText,
  tag,
  /** The asset's name or the token's contract, as the network reports it. */
  coin: chainText,
  /** The amount that the network reports: a decimal if the asset is listed, otherwise whole units. */
  amount: chainText,
  reason: oneOf(...UNKNOWN_DEPOSIT_REASONS),
};
/** A deposit to the exchange that no rule attributes to a customer. */
export type UnknownDepositRecord = digest.RecordOf<typeof UNKNOWN_DEPOSIT_RECORD>;
export const UNKNOWN_DEPOSIT_RECORD = {
  network: digest.text,
  txId: digest.text,
  output: digest.number,
  address: digest.text,
  tag: digest.text,
  coin: digest.text,
  amount: digest.text,
  reason: digest.textAs<UnknownDepositReason>(),
  seenMs: digest.number,
};

const APPROVAL_RULES = {
  /** Number of operators besides the author who must approve: 1 to 5. */
  approvals: integer(1, MAX_APPROVALS),
  /** Withdrawals above this amount, a decimal of the asset, can be approved only by an approval request. */
  withdrawalsAbove: listOf(fields({ asset: name, amount: name }), MAX_APPROVAL_RULES),
  /** Types of actions that need dual approval. */
  acts: listOf(name, MAX_APPROVAL_RULES),
};
/** Which actions need dual approval. */
export type ApprovalRules = Shaped<typeof APPROVAL_RULES>;

/**
 * An announced emergency override. From `fromMs` on no action needs dual approval, unless the override is cancelled
 * before.
 */
export interface BreakGlassRecord {
  readonly by: string;
  readonly why: string;
  readonly sinceMs: number;
  readonly fromMs: number;
}

const PROOF = {
  /** The number of the proof, counted from 1 per venue. */
  number: integer(1, Number.MAX_SAFE_INTEGER),
  /** The proof shows the liabilities after this entry. */
  seq: count,
  /** 64 hex digits over all public data of the proof. */
  root: hash,
  /** The root of the previous proof; 64 zeros for number 1. */
  previous: hash,
};
/** A proof of liabilities whose root is stored in the journal, so that every reader sees the same root. */
export type PublishedProof = digest.RecordOf<typeof PUBLISHED_PROOF>;
export const PUBLISHED_PROOF = {
  number: digest.number,
  seq: digest.number,
  root: digest.text,
  previous: digest.text,
  publishedMs: digest.number,
};

const operatorName = matching(/^[a-z][a-z0-9._-]*$/, MAX_OPERATOR_NAME_LENGTH);
const operatorRole = oneOf(...OPERATOR_ROLES);
const scope: Check<StopScope> = matching(
  /^(trading|placing|withdrawals|(coin|network):[!-~ ]+)$/,
  MAX_TEXT_LENGTH + 16,
);

export const VENUE_COMMANDS = {
  /**
   * Suspends the scope from now on. Replaces an earlier suspension of the scope. If `untilMs` is null, the suspension
   * lasts until it is lifted.
   */
  setStop: { ...AUTHOR, scope, why: reason, untilMs: nullable(count) },
  liftStop: { ...AUTHOR, scope },

  /** Moves money between a customer and a house account. Always needs dual approval. Once per `reference`. */
  adjust: {
    ...AUTHOR,
    accountId: count,
    asset: isString,
    direction: oneOf("credit", "debit"),
    /** A decimal of the asset, above zero. */
    amount: isString,
    house: oneOf(...HOUSE_ACCOUNTS),
    category: oneOf(...ADJUSTMENT_CATEGORIES),
    why: reason,
    reference: name,
  },
  /** A note about a customer, for operators. It is stored only in the journal and in history. */
  noteAccount: { ...AUTHOR, accountId: count, text: reason },
  /** Reports an unattributed deposit. `by` is present if an operator reports it by hand. */
  noteUnknownDeposit: { ...UNKNOWN_DEPOSIT, by: optional(isString) },
  /**
   * Settles an unattributed deposit. credit: the amount belongs to the account (dual approval). keep: it belongs to the
   * treasury (dual approval). dismiss: nothing is posted, because it was an error or worthless.
   */
  settleUnknownDeposit: {
    ...AUTHOR,
    ...COIN,
    how: oneOf("credit", "keep", "dismiss"),
    /** Only for credit; otherwise null. */
    toAccountId: nullable(count),
    /** Only for credit and keep; otherwise null. */
    asset: nullable(name),
    amount: nullable(name),
    why: reason,
  },

  openOperator: { ...AUTHOR, name: operatorName, email: name, role: operatorRole },
  /**
   * Absent fields do not change. Disabling an operator closes all their sessions; a new address invalidates links that
   * were sent to the previous one.
   */
  changeOperator: {
    ...AUTHOR,
    name: operatorName,
    email: optional(name),
    role: optional(operatorRole),
    isEnabled: optional(isBoolean),
  },
  /** Same as `setTotp`, for an operator. */
  setOperatorTotp: { ...AUTHOR, ...CODE, name: operatorName, sealedSecret: nullable(sealed) },

  setApprovalRules: { ...AUTHOR, rules: fields(APPROVAL_RULES) },
  /**
   * Announces an emergency override, which switches dual approval off after a day, for a venue without a second
   * approver. All operators are notified by email.
   */
  breakGlass: { ...AUTHOR, why: reason },
  stopBreakGlass: { ...AUTHOR },

  /**
   * Publishes a proof as of an earlier entry. It must continue the last published proof, by `number` and `previous`.
   * The first published proof may have any number.
   */
  publishProof: { ...AUTHOR, ...PROOF },

  /**
   * Ends one open order of a customer, and the list to which it belongs. `orderId` is the id that customers see. Only if
   * orders are numbered by symbol, `symbol` belongs to it.
   */
  endOrder: { ...AUTHOR, orderId: count, symbol: optional(isString), why: reason },
  /** Ends all open orders of one account, on one symbol or on all, in one entry. */
  endAccountOrders: { ...AUTHOR, accountId: count, symbol: optional(isString), why: reason },
  /**
   * Ends all open orders of a symbol that is not trading: the first ones now, the rest in steps with the next ticks.
   */
  endSymbolOrders: { ...AUTHOR, symbol: isString, why: reason },
  /** Schedules, changes or (with null) cancels a delisting. A delisting is final once its time has come. */
  setDelisting: { ...AUTHOR, symbol: isString, atMs: nullable(count), why: reason },
};
export type VenueCommand = CommandsOf<typeof VENUE_COMMANDS>;
