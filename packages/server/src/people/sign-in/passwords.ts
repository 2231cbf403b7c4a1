/** Passwords, hashed with argon2id. The hashes are encrypted, so that a stolen journal alone does not allow guessing. */
import { argon2 } from "node:crypto";
import { promisify } from "node:util";
import { sameSecret } from "../../platform/secrets/api-keys.ts";
import {
  HASH_COST,
  HASH_LIMITS,
  type HashLimits,
  MAX_HASH_COST,
  MAX_PASSWORD_LENGTH,
  MIN_PASSWORD_LENGTH,
} from "./limits.ts";
import { CountByNetwork } from "../../api/edge/client-address.ts";
import type { Dice } from "../../platform/world/port.ts";

// Password hashes in the PHC string format: `$argon2id$v=19$m=32768,t=2,p=1$salt$hash`.

const makeHash = promisify(argon2);

const SALT_BYTES = 16;
const OUTPUT_BYTES = 32;
const VERSION = 19;
const HASH =
  /^\$argon2id\$v=19\$m=([1-9][0-9]{0,6}),t=([1-9][0-9]?),p=([1-9])\$([A-Za-z0-9+/]{22})\$([A-Za-z0-9+/]{43})$/;

export interface HashCost {
  readonly memoryKiB: number;
  readonly passes: number;
  readonly parallelism: number;
}

/** `salt` has `SALT_BYTES` bytes. */
export async function hashPassword(password: string, salt: Buffer, cost: HashCost = HASH_COST): Promise<string> {
  return hashText(cost, salt, await derive(password, salt, cost));
}

function hashText({ memoryKiB, passes, parallelism }: HashCost, salt: Buffer, hash: Buffer): string {
  const cost = `m=${memoryKiB},t=${passes},p=${parallelism}`;
  return `$argon2id$v=${VERSION}$${cost}$${withoutPadding(salt)}$${withoutPadding(hash)}`;
}

/** Whether the password matches a hash. Throws if the format or cost of the hash is not allowed. */
export async function isPassword(hash: string, password: string): Promise<boolean> {
  const [, memoryKiB, passes, parallelism, salt, expected] = HASH.exec(hash) ?? [];
  const cost = { memoryKiB: Number(memoryKiB), passes: Number(passes), parallelism: Number(parallelism) };
  if (salt === undefined || expected === undefined || !isBearable(cost)) throw new Error("not a hash of a password");
  const given = await derive(password, Buffer.from(salt, "base64"), cost);
  return sameSecret(withoutPadding(given), expected);
}

/** Hashes the password in NFC (RFC 8265), because keyboards produce different forms of the same characters. */
function derive(password: string, salt: Buffer, { memoryKiB, passes, parallelism }: HashCost): Promise<Buffer> {
  const message = Buffer.from(password.normalize("NFC"), "utf8");
  const cost = { memory: memoryKiB, passes, parallelism, tagLength: OUTPUT_BYTES };
  return makeHash("argon2id", { message, nonce: salt, ...cost });
}

function isBearable({ memoryKiB, passes, parallelism }: HashCost): boolean {
  const { memoryKiB: memory, passes: most, parallelism: lanes } = MAX_HASH_COST;
  return memoryKiB <= memory && passes <= most && parallelism <= lanes;
}

const withoutPadding = (bytes: Buffer): string => bytes.toString("base64").replaceAll("=", "");

// Hashes are expensive on purpose, so few are computed at the same time, and the queues are limited. Clients that the
// node can identify have separate queues, which other clients cannot fill.

/** The queue is full; the client should retry later. */
export class TooManyHashes extends Error {
  override readonly name = "TooManyHashes";
}

/** Customers and operators have separate queues, which are served alternately. */
export type HashFor = "customers" | "operators";

/**
 * Priority classes, each with its own queue: clients that the node can identify (by the mark of an earlier sign-in, a
 * session, a link or the admin token), then clients with a proof of work, then all others.
 */
const STANDINGS = ["known", "worked", "stranger"] as const;
export type Standing = (typeof STANDINGS)[number];

export interface HashSlot {
  readonly whose: HashFor;
  readonly standing: Standing;
  /** An IP address, or the ID of a browser, session or challenge. */
  readonly sender: string;
  /** Zero bits of the client's proof of work. More bits have priority within the queue. */
  readonly bits: number;
}

interface Waiter {
  readonly bits: number;
  readonly begin: () => void;
  readonly giveUp: (why: TooManyHashes) => void;
}

class Line {
  /** Sorted by bits in descending order, then by arrival. */
  readonly waiting: Waiter[] = [];
  readonly ofSender = new CountByNetwork();

  add(waiter: Waiter): void {
    const at = this.waiting.findIndex(({ bits }) => bits < waiter.bits);
    this.waiting.splice(at === -1 ? this.waiting.length : at, 0, waiter);
  }
}

const newLines = (): Readonly<Record<Standing, Line>> => ({
  known: new Line(),
  worked: new Line(),
  stranger: new Line(),
});

export class HashQueue {
  readonly #limits: HashLimits;
  readonly #lines = { customers: newLines(), operators: newLines() };
  #atWork = 0;
  #lastServed: HashFor = "customers";

