/** Passwords: hashed with argon2id, and the hashes sealed, so that a stolen journal alone gives nothing to guess at. */
import type { Dice } from "../../platform/world/port.ts";
import { hashPassword, isPassword, SALT_BYTES } from "./argon2id.ts";
import { type HashFor, type HashPlace, HashQueue } from "./hash-queue.ts";
import { HASH_LIMITS, type HashLimits, MAX_PASSWORD_LENGTH, MIN_PASSWORD_LENGTH } from "./limits.ts";

export interface PasswordsOptions {
  readonly sealer: { seal(secret: string): string; unseal(sealed: string): string };
  readonly dice: Dice;
  /** Told of work in other threads: in a lab. */
  readonly during?: (<T>(work: Promise<T>) => Promise<T>) | undefined;
  readonly limits?: HashLimits;
}

/** Whether a new password is long enough, and not too long. Nothing else about it is asked for (NIST SP 800-63B). */
export function isFitPassword(password: string): boolean {
  const { length } = Array.from(password);
  return length >= MIN_PASSWORD_LENGTH && length <= MAX_PASSWORD_LENGTH;
}

export class Passwords {
  readonly #options: PasswordsOptions;
  readonly #queue: HashQueue;

  constructor(options: PasswordsOptions) {
    this.#options = options;
    this.#queue = new HashQueue(options.limits ?? HASH_LIMITS);
  }

  /** Hashes that wait for their turn. */
  get waiting(): number {
    return this.#queue.waiting;
  }

  /** As `HashQueue.priceOf`. */
  priceOf(whose: HashFor): number {
    return this.#queue.priceOf(whose);
  }

  /** The sealed hash of a new password. Rejects with `TooManyHashes`. */
  async sealedHashOf(password: string, place: HashPlace): Promise<string> {
    const salt = this.#options.dice.randomBytes(SALT_BYTES);
    return this.#options.sealer.seal(await this.#run(place, () => hashPassword(password, salt)));
  }

  /**
   * Whether it is the password of that sealed hash. Undefined, for a holder that is not there or has no password: false,
   * after the same work. Rejects with `TooManyHashes`.
   */
  async isRight(sealedPassword: string | undefined, password: string, place: HashPlace): Promise<boolean> {
    // What is too long was never a password, and the work for it is as for any other.
    const known = password.length <= 2 * MAX_PASSWORD_LENGTH ? sealedPassword : undefined;
    const hash = known === undefined ? NOBODYS : this.#options.sealer.unseal(known);
    const isSame = await this.#run(place, () => isPassword(hash, password.slice(0, 2 * MAX_PASSWORD_LENGTH)));
    return isSame && known !== undefined;
  }

  #run<T>(place: HashPlace, work: () => Promise<T>): Promise<T> {
    const made = this.#queue.run(place, work);
    return this.#options.during?.(made) ?? made;
  }
}

/** A hash at the same cost as any of ours. The password to it is unknown, and would open nothing. */
const NOBODYS = "$argon2id$v=19$m=32768,t=2,p=1$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";
