/**
 * A seeded random source for `Math.random`, `node:crypto` and Web Crypto. TLS keys are generated elsewhere and stay
 * random.
 */
import crypto, { createHash } from "node:crypto";
import { syncBuiltinESMExports } from "node:module";
import { MACHINE } from "./timers.ts";

const BLOCK_BYTES = 32;
const BYTES_OF_UINT48 = 6;
/** The number of random bits in a number of [0, 1). */
const BITS = 53;
const DRAWN_BYTES = 8;

/** Bytes of SHA-256 over the seed and a counter, equal on every machine. */
class SeededBytes {
  readonly #seed: string;
  #count = 0;
  #block = Buffer.alloc(0);
  #used = 0;

  constructor(seed: string) {
    this.#seed = seed;
  }

  fill(target: Uint8Array): void {
    for (let at = 0; at < target.length; ) {
      if (this.#used === this.#block.length) this.#next();
      const count = Math.min(target.length - at, this.#block.length - this.#used);
      target.set(this.#block.subarray(this.#used, this.#used + count), at);
      this.#used += count;
      at += count;
    }
  }

  take(count: number): Buffer {
    const bytes = Buffer.alloc(count);
    this.fill(bytes);
    return bytes;
  }

  /** Returns a uniform number in [0, 1). */
  fraction(): number {
    return Number(this.take(DRAWN_BYTES).readBigUInt64LE() >> BigInt(DRAWN_BYTES * 8 - BITS)) / 2 ** BITS;
  }

  #next(): void {
    this.#block = createHash("sha256")
      .update(`${this.#seed}/${this.#count++}`)
      .digest();
    this.#used = 0;
    if (this.#block.length !== BLOCK_BYTES) throw new Error("SHA-256 has 32 bytes");
  }
}

type Done<T> = (error: Error | null, value: T) => void;

export function seedRandom(seed: string): void {
  const bytes = new SeededBytes(seed);
  Math.random = () => bytes.fraction();

  /** Returns a value, or passes it to the callback in a later turn. */
  const give = <T>(value: T, done: Done<T> | undefined): T | undefined => {
    if (done === undefined) return value;
    void MACHINE.setImmediate(() => done(null, value));
    return undefined;
  };
  const fill = <T extends ArrayBufferView>(view: T, offset = 0, size?: number): T => {
    const { BYTES_PER_ELEMENT: width = 1 } = view as unknown as { BYTES_PER_ELEMENT?: number };
    const start = view.byteOffset + offset * width;
    const length = size === undefined ? view.byteLength - offset * width : size * width;
    bytes.fill(new Uint8Array(view.buffer, start, length));
    return view;
  };
  const between = (min: number, max: number): number => {
    const range = max - min;
    if (!Number.isSafeInteger(range) || range < 1) throw new RangeError(`randomInt: ${min} to ${max} has no integer`);
    // Numbers from the last whole multiple of the range on are drawn again, because they would make small results more
    // likely.
    for (const limit = 2 ** 48 - (2 ** 48 % range); ; ) {
      const drawn = bytes.take(BYTES_OF_UINT48).readUIntLE(0, BYTES_OF_UINT48);
      if (drawn < limit) return min + (drawn % range);
    }
  };
  const uuid = (): `${string}-${string}-${string}-${string}-${string}` => {
    const raw = bytes.take(16);
    raw[6] = ((raw[6] ?? 0) & 0x0f) | 0x40;
    raw[8] = ((raw[8] ?? 0) & 0x3f) | 0x80;
    const hex = raw.toString("hex");
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
  };

  Object.assign(crypto, {
    randomBytes: (count: number, done?: Done<Buffer>) => give(bytes.take(count), done),
    pseudoRandomBytes: (count: number, done?: Done<Buffer>) => give(bytes.take(count), done),
    randomFillSync: fill,
    randomFill: (view: ArrayBufferView, ...rest: unknown[]) => {
      const done = rest.pop() as Done<ArrayBufferView>;
      const [offset, size] = rest as [number?, number?];
      give(fill(view, offset, size), done);
    },
    randomInt: (one: number, other?: number | Done<number>, done?: Done<number>) =>
      typeof other === "number" ? give(between(one, other), done) : give(between(0, one), other),
    randomUUID: uuid,
  });
  // The methods are replaced on the prototype, because the `crypto` object itself cannot be replaced.
  Object.assign(Object.getPrototypeOf(globalThis.crypto) as object, {
    getRandomValues: (view: ArrayBufferView) => fill(view),
    randomUUID: uuid,
  });
  syncBuiltinESMExports();
}