  constructor(limits: HashLimits) {
    this.#limits = limits;
  }

  get waiting(): number {
    const lines = Object.values(this.#lines).flatMap((ofWhom) => Object.values(ofWhom));
    return lines.reduce((sum, { waiting }) => sum + waiting.length, 0);
  }

  /** The number of zero bits that guarantees a place in the queue; 0 if it is not full. */
  priceOf(whose: HashFor): number {
    const { waiting } = this.#lines[whose].worked;
    return waiting.length < this.#limits.maxWaiting ? 0 : (waiting.at(-1)?.bits ?? 0) + 1;
  }

  /** Runs the work when it is its turn. Rejects with `TooManyHashes` if the queue is full. */
  async run<T>({ whose, standing, sender, bits }: HashSlot, work: () => Promise<T>): Promise<T> {
    const { maxWaiting, maxOfAddress } = this.#limits;
    const line = this.#lines[whose][standing];
    if (line.ofSender.of(sender) >= maxOfAddress) throw new TooManyHashes();
    const last = line.waiting.at(-1);
    if (last !== undefined && line.waiting.length >= maxWaiting) {
      if (last.bits >= bits) throw new TooManyHashes();
      line.waiting.pop();
      last.giveUp(new TooManyHashes());
    }
    line.ofSender.add(sender);
    try {
      await this.#turn(line, whose, bits);
      try {
        return await work();
      } finally {
        this.#next();
      }
    } finally {
      line.ofSender.remove(sender);
    }
  }

  async #turn(line: Line, whose: HashFor, bits: number): Promise<void> {
    if (this.#atWork < this.#limits.maxAtATime) {
      this.#atWork++;
      this.#lastServed = whose;
      return;
    }
    await new Promise<void>((begin, giveUp) => line.add({ bits, begin, giveUp }));
  }

  /** Starts the hash that is next by priority, alternating between customers and operators. */
  #next(): void {
    const others: HashFor = this.#lastServed === "customers" ? "operators" : "customers";
    for (const standing of STANDINGS) {
      for (const whose of [others, this.#lastServed]) {
        const next = this.#lines[whose][standing].waiting.shift();
        if (next === undefined) continue;
        this.#lastServed = whose;
        next.begin();
        return;
      }
    }
    this.#atWork--;
  }
}

export interface PasswordsOptions {
  readonly sealer: { seal(secret: string): string; unseal(sealed: string): string };
  readonly dice: Dice;
  /** Lets a lab wait for work in other threads. */
  readonly during?: (<T>(work: Promise<T>) => Promise<T>) | undefined;
  readonly limits?: HashLimits;
  /** Default: `HASH_COST`. */
  readonly cost?: HashCost | undefined;
}

/** Whether a new password has an allowed length. There are no other rules (NIST SP 800-63B). */
export function isFitPassword(password: string): boolean {
  const { length } = Array.from(password);
  return length >= MIN_PASSWORD_LENGTH && length <= MAX_PASSWORD_LENGTH;
}

export class Passwords {
  readonly #options: PasswordsOptions;
  readonly #queue: HashQueue;
  readonly #cost: HashCost;
  /** A hash that matches no password, with the usual cost. */
  readonly #nobodys: string;

  constructor(options: PasswordsOptions) {
    this.#options = options;
    this.#queue = new HashQueue(options.limits ?? HASH_LIMITS);
    this.#cost = options.cost ?? HASH_COST;
    this.#nobodys = hashText(this.#cost, Buffer.alloc(SALT_BYTES), Buffer.alloc(OUTPUT_BYTES));
  }

  /** The number of hashes in all queues. */
  get waiting(): number {
    return this.#queue.waiting;
  }

  /** See `HashQueue.priceOf`. */
  priceOf(whose: HashFor): number {
    return this.#queue.priceOf(whose);
  }

  /** Resolves to the encrypted hash of a new password. Rejects with `TooManyHashes`. */
  async sealedHashOf(password: string, place: HashSlot): Promise<string> {
    const salt = this.#options.dice.randomBytes(SALT_BYTES);
    return this.#options.sealer.seal(await this.#run(place, () => hashPassword(password, salt, this.#cost)));
  }

  /**
   * Whether the password matches the encrypted hash. Without a hash, resolves to false after the same work, so that the
   * timing does not reveal who has a password. Rejects with `TooManyHashes`.
   */
  async isRight(sealedPassword: string | undefined, password: string, place: HashSlot): Promise<boolean> {
    // A password that is too long never matches, but takes the same work.
    const known = password.length <= 2 * MAX_PASSWORD_LENGTH ? sealedPassword : undefined;
    const hash = known === undefined ? this.#nobodys : this.#options.sealer.unseal(known);
    const isSame = await this.#run(place, () => isPassword(hash, password.slice(0, 2 * MAX_PASSWORD_LENGTH)));
    return isSame && known !== undefined;
  }

  #run<T>(place: HashSlot, work: () => Promise<T>): Promise<T> {
    const made = this.#queue.run(place, work);
    return this.#options.during?.(made) ?? made;
  }
}
