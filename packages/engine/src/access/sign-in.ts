/** Sign-in: passwords, sessions, and two-factor codes. */
import type { Holder, SessionRecord } from "../entry/access.ts";
import type { Command } from "../entry/command.ts";
import type { RejectReason } from "../entry/reject.ts";
import type { ExchangeState } from "../state/exchange-state.ts";
import { accountIdOf, isHolderShared, type KnownHolder, knownHolder, operatorNameOf } from "./holders.ts";
import { MAX_RECOVERY_LIFE_MS, MAX_SESSION_LIFE_MS, MAX_SESSIONS_A_HOLDER, RECOVERY_HOLD_MS } from "../limits.ts";

// The two-factor codes with which customers and operators confirm sensitive commands. A code is valid only once,
// whether for a sign-in, such a command, or a withdrawal.

type CodedAct =
  | Command<"createApiKey">
  | Command<"allowAddress">
  | Command<"setAddressList">
  | Command<"setTotp">
  | Command<"setPassword">
  | Command<"setOperatorTotp">;

/** Commands with which a thief with an open session could steal money or lock out the account's owner. */
const CODED: ReadonlySet<string> = new Set<CodedAct["type"]>([
  ...(["createApiKey", "allowAddress", "setAddressList", "setTotp", "setPassword", "setOperatorTotp"] as const),
]);

const isCoded = (command: Command): command is CodedAct => CODED.has(command.type);

/**
 * The reason for rejecting the command if its code is missing or invalid; otherwise null. Commands on other holders'
 * accounts take no code.
 */
export function checkCommandCode(state: ExchangeState, command: Command): RejectReason | null {
  if (!isCoded(command)) return null;
  const holder = codeHolder(state, command);
  const known = holder === undefined ? undefined : knownHolder(state, holder);
  if (known === undefined) return command.totpStep === undefined ? null : "INVALID_VALUE";
  const begun = newSecret(command);
  // The first code for a new secret only proves that an app has the secret. There is nothing to protect yet.
  if (begun !== null) return command.totpStep === undefined || command.totpSecret === begun ? null : "TOTP_DIFFERS";
  return checkCode(known, command);
}

/** Marks the code of an executed command as used. */
export function markCodeUsed(state: ExchangeState, command: Command): void {
  if (!isCoded(command) || command.totpStep === undefined) return;
  const holder = codeHolder(state, command);
  if (holder !== undefined) useStep(state, holder, command.totpStep);
}

/**
 * Returns null if the holder needs no code, or the code is valid. A code must belong to the holder's current secret
 * (RFC 6238, 5.2).
 */
function checkCode(
  { sealedTotp, totpStep }: KnownHolder,
  code: { readonly totpStep?: number | null; readonly totpSecret?: string },
): RejectReason | null {
  if (sealedTotp === null) return null;
  if (code.totpStep === undefined || code.totpStep === null) return "TOTP_REQUIRED";
  if (code.totpSecret !== sealedTotp) return "TOTP_DIFFERS";
  return code.totpStep <= totpStep ? "TOTP_REUSED" : null;
}

/**
 * Stores the time step of a used code. The stored step never decreases, because the first code of another secret may be
 * from an earlier time.
 */
function useStep(state: ExchangeState, holder: Holder, totpStep: number): void {
  const accountId = accountIdOf(holder);
  if (accountId !== undefined) {
    state.funds.totpSteps.set(accountId, Math.max(totpStep, state.funds.totpSteps.get(accountId) ?? -1));
    return;
  }
  const operator = state.operators.get(operatorNameOf(holder) ?? "");
  if (operator !== undefined) state.operators.put({ ...operator, totpStep: Math.max(totpStep, operator.totpStep) });
}

/**
 * The holder whose code the command needs. Undefined if an operator acts for another holder, or the holder could not
 * have signed in.
 */
