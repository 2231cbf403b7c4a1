/**
 * Remembers which blocks of a chain were read. It keeps the hashes at which reading paused, so that it notices
 * when blocks it has read are no longer on the chain, and goes back to where memory and chain agree.
 */
import type { Block, Chain, EmptyBlocks } from "./chain.ts";
import type { KeptBlocks } from "./kept-follower.ts";

export class ReadBlocks {
  readonly #chain: Pick<Chain, "block">;
  /** Blocks in ascending order; everything up to each was read while it was on the chain. */
  readonly #pauses: Block[];
  #next: number;

  /** Reading begins at `fromHeight`; `pauses` are blocks before it that were read. */
  constructor(chain: Pick<Chain, "block">, fromHeight: number, pauses: readonly Block[] = []) {
    this.#chain = chain;
    this.#next = fromHeight;
    this.#pauses = [...pauses];
  }

  kept(): KeptBlocks {
    return { next: this.#next, pauses: [...this.#pauses] };
  }

  /** The first height that has not been read yet. */
  get next(): number {
    return this.#next;
  }
  /** The last block that was read; undefined when there is none. */
  get last(): Block | undefined {
    return this.#pauses.at(-1);
  }

  /** Records that everything up to this block was read. Forgets all blocks deeper than `margin` but one. */
  add(block: Block, margin: number): void {
    this.#pauses.push(block);
    this.#next = block.height + 1;
    while (this.#pauses.length > 1 && (this.#pauses[1] as Block).height <= block.height - margin) this.#pauses.shift();
  }

  /** As `add`, for each of these empty blocks up to `height`. */
  addEmpty({ height, hashAt }: Pick<EmptyBlocks, "height" | "hashAt">, margin: number): void {
    // Lower blocks would be forgotten at once.
    for (let at = Math.max(this.#next, height - margin); at <= height; at++)
      this.add({ height: at, hash: hashAt(at) }, margin);
  }

  /** Returns whether the last block that was read is still on the chain. */
  async stands(): Promise<boolean> {
    const { last } = this;
    return last === undefined || (await this.#isOnChain(last));
  }

  /**
   * Goes back to the last block that is still on the chain, or `margin` blocks further when none is. Returns the height
   * from which everything read is void; undefined when all of it stands. When the chain cannot be asked to the end, it
   * rejects and nothing has changed: the next call finds the same.
   */
  async rewind(margin: number): Promise<number | undefined> {
    let standing = this.#pauses.length;
    while (standing > 0 && !(await this.#isOnChain(this.#pauses[standing - 1] as Block))) standing--;
    const gone = this.#pauses[standing];
    if (gone === undefined) return undefined;
    this.#pauses.length = standing;
    this.#next = this.last === undefined ? Math.max(0, gone.height - margin) : this.last.height + 1;
    return this.#next;
  }

  async #isOnChain({ height, hash }: Block): Promise<boolean> {
    return (await this.#chain.block(height))?.hash === hash;
  }
}
