/**
 * Authenticates requests: API key, permissions, time and signature. Interface 5; the order of the checks is that of
 * Interface 7.7.
 */
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
import { dropOldest } from "./limits.ts";
import { Refused } from "./refusals.ts";
import type { RequestHeaders } from "./request.ts";

// HMAC-SHA256 (RFC 2104) with one secret and many messages.

const BLOCK_BYTES = 64;
const DIGEST_BYTES = 32;
const INNER_PAD = 0x36;
const OUTER_PAD = 0x5c;

/**
 * Computes each HMAC with precomputed key blocks, in one call per hash. `createHmac` creates an object and looks up the
 * algorithm for every message, which takes three times as long: an eighth of the time of an order on its thread.
 */
export class HmacKey {
  readonly #innerBlock: Buffer;
  /** The outer block, followed by space for the inner hash. */
  readonly #outer = Buffer.alloc(BLOCK_BYTES + DIGEST_BYTES);

  constructor(secret: Buffer) {
    const short = secret.length > BLOCK_BYTES ? hash("sha256", secret, "buffer") : secret;
    const block = Buffer.concat([short], BLOCK_BYTES);
    this.#innerBlock = Buffer.from(block.map((byte) => byte ^ INNER_PAD));
    this.#outer.set(block.map((byte) => byte ^ OUTER_PAD));
  }