function codeHolder(state: ExchangeState, command: CodedAct): Holder | undefined {
  const { by } = command;
  if (state.approvedId !== null || !state.hasSignIn) return undefined;
  if (accountIdOf(by) !== undefined) return by;
  const isOwn =
    command.type === "setPassword" || (command.type === "setOperatorTotp" && by === `operator:${command.name}`);
  return isOwn && operatorNameOf(by) !== undefined ? by : undefined;
}

/** The secret for which codes are required from now on; null if the command sets none. */
function newSecret(command: CodedAct): string | null {
  return command.type === "setTotp" || command.type === "setOperatorTotp" ? command.sealedSecret : null;
}

// Sessions: opened with a password and, if required, a two-factor code; renewed, and closed.

export function openSession(state: ExchangeState, command: Command<"openSession">): RejectReason | null {
  const { holder, sessionId, secretHash, untilMs, ip, client } = command;
  const known = knownHolder(state, holder);
  if (known === undefined) return "UNKNOWN_ACCOUNT";
  if (!known.isEnabled) return "NOT_PERMITTED";
  if (state.passwords.get(holder) !== command.sealedPassword) return "PASSWORD_DIFFERS";
  if (untilMs <= state.nowMs || untilMs > state.nowMs + MAX_SESSION_LIFE_MS) return "INVALID_VALUE";
  if (state.sessions.get(sessionId) !== undefined) return "ALREADY_EXISTS";
  const reason = checkCode(known, command);
  if (reason !== null) return reason;
  if (known.sealedTotp !== null) useStep(state, holder, command.totpStep as number);
  const isFamiliar = state.sessions.of(holder).some((open) => open.ip === ip && open.client === client);
  makeRoom(state, holder);
  const session: SessionRecord = {
    ...{ sessionId, holder, secretHash, previousHash: "" },
    ...{ openedMs: state.nowMs, renewedMs: state.nowMs, untilMs, ip, client },
  };
  state.sessions.add(session);
  state.emit({ type: "sessionOpened", session });
  if (!isFamiliar) state.queueEmail("newSignIn", known.email, { holder, ip, client });
  return null;
}

/** Removes the holder's expired sessions, and the oldest ones if there are too many. */
function makeRoom(state: ExchangeState, holder: Holder): void {
  for (const session of state.sessions.of(holder)) if (state.nowMs >= session.untilMs) close(state, session);
  const open = state.sessions.of(holder);
  for (const session of open.slice(0, Math.max(0, open.length + 1 - MAX_SESSIONS_A_HOLDER))) close(state, session);
}

export function renewSession(state: ExchangeState, command: Command<"renewSession">): RejectReason | null {
  const session = state.sessions.get(command.sessionId);
  if (session === undefined || state.nowMs >= session.untilMs) return "UNKNOWN_SESSION";
  if (session.secretHash !== command.secretHash) return "WRONG_CONFIRMATION";
  const { secretHash: previousHash } = session;
  state.sessions.replace({ ...session, previousHash, secretHash: command.newSecretHash, renewedMs: state.nowMs });
  state.emit({ type: "done" });
  return null;
}

export function closeSession(state: ExchangeState, { sessionId }: Command<"closeSession">): RejectReason | null {
  const session = state.sessions.get(sessionId);
  if (session === undefined) return "UNKNOWN_SESSION";
  close(state, session);
  return null;
}

export function closeSessions(state: ExchangeState, { holder, except }: Command<"closeSessions">): RejectReason | null {
  if (knownHolder(state, holder) === undefined) return "UNKNOWN_ACCOUNT";
  closeOthers(state, holder, except);
  if (state.events.length === 0) state.emit({ type: "done" });
  return null;
}

/** Closes all sessions of the holder except one. */
export function closeOthers(state: ExchangeState, holder: Holder, except: string | null): void {
  for (const session of state.sessions.of(holder)) if (session.sessionId !== except) close(state, session);
}

function close(state: ExchangeState, session: SessionRecord): void {
  state.sessions.remove(session);
  state.emit({ type: "sessionClosed", sessionId: session.sessionId, holder: session.holder });
}

