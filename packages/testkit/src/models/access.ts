/**
 * Invitations, locked accounts and published proofs in the model, and the commands of signed-in customers and
 * operators.
 */
import { type Command, type AccessCommand, type InvitationRecord, SIGN_UP } from "@pricetime/engine";
import type { ModelAccount } from "./money.ts";
import { type Answer, type Answers, type Happening, plainResult } from "./happening.ts";
import { having, holderOf, type ModelAccess, sharesEmail, stored } from "./state.ts";
import {
  askRecovery,
  cancelRecovery,
  changeNotice,
  closeOthers,
  closeSession,
  closeSessions,
  endRecovery,
  openSession,
  owe,
  putPassword,
  recover,
  renewSession,
  setOperatorTotp,
  setPassword,
  tellAlreadyKnown,
} from "./sign-in.ts";
import { expireOrdersOf } from "./order-ends.ts";
import { cancelUnsent } from "./withdrawals.ts";

const DAY_MS = 24 * 3_600_000;
const LONGEST_LIFE_MS = 30 * DAY_MS;
const MOST_OPEN = 100_000;
const MOST_OPEN_AT_SIGN_UP = MOST_OPEN / 2;

function invite(access: ModelAccess, command: Command<"invite">): Answer {
  const { exchange } = access;
  const { invitationId, secretHash, holder, opens, by, untilMs } = command;
  if ((holder === null) === (opens === null)) return "INVALID_VALUE";
  if (untilMs <= exchange.nowMs || untilMs > exchange.nowMs + LONGEST_LIFE_MS) return "INVALID_VALUE";
  if (access.invitations.some((open) => open.invitationId === invitationId)) return "ALREADY_EXISTS";
  const others = holder === null ? having(exchange, command.email) : [];
  if (others.length > 1) return "EMAIL_SHARED";
  if (others.length > 0) return "ALREADY_EXISTS";
  const known = holder === null ? { email: stored(exchange, command.email) } : holderOf(exchange, holder);
  if (known === undefined) return "UNKNOWN_ACCOUNT";
  if (holder !== null && sharesEmail(exchange, holder)) return "EMAIL_SHARED";
  if (stored(exchange, known.email) !== stored(exchange, command.email)) return "INVALID_VALUE";
  const { email } = known;
  const isFull = access.invitations.length >= (by === SIGN_UP ? MOST_OPEN_AT_SIGN_UP : MOST_OPEN);
  const ofStrangers = exchange.edition < 4 || by !== SIGN_UP ? [] : access.invitations.filter((open) => open.by === by);
  const [oldest] = ofStrangers;
  if (isFull && oldest === undefined) return "TOO_MANY";
  const replaced = isFull && oldest !== undefined ? [over(access, oldest, "revoked", null)] : [];
  const invitation = { invitationId, secretHash, email, holder, opens, by, createdMs: exchange.nowMs, untilMs };
  access.invitations = [...access.invitations, invitation];
  const facts = { invitationId, untilMs: `${untilMs}`, ...(holder === null ? {} : { holder }) };
  return [...replaced, outcomeOf(invitation, "open", holder), ...owe(access, "invitation", email, facts)];
}

/**
 * Changes the email address of an account: links that were sent to the previous address become invalid, and an email to
 * it reports the change.
 */
export function moveAccount(access: ModelAccess, account: ModelAccount, email: string, by: string): Happening[] {
  const { accountId, email: before, masterId } = account;
  const holder = `account:${accountId}`;
  account.email = email;
  const ended = [...revokeOf(access, holder), ...endRecovery(access, holder, "cancelled")];
  return masterId === null ? [...ended, ...owe(access, "emailChanged", before, { holder, email, by })] : ended;
}

function revokeInvitation(access: ModelAccess, command: Command<"revokeInvitation">): Answer {
  const open = access.invitations.find(({ invitationId }) => invitationId === command.invitationId);
  return open === undefined ? "UNKNOWN_INVITATION" : [over(access, open, "revoked", open.holder)];
}

