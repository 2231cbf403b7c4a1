/**
 * Reads candles from history a few at a time: a client that opens a thousand of their streams leaves room for other
 * readers. A stream that is closed before its turn is not read.
 */
export type Load = () => Promise<void>;

const MAX_LOADS_AT_A_TIME = 8;

export class CandleLoads {
  /** Loads in the order of their requests. */
  readonly #waiting = new Set<Load>();
  #underWay = 0;

  /** `load` never rejects. */
  add(load: Load): void {
    this.#waiting.add(load);
    this.#startNext();
  }

  /** Does nothing once the load has begun. */
  remove(load: Load): void {
    this.#waiting.delete(load);
  }

  #startNext(): void {
    for (const load of this.#waiting) {
      if (this.#underWay >= MAX_LOADS_AT_A_TIME) return;
      this.#waiting.delete(load);
      void this.#carryOut(load);
    }
  }

  async #carryOut(load: Load): Promise<void> {
    this.#underWay++;
    await load();
    this.#underWay--;
    this.#startNext();
  }
}
