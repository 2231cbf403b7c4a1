/**
 * Hashes are dear on purpose: they are made a few at a time, and those who wait are bounded too. Places are kept for
 * clients that a crowd of strangers cannot pretend to be.
 */
import { CountByNetwork } from "../../api/edge/limits/count-by-network.ts";
import type { HashLimits } from "./limits.ts";

/** More hashes wait than may: the client tries again in a moment. */
export class TooManyHashes extends Error {
  override readonly name = "TooManyHashes";
}

/** For whom a hash is made. Each has lines of their own, and the lines are served in turn. */
export type HashFor = "customers" | "operators";

/**
 * Who goes first: clients that the node knows (by the mark of an earlier sign-in, a session, a link or the admin token),
 * then clients with a proof of work, then strangers. Each has a line of its own.
 */
const STANDINGS = ["known", "worked", "stranger"] as const;
export type Standing = (typeof STANDINGS)[number];

export interface HashPlace {
  readonly whose: HashFor;
  readonly standing: Standing;
  /** An address, or the id of a browser, session or challenge: few of one sender wait. */
  readonly sender: string;
  /** Zero bits of the proof of work: in that line more goes first. */
  readonly bits: number;
}

interface Waiter {
  readonly bits: number;
  readonly begin: () => void;
  readonly giveUp: (why: TooManyHashes) => void;
}

class Line {
  /** Most bits first; of equal ones, who came first. */
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

  /** Bits of a proof of work that get a place in any case; 0: there is room for whoever has worked at all. */
  priceOf(whose: HashFor): number {
    const { waiting } = this.#lines[whose].worked;
    return waiting.length < this.#limits.maxWaiting ? 0 : (waiting.at(-1)?.bits ?? 0) + 1;
  }

  /** Runs the work when its turn has come. Rejects with `TooManyHashes` when there is no room for it. */
  async run<T>({ whose, standing, sender, bits }: HashPlace, work: () => Promise<T>): Promise<T> {
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

  /** The place that is free goes to the first line in which somebody waits; customers and operators take turns. */
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
