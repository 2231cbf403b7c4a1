/** Sessions, passwords and two-factor codes in the model, and the emails to the owners of accounts. */
import type { Command, NoticeKind, RejectReason } from "@pricetime/engine";
import { type Answer, type Happening, plainResult } from "./happening.ts";
import { holderOf, type ModelAccess, type ModelHolder, sharesEmail } from "./state.ts";

// Emails: each has a number, and is pending until its outcome is known.

type Facts = Readonly<Record<string, string>>;

export function owe(access: ModelAccess, kind: NoticeKind, email: string, facts: Facts): Happening[] {
  const noticeId = access.noticesEver.length + 1;
  const createdMs = access.exchange.nowMs;
  const notice = { noticeId, kind, email, facts, createdMs, status: "waiting" as const };
  access.noticesEver.push(notice);
  access.notices = [...access.notices, notice];
  return [noticeResult(noticeId, kind, "waiting")];
}

/** Notifies the owner of an account, or the master of a sub-account, of every change that a session makes to it. */
export function oweOwner(
  access: ModelAccess,
  kind: NoticeKind,
  accountId: number,
  by: string,
  facts: Facts,
): Happening[] {
  if (!/^(account:[0-9]|operator:.)/.test(by)) return [];
  const { accounts } = access.exchange;
  const owner = accounts.get(accounts.get(accountId)?.masterId ?? accountId)!;
  return owe(access, kind, owner.email, {
    holder: `account:${owner.accountId}`,
    account: `${accountId}`,
    by,
    ...facts,
  });
}

export function tellAlreadyKnown(access: ModelAccess, { holder }: Command<"tellAlreadyKnown">): Answer {
  const known = holderOf(access.exchange, holder);
  return known === undefined ? "UNKNOWN_ACCOUNT" : owe(access, "alreadyKnown", known.email, { holder });
}

export function changeNotice(access: ModelAccess, { noticeId, from, to }: Command<"changeNotice">): Answer {
  const notice = access.notices.find((owed) => owed.noticeId === noticeId);
  if (notice === undefined) return "UNKNOWN_LETTER";
  if (notice.status !== from) return "WRONG_STATUS";
  const isOver = to === "sent" || to === "failed" || to === "unknown";
  access.notices = access.notices.flatMap((owed) =>
    owed !== notice ? [owed] : isOver ? [] : [{ ...notice, status: to }],
  );
  return [noticeResult(noticeId, notice.kind, to)];
}

function noticeResult(noticeId: number, kind: string, status: string): Happening {
  return plainResult(`letter ${noticeId} about ${kind}: ${status}`);
}

function useStep({ exchange, operatorSteps }: ModelAccess, holder: string, step: number): void {
  const name = holder.slice(holder.indexOf(":") + 1);
  if (holder.startsWith("operator:")) operatorSteps.push({ name, step });
  else exchange.wallet.totpSteps.push({ accountId: Number(name), step });
}

export function setOperatorTotp(access: ModelAccess, command: Command<"setOperatorTotp">): Answer {
  const { name, sealedSecret, by } = command;
  const operator = access.exchange.venue.operators.find((known) => known.name === name);
  if (operator === undefined) return "UNKNOWN_OPERATOR";
  if (sealedSecret !== null && operator.totpSecret !== null) return "ALREADY_EXISTS";
  operator.totpSecret = sealedSecret;
  const facts = { holder: `operator:${name}`, by, change: sealedSecret === null ? "removed" : "set" };
  return [plainResult(`operator ${name} changed`), ...owe(access, "totpChanged", operator.email, facts)];
}

// Commands in which customers and operators send a two-factor code, because they change the author's own account. Each
// code is valid once.

const CODED = ["createApiKey", "allowAddress", "setAddressList", "setTotp", "setPassword", "setOperatorTotp"];

/** The fields of a two-factor code in commands. */
interface Code {
  readonly totpStep?: number | null;
  readonly totpSecret?: string;
}

interface Act extends Code {
  readonly by?: string;
  readonly sealedSecret?: string | null;
  readonly name?: string;
}

export function codeRefusal(access: ModelAccess, command: Command): RejectReason | null {
  if (!CODED.includes(command.type)) return null;
  const act = command as Act;
  const holder = whose(access, command);
  const known = holder === null ? undefined : holderOf(access.exchange, holder);
  if (known === undefined) return act.totpStep === undefined ? null : "INVALID_VALUE";
  if (!/^set(Operator)?Totp$/.test(command.type) || act.sealedSecret === null) return wrongCode(known, act);
  return act.totpStep === undefined || act.totpSecret === act.sealedSecret ? null : "TOTP_DIFFERS";
}

/** Marks the command's two-factor code as used. Called after the command was executed. */
export function spendCode(access: ModelAccess, command: Command): void {
  const { totpStep } = command as Act;
  const holder = CODED.includes(command.type) ? whose(access, command) : null;
  if (holder !== null && typeof totpStep === "number") useStep(access, holder, totpStep);
}

