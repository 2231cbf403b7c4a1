/** Signing in and out, sessions, and tickets for WebSockets; sign-up and invitations. */
import { z } from "zod";
import { CLEARED_AT_SIGN_OUT } from "../sign-in/clear-site-data.ts";
import { tokenText } from "../sign-in/tokens.ts";
import { doneWork } from "../sign-in/work.ts";
import type { Proven } from "../sign-in/sign-in.ts";
import { type CustomerAnswer, ok } from "./answer.ts";
import { carryOut } from "./command.ts";
import { NO_SESSION_COOKIE, sessionCookie } from "./cookies.ts";
import { code, email, password } from "./fields.ts";
import { type Asked, type CustomerParts, type CustomerRoute, read, type SignedIn } from "./route.ts";
import { customerOf, guessOf, holderOf, markFor, signsOf } from "./who.ts";
import { ACT, HASH } from "./weights.ts";

const signInBody = z.strictObject({ email, password, code: code.exactOptional(), work: doneWork.exactOptional() });

async function signIn(asked: Asked, parts: CustomerParts): Promise<CustomerAnswer> {
  const given = read(signInBody, asked.body);
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

/** Opens a session and ends the previous one of the browser. Returns the headers with the cookies. */
export async function openSession(asked: Asked, parts: CustomerParts, proven: Proven): Promise<readonly string[]> {
  const { signIn: door, sessions } = parts.room;
  const { sessionLifeMs } = parts.settings;
  const before = sessions.find(asked.token);
  const untilMs = parts.sequencer.nowMs() + sessionLifeMs;
  const token = await door.open(proven, untilMs, signsOf(asked));
  if (before !== undefined) sessions.close(before.session);
  return [...sessionCookie(tokenText(token), sessionLifeMs), ...markFor(parts, asked, proven.holder)];
}

async function signOut({ session, holder }: SignedIn, parts: CustomerParts): Promise<CustomerAnswer> {
  await carryOut(parts, { type: "closeSession", sessionId: session.sessionId, by: holder });
  return ok({}, [...NO_SESSION_COOKIE, ...Object.entries(CLEARED_AT_SIGN_OUT).flat()]);
}

export const SIGN_IN_ROUTES: readonly CustomerRoute[] = [
  {
    method: "POST",
    path: "/sign-in",
    weight: HASH,
    isOpen: true,
    summary: "Opens a session.",
    answers:
      "A session cookie, and `accountId`, `email`, `name`. Errors 429 TOO_MANY_TRIES and 503 BUSY may contain `work`: the " +
      "same request with that proof of work is not delayed by requests of other clients.",
    body: signInBody,
    handle: signIn,
  },
  { method: "POST", path: "/sign-out", weight: ACT, summary: "Ends this session.", handle: signOut },
];
