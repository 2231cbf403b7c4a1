/**
 * A repeatable random source: the key stream of AES in counter mode over a seed. The same seed gives the same bytes on
 * every machine. Its state is the journal's position at the lab's start, and the number of bytes drawn since then.
 */
import { type Cipheriv, createCipheriv, createHash } from "node:crypto";
import { z } from "zod";
import type { Dice, SavedState } from "../platform/world/port.ts";
import { savedCount } from "../platform/world/saved-state.ts";

const LABEL = "pricetime: dice of a lab";
const BLOCK_BYTES = 16;

const SAVED = z.strictObject({ sinceSeq: savedCount, drawnBytes: savedCount });
type DiceState = z.infer<typeof SAVED>;

export class SeededRandom implements Dice {
  readonly #seed: number;
  /**
   * The last journal entry when the lab was started. It is part of the key, so that a restarted lab draws other bytes.
   */
  #sinceSeq = 0;
  #drawnBytes = 0;
  #stream: Cipheriv;

  constructor(seed: number, saved: SavedState) {
    this.#seed = seed;
    this.#stream = this.#made();
    const takeBack = (state: DiceState): void => this.goTo(state);
    const restored = saved.restore("dice", SAVED, () => this.state, takeBack);
    if (restored !== undefined) this.goTo(restored);
  }

  /** Called once the journal's last entry is known. Bytes that were drawn before that entry are not drawn again. */
  beginAfter(seq: number): void {
    if (seq > 0) this.goTo({ sinceSeq: seq, drawnBytes: 0 });
  }

  goTo({ sinceSeq, drawnBytes }: DiceState): void {
    this.#sinceSeq = sinceSeq;
    this.#drawnBytes = drawnBytes;
    this.#stream = this.#made();
  }

  readonly randomBytes = (count: number): Buffer => {
    this.#drawnBytes += count;
    return this.#stream.update(Buffer.alloc(count));
  };

  get state(): DiceState {
    return { sinceSeq: this.#sinceSeq, drawnBytes: this.#drawnBytes };
  }

  #made(): Cipheriv {
    const words = this.#sinceSeq === 0 ? [LABEL, this.#seed] : [LABEL, this.#seed, this.#sinceSeq];
    const key = createHash("sha256").update(words.join(" ")).digest().subarray(0, BLOCK_BYTES);
    const block = Buffer.alloc(BLOCK_BYTES);
    block.writeBigUInt64BE(BigInt(Math.floor(this.#drawnBytes / BLOCK_BYTES)), BLOCK_BYTES / 2);
    const stream = createCipheriv("aes-128-ctr", key, block);
    stream.update(Buffer.alloc(this.#drawnBytes % BLOCK_BYTES));
    return stream;
  }
}
