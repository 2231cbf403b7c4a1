/** Signing in and out, sessions, and tickets for WebSockets; sign-up and invitations. */
import { z } from "zod";
import { CLEARED_AT_SIGN_OUT, newId, tokenText } from "../sign-in/tokens.ts";
import { doneWork } from "../sign-in/work.ts";
import type { Proven } from "../sign-in/sign-in.ts";
import { rejected } from "./rejections.ts";
import { accepted, type Answer, ok } from "../http/answer.ts";
import { ANSWERS } from "./answers.ts";
import { sessionBody } from "../http/shapes.ts";
import {
  type AccountRoute,
  ACT,
  type Asked,
  carryOut,
  code,
  type CustomerParts,
  email,
  fitPassword,
  HASH,
  id,
  EMAIL_WEIGHT,
  language,
  LOOK,
  newEmail,
  type OfPath,
  type Open,
  openRoute,
  ownRoute,
  password,
  secret,
  setOff,
  type SignedIn,
} from "./route.ts";
import {
  customerOf,
  guessOf,
  holderOf,
  markFor,
  mayRequestEmail,
  NO_SESSION_COOKIE,
  sessionCookie,
  signsOf,
} from "./requester.ts";
import { accountIdOf, type InvitationRecord, MAX_TEXT_LENGTH, type SessionRecord, SIGN_UP } from "@pricetime/engine";
import { SignInRefused } from "../sign-in/refused.ts";

const signInBody = z.strictObject({ email, password, code: code.exactOptional(), work: doneWork.exactOptional() });

async function signIn(asked: Open<typeof signInBody>, parts: CustomerParts): Promise<Answer> {
  const given = asked.body;
  const account = customerOf(parts.view, given.email);
  const holder = account && holderOf(account.accountId);
  const proven = await parts.room.signIn.prove({
    ...{ holder, password: given.password, code: given.code, sealedTotp: account?.sealedTotp ?? null },
    ...{ guess: guessOf(parts, asked, given.email, holder), work: given.work },
  });
  const headers = await openSession(asked, parts, proven);
  const { accountId, email: known, name } = account ?? { accountId: 0, email: "", name: "" };
  return ok({ accountId, email: known, name }, headers);
}

/** Opens a session and ends the browser's previous one. Returns the headers that set the cookies. */
async function openSession(asked: Asked, parts: CustomerParts, proven: Proven): Promise<readonly string[]> {
  const { signIn: door, sessions } = parts.room;
  const { sessionLifeMs } = parts.settings;
  const before = sessions.find(asked.token);
  const untilMs = parts.sequencer.nowMs() + sessionLifeMs;
  const token = await door.open(proven, untilMs, signsOf(asked));
  if (before !== undefined) sessions.close(before.session);
  return [...sessionCookie(tokenText(token), sessionLifeMs), ...markFor(parts, asked, proven.holder)];
}

async function signOut({ session, holder }: SignedIn, parts: CustomerParts): Promise<Answer> {
  await carryOut(parts, { type: "closeSession", sessionId: session.sessionId, by: holder });
  return ok({}, [...NO_SESSION_COOKIE, ...CLEARED_AT_SIGN_OUT]);
}

export const SIGN_IN_ROUTES: readonly AccountRoute[] = [
  openRoute({
    endpoint: "POST /sign-in",
    needs: "page",
    weight: HASH,
    summary: "Opens a session.",
    answer: ANSWERS.signedIn,
    answers:
      "A session cookie, and `accountId`, `email`, `name`. Errors 429 TOO_MANY_TRIES and 503 BUSY may contain `work`: the " +
      "same request with that proof of work is not delayed by requests of other clients.",
    body: signInBody,
    handle: signIn,
  }),
  ownRoute({ endpoint: "POST /sign-out", weight: ACT, summary: "Ends this session.", handle: signOut }),
];

// Sessions: listing and ending them, and tickets for WebSockets.

