/** Authenticates a request: the API key, its permissions, the time and the signature. Interface 5; order: Interface 7.7. */
import { createPublicKey, hash, type KeyObject, timingSafeEqual, verify } from "node:crypto";
import { type ApiKey, type EngineView, SECOND_MS } from "@pricetime/engine";
import { z } from "zod";
import type { SavedState } from "../../platform/world/port.ts";
import { savedCount } from "../../platform/world/saved-state.ts";
import {
  BAD_API_KEY_FORMAT,
  checkTiming,
  type Endpoint,
  INVALID_SIGNATURE,
  isApiKey,
  otherPayload,
  type ParsedRequest,
  REJECTED_API_KEY,
  type Security,
  UNAUTHORIZED,
} from "@pricetime/protocol";
import { normaliseIp } from "./client-address.ts";
import { Refused } from "./refusals.ts";
import type { RequestHeaders } from "./request.ts";

// A secret for signing many messages: HMAC-SHA256, RFC 2104.

const BLOCK_BYTES = 64;
const DIGEST_BYTES = 32;
const INNER_PAD = 0x36;
const OUTER_PAD = 0x5c;

/**
 * Two hashes in one call each, over blocks prepared once. `createHmac` makes an object and looks its algorithm up for
 * every message: three times the cost, an eighth of an order's time on its thread.
 */
export class HmacKey {
  readonly #innerBlock: Buffer;
  /** The block, followed by room for the inner hash. */
  readonly #outer = Buffer.alloc(BLOCK_BYTES + DIGEST_BYTES);

  constructor(secret: Buffer) {
    const short = secret.length > BLOCK_BYTES ? hash("sha256", secret, "buffer") : secret;
    const block = Buffer.concat([short], BLOCK_BYTES);
    this.#innerBlock = Buffer.from(block.map((byte) => byte ^ INNER_PAD));
    this.#outer.set(block.map((byte) => byte ^ OUTER_PAD));
  }