// Passwords: holders change them, or recover them through a link in an email. An entry contains the values that were
// verified, so that the engine can compare them with its own.

export function setPassword(state: ExchangeState, command: Command<"setPassword">): RejectReason | null {
  const { holder, was, sealedPassword, except } = command;
  const known = knownHolder(state, holder);
  if (known === undefined) return "UNKNOWN_ACCOUNT";
  if (!known.isEnabled) return "NOT_PERMITTED";
  if (state.passwords.get(holder) !== was) return "PASSWORD_DIFFERS";
  state.passwords.set(holder, sealedPassword);
  state.emit({ type: "passwordSet", holder });
  closeOthers(state, holder, except);
  endRecovery(state, holder, "cancelled");
  state.queueEmail("passwordChanged", known.email, { holder });
  return null;
}

/** A second request does not replace the first link, so that repeated requests cannot delay a recovery. */
export function askRecovery(state: ExchangeState, command: Command<"askRecovery">): RejectReason | null {
  const { holder, recoveryId, secretHash, fromMs, untilMs } = command;
  const known = knownHolder(state, holder);
  if (known === undefined || state.passwords.get(holder) === undefined) return "UNKNOWN_ACCOUNT";
  if (!known.isEnabled) return "NOT_PERMITTED";
  if (isHolderShared(state, holder)) return "EMAIL_SHARED";
  // Without a waiting time, `fromMs` is the time of the request, which is before the entry.
  if (untilMs <= Math.max(fromMs, state.nowMs)) return "INVALID_VALUE";
  if (untilMs > state.nowMs + MAX_RECOVERY_LIFE_MS) return "INVALID_VALUE";
  const open = state.recoveries.of(holder);
  if (open !== undefined && state.nowMs < open.untilMs) return "ALREADY_EXISTS";
  const ofId = state.recoveries.get(recoveryId);
  if (ofId !== undefined && ofId.holder !== holder) return "ALREADY_EXISTS";
  if (open !== undefined) state.recoveries.remove(open);
  state.recoveries.put({ holder, recoveryId, secretHash, askedMs: state.nowMs, fromMs, untilMs });
  state.emit({ type: "recoveryChanged", recoveryId, holder, status: "asked" });
  state.queueEmail("recovery", known.email, { holder, recoveryId, fromMs: String(fromMs), untilMs: String(untilMs) });
  return null;
}

export function cancelRecovery(state: ExchangeState, { recoveryId }: Command<"cancelRecovery">): RejectReason | null {
  const recovery = state.recoveries.get(recoveryId);
  if (recovery === undefined) return "UNKNOWN_RECOVERY";
  endRecovery(state, recovery.holder, "cancelled");
  return null;
}

export function recover(state: ExchangeState, command: Command<"recover">): RejectReason | null {
  const recovery = state.recoveries.get(command.recoveryId);
  if (recovery === undefined || state.nowMs >= recovery.untilMs) return "UNKNOWN_RECOVERY";
  if (recovery.secretHash !== command.secretHash) return "WRONG_CONFIRMATION";
  if (state.nowMs < recovery.fromMs) return "TOO_SOON";
  const { holder } = recovery;
  const known = knownHolder(state, holder);
  if (known?.isEnabled !== true) return "NOT_PERMITTED";
  if (isHolderShared(state, holder)) return "EMAIL_SHARED";
  state.passwords.set(holder, command.sealedPassword, state.nowMs + RECOVERY_HOLD_MS);
  state.emit({ type: "passwordSet", holder });
  endRecovery(state, holder, "done");
  closeOthers(state, holder, null);
  state.queueEmail("recovered", known.email, { holder });
  return null;
}

/** Invalidates the recovery link. */
export function endRecovery(state: ExchangeState, holder: string, status: "cancelled" | "done"): void {
  const recovery = state.recoveries.of(holder);
  if (recovery === undefined) return;
  state.recoveries.remove(recovery);
  state.emit({ type: "recoveryChanged", recoveryId: recovery.recoveryId, holder, status });
}
