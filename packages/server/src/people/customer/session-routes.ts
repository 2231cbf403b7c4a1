/** Sessions: listing and ending them, and tickets for WebSockets. */
import type { SessionRecord } from "@pricetime/engine";
import { type CustomerAnswer, ok } from "./answer.ts";
import { carryOut } from "./command.ts";
import { NO_SESSION_COOKIE, sessionCookie } from "./cookies.ts";
import { CustomerRefused } from "./refused.ts";
import type { CustomerParts, CustomerRoute, SignedIn } from "./route.ts";
import { ACT, LOOK } from "./weights.ts";

/** Renews the secret of the session when it is due. When two tabs renew at once, the second uses the first one's secret. */
async function own(asked: SignedIn, { room }: CustomerParts): Promise<CustomerAnswer> {
  const { accountId, email, name } = asked.account;
  const { sessionId, openedMs, untilMs } = asked.session;
  const token = asked.shown.isDue ? await room.sessions.renew(asked.shown) : undefined;
  const headers = token === undefined ? [] : sessionCookie(token, untilMs - asked.nowMs);
  return ok({ accountId, email, name, sessionId, openedMs, untilMs }, headers);
}

function list({ holder, session, nowMs }: SignedIn, { view }: CustomerParts): CustomerAnswer {
  const shown = ({ sessionId, openedMs, renewedMs, untilMs, ip, client }: SessionRecord): object => ({
    ...{ sessionId, openedMs, renewedMs, untilMs, ip, client },
    isThis: sessionId === session.sessionId,
  });
  return ok(view.access.sessions(holder, nowMs).map(shown));
}

async function close({ named, holder, session, nowMs }: SignedIn, parts: CustomerParts): Promise<CustomerAnswer> {
  const sessionId = named["session"] ?? "";
  const isOwn = parts.view.access.session(sessionId, nowMs)?.holder === holder;
  if (!isOwn) throw new CustomerRefused("UNKNOWN_SESSION");
  await carryOut(parts, { type: "closeSession", sessionId, by: holder });
  return ok({}, sessionId === session.sessionId ? NO_SESSION_COOKIE : []);
}

async function closeOthers({ holder, session }: SignedIn, parts: CustomerParts): Promise<CustomerAnswer> {
  await carryOut(parts, { type: "closeSessions", holder, except: session.sessionId, by: holder });
  return ok({});
}

/** A ticket for the WebSocket of the account's events. */
function ticket({ account, session, nowMs }: SignedIn, { room }: CustomerParts): CustomerAnswer {
  const { sessionId, untilMs } = session;
  return ok({ ticket: room.tickets.give({ accountId: account.accountId, sessionId, untilMs }, nowMs) });
}

export const SESSION_ROUTES: readonly CustomerRoute[] = [
  {
    method: "GET",
    path: "/session",
    weight: LOOK,
    summary: "Returns this session. Its cookie is renewed after an hour.",
    answers: "`accountId`, `email`, `name`, `sessionId`, `openedMs`, `untilMs`.",
    handle: own,
  },
  {
    method: "GET",
    path: "/sessions",
    weight: LOOK,
    summary: "Lists all sessions of the account.",
    answers: "A list of `sessionId`, `openedMs`, `renewedMs`, `untilMs`, `ip`, `client`, `isThis`.",
    handle: list,
  },
  { method: "DELETE", path: "/sessions/:session", weight: ACT, summary: "Ends a session.", handle: close },
  {
    method: "POST",
    path: "/sessions/close-others",
    weight: ACT,
    summary: "Ends all other sessions.",
    handle: closeOthers,
  },
  {
    method: "POST",
    path: "/ticket",
    weight: LOOK,
    summary: "Creates a ticket for a WebSocket with the account's events.",
    answers: "`ticket`, for `/account/stream?ticket=…`.",
    handle: ticket,
  },
];
