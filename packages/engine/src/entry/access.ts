/**
 * Sign-in: records of operators and of customers with a password, API keys, and the commands that change them. They
 * contain no secrets: password hashes are sealed, and secrets in links and cookies are stored only as SHA-256 (64 hex
 * digits).
 */
import { MAX_CLIENT_LENGTH, MAX_FEE_BPS } from "../limits.ts";
import * as digest from "./digest.ts";
import {
  AUTHOR,
  type CommandsOf,
  count,
  fields,
  hash,
  id,
  integer,
  matching,
  name,
  note,
  nullable,
  oneOf,
  optional,
  sealed,
  type Shaped,
  text,
} from "./shape.ts";
import { LETTER_STATUSES, type LetterStatus } from "./wallet-record.ts";

/**
 * The email address in lower case, as sign-up stores it. Only ASCII letters are converted, because the case mapping of
 * other letters depends on the Unicode version, and could make two addresses equal.
 */
export function foldedEmail(email: string): string {
  return /[A-Z]/.test(email) ? email.replace(/[A-Z]+/g, (letters) => letters.toLowerCase()) : email;
}

// API keys, and from which addresses they allow which requests. Interface 5.

/**
 * Permissions of a key: the security types of the interface (section 5) and, separately, withdrawing (Interface S.18).
 * By default a key has all except WITHDRAW.
 */
export const PERMISSIONS = ["MARKET_DATA", "USER_STREAM", "TRADE", "USER_DATA", "WITHDRAW"] as const;
export type Permission = (typeof PERMISSIONS)[number];

export const API_KEY = {
  apiKey: digest.text,
  accountId: digest.number,
  /** The secret, encrypted by the node and opaque to the engine. "" if the key has a `publicKey`. */
  sealedSecret: digest.text,
  /** SubjectPublicKeyInfo, base64, of a key that signs with Ed25519 or RSA. */
  publicKey: digest.optional(digest.text),
  permissions: digest.listOf(digest.textAs<Permission>()),
  ipAllowList: digest.listOf(digest.text),
  label: digest.text,
  createdMs: digest.number,
};
export type ApiKey = digest.RecordOf<typeof API_KEY>;

/** Whether the public key of an API key is an RSA key. All such keys begin with the length of a long sequence. */
export function isRsaPublicKey(publicKey: string): boolean {
  return publicKey.startsWith("MII");
}

// Records of operators and of holders of a password.

/**
 * Roles of operators: a viewer has read access, support serves customers, a treasurer moves money, an admin may do
 * everything.
 */
export const OPERATOR_ROLES = ["viewer", "support", "treasurer", "admin"] as const;
export type OperatorRole = (typeof OPERATOR_ROLES)[number];

export interface OperatorRecord {
  /** The name of the operator in `by`, and in the holder `operator:NAME`. */
  readonly name: string;
  readonly email: string;
  readonly role: OperatorRole;
  readonly isEnabled: boolean;
  /** Sealed two-factor secret; null if no code is required. */
  readonly sealedTotp: string | null;
  /** The time step of the last code, stored because a code is valid once; -1 if there was none. */
  readonly totpStep: number;
  readonly createdMs: number;
}

/**
 * The holder of a password and sessions, as text: `account:100` or `operator:carol`. As `by`, it is a customer or
 * operator who acts on their own account.
 */
export type Holder = string;

/**
 * An invitation to choose a password: for an existing holder or, if `opens` is present, for a new customer, whose
 * account is opened when the invitation is accepted.
 */
export interface InvitationRecord {
  /** 32 hex digits. */
  readonly invitationId: string;
  readonly secretHash: string;
  readonly email: string;
  readonly holder: Holder | null;
  readonly opens: { readonly name: string; readonly makerBps: number; readonly takerBps: number } | null;
  /** The inviting operator, or `SIGN_UP`. */
  readonly by: string;
  readonly createdMs: number;
  readonly untilMs: number;
}

/** A language, as in ISO 639-1. */
export const language = matching(/^[a-z]{2}$/);

export const CODE = { totpStep: optional(count), totpSecret: optional(sealed) };
/**
 * The two-factor code for a command on the author's own account: the time step of the code, and the sealed secret
 * against which it was checked. Absent if no code is required.
 */
export type CodeOfAct = Shaped<typeof CODE>;

export const SESSION = {
  /** 32 hex digits. */
  sessionId: digest.text,
  holder: digest.text,
  secretHash: digest.text,
  /** The previous secret's hash, which concurrent requests may still use after a renewal; "" if there was none. */
  previousHash: digest.text,
  openedMs: digest.number,
  renewedMs: digest.number,
  untilMs: digest.number,
  ip: digest.text,
  /** The user agent of the browser. */
  client: digest.text,
};
export type SessionRecord = digest.RecordOf<typeof SESSION>;

/** A password recovery. Its link can replace a forgotten password between `fromMs` and `untilMs`. */
export interface RecoveryRecord {
  /** 32 hex digits. */
  readonly recoveryId: string;
  readonly holder: Holder;
  readonly secretHash: string;
  readonly askedMs: number;
  readonly fromMs: number;
  readonly untilMs: number;
}