  /** `message` has one character per byte. */
  sign(message: string): Buffer {
    const inner = Buffer.allocUnsafe(BLOCK_BYTES + message.length);
    inner.set(this.#innerBlock);
    inner.write(message, BLOCK_BYTES, "latin1");
    this.#outer.set(hash("sha256", inner, "buffer"), BLOCK_BYTES);
    return hash("sha256", this.#outer, "buffer");
  }
}

// Verifies HMAC-SHA256 (Interface 5.5), Ed25519 or RSA signatures of text with one character per byte.

const SIGNATURE = /^[0-9a-fA-F]{64}$/;

/** An HMAC secret, or an Ed25519 or RSA public key. */
type VerifyingKey = HmacKey | KeyObject;

/**
 * Verifies a signature. `payload` is the query and body as received, without the signature parameter, one character per
 * byte.
 */
export function isSignedBy(key: VerifyingKey, payload: string, signature: string): boolean {
  if (!(key instanceof HmacKey)) {
    // Ed25519 has its own hash; RSA signatures are RSASSA-PKCS1-v1_5 with SHA-256.
    const hashed = key.asymmetricKeyType === "rsa" ? "sha256" : null;
    return verify(hashed, Buffer.from(payload, "latin1"), key, Buffer.from(signature, "base64"));
  }
  return SIGNATURE.test(signature) && timingSafeEqual(key.sign(payload), Buffer.from(signature, "hex"));
}

// A bounded cache of the keys that verify signatures: decrypted secrets and public keys. They are never written to
// disk.

/** Decrypts a secret from the journal. Throws if it was encrypted with another master key. */
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
    if (cached === undefined && this.#cache.size >= this.#maxCached) dropOldest(this.#cache);
    this.#cache.set(key.apiKey, { sealedSecret, publicKey, verifyingKey });
    return verifyingKey;
  }

  #open({ publicKey, sealedSecret }: ApiKey): VerifyingKey {
    if (publicKey === undefined) return new HmacKey(Buffer.from(this.#unseal(sealedSecret), "latin1"));
    return createPublicKey({ key: Buffer.from(publicKey, "base64"), format: "der", type: "spki" });
  }

  /** Removes a deleted API key from the cache. */
  forget(apiKey: string): void {
    this.#cache.delete(apiKey);
  }
}

// A signed request with a lasting effect on a connection (a logon, a subscription to account events) is valid on only
// one connection, so that an attacker cannot use a copy on another. Each is stored until its time window is over.

export interface SpentLimits {
  /** Maximum number of stored requests. Further ones are rejected, because no stored request may be dropped early. */
  readonly maxSpent: number;
  /** Maximum number of stored requests per key, so that one key cannot fill the store. */
  readonly maxSpentOfKey: number;
}

const SPENT_LIMITS: SpentLimits = { maxSpent: 100_000, maxSpentOfKey: 1000 };

export interface Signed {
  readonly apiKey: string;
  /** The signed text. It identifies the request; the signature does not, because it can be written in several ways. */
  readonly payload: string;
  /** The end of the request's time window, in milliseconds. */
  readonly lastMs: number;
  /** The connection of the request. Only this connection may repeat it. */
  readonly session: object;
}

interface Spent {
  readonly apiKey: string;
  readonly session: object;
}

const SAVED = z.array(z.strictObject({ second: savedCount, name: z.string(), apiKey: z.string() }));

export class SpentSignatures {
  readonly #limits: SpentLimits;
  /** Stored requests by the last second of their time window, then by a hash of key and payload. */
  readonly #bySecond = new Map<number, Map<string, Spent>>();
  readonly #ofKey = new Map<string, number>();
  #size = 0;

  constructor(saved: SavedState, limits = SPENT_LIMITS) {
    this.#limits = limits;
    const save = () =>
      [...this.#bySecond].flatMap(([second, ofSecond]) =>
        [...ofSecond].map(([name, { apiKey }]) => ({ second, name, apiKey })),
      );
    // The connections of restored requests are closed, so no connection may repeat them.
    for (const { second, name, apiKey } of saved.restore("gateway/spent", SAVED, save) ?? []) {
      this.#remember(second, name, { apiKey, session: {} });
    }
  }

  get size(): number {
    return this.#size;
  }

  /** Stores a valid request. Returns "spent" if another connection has used it, "full" if too many are stored. */
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

  /** Removes expired requests. Iterates over at most as many seconds as the longest time window has. */
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

// The checks of a request, in the order in which they run.

export const API_KEY_HEADER = "x-mbx-apikey";

/** Whether the request has an API key. An empty header counts as none, because some clients send one. */
export function namesApiKey(headers: RequestHeaders): boolean {
  const sent = headers[API_KEY_HEADER];
  return sent !== undefined && sent !== "";
}

/** The API key of the request. Throws -2014 if it is missing or malformed. */
export function sentApiKey(headers: RequestHeaders): string {
  return wellFormedApiKey(headers[API_KEY_HEADER]);
}

export function wellFormedApiKey(sent: unknown): string {
  if (typeof sent !== "string" || !isApiKey(sent)) throw new Refused(BAD_API_KEY_FORMAT);
  return sent;
}

/**
 * The API key. Throws -2015 if it does not exist or may not be used from this address, -1002 if a permission is
 * missing.
 */
export function knownApiKey(engine: EngineView, sent: string, endpoint: Endpoint, ip: string): ApiKey {
  const key = engine.apiKey(sent);
  if (key === undefined || !mayComeFrom(key, ip)) throw new Refused(REJECTED_API_KEY);
  checkPermission(key, endpoint);
  return key;
}

/** Checks the permission that the endpoint needs besides its security type. Throws -2015, or -1002 if it is missing. */
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

/** Throws -1021 if the timestamp is outside the window, -1131 if recvWindow is too large. */
export function checkTimely(
  { timestampMs, recvWindowMs }: Pick<ParsedRequest, "timestampMs" | "recvWindowMs">,
  nowMs: number,
): void {
  const late = checkTiming(timestampMs, recvWindowMs, nowMs);
  if (late !== null) throw new Refused(late);
}

/**
 * Throws -1022 if the signature is invalid. It covers the bytes as sent or, as some clients sign, as decoded (decision
 * 17) or with parameters that are null (decision 74).
 */
export function checkSigned(secrets: Secrets, key: ApiKey, request: ParsedRequest): void {
  const verifyingKey = secrets.of(key);
  const { payload, signature } = request;
  if (isSignedBy(verifyingKey, payload, signature)) return;
  const other = otherPayload(request);
  if (other === undefined || !isSignedBy(verifyingKey, other, signature)) throw new Refused(INVALID_SIGNATURE);
}
