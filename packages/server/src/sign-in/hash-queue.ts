/** Hashes are dear on purpose: they are made a few at a time, and those who wait are bounded too. */
import { CountByNetwork } from "../edge/limits/count-by-network.ts";
import type { HashLimits } from "./limits.ts";

/** More hashes wait than may: the client tries again in a moment. */
export class TooManyHashes extends Error {
  override readonly name = "TooManyHashes";
}

/** For whom a hash is made. Operators wait apart, and go first: a crowd at the public port is when they are needed. */
export type HashFor = "customers" | "operators";

class Line {
  readonly waiting: (() => void)[] = [];
  readonly ofAddress = new CountByNetwork();
}

export class HashQueue {
  readonly #limits: HashLimits;
  readonly #lines: Readonly<Record<HashFor, Line>> = { customers: new Line(), operators: new Line() };
  #atWork = 0;

  constructor(limits: HashLimits) {
    this.#limits = limits;
  }

  get waiting(): number {
    return this.#lines.customers.waiting.length + this.#lines.operators.waiting.length;
  }

  /** Runs the work when its turn has come. Rejects with `TooManyHashes` when there is no room for it. */
  async run<T>(ip: string, work: () => Promise<T>, whose: HashFor = "customers"): Promise<T> {
    const { maxWaiting, maxOfAddress } = this.#limits;
    const { waiting, ofAddress } = this.#lines[whose];
    if (waiting.length >= maxWaiting || ofAddress.of(ip) >= maxOfAddress) throw new TooManyHashes();
    ofAddress.add(ip);
    try {
      await this.#turn(waiting);
      try {
        return await work();
      } finally {
        this.#next();
      }
    } finally {
      ofAddress.remove(ip);
    }
  }

  async #turn(waiting: (() => void)[]): Promise<void> {
    if (this.#atWork < this.#limits.maxAtATime) {
      this.#atWork++;
      return;
    }
    await new Promise<void>((resolve) => waiting.push(resolve));
  }

  /** Whoever waits longest takes the place that is free, of operators first. */
  #next(): void {
    const { customers, operators } = this.#lines;
    const next = operators.waiting.shift() ?? customers.waiting.shift();
    if (next === undefined) this.#atWork--;
    else next();
  }
}
