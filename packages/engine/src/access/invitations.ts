/** Invitations: an operator, or a visitor if sign-up is open, lets a customer or an operator choose a password. */
import { present } from "../assert.ts";
import type { Command } from "../entry/command.ts";
import { foldedEmail, type InvitationRecord, SIGN_UP } from "../entry/access.ts";
import type { RejectReason } from "../entry/reject.ts";
import {
  MAX_ACCOUNTS,
  MAX_FEE_BPS,
  MAX_INVITATION_LIFE_MS,
  MAX_INVITATIONS,
  MAX_INVITATIONS_AT_SIGN_UP,
  RECOVERY_HOLD_MS,
} from "../limits.ts";
import type { ExchangeState } from "../state/exchange-state.ts";
import { emailOf, isEmailShared, isEmailTaken, isHolderShared, knownHolder } from "./holders.ts";
import { closeOthers, endRecovery } from "./sign-in.ts";

export function invite(state: ExchangeState, command: Command<"invite">): RejectReason | null {
  const { invitationId, secretHash, holder, opens, by, untilMs } = command;
  if ((holder === null) === (opens === null)) return "INVALID_VALUE";
  if (untilMs <= state.nowMs || untilMs > state.nowMs + MAX_INVITATION_LIFE_MS) return "INVALID_VALUE";
  if (state.invitations.get(invitationId) !== undefined) return "ALREADY_EXISTS";
  const reason = holder === null ? checkNewCustomer(state, command) : checkHolder(state, holder, command.email);
  if (reason !== null) return reason;
  const email = (holder === null ? undefined : knownHolder(state, holder)?.email) ?? emailOf(state, command.email);
  const isSignUp = by === SIGN_UP;
  if (state.invitations.size >= (isSignUp ? MAX_INVITATIONS_AT_SIGN_UP : MAX_INVITATIONS)) {
    const oldest = isSignUp && state.edition >= 4 ? state.invitations.oldestOf(SIGN_UP) : undefined;
    if (oldest === undefined) return "TOO_MANY";
    over(state, oldest, "revoked", null);
  }
  const createdMs = state.nowMs;
  state.invitations.add({ invitationId, secretHash, email, holder, opens, by, createdMs, untilMs });
  state.emit({ type: "invitationChanged", invitationId, email, status: "open", holder });
  const written = command.language === undefined ? {} : { language: command.language };
  const whose = holder === null ? {} : { holder };
  state.queueEmail("invitation", email, { invitationId, untilMs: String(untilMs), ...whose, ...written });
  return null;
}

function checkNewCustomer(state: ExchangeState, { email, opens }: Command<"invite">): RejectReason | null {
  if (opens === null || opens.makerBps > MAX_FEE_BPS || opens.takerBps > MAX_FEE_BPS) return "INVALID_VALUE";
  if (isEmailShared(state, email)) return "EMAIL_SHARED";
  return isEmailTaken(state, email) ? "ALREADY_EXISTS" : null;
}

/** Checks an existing holder. The email is sent only to the address that the exchange has stored. */
function checkHolder(state: ExchangeState, holder: string, email: string): RejectReason | null {
  const known = knownHolder(state, holder);
  if (known === undefined) return "UNKNOWN_ACCOUNT";
  if (isHolderShared(state, holder)) return "EMAIL_SHARED";
  const isKnown = state.edition < 4 ? known.email === email : foldedEmail(known.email) === foldedEmail(email);
  return isKnown ? null : "INVALID_VALUE";
}

export function revokeInvitation(
  state: ExchangeState,
  { invitationId }: Command<"revokeInvitation">,
): RejectReason | null {
  const invitation = state.invitations.get(invitationId);
  if (invitation === undefined) return "UNKNOWN_INVITATION";
  over(state, invitation, "revoked", invitation.holder);
  return null;
}

export function acceptInvitation(state: ExchangeState, command: Command<"acceptInvitation">): RejectReason | null {
  const invitation = state.invitations.get(command.invitationId);
  if (invitation === undefined || state.nowMs >= invitation.untilMs) return "UNKNOWN_INVITATION";
  if (invitation.secretHash !== command.secretHash) return "WRONG_CONFIRMATION";
  const reason = invitation.holder === null ? checkOpening(state, invitation) : null;
  if (reason !== null) return reason;
  if (invitation.holder !== null && knownHolder(state, invitation.holder)?.isEnabled !== true) return "NOT_PERMITTED";
  if (invitation.holder !== null && isHolderShared(state, invitation.holder)) return "EMAIL_SHARED";
  const holder = invitation.holder ?? openCustomer(state, invitation, command.name);
  closeOthers(state, holder, null);
  endRecovery(state, holder, "cancelled");
  const isReplaced = state.passwords.get(holder) !== undefined;
  // The inviting operator has seen the link as well. Withdrawals are held as after a recovery, so that the holder has
  // time to notice.
  state.passwords.set(holder, command.sealedPassword, isReplaced ? state.nowMs + RECOVERY_HOLD_MS : undefined);
  over(state, invitation, "accepted", holder);
  state.emit({ type: "passwordSet", holder });
  if (isReplaced) state.queueEmail("recovered", invitation.email, { holder });
  return null;
}

function checkOpening(state: ExchangeState, { email }: InvitationRecord): RejectReason | null {
  if (isEmailTaken(state, email)) return "ALREADY_EXISTS";
  return state.accounts.size >= MAX_ACCOUNTS ? "TOO_MANY" : null;
}

function openCustomer(state: ExchangeState, { email, opens }: InvitationRecord, wanted: string | undefined): string {
  const { name, makerBps, takerBps } = present(opens, "an invitation is of a holder or of a new customer");
  const { accountId } = state.accounts.open(
    emailOf(state, email),
    wanted ?? name,
    { makerBps, takerBps },
    null,
    state.nowMs,
  );
  state.emit({ type: "accountOpened", accountId });
  return `account:${accountId}`;
}

function over(
  state: ExchangeState,
  { invitationId, email }: InvitationRecord,
  status: "accepted" | "revoked" | "expired",
  holder: string | null,
): void {
  state.invitations.remove(invitationId);
  state.emit({ type: "invitationChanged", invitationId, email, status, holder });
}

/** Revokes invitations that were sent to an address that no longer belongs to the holder. */
export function revokeInvitationsOf(state: ExchangeState, holder: string): void {
  for (const invitation of [...state.invitations.all()]) {
    if (invitation.holder === holder) over(state, invitation, "revoked", holder);
  }
}

/** Removes invitations that were not accepted in time. */
export function expireInvitations(state: ExchangeState): void {
  for (const invitation of [...state.invitations.all()]) {
    if (state.nowMs >= invitation.untilMs) over(state, invitation, "expired", invitation.holder);
  }
}

export function tellAlreadyKnown(state: ExchangeState, { holder }: Command<"tellAlreadyKnown">): RejectReason | null {
  const known = knownHolder(state, holder);
  if (known === undefined) return "UNKNOWN_ACCOUNT";
  state.queueEmail("alreadyKnown", known.email, { holder });
  return null;
}
