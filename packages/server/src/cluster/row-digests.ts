/** The event digests at the ends of the last rows, which other nodes' are compared with. */

export class RowDigests {
  readonly #seqs: Float64Array;
  readonly #digests: string[] = [];
  #count = 0;

  /** `rows`: how many are kept. */
  constructor(rows: number) {
    this.#seqs = new Float64Array(rows);
  }

  /** The row that ends with entry `seq`, later than those before. */
  note(seq: number, digest: string): void {
    const at = this.#count++ % this.#seqs.length;
    this.#seqs[at] = seq;
    this.#digests[at] = digest;
  }

  /** Whether a node that had the event digest after entry `seq` agrees with this one; undefined: that is too long ago. */
  agree(seq: number, eventDigest: string): boolean | undefined {
    const oldest = Math.max(0, this.#count - this.#seqs.length);
    if (this.#count === 0 || seq < this.#seqAt(oldest)) return undefined;
    let [from, to] = [oldest, this.#count - 1];
    while (from < to) {
      const middle = (from + to + 1) >> 1;
      if (this.#seqAt(middle) <= seq) from = middle;
      else to = middle - 1;
    }
    return this.#seqAt(from) === seq && this.#digests[from % this.#seqs.length] === eventDigest;
  }

  #seqAt(index: number): number {
    return this.#seqs[index % this.#seqs.length] as number;
  }
}
