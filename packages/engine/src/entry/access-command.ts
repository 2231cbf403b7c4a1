/**
 * Commands of those who sign in: invitations, passwords, sessions, recovery, and the letters about these. `holder` and
 * the hashes are as in `access-record.ts`.
 */
import type { CodeOfAct, Holder } from "./access-record.ts";
import type { LetterStatus } from "./wallet-record.ts";

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