/** The kinds of emails that the exchange sends to customers and operators. */
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

/** A queued email: everything that is needed to write it, except secrets, which are derived from the master key. */
export interface NoticeRecord {
  /** Numbered from 1. */
  readonly noticeId: number;
  readonly kind: NoticeKind;
  readonly email: string;
  /** Names and values of the data in the email, as text. */
  readonly facts: Readonly<Record<string, string>>;
  readonly createdMs: number;
  readonly status: LetterStatus;
}

/** The author of invitations by visitors, if sign-up is open. */
export const SIGN_UP = "sign up";
/** The author of the commands that publish daily proofs. */
export const DAILY_PROOFS = "daily proofs";
/** The author of the commands that end locks of API trading when the rules that caused them are disabled. */
export const TRADING_RULES = "trading rules";
/**
 * The author of the commands that list the assets and symbols of the configuration when a node starts. Used in journals
 * since the first release.
 */
export const CONFIGURATION = "configuration";
/**
 * The node uses these names for its own commands, so that approval rules do not block them. No operator can have such a
 * name: most contain spaces, and the admin server rejects `configuration`.
 */
export const NODES_OWN_NAMES: readonly string[] = [SIGN_UP, DAILY_PROOFS, TRADING_RULES, CONFIGURATION];

// Commands: invitations, passwords, sessions, recovery, and the emails about these. `by` is an operator, or `account:100`
// for commands on that account; `SIGN_UP` is a visitor.

const holder = matching(/^(account:[1-9][0-9]{0,15}|operator:[a-z][a-z0-9._-]{0,31})$/);
const rate = integer(0, MAX_FEE_BPS);
const client = text(0, MAX_CLIENT_LENGTH);
const letterStatus = oneOf(...LETTER_STATUSES);

export const ACCESS_COMMANDS = {
  /**
   * Invites a person to choose a password, for a new account (`opens`) or an existing holder (`holder`). Queues an
   * email.
   */
  invite: {
    ...AUTHOR,
    invitationId: id,
    secretHash: hash,
    email: name,
    holder: nullable(holder),
    opens: nullable(fields({ name: note, makerBps: rate, takerBps: rate })),
    untilMs: count,
    /** The language of the email. */
    language: optional(language),
  },
  revokeInvitation: { ...AUTHOR, invitationId: id },
  /**
   * Sets the chosen password, and opens the account of a new customer. An invitation is valid once. `name` is the
   * display name that a new customer has chosen; if absent, the name in the invitation is used.
   */
  acceptInvitation: { invitationId: id, secretHash: hash, sealedPassword: sealed, name: optional(note) },
  /**
   * Changes the password. `was` is the sealed password against which the old one was checked, so that of two concurrent
   * changes the second is rejected (PASSWORD_DIFFERS). Closes all sessions except the one with the id `except`.
   */
  setPassword: { ...AUTHOR, ...CODE, holder, was: sealed, sealedPassword: sealed, except: nullable(id) },
  /** Signs in. The two-factor code, if required, has the same fields as in `requestWithdrawal`. */
  openSession: {
    holder,
    sessionId: id,
    secretHash: hash,
    /** The sealed password against which the received one was checked. */
    sealedPassword: sealed,
    totpStep: nullable(count),
    totpSecret: optional(sealed),
    untilMs: count,
    ip: client,
    client,
  },
  /** Continues the session with another secret. Rejected if `secretHash` is not that of the newest secret. */
  renewSession: { sessionId: id, secretHash: hash, newSecretHash: hash },
  closeSession: { ...AUTHOR, sessionId: id },
  /** Closes all sessions of the holder except one. */
  closeSessions: { ...AUTHOR, holder, except: nullable(id) },
  /** Requests a recovery of the holder's password. Queues an email with a link that is valid from `fromMs` on. */
  askRecovery: { holder, recoveryId: id, secretHash: hash, fromMs: count, untilMs: count },
  /** Cancels a recovery, by the holder or with the link in the email. */
  cancelRecovery: { ...AUTHOR, recoveryId: id },
  /** Replaces the password with a valid recovery link. All sessions are closed, and withdrawals are held for a day. */
  recover: { recoveryId: id, secretHash: hash, sealedPassword: sealed },
  /**
   * Locks a customer's account: all sessions and API keys end, and only an operator can allow withdrawals and trading
   * again.
   */
  freezeAccount: { ...AUTHOR, accountId: count },
  /**
   * A visitor tried to sign up with the email address of an existing account. The owner gets an email; the answer to
   * the visitor does not reveal the account.
   */
  tellAlreadyKnown: { holder },
  /**
   * Changes the state of an email. Rejected unless its state is `from`. An email that is sent, failed or unknown is
   * removed.
   */
  changeNotice: { noticeId: count, from: letterStatus, to: letterStatus },
};
export type AccessCommand = CommandsOf<typeof ACCESS_COMMANDS>;
