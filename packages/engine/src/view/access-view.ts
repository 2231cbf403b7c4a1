/** Queries about who signs in: operators, passwords, sessions, invitations, and letters that are owed. */
import type {
  Holder,
  InvitationRecord,
  NoticeRecord,
  OperatorRecord,
  RecoveryRecord,
  SessionRecord,
} from "../entry/access-record.ts";

export interface AccessView {
  operator(name: string): OperatorRecord | undefined;
  operators(): Iterable<OperatorRecord>;
  /** The sealed hash of the holder's password; undefined: the holder has none. */
  sealedPassword(holder: Holder): string | undefined;
  /** Until when the holder may not withdraw, because the password was recovered; 0: nothing is held. */
  heldUntilMs(holder: Holder): number;
  /** The time step of the last two-factor code of the account; -1: none yet. */
  totpStep(accountId: number): number;
  /** Undefined when there is none, or it is over at `nowMs`. */
  session(sessionId: string, nowMs: number): SessionRecord | undefined;
  sessions(holder: Holder, nowMs: number): readonly SessionRecord[];
  /** Undefined when there is none, or it is over at `nowMs`. */
  invitation(invitationId: string, nowMs: number): InvitationRecord | undefined;
  invitations(): Iterable<InvitationRecord>;
  recovery(recoveryId: string): RecoveryRecord | undefined;
  recoveryOf(holder: Holder): RecoveryRecord | undefined;
  notice(noticeId: number): NoticeRecord | undefined;
  /** Letters that are owed, oldest first. */
  notices(): Iterable<NoticeRecord>;
}
