/** Sessions: opened with a password and, where one is required, a code; renewed, and ended. */
import type { Holder, SessionRecord } from "../entry/access-record.ts";
import type { CloseSession, CloseSessions, OpenSession, RenewSession } from "../entry/access-command.ts";
import type { RejectReason } from "../entry/reject.ts";
import { MAX_SESSION_LIFE_MS, MAX_SESSIONS_A_HOLDER } from "../limits.ts";
import type { ExchangeState } from "../state/exchange-state.ts";
import { checkCode, useStep } from "./codes-of-acts.ts";
import { knownHolder } from "./holders.ts";

export function openSession(state: ExchangeState, command: OpenSession): RejectReason | null {
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
  if (!isFamiliar) state.owe("newSignIn", known.email, { holder, ip, client });
  return null;
}

/** Drops what is over, and then the oldest. */
function makeRoom(state: ExchangeState, holder: Holder): void {
  for (const session of state.sessions.of(holder)) if (state.nowMs >= session.untilMs) close(state, session);
  const open = state.sessions.of(holder);
  for (const session of open.slice(0, Math.max(0, open.length + 1 - MAX_SESSIONS_A_HOLDER))) close(state, session);
}

export function renewSession(state: ExchangeState, command: RenewSession): RejectReason | null {
  const session = state.sessions.get(command.sessionId);
  if (session === undefined || state.nowMs >= session.untilMs) return "UNKNOWN_SESSION";
  if (session.secretHash !== command.secretHash) return "WRONG_CONFIRMATION";
  const { secretHash: previousHash } = session;
  state.sessions.replace({ ...session, previousHash, secretHash: command.newSecretHash, renewedMs: state.nowMs });
  state.emit({ type: "done" });
  return null;
}

export function closeSession(state: ExchangeState, { sessionId }: CloseSession): RejectReason | null {
  const session = state.sessions.get(sessionId);
  if (session === undefined) return "UNKNOWN_SESSION";
  close(state, session);
  return null;
}

export function closeSessions(state: ExchangeState, { holder, except }: CloseSessions): RejectReason | null {
  if (knownHolder(state, holder) === undefined) return "UNKNOWN_ACCOUNT";
  closeOthers(state, holder, except);
  if (state.events.length === 0) state.emit({ type: "done" });
  return null;
}

/** Ends all of the holder's sessions but one. */
export function closeOthers(state: ExchangeState, holder: Holder, except: string | null): void {
  for (const session of state.sessions.of(holder)) if (session.sessionId !== except) close(state, session);
}

function close(state: ExchangeState, session: SessionRecord): void {
  state.sessions.remove(session);
  state.emit({ type: "sessionClosed", sessionId: session.sessionId, holder: session.holder });
}
