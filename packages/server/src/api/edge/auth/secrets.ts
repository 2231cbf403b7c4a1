/**
 * Keys for verifying the signatures of API keys: decrypted secrets or public keys. Only in memory, and bounded in
 * number.
 */
import { createPublicKey } from "node:crypto";
import type { ApiKey } from "@pricetime/engine";
import { HmacKey } from "./hmac-key.ts";
import type { VerifyingKey } from "./signature.ts";

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
