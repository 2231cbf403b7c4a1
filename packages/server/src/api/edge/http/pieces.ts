/** Bytes that arrive in pieces, kept as one: each of a thousand small buffers would have its own overhead. */
export class Pieces {
  #held: Buffer = NOTHING;
  #bytes = 0;

  /** Adds a piece, which may be kept without copying. */
  add(piece: Buffer): void {
    const bytes = this.#bytes + piece.length;
    if (this.#bytes === 0) this.#held = piece;
    else {
      if (bytes > this.#held.length) this.#held = Buffer.concat([this.#held], Math.max(bytes, 2 * this.#held.length));
      piece.copy(this.#held, this.#bytes);
    }
    this.#bytes = bytes;
  }

  clear(): void {
    this.#held = NOTHING;
    this.#bytes = 0;
  }

  /** All bytes; valid until the next piece is added. */
  whole(): Buffer {
    return this.#held.subarray(0, this.#bytes);
  }
}

const NOTHING = Buffer.alloc(0);
