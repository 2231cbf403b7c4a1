/** The cookies of the account pages. `__Host-`: of this host alone, of all its paths, and over TLS or on loopback. */
import { MARK_LIFE_MS } from "../sign-in/limits.ts";

export const SESSION_COOKIE = "__Host-pricetime-account";
/** The mark of a browser in which somebody has signed in before: it opens nothing. */
export const MARK_COOKIE = "__Host-pricetime-known";

const SCOPE = "Path=/; Secure; HttpOnly; SameSite=Strict";

const setCookie = (name: string, value: string, lifeMs: number): readonly string[] => [
  "Set-Cookie",
  `${name}=${value}; ${SCOPE}; Max-Age=${Math.max(0, Math.floor(lifeMs / 1000))}`,
];

export const sessionCookie = (token: string, lifeMs: number): readonly string[] =>
  setCookie(SESSION_COOKIE, token, lifeMs);
export const markCookie = (mark: string): readonly string[] => setCookie(MARK_COOKIE, mark, MARK_LIFE_MS);
/** The browser forgets the session. */
export const NO_SESSION_COOKIE: readonly string[] = setCookie(SESSION_COOKIE, "", 0);