  /** `message` has one character a byte. */
  sign(message: string): Buffer {
    const inner = Buffer.allocUnsafe(BLOCK_BYTES + message.length);
    inner.set(this.#innerBlock);
    inner.write(message, BLOCK_BYTES, "latin1");
    this.#outer.set(hash("sha256", inner, "buffer"), BLOCK_BYTES);
    return hash("sha256", this.#outer, "buffer");
  }
}

// HMAC-SHA256 (Interface 5.5) or Ed25519 over text, one character a byte.

const SIGNATURE = /^[0-9a-fA-F]{64}$/;

/** The key that verifies a signature: a secret, or a public key of Ed25519. */
type VerifyingKey = HmacKey | KeyObject;

/** `payload` is query and body as received, without the signature pair, one character a byte. */
export function isSignedBy(key: VerifyingKey, payload: string, signature: string): boolean {
  if (!(key instanceof HmacKey))
    return verify(null, Buffer.from(payload, "latin1"), key, Buffer.from(signature, "base64"));
  return SIGNATURE.test(signature) && timingSafeEqual(key.sign(payload), Buffer.from(signature, "hex"));
}

// Keys for verifying the signatures of API keys: decrypted secrets or public keys. Only in memory, and bounded in
// number.

/** Decrypts a secret of the journal; throws when the master key is not the one that sealed it. */
export type Unseal = (sealedSecret: string) => string;

const MAX_CACHED_SECRETS = 100_000;

interface CachedSecret {
  readonly sealedSecret: string;
  readonly publicKey: string | undefined;
  readonly verifyingKey: VerifyingKey;
}

export class Secrets {
  readonly #unseal: Unseal;
  readonly #maxCached: number;
  readonly #cache = new Map<string, CachedSecret>();

  constructor(unseal: Unseal, maxCached = MAX_CACHED_SECRETS) {
    this.#unseal = unseal;
    this.#maxCached = maxCached;
  }

  get size(): number {
    return this.#cache.size;
  }

  of(key: ApiKey): VerifyingKey {
    const cached = this.#cache.get(key.apiKey);
    const { sealedSecret, publicKey } = key;
    if (cached?.sealedSecret === sealedSecret && cached.publicKey === publicKey) return cached.verifyingKey;
    const verifyingKey = this.#open(key);
    if (cached === undefined && this.#cache.size >= this.#maxCached) this.#dropOldest();
    this.#cache.set(key.apiKey, { sealedSecret, publicKey, verifyingKey });
    return verifyingKey;
  }

  #open({ publicKey, sealedSecret }: ApiKey): VerifyingKey {
    if (publicKey === undefined) return new HmacKey(Buffer.from(this.#unseal(sealedSecret), "latin1"));
    return createPublicKey({ key: Buffer.from(publicKey, "base64"), format: "der", type: "spki" });
  }

  /** Forgets a deleted key. */
  forget(apiKey: string): void {
    this.#cache.delete(apiKey);
  }

  #dropOldest(): void {
    for (const apiKey of this.#cache.keys()) {
      this.#cache.delete(apiKey);
      return;
    }
  }
}

// Signed requests with a lasting effect on a connection (a logon, a subscription to an account's events) are good for
// one connection: a copy of their bytes is useless to anyone else. Each is remembered until its window is over, after
// which it is not timely any more.

export interface SpentLimits {
  /** Requests remembered at a time; further ones are refused, because earlier ones must not be forgotten. */
  readonly maxSpent: number;
  /** As `maxSpent`, for one key, so that it cannot shut out others. */
  readonly maxSpentOfKey: number;
}

const SPENT_LIMITS: SpentLimits = { maxSpent: 100_000, maxSpentOfKey: 1000 };

export interface Signed {
  readonly apiKey: string;
  /** The signed text. It identifies the request, because a signature can be written in more than one way. */
  readonly payload: string;
  /** The last millisecond at which it is timely. */
  readonly lastMs: number;
  /** The connection on which it came; there it may come again. */
  readonly session: object;
}

interface Spent {
  readonly apiKey: string;
  readonly session: object;
}

const SAVED = z.array(z.strictObject({ second: savedCount, name: z.string(), apiKey: z.string() }));

export class SpentSignatures {
  readonly #limits: SpentLimits;
  /** Signatures by the second of their last millisecond, then by a hash of key and payload, which may be long. */
  readonly #bySecond = new Map<number, Map<string, Spent>>();
  readonly #ofKey = new Map<string, number>();
  #size = 0;

  constructor(saved: SavedState, limits = SPENT_LIMITS) {
    this.#limits = limits;
    const save = () =>
      [...this.#bySecond].flatMap(([second, ofSecond]) =>
        [...ofSecond].map(([name, { apiKey }]) => ({ second, name, apiKey })),
      );
    // They belong to connections that are gone: they are void on all others.
    for (const { second, name, apiKey } of saved.restore("gateway/spent", SAVED, save) ?? []) {
      this.#remember(second, name, { apiKey, session: {} });
    }
  }

  get size(): number {
    return this.#size;
  }

  /** Remembers a valid, timely request. Refuses one used on another connection, or one too many. */
  spend({ apiKey, payload, lastMs, session }: Signed, nowMs: number): "new" | "spent" | "full" {
    this.#forgetBefore(Math.floor(nowMs / SECOND_MS));
    const second = Math.floor(lastMs / SECOND_MS);
    const name = hash("sha256", `${apiKey} ${payload}`, "base64");
    const spent = this.#bySecond.get(second)?.get(name);
    if (spent !== undefined) return spent.session === session ? "new" : "spent";
    const ofKey = this.#ofKey.get(apiKey) ?? 0;
    if (this.#size >= this.#limits.maxSpent || ofKey >= this.#limits.maxSpentOfKey) return "full";
    this.#remember(second, name, { apiKey, session });
    return "new";
  }

  #remember(second: number, name: string, spent: Spent): void {
    let ofSecond = this.#bySecond.get(second);
    if (ofSecond === undefined) this.#bySecond.set(second, (ofSecond = new Map()));
    ofSecond.set(name, spent);
    this.#ofKey.set(spent.apiKey, (this.#ofKey.get(spent.apiKey) ?? 0) + 1);
    this.#size++;
  }

  /** Walks over at most as many seconds as a window and the clocks' difference have. */
  #forgetBefore(second: number): void {
    for (const [each, all] of this.#bySecond) {
      if (each >= second) continue;
      this.#bySecond.delete(each);
      this.#size -= all.size;
      for (const { apiKey } of all.values()) this.#forgetOne(apiKey);
    }
  }

  #forgetOne(apiKey: string): void {
    const left = (this.#ofKey.get(apiKey) ?? 0) - 1;
    if (left > 0) this.#ofKey.set(apiKey, left);
    else this.#ofKey.delete(apiKey);
  }
}

// The checks of a request, in their order.

export const API_KEY_HEADER = "x-mbx-apikey";

/** Whether there is a key; an empty header counts as none, because clients without a key send one. */
export function namesApiKey(headers: RequestHeaders): boolean {
  const sent = headers[API_KEY_HEADER];
  return sent !== undefined && sent !== "";
}

/** The key's text; throws -2014 when it is missing or malformed. */
export function sentApiKey(headers: RequestHeaders): string {
  return wellFormedApiKey(headers[API_KEY_HEADER]);
}

export function wellFormedApiKey(sent: unknown): string {
  if (typeof sent !== "string" || !isApiKey(sent)) throw new Refused(BAD_API_KEY_FORMAT);
  return sent;
}

/** The key, if it exists and allows this from this address; else throws -2015, or -1002 for a missing permission. */
export function knownApiKey(engine: EngineView, sent: string, endpoint: Endpoint, ip: string): ApiKey {
  const key = engine.apiKey(sent);
  if (key === undefined || !mayComeFrom(key, ip)) throw new Refused(REJECTED_API_KEY);
  checkPermission(key, endpoint);
  return key;
}

/** Throws -2015, or -1002 for a permission that the endpoint wants besides its security type. */
export function checkPermission(key: ApiKey, { security, permission }: Endpoint): void {
  if (!mayUse(key, security)) throw new Refused(REJECTED_API_KEY);
  if (permission !== undefined && !key.permissions.includes(permission)) throw new Refused(UNAUTHORIZED);
}

function mayUse(key: ApiKey, security: Security): boolean {
  return security === "NONE" || key.permissions.includes(security);
}

function mayComeFrom(key: ApiKey, ip: string): boolean {
  if (key.ipAllowList.length === 0) return true;
  return key.ipAllowList.some((allowed) => normaliseIp(allowed) === ip);
}

/** Throws -1021 or -1131. */
export function checkTimely({ timestampMs, recvWindowMs }: ParsedRequest, nowMs: number): void {
  const late = checkTiming(timestampMs, recvWindowMs, nowMs);
  if (late !== null) throw new Refused(late);
}

/**
 * Throws -1022. The signature covers the bytes as sent or, as some clients sign, as
 * decoded (decision 17) or with parameters that are null (decision 74).
 */
export function checkSigned(secrets: Secrets, key: ApiKey, request: ParsedRequest): void {
  const verifyingKey = secrets.of(key);
  const { payload, signature } = request;
  if (isSignedBy(verifyingKey, payload, signature)) return;
  const other = otherPayload(request);
  if (other === undefined || !isSignedBy(verifyingKey, other, signature)) throw new Refused(INVALID_SIGNATURE);
}
