/** Tokens of sessions, `<id>.<secret>`, and the secrets in them. The journal has the SHA-256 of a secret and no more. */
import { hash } from "node:crypto";
import type { SessionRecord } from "@pricetime/engine";
import { sameSecret } from "../../platform/config/random-key.ts";
import type { Dice } from "../../platform/world/port.ts";
import { OLD_SECRET_LIFE_MS, RENEW_AFTER_MS } from "./limits.ts";

const ID_BYTES = 16;
const TOKEN_SECRET_BYTES = 32;
/** An id, and a secret or a signature. */
export const ID_AND_SECRET = /^([0-9a-f]{32})\.([A-Za-z0-9_-]{43})$/;

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
