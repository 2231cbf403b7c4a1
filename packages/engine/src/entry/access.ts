/**
 * Sign-in: records of operators and of customers with a password, API keys, and the commands that change them. Secrets
 * are never here: a password's hash is sealed, and of the secrets in links and cookies there is only the SHA-256, 64 hex
 * digits.
 */
import type { LetterStatus } from "./wallet-record.ts";

/**
 * The address in lower case, as sign-up stores it. Only ASCII letters are folded: how other letters fold depends on the
 * version of Unicode, and may make one address of two.
 */
export function foldedEmail(email: string): string {
  return /[A-Z]/.test(email) ? email.replace(/[A-Z]+/g, (letters) => letters.toLowerCase()) : email;
}

// API keys: which requests they allow, and from where. Interface 5.

/**
 * Permissions of a key: the security types of the interface (section 5) and, apart from them, withdrawing (Interface
 * S.18). By default a key has all but WITHDRAW.
 */
export type Permission = "MARKET_DATA" | "USER_STREAM" | "TRADE" | "USER_DATA" | "WITHDRAW";

export const PERMISSIONS: readonly Permission[] = ["MARKET_DATA", "USER_STREAM", "TRADE", "USER_DATA", "WITHDRAW"];

export interface ApiKey {
  readonly apiKey: string;
  readonly accountId: number;
  /** The secret, encrypted by the node; opaque here. "" when the key signs with Ed25519. */
  readonly sealedSecret: string;
  /** SubjectPublicKeyInfo, base64, of a key that signs with Ed25519. */
  readonly publicKey?: string;
  readonly permissions: readonly Permission[];
  readonly ipAllowList: readonly string[];
  readonly label: string;
  readonly createdMs: number;
}

// Records of operators and of holders of a password.

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

// Commands: invitations, passwords, sessions, recovery, and the emails about these.

/** `by` is an operator, or `account:100`, who acts on what is that account's own; `SIGN_UP` is a stranger. */
interface Act {
  readonly by: string;
}

/** Lets somebody choose a password: for an account to be opened (`opens`), or one's own (`holder`). A letter is owed. */
export interface Invite extends Act {
  readonly type: "invite";
  readonly invitationId: string;
  readonly secretHash: string;
  readonly email: string;
  readonly holder: Holder | null;
  readonly opens: { readonly name: string; readonly makerBps: number; readonly takerBps: number } | null;
  readonly untilMs: number;
}
export interface RevokeInvitation extends Act {
  readonly type: "revokeInvitation";
  readonly invitationId: string;
}
/** The invited chose a password; a new customer's account opens. An invitation is good once. */
export interface AcceptInvitation {
  readonly type: "acceptInvitation";
  readonly invitationId: string;
  readonly secretHash: string;
  readonly sealedPassword: string;
  /** What a new customer wants to be called; absent: as the invitation says. */
  readonly name?: string;
}
/**
 * Another password. `was` is the sealed one against which the old password was checked, so of two changes at a time the
 * second is refused (PASSWORD_DIFFERS). Ends all sessions but `except`.
 */
export interface SetPassword extends Act, CodeOfAct {
  readonly type: "setPassword";
  readonly holder: Holder;
  readonly was: string;
  readonly sealedPassword: string;
  readonly except: string | null;
}
/** Signs in. The code, if one is required, is as in `RequestWithdrawal`. */
export interface OpenSession {
  readonly type: "openSession";
  readonly holder: Holder;
  readonly sessionId: string;
  readonly secretHash: string;
  /** The sealed password against which the one that was sent was checked. */
  readonly sealedPassword: string;
  readonly totpStep: number | null;
  readonly totpSecret?: string;
  readonly untilMs: number;
  readonly ip: string;
  readonly client: string;
}
/** The session goes on with another secret; refused when the old one is not the newest. */
export interface RenewSession {
  readonly type: "renewSession";
  readonly sessionId: string;
  readonly secretHash: string;
  readonly newSecretHash: string;
}
export interface CloseSession extends Act {
  readonly type: "closeSession";
  readonly sessionId: string;
}
/** Ends all sessions of the holder but one. */
export interface CloseSessions extends Act {
  readonly type: "closeSessions";
  readonly holder: Holder;
  readonly except: string | null;
}
/** Somebody says that the holder's password is forgotten. A letter is owed; the link is good from `fromMs` on. */
export interface AskRecovery {
  readonly type: "askRecovery";
  readonly holder: Holder;
  readonly recoveryId: string;
  readonly secretHash: string;
  readonly fromMs: number;
  readonly untilMs: number;
}
/** The holder, or whoever has the letter, says that nobody may recover. */
export interface CancelRecovery extends Act {
  readonly type: "cancelRecovery";
  readonly recoveryId: string;
}
/** The link was followed in its time: another password, all sessions end, and for a day nothing may be withdrawn. */
export interface Recover {
  readonly type: "recover";
  readonly recoveryId: string;
  readonly secretHash: string;
  readonly sealedPassword: string;
}
/** A customer fears a thief: all sessions and API keys end, and only an operator allows withdrawals and trading again. */
export interface FreezeAccount extends Act {
  readonly type: "freezeAccount";
  readonly accountId: number;
}
/** A stranger wanted an account with a mail address that has one: only the letter says so. */
export interface TellAlreadyKnown {
  readonly type: "tellAlreadyKnown";
  readonly holder: Holder;
}
/** Where a letter stands. Refused unless it stands at `from`; one that is sent, failed or unknown is over. */
export interface ChangeNotice {
  readonly type: "changeNotice";
  readonly noticeId: number;
  readonly from: LetterStatus;
  readonly to: LetterStatus;
}

export type AccessCommand =
  | Invite
  | RevokeInvitation
  | AcceptInvitation
  | SetPassword
  | OpenSession
  | RenewSession
  | CloseSession
  | CloseSessions
  | AskRecovery
  | CancelRecovery
  | Recover
  | FreezeAccount
  | TellAlreadyKnown
  | ChangeNotice;
