/** Hashes are dear on purpose: they are made a few at a time, and those who wait are bounded too. */
import { CountByNetwork } from "../edge/limits/count-by-network.ts";
import type { HashLimits } from "./limits.ts";

/** More hashes wait than may: the client tries again in a moment. */
export class TooManyHashes extends Error {
  override readonly name = "TooManyHashes";
}

export class HashQueue {
  readonly #limits: HashLimits;
  readonly #waiting: (() => void)[] = [];
  readonly #ofAddress = new CountByNetwork();
  #atWork = 0;

  constructor(limits: HashLimits) {
    this.#limits = limits;
  }

  get waiting(): number {
    return this.#waiting.length;
  }

  /** Runs the work when its turn has come. Rejects with `TooManyHashes` when there is no room for it. */
  async run<T>(ip: string, work: () => Promise<T>): Promise<T> {
    const { maxWaiting, maxOfAddress } = this.#limits;
    if (this.#waiting.length >= maxWaiting || this.#ofAddress.of(ip) >= maxOfAddress) throw new TooManyHashes();
    this.#ofAddress.add(ip);
    try {
      await this.#turn();
      try {
        return await work();
      } finally {
        this.#next();
      }
    } finally {
      this.#ofAddress.remove(ip);
    }
  }

  async #turn(): Promise<void> {
    if (this.#atWork < this.#limits.maxAtATime) {
      this.#atWork++;
      return;
    }
    await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  /** Whoever waits longest takes the place that is free. */
  #next(): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#atWork--;
    else next();
  }
}
