/** Session tokens, `<id>.<secret>`. The journal stores only the SHA-256 hash of a secret. */
import { hash } from "node:crypto";
import type { Holder, SessionRecord } from "@pricetime/engine";
import { sameSecret } from "../../platform/secrets/api-keys.ts";
import type { Dice } from "../../platform/world/port.ts";
import { OLD_SECRET_LIFE_MS, RENEW_AFTER_MS } from "./limits.ts";
import type { LinkSecrets } from "../../platform/secrets/link-secrets.ts";

const ID_BYTES = 16;
const TOKEN_SECRET_BYTES = 32;
/** An ID, followed by a secret or a signature. */
const ID_AND_SECRET = /^([0-9a-f]{32})\.([A-Za-z0-9_-]{43})$/;

export interface Token {
  /** 32 hex digits. */
  readonly sessionId: string;
  /** 43 characters of base64url. */
  readonly secret: string;
}

/** Creates a random ID: 32 hex digits. */
export const newId = (dice: Dice): string => dice.randomBytes(ID_BYTES).toString("hex");

/**
 * Creates a random secret: 43 characters of base64url. It never begins with a dash, which command lines would parse as
 * an option.
 */
export function newSecret(dice: Dice): string {
  const secret = dice.randomBytes(TOKEN_SECRET_BYTES).toString("base64url");
  return secret.startsWith("-") ? newSecret(dice) : secret;
}

export const newToken = (dice: Dice): Token => ({ sessionId: newId(dice), secret: newSecret(dice) });

/** The SHA-256 hash of a secret: 64 hex digits. */
export const hashOfSecret = (secret: string): string => hash("sha256", secret, "hex");

export const tokenText = ({ sessionId, secret }: Token): string => `${sessionId}.${secret}`;

/** Undefined if the text is not a token. */
export function tokenOf(text: string): Token | undefined {
  const [, sessionId, secret] = ID_AND_SECRET.exec(text) ?? [];
  return sessionId === undefined || secret === undefined ? undefined : { sessionId, secret };
}

/**
 * The validity of a secret. good: the current one; due: the current one, which should be renewed; late: the previous
 * one, in a request sent before the renewal; replayed: the previous one, used later, which indicates a stolen token;
 * wrong: any other.
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

/** Compares two hashes or signatures in constant time. */
export const isSameHash = (one: string, other: string): boolean => sameSecret(one, other);

// A browser in which a holder has signed in stores a mark, signed by the node. It grants no access, and only exempts
// the browser from limits that other clients can exhaust.

/** Creates a mark for the holder: `<id>.<signature>`. */
export function newMark(links: LinkSecrets, holder: Holder, dice: Dice): string {
  const id = newId(dice);
  return `${id}.${links.secretOf("familiarBrowser", `${holder}:${id}`)}`;
}

/** The ID of the browser; null if the mark does not belong to the holder. */
export function browserOf(links: LinkSecrets, holder: Holder | undefined, mark: string | undefined): string | null {
  const [, id, signature] = ID_AND_SECRET.exec(mark ?? "") ?? [];
  if (holder === undefined || id === undefined || signature === undefined) return null;
  return isSameHash(signature, links.secretOf("familiarBrowser", `${holder}:${id}`)) ? id : null;
}

/**
 * At sign-out, the browser clears its cache for the page's origin, so that the next user of the browser cannot go back
 * to the pages. "cookies" would also delete cookies of other ports and of subdomains, and the mark of a familiar
 * browser. "storage" would also delete the terminal's keys and layout, and the console's preferences. Clear-Site-Data
 * (W3C) works over TLS and on loopback.
 */
export const CLEARED_AT_SIGN_OUT = ["Clear-Site-Data", '"cache"'] as const;