function wrongCode({ totpSecret, steps }: ModelHolder, code: Code): RejectReason | null {
  if (totpSecret === null) return null;
  const { totpStep } = code;
  if (totpStep === undefined || totpStep === null) return "TOTP_REQUIRED";
  if (code.totpSecret !== totpSecret) return "TOTP_DIFFERS";
  return steps.some((used) => used >= totpStep) ? "TOTP_REUSED" : null;
}

/**
 * Returns the holder whose code the command needs; null if the command is not by a holder, or the holder could not have
 * signed in.
 */
function whose({ exchange, passwords }: ModelAccess, command: Command): string | null {
  const { by = "", name = "" } = command as Act;
  if (exchange.venue.operators.length === 0 && passwords.length === 0) return null;
  if (/^account:[1-9][0-9]{0,15}$/.test(by)) return by;
  const isOwn = command.type === "setPassword" || (command.type === "setOperatorTotp" && by === `operator:${name}`);
  return isOwn && by.startsWith("operator:") ? by : null;
}

// Sessions. A sign-in requires the newest password and an unused code.

const DAY_MS = 24 * 3_600_000;
const LONGEST_SESSION_MS = 30 * DAY_MS;
const MOST_OF_ONE = 20;

export function openSession(access: ModelAccess, command: Command<"openSession">): Answer {
  const { nowMs } = access.exchange;
  const { holder, sessionId, secretHash, untilMs, ip, client } = command;
  const known = holderOf(access.exchange, holder);
  if (known === undefined) return "UNKNOWN_ACCOUNT";
  if (!known.isEnabled) return "NOT_PERMITTED";
  if (access.passwordOf(holder)?.sealedPassword !== command.sealedPassword) return "PASSWORD_DIFFERS";
  if (untilMs <= nowMs || untilMs > nowMs + LONGEST_SESSION_MS) return "INVALID_VALUE";
  if (access.sessions.some((open) => open.sessionId === sessionId)) return "ALREADY_EXISTS";
  const wrong = wrongCode(known, command);
  if (wrong !== null) return wrong;
  if (known.totpSecret !== null) useStep(access, holder, command.totpStep!);
  const isFamiliar = access.sessions.some((open) => open.holder === holder && open.ip === ip && open.client === client);
  const closed = makeRoom(access, holder);
  const times = { openedMs: nowMs, renewedMs: nowMs, untilMs };
  access.sessions = [...access.sessions, { sessionId, holder, secretHash, previousHash: "", ...times, ip, client }];
  return [
    ...closed,
    plainResult(`session ${sessionId} of ${holder} opened until ${untilMs}`),
    ...(isFamiliar ? [] : owe(access, "newSignIn", known.email, { holder, ip, client })),
  ];
}

/** Closes sessions to make room for one more: first the expired ones, then the oldest. */
function makeRoom(access: ModelAccess, holder: string): Happening[] {
  const { nowMs } = access.exchange;
  const over = access.sessions.filter((open) => open.holder === holder && open.untilMs <= nowMs);
  const left = access.sessions.filter((open) => open.holder === holder && open.untilMs > nowMs);
  const oldest = left.slice(0, Math.max(0, left.length - MOST_OF_ONE + 1));
  return [...over, ...oldest].flatMap(({ sessionId }) => close(access, sessionId));
}

function close(access: ModelAccess, sessionId: string): Happening[] {
  const closed = access.sessions.filter((open) => open.sessionId === sessionId);
  access.sessions = access.sessions.filter((open) => open.sessionId !== sessionId);
  return closed.map(({ holder }) => plainResult(`session ${sessionId} of ${holder} closed`));
}

/** Closes all sessions of the holder except one. */
export function closeOthers(access: ModelAccess, holder: string, except: string | null): Happening[] {
  const mine = access.sessions.filter((open) => open.holder === holder && open.sessionId !== except);
  return mine.flatMap(({ sessionId }) => close(access, sessionId));
}

export function renewSession(access: ModelAccess, command: Command<"renewSession">): Answer {
  const { nowMs } = access.exchange;
  const session = access.sessions.find(({ sessionId }) => sessionId === command.sessionId);
  if (session === undefined || session.untilMs <= nowMs) return "UNKNOWN_SESSION";
  if (session.secretHash !== command.secretHash) return "WRONG_CONFIRMATION";
  const hashes = { previousHash: session.secretHash, secretHash: command.newSecretHash };
  access.sessions = access.sessions.map((open) =>
    open === session ? { ...session, ...hashes, renewedMs: nowMs } : open,
  );
  return [];
}