/** Renews the session's secret when it is due. If two tabs renew at once, the second uses the secret of the first. */
async function own(asked: SignedIn, { room }: CustomerParts): Promise<Answer> {
  const { accountId, email, name } = asked.account;
  const { sessionId, openedMs, untilMs } = asked.session;
  const token = asked.shown.isDue ? await room.sessions.renew(asked.shown) : undefined;
  const headers = token === undefined ? [] : sessionCookie(token, untilMs - asked.nowMs);
  return ok({ accountId, email, name, sessionId, openedMs, untilMs }, headers);
}

function list({ holder, session, nowMs }: SignedIn, { view }: CustomerParts): Answer {
  const shown = (each: SessionRecord): object => ({
    ...sessionBody(each),
    isThis: each.sessionId === session.sessionId,
  });
  return ok(view.access.sessions(holder, nowMs).map(shown));
}

async function close({ path, holder, session, nowMs }: OfPath<"session">, parts: CustomerParts): Promise<Answer> {
  const sessionId = path.session;
  const isOwn = parts.view.access.session(sessionId, nowMs)?.holder === holder;
  if (!isOwn) throw rejected("UNKNOWN_SESSION");
  await carryOut(parts, { type: "closeSession", sessionId, by: holder });
  return ok({}, sessionId === session.sessionId ? NO_SESSION_COOKIE : []);
}

async function closeOthers({ holder, session }: SignedIn, parts: CustomerParts): Promise<Answer> {
  await carryOut(parts, { type: "closeSessions", holder, except: session.sessionId, by: holder });
  return ok({});
}

/** Creates a ticket for the WebSocket of the account's events. */
function ticket({ account, session, nowMs }: SignedIn, { room }: CustomerParts): Answer {
  const { sessionId, untilMs } = session;
  return ok({ ticket: room.tickets.give({ accountId: account.accountId, sessionId, untilMs }, nowMs) });
}

export const SESSION_ROUTES: readonly AccountRoute[] = [
  ownRoute({
    endpoint: "GET /session",
    weight: LOOK,
    summary: "Returns this session. Its cookie is renewed after an hour.",
    answer: ANSWERS.session,
    answers: "`accountId`, `email`, `name`, `sessionId`, `openedMs`, `untilMs`.",
    handle: own,
  }),
  ownRoute({
    endpoint: "GET /sessions",
    weight: LOOK,
    summary: "Lists all sessions of the account.",
    answer: ANSWERS.sessions,
    answers: "A list of `sessionId`, `openedMs`, `renewedMs`, `untilMs`, `ip`, `client`, `isThis`.",
    handle: list,
  }),
  ownRoute({ endpoint: "DELETE /sessions/:session", weight: ACT, summary: "Ends a session.", handle: close }),
  ownRoute({
    endpoint: "POST /sessions/close-others",
    weight: ACT,
    summary: "Ends all other sessions.",
    handle: closeOthers,
  }),
  ownRoute({
    endpoint: "POST /ticket",
    weight: LOOK,
    summary: "Creates a ticket for a WebSocket with the account's events.",
    answer: ANSWERS.ticket,
    answers: "`ticket`, for `/account/stream?ticket=…`.",
    handle: ticket,
  }),
];

// Sign-up and invitations. Whether an account exists for an address is revealed only by email.

const signUpBody = z.strictObject({ email: newEmail, language: language.exactOptional() });
const link = z.strictObject({ id, secret });
const acceptBody = link.extend({ password, name: z.string().trim().max(MAX_TEXT_LENGTH).exactOptional() });