function acceptInvitation(access: ModelAccess, command: Command<"acceptInvitation">): Answer {
  const { exchange } = access;
  const open = access.invitations.find(({ invitationId }) => invitationId === command.invitationId);
  if (open === undefined || open.untilMs <= exchange.nowMs) return "UNKNOWN_INVITATION";
  if (open.secretHash !== command.secretHash) return "WRONG_CONFIRMATION";
  if (open.holder === null && having(exchange, open.email).length > 0) return "ALREADY_EXISTS";
  if (open.holder !== null && holderOf(exchange, open.holder)?.isEnabled !== true) return "NOT_PERMITTED";
  if (open.holder !== null && sharesEmail(exchange, open.holder)) return "EMAIL_SHARED";
  const opened = open.opens === null ? undefined : exchange.newAccount(open.email, open.opens, null);
  const holder = opened === undefined ? open.holder! : `account:${opened}`;
  const isReplaced = access.passwordOf(holder) !== undefined;
  const ended = [...closeOthers(access, holder, null), ...endRecovery(access, holder, "cancelled")];
  const set = putPassword(access, holder, command.sealedPassword, isReplaced);
  return [
    ...(opened === undefined ? [] : [plainResult(`account ${opened} opened`)]),
    ...ended,
    over(access, open, "accepted", holder),
    ...set,
    ...(isReplaced ? owe(access, "recovered", open.email, { holder }) : []),
  ];
}

/** Revokes everything that was sent to an address that no longer belongs to the holder. */
export function revokeOf(access: ModelAccess, holder: string): Happening[] {
  const open = access.invitations.filter((each) => each.holder === holder);
  return open.map((each) => over(access, each, "revoked", holder));
}

function over(access: ModelAccess, open: InvitationRecord, status: string, holder: string | null): Happening {
  access.invitations = access.invitations.filter((other) => other !== open);
  return outcomeOf(open, status, holder);
}

/** Removes expired invitations at a tick. */
export function expireInvitations(access: ModelAccess): Happening[] {
  const late = access.invitations.filter(({ untilMs }) => untilMs <= access.exchange.nowMs);
  return late.map((open) => over(access, open, "expired", open.holder));
}

function outcomeOf({ invitationId, email }: InvitationRecord, status: string, holder: string | null): Happening {
  return plainResult(`invitation ${invitationId} to ${email}: ${status}, of ${holder}`);
}

// Locking an account ends all its sessions and open orders, and cancels its withdrawals that were not paid yet.

function freezeAccount(access: ModelAccess, { accountId }: Command<"freezeAccount">): Answer {
  const { accounts, edition, wallet } = access.exchange;
  const account = accounts.get(accountId);
  if (account === undefined) return "UNKNOWN_ACCOUNT";
  const subs = [...accounts.values()].filter(({ masterId }) => masterId === accountId);
  const shut = [account, ...subs].flatMap((each) => {
    each.canTrade = false;
    each.canWithdraw = false;
    const orders = edition >= 4 ? expireOrdersOf(access.exchange, each.accountId) : [];
    return [plainResult(`account ${each.accountId} changed`), ...orders, ...cancelUnsent(wallet, each.accountId)];
  });
  const holder = `account:${accountId}`;
  const ended = closeOthers(access, holder, null);
  return [
    ...shut,
    ...ended,
    plainResult(`account ${accountId} frozen`),
    ...owe(access, "frozen", account.email, { holder }),
  ];
}

// Published proofs. Each refers to the previous one.

const NONE = "0".repeat(64);

function publishProof(access: ModelAccess, command: Command<"publishProof">): Answer {
  const { number, seq, root, previous } = command;
  const { lastProof } = access;
  if (seq >= access.seq) return "INVALID_VALUE";
  if (number === 1 ? previous !== NONE : previous === NONE) return "INVALID_VALUE";
  if (lastProof !== null) {
    if (number <= lastProof.number) return "ALREADY_EXISTS";
    if (number > lastProof.number + 1 || previous !== lastProof.root) return "WRONG_STATUS";
  }
  access.lastProof = { number, seq, root, previous, publishedMs: access.exchange.nowMs };
  return [plainResult(`proof ${number} of entry ${seq} published: ${root}`)];
}

type AccessType = AccessCommand["type"] | "setOperatorTotp" | "publishProof";

export const ACCESS_ANSWERS: Answers<ModelAccess, AccessType> = {
  invite,
  revokeInvitation,
  acceptInvitation,
  setPassword,
  openSession,
  renewSession,
  closeSession,
  closeSessions,
  askRecovery,
  cancelRecovery,
  recover,
  freezeAccount,
  tellAlreadyKnown,
  changeNotice,
  setOperatorTotp,
  publishProof,
};
