/** How many files are written at once: each takes its part of every turn of the event loop. */

export class FilePlaces {
  readonly #most: number;
  #taken = 0;
  readonly #holders = new Set<string>();

  constructor(most: number) {
    this.#most = most;
  }

  /**
   * Returns what gives the place back, once; undefined where none is left. A `holder` has one at a time, so that nobody
   * takes all of them.
   */
  take(holder?: string): (() => void) | undefined {
    if (this.#taken >= this.#most || (holder !== undefined && this.#holders.has(holder))) return undefined;
    this.#taken++;
    if (holder !== undefined) this.#holders.add(holder);
    let isTaken = true;
    return () => {
      if (!isTaken) return;
      isTaken = false;
      this.#taken--;
      if (holder !== undefined) this.#holders.delete(holder);
    };
  }
}

/** The lines, with an end that is told at least once: at the last, at an error, and when a reader goes, also before the first. */
export function endTold(lines: AsyncGenerator<Buffer>, onEnd: () => void): AsyncIterable<Buffer> {
  const iterator: AsyncIterator<Buffer> = {
    next: async () => {
      try {
        const line = await lines.next();
        if (line.done === true) onEnd();
        return line;
      } catch (error) {
        onEnd();
        throw error;
      }
    },
    return: async () => {
      onEnd();
      return lines.return(undefined);
    },
  };
  return { [Symbol.asyncIterator]: () => iterator };
}
