/** Tokens of sessions, `<id>.<secret>`, and the secrets in them. The journal has the SHA-256 of a secret and no more. */
import { hash } from "node:crypto";
import type { Holder, SessionRecord } from "@pricetime/engine";
import { sameSecret } from "../../platform/secrets/api-keys.ts";
import type { Dice } from "../../platform/world/port.ts";
import { OLD_SECRET_LIFE_MS, RENEW_AFTER_MS } from "./limits.ts";
import type { LinkSecrets } from "../../platform/secrets/link-secrets.ts";

const ID_BYTES = 16;
const TOKEN_SECRET_BYTES = 32;
/** An id, and a secret or a signature. */
const ID_AND_SECRET = /^([0-9a-f]{32})\.([A-Za-z0-9_-]{43})$/;

export interface Token {
  /** 32 hex digits. */
  readonly sessionId: string;
  /** 43 characters of base64url. */
  readonly secret: string;
}

/** An id that nobody guesses: 32 hex digits. */
export const newId = (dice: Dice): string => dice.randomBytes(ID_BYTES).toString("hex");

/** 43 characters of base64url. Never begins with a dash: on a command line it would be an option. */
export function newSecret(dice: Dice): string {
  const secret = dice.randomBytes(TOKEN_SECRET_BYTES).toString("base64url");
  return secret.startsWith("-") ? newSecret(dice) : secret;
}

export const newToken = (dice: Dice): Token => ({ sessionId: newId(dice), secret: newSecret(dice) });

/** 64 hex digits. */
export const hashOfSecret = (secret: string): string => hash("sha256", secret, "hex");

export const tokenText = ({ sessionId, secret }: Token): string => `${sessionId}.${secret}`;

/** Undefined when the text is no token. */
export function tokenOf(text: string): Token | undefined {
  const [, sessionId, secret] = ID_AND_SECRET.exec(text) ?? [];
  return sessionId === undefined || secret === undefined ? undefined : { sessionId, secret };
}

/**
 * What a secret is worth for a session: its newest one ("due": and old enough to be renewed); the one before, on a
 * request that was under way at the renewal ("late"); the one before, long after: two have it, and one of them may be a
 * thief ("replayed"); or none of its ("wrong").
 */
export type SecretWorth = "good" | "due" | "late" | "replayed" | "wrong";

export function worthOf(
  { secretHash, previousHash, renewedMs }: SessionRecord,
  secret: string,
  nowMs: number,
): SecretWorth {
  const sent = hashOfSecret(secret);
  if (isSameHash(sent, secretHash)) return nowMs - renewedMs >= RENEW_AFTER_MS ? "due" : "good";
  if (previousHash === "" || !isSameHash(sent, previousHash)) return "wrong";
  return nowMs - renewedMs <= OLD_SECRET_LIFE_MS ? "late" : "replayed";
}

/** Whether two hashes or signatures are the same; takes as long whatever differs. */
export const isSameHash = (one: string, other: string): boolean => sameSecret(one, other);

// A browser in which a holder has signed in keeps a mark, signed by the node. It opens nothing: a client that shows it
// is only not slowed down by what strangers do.

/** A new mark of the holder: `<id>.<signature>`. */
export function newMark(links: LinkSecrets, holder: Holder, dice: Dice): string {
  const id = newId(dice);
  return `${id}.${links.secretOf("familiarBrowser", `${holder}:${id}`)}`;
}

/** The id of the browser; null when the mark is not one of this holder. */
export function browserOf(links: LinkSecrets, holder: Holder | undefined, mark: string | undefined): string | null {
  const [, id, signature] = ID_AND_SECRET.exec(mark ?? "") ?? [];
  if (holder === undefined || id === undefined || signature === undefined) return null;
  return isSameHash(signature, links.secretOf("familiarBrowser", `${holder}:${id}`)) ? id : null;
}

/**
 * What a browser drops at a sign-out besides the session: its cache of the page's origin, so that whoever uses it next
 * finds nothing by going back. Not "cookies": those of every port and of every name below the host's domain would go, so
 * other programs' and the mark of a familiar browser, too. Not "storage": the account pages share theirs with the terminal,
 * which keeps keys and its layout there; the console's holds likings and the same mark, and its token leaves with the tab's
 * own act. Clear-Site-Data (W3C), heeded over TLS and on loopback.
 */
export const CLEARED_AT_SIGN_OUT = ["Clear-Site-Data", '"cache"'] as const;