function signUp(asked: Open<typeof signUpBody>, parts: CustomerParts): Answer {
  const { email, ...inLanguage } = asked.body;
  if (parts.settings.signUp !== "open") throw rejected("SIGN_UP_CLOSED");
  if (!mayRequestEmail(asked, parts, { kind: "sign-up", email })) return accepted({});
  const { view, room, settings, fees } = parts;
  if (view.accountByEmail(email) === undefined) {
    const invitationId = newId(room.dice);
    const secretHash = room.links.hashOf(room.links.secretOf("invitation", invitationId));
    const untilMs = asked.nowMs + settings.invitationLifeMs;
    const invitation = { invitationId, secretHash, email, untilMs, holder: null, opens: { name: "", ...fees } };
    setOff(parts, { type: "invite", by: SIGN_UP, ...invitation, ...inLanguage });
  } else {
    const known = customerOf(view, email);
    if (known !== undefined) setOff(parts, { type: "tellAlreadyKnown", holder: holderOf(known.accountId) });
  }
  return accepted({});
}

/** Finds an invitation. Throws `Rejection`, also for operators' invitations, which are accepted in the console. */
function invitationOf(
  { body: { id: invitationId, secret: sent }, nowMs }: Pick<Open<typeof link>, "body" | "nowMs">,
  { view, room }: CustomerParts,
): InvitationRecord {
  const invitation = view.access.invitation(invitationId, nowMs);
  const isForCustomer = invitation?.holder === null || accountIdOf(invitation?.holder ?? "") !== undefined;
  if (invitation === undefined || !isForCustomer || invitation.secretHash !== room.links.hashOf(sent)) {
    throw rejected("UNKNOWN_INVITATION");
  }
  return invitation;
}

function look(asked: Open<typeof link>, parts: CustomerParts): Answer {
  const { email, holder, untilMs, opens } = invitationOf(asked, parts);
  return ok({ email, isNew: holder === null, name: opens?.name ?? "", untilMs });
}

async function accept(asked: Open<typeof acceptBody>, parts: CustomerParts): Promise<Answer> {
  const given = asked.body;
  const { secretHash, invitationId } = invitationOf(asked, parts);
  const sealedPassword = await parts.room.signIn.sealedHashOf(fitPassword(given.password), asked.ip);
  const named = given.name === undefined || given.name === "" ? {} : { name: given.name };
  const command = { type: "acceptInvitation", invitationId, secretHash, sealedPassword, ...named } as const;
  const set = (await carryOut(parts, command)).find(({ type }) => type === "passwordSet");
  if (set?.type !== "passwordSet") throw new TypeError("an invitation that is accepted sets a password");
  return ok({}, await signInAtOnce(asked, parts, set.holder, sealedPassword));
}

/** Signs the customer in without a further step, unless the account has two-factor authentication and needs a code. */
async function signInAtOnce(
  asked: Asked,
  parts: CustomerParts,
  holder: string,
  sealedPassword: string,
): Promise<readonly string[]> {
  try {
    return await openSession(asked, parts, { holder, sealedPassword, totpStep: null });
  } catch (error) {
    if (error instanceof SignInRefused) return [];
    throw error;
  }
}

export const INVITATION_ROUTES: readonly AccountRoute[] = [
  openRoute({
    endpoint: "POST /sign-up",
    needs: "page",
    weight: EMAIL_WEIGHT,
    summary: "Requests an account. The invitation is sent by email.",
    answers: "The same for every address.",
    status: 202,
    body: signUpBody,
    handle: signUp,
  }),
  openRoute({
    endpoint: "POST /invitation/check",
    needs: "page",
    weight: LOOK,
    summary: "Returns the email address and the expiry of an invitation link.",
    answer: ANSWERS.invitation,
    answers: "`email`, `isNew`, `name`, `untilMs`.",
    body: link,
    handle: look,
  }),
  openRoute({
    endpoint: "POST /invitation/accept",
    needs: "page",
    weight: HASH,
    summary: "Accepts an invitation: sets the password and opens a session.",
    answers: "An empty object, and a session cookie unless the account has two-factor authentication.",
    body: acceptBody,
    handle: accept,
  }),
];
