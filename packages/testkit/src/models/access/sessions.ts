/** Sessions in the model. Whoever signs in shows the newest password and a code that nobody has used. */
import type { CloseSession, CloseSessions, OpenSession, RejectReason, RenewSession } from "@pricetime/engine";
import { type Happening, said } from "../happening.ts";
import { type ModelAccess, holderOf } from "../state.ts";
import { wrongCode } from "./codes-of-acts.ts";
import { owe } from "./letters.ts";
import { useStep } from "./totp.ts";

const DAY_MS = 24 * 3_600_000;
const LONGEST_LIFE_MS = 30 * DAY_MS;
const MOST_OF_ONE = 20;

export function openSession(access: ModelAccess, command: OpenSession): Happening[] | RejectReason {
  const { nowMs } = access.exchange;
  const { holder, sessionId, secretHash, untilMs, ip, client } = command;
  const known = holderOf(access.exchange, holder);
  if (known === undefined) return "UNKNOWN_ACCOUNT";
  if (!known.isEnabled) return "NOT_PERMITTED";
  if (access.passwordOf(holder)?.sealedPassword !== command.sealedPassword) return "PASSWORD_DIFFERS";
  if (untilMs <= nowMs || untilMs > nowMs + LONGEST_LIFE_MS) return "INVALID_VALUE";
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
    said(`session ${sessionId} of ${holder} opened until ${untilMs}`),
    ...(isFamiliar ? [] : owe(access, "newSignIn", known.email, { holder, ip, client })),
  ];
}

/** What is over goes, and of the others the oldest, until there is room for one. */
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
  return closed.map(({ holder }) => said(`session ${sessionId} of ${holder} closed`));
}

/** All that the holder has, but one. */
export function closeOthers(access: ModelAccess, holder: string, except: string | null): Happening[] {
  const mine = access.sessions.filter((open) => open.holder === holder && open.sessionId !== except);
  return mine.flatMap(({ sessionId }) => close(access, sessionId));
}

export function renewSession(access: ModelAccess, command: RenewSession): Happening[] | RejectReason {
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

export function closeSession(access: ModelAccess, { sessionId }: CloseSession): Happening[] | RejectReason {
  const closed = close(access, sessionId);
  return closed.length === 0 ? "UNKNOWN_SESSION" : closed;
}

export function closeSessions(access: ModelAccess, { holder, except }: CloseSessions): Happening[] | RejectReason {
  return holderOf(access.exchange, holder) === undefined ? "UNKNOWN_ACCOUNT" : closeOthers(access, holder, except);
}
