/**
 * Records of those who sign in: operators, and customers with a password. Secrets are never here: a password's hash is
 * sealed, and of the secrets in links and cookies there is only the SHA-256, 64 hex digits.
 */

import type { LetterStatus } from "./wallet-record.ts";

/** What an operator may do: a viewer looks; support serves customers; a treasurer moves money; an admin may do all. */
export const OPERATOR_ROLES = ["viewer", "support", "treasurer", "admin"] as const;
export type OperatorRole = (typeof OPERATOR_ROLES)[number];

export interface OperatorRecord {
  /** As in `by`, and in the name of the holder. */
  readonly name: string;
  readonly email: string;
  readonly role: OperatorRole;
  readonly isEnabled: boolean;
  /** Sealed two-factor secret; null when no code is required. */
  readonly sealedTotp: string | null;
  /** The time step of the last code; a code is good once. -1: none yet. */
  readonly totpStep: number;
  readonly createdMs: number;
}

/** Who has a password and sessions, as text: `account:100` or `operator:carol`. As `by`, a customer acts alone. */
export type Holder = string;

/** Somebody may choose a password: the holder, or, when `opens` is there, a customer whose account is opened then. */
export interface InvitationRecord {
  /** 32 hex digits. */
  readonly invitationId: string;
  readonly secretHash: string;
  readonly email: string;
  readonly holder: Holder | null;
  readonly opens: { readonly name: string; readonly makerBps: number; readonly takerBps: number } | null;
  /** Who invited. */
  readonly by: string;
  readonly createdMs: number;
  readonly untilMs: number;
}

/**
 * The two-factor code of somebody who acts on what is the own: the time step of the code, and the sealed secret against
 * which it was checked. Absent where no code is required.
 */
export interface CodeOfAct {
  readonly totpStep?: number;
  readonly totpSecret?: string;
}

export interface SessionRecord {
  /** 32 hex digits. */
  readonly sessionId: string;
  readonly holder: Holder;
  readonly secretHash: string;
  /** The hash before the last renewal, which requests under way may still show; "": there was none. */
  readonly previousHash: string;
  readonly openedMs: number;
  readonly renewedMs: number;
  readonly untilMs: number;
  readonly ip: string;
  /** What the browser calls itself. */
  readonly client: string;
}

/** A forgotten password may be replaced by whoever has the link, between the two times. */
export interface RecoveryRecord {
  /** 32 hex digits. */
  readonly recoveryId: string;
  readonly holder: Holder;
  readonly secretHash: string;
  readonly askedMs: number;
  readonly fromMs: number;
  readonly untilMs: number;
}

/** Letters that the exchange owes to customers and operators, by what they say. */
export const NOTICE_KINDS = [
  "invitation",
  "alreadyKnown",
  "recovery",
  "recovered",
  "passwordChanged",
  "newSignIn",
  "apiKeyCreated",
  "totpChanged",
  "addressAdded",
  "frozen",
  "breakGlass",
  "addressListEnded",
  "emailChanged",
] as const;
export type NoticeKind = (typeof NOTICE_KINDS)[number];

/** A letter that is owed: everything that its writer needs, besides the secrets, which follow from the master key. */
export interface NoticeRecord {
  /** From 1. */
  readonly noticeId: number;
  readonly kind: NoticeKind;
  readonly email: string;
  /** Names and values, as texts. */
  readonly facts: Readonly<Record<string, string>>;
  readonly createdMs: number;
  readonly status: LetterStatus;
}

/** Who invites where sign-up is open: the stranger who asked. */
export const SIGN_UP = "sign up";
/** Who publishes the proof of each day. */
export const DAILY_PROOFS = "daily proofs";
/** Who ends locks of trading by API when the rules that led to them are off. */
export const TRADING_RULES = "trading rules";
/** Who lists what the configuration names, when a node starts. Journals have it since the first release. */
export const CONFIGURATION = "configuration";
/**
 * What the node does by itself goes by these names, so rules of approval do not hold it up. Nobody who asks it can take
 * one: most have blanks, and the admin port refuses the other.
 */
export const NODES_OWN_NAMES: readonly string[] = [SIGN_UP, DAILY_PROOFS, TRADING_RULES, CONFIGURATION];