export function closeSession(access: ModelAccess, { sessionId }: Command<"closeSession">): Answer {
  const closed = close(access, sessionId);
  return closed.length === 0 ? "UNKNOWN_SESSION" : closed;
}

export function closeSessions(access: ModelAccess, { holder, except }: Command<"closeSessions">): Answer {
  return holderOf(access.exchange, holder) === undefined ? "UNKNOWN_ACCOUNT" : closeOthers(access, holder, except);
}

// Passwords, and the links that replace a forgotten one.

const HELD_MS = DAY_MS;
const LONGEST_LINK_MS = 14 * DAY_MS;

/** Replaces a password. `isHeld` blocks withdrawals for a day. Otherwise a current block is not changed. */
export function putPassword(access: ModelAccess, holder: string, sealedPassword: string, isHeld: boolean): Happening[] {
  const before = access.passwordOf(holder);
  const heldUntilMs = isHeld ? access.exchange.nowMs + HELD_MS : (before?.heldUntilMs ?? 0);
  const others = access.passwords.filter((known) => known !== before);
  access.passwords = [...others, { holder, sealedPassword, heldUntilMs }];
  return [plainResult(`password of ${holder} set`)];
}

export function setPassword(access: ModelAccess, command: Command<"setPassword">): Answer {
  const { holder, was, sealedPassword, except } = command;
  const known = holderOf(access.exchange, holder);
  if (known === undefined) return "UNKNOWN_ACCOUNT";
  if (!known.isEnabled) return "NOT_PERMITTED";
  if (access.passwordOf(holder)?.sealedPassword !== was) return "PASSWORD_DIFFERS";
  return [
    ...putPassword(access, holder, sealedPassword, false),
    ...closeOthers(access, holder, except),
    ...endRecovery(access, holder, "cancelled"),
    ...owe(access, "passwordChanged", known.email, { holder }),
  ];
}

export function askRecovery(access: ModelAccess, command: Command<"askRecovery">): Answer {
  const { nowMs } = access.exchange;
  const { holder, recoveryId, secretHash, fromMs, untilMs } = command;
  const known = holderOf(access.exchange, holder);
  if (known === undefined || access.passwordOf(holder) === undefined) return "UNKNOWN_ACCOUNT";
  if (!known.isEnabled) return "NOT_PERMITTED";
  if (sharesEmail(access.exchange, holder)) return "EMAIL_SHARED";
  if (untilMs <= fromMs || untilMs <= nowMs || untilMs > nowMs + LONGEST_LINK_MS) return "INVALID_VALUE";
  if (access.recoveries.some((open) => open.holder === holder && open.untilMs > nowMs)) return "ALREADY_EXISTS";
  const others = access.recoveries.filter((open) => open.holder !== holder);
  if (others.some((open) => open.recoveryId === recoveryId)) return "ALREADY_EXISTS";
  access.recoveries = [...others, { holder, recoveryId, secretHash, askedMs: nowMs, fromMs, untilMs }];
  const facts = { holder, recoveryId, fromMs: `${fromMs}`, untilMs: `${untilMs}` };
  return [recoveryResult(recoveryId, holder, "asked"), ...owe(access, "recovery", known.email, facts)];
}

export function cancelRecovery(access: ModelAccess, { recoveryId }: Command<"cancelRecovery">): Answer {
  const open = access.recoveries.find((known) => known.recoveryId === recoveryId);
  return open === undefined ? "UNKNOWN_RECOVERY" : endRecovery(access, open.holder, "cancelled");
}

export function recover(access: ModelAccess, command: Command<"recover">): Answer {
  const { nowMs } = access.exchange;
  const open = access.recoveries.find(({ recoveryId }) => recoveryId === command.recoveryId);
  if (open === undefined || nowMs >= open.untilMs) return "UNKNOWN_RECOVERY";
  if (open.secretHash !== command.secretHash) return "WRONG_CONFIRMATION";
  if (nowMs < open.fromMs) return "TOO_SOON";
  const { holder } = open;
  const known = holderOf(access.exchange, holder);
  if (known === undefined || !known.isEnabled) return "NOT_PERMITTED";
  if (sharesEmail(access.exchange, holder)) return "EMAIL_SHARED";
  return [
    ...putPassword(access, holder, command.sealedPassword, true),
    ...endRecovery(access, holder, "done"),
    ...closeOthers(access, holder, null),
    ...owe(access, "recovered", known.email, { holder }),
  ];
}

export function endRecovery(access: ModelAccess, holder: string, status: string): Happening[] {
  const open = access.recoveries.filter((known) => known.holder === holder);
  access.recoveries = access.recoveries.filter((known) => known.holder !== holder);
  return open.map(({ recoveryId }) => recoveryResult(recoveryId, holder, status));
}

function recoveryResult(recoveryId: string, holder: string, status: string): Happening {
  return plainResult(`recovery ${recoveryId} of ${holder}: ${status}`);
}
