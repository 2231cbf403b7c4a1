/**
 * The customer who sends a request of the account API: the account of an email address, the cookies, and the limits on
 * password attempts and emails.
 */
import { EMAIL_LIMITS, MARK_LIFE_MS } from "../sign-in/limits.ts";
import { type AccountView, type EngineView, foldedEmail } from "@pricetime/engine";
import { networkOf } from "../../api/edge/client-address.ts";
import { browserOf, newMark } from "../sign-in/tokens.ts";
import type { Guess, EmailKind } from "../sign-in/attempts.ts";
import type { ClientSigns } from "../sign-in/sign-in.ts";
import type { Asked, CustomerParts, SignedIn } from "./route.ts";
import { SignInRefused } from "../sign-in/refused.ts";

// The prefix `__Host-` restricts a cookie to this host with all its paths, and to TLS or loopback.

export const SESSION_COOKIE = "__Host-pricetime-account";
/** Marks a browser in which a customer has signed in before. Grants no access. */
export const MARK_COOKIE = "__Host-pricetime-known";

const SCOPE = "Path=/; Secure; HttpOnly; SameSite=Strict";

const setCookie = (name: string, value: string, lifeMs: number): readonly string[] => [
  "Set-Cookie",
  `${name}=${value}; ${SCOPE}; Max-Age=${Math.max(0, Math.floor(lifeMs / 1000))}`,
];

export const sessionCookie = (token: string, lifeMs: number): readonly string[] =>
  setCookie(SESSION_COOKIE, token, lifeMs);
const markCookie = (mark: string): readonly string[] => setCookie(MARK_COOKIE, mark, MARK_LIFE_MS);
/** Deletes the session cookie. */
export const NO_SESSION_COOKIE: readonly string[] = setCookie(SESSION_COOKIE, "", 0);

export const holderOf = (accountId: number): string => `account:${accountId}`;

/** The account that signs in with this email address. Sub-accounts cannot sign in. */
export function customerOf(view: EngineView, email: string): AccountView | undefined {
  const account = view.accountByEmail(email);
  return account?.masterId === null ? account : undefined;
}

export const signsOf = ({ ip, client }: Asked): ClientSigns => ({ ip, client });

/** A sign-in attempt. It is counted by email address, even if no account has that address. */
export function guessOf({ view, room }: CustomerParts, asked: Asked, email: string, holder: string | undefined): Guess {
  const { ip, mark, nowMs } = asked;
  const network = networkOf(ip);
  const open = holder === undefined ? [] : view.access.sessions(holder, nowMs);
  return {
    subject: `mail ${foldedEmail(email)}`,
    ip,
    device: browserOf(room.links, holder, mark),
    isFamiliarAddress: open.some((session) => networkOf(session.ip) === network),
  };
}

/** An attempt with a session. It is counted by session, so that a stolen session does not lock out the owner. */
export function guessWithin({ account, session, ip }: SignedIn): Guess {
  return { subject: `account ${account.accountId}`, ip, device: session.sessionId, isFamiliarAddress: true };
}

/** The header that sets the mark of a familiar browser, unless the browser already has it. */
export function markFor({ room }: CustomerParts, { mark }: Pick<Asked, "mark">, holder: string): readonly string[] {
  const isMarked = browserOf(room.links, holder, mark) !== null;
  return isMarked ? [] : markCookie(newMark(room.links, holder, room.dice));
}

// Limits on emails that can be requested without a session.

/**
 * Whether an email may be sent. Throws `SignInRefused` when the IP address has requested too many emails, to any recipient.
 * `letter`: null when none would be sent anyway.
 */
export function mayRequestEmail(
  { ip, nowMs }: Asked,
  { room }: CustomerParts,
  letter: { readonly kind: EmailKind; readonly email: string } | null,
): boolean {
  if (!room.pace.tryRequest(ip, nowMs)) throw new SignInRefused("TOO_MANY_TRIES", EMAIL_LIMITS.windowMs);
  return letter !== null && room.pace.maySend(letter.kind, foldedEmail(letter.email), nowMs);
}
