/** Secrets of API keys, decrypted and ready to verify with. In memory only, and only so many. */
import { createSecretKey } from "node:crypto";
import type { KeyObject } from "node:crypto";
import type { ApiKey } from "@pricetime/engine";

/** Decrypts what the journal holds; throws when the master key is not the one it was sealed with. */
export type Unseal = (sealedSecret: string) => string;

export const MAX_CACHED_SECRETS = 100_000;

interface CachedSecret {
  readonly sealedSecret: string;
  readonly secret: KeyObject;
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

  of(key: ApiKey): KeyObject {
    const cached = this.#cache.get(key.apiKey);
    if (cached !== undefined && cached.sealedSecret === key.sealedSecret) return cached.secret;
    const secret = createSecretKey(this.#unseal(key.sealedSecret), "latin1");
    if (cached === undefined && this.#cache.size >= this.#maxCached) this.#dropOldest();
    this.#cache.set(key.apiKey, { sealedSecret: key.sealedSecret, secret });
    return secret;
  }

  /** The key was deleted. */
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
