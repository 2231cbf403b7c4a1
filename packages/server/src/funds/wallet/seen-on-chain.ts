/** The state of a chain's watcher: the blocks that it has read, and the unattributed deposits. */
import type { Block, Chain, ChainCoin, EmptyBlocks } from "./chain.ts";
import {
  type FollowerParts,
  MAX_UNATTRIBUTED_PER_COIN,
  MAX_UNATTRIBUTED_PER_NETWORK,
  refusalOf,
} from "./follower-parts.ts";
import { type RejectReason, UNKNOWN_DEPOSIT_REASONS, type UnknownDepositReason } from "@pricetime/engine";
import { z } from "zod";
import { savedCount } from "../../platform/world/saved-state.ts";

const block = z.strictObject({ height: savedCount, hash: z.string() });

/** The saved state of `ReadBlocks`. */
export const BLOCKS_STATE = z.strictObject({ next: savedCount, pauses: z.array(block) });

/** A deposit in a watcher's saved state. */
export const coinShape = z.strictObject({
  ...{ txId: z.string(), output: savedCount, asset: z.string(), address: z.string(), tag: z.string() },
  ...{ amount: z.string(), block },
});

// Stores the blocks at which reading paused, to detect a reorg and return to the last block that is still on the chain.

export class ReadBlocks {
  readonly #chain: Pick<Chain, "block">;
  /** Blocks in ascending order. At each of them, all blocks up to it had been read and it was on the chain. */
  readonly #pauses: Block[];
  #next: number;

  /** Reading begins at `fromHeight`; `pauses` are earlier blocks at which reading paused. */
  constructor(chain: Pick<Chain, "block">, fromHeight: number, pauses: readonly Block[] = []) {
    this.#chain = chain;
    this.#next = fromHeight;
    this.#pauses = [...pauses];
  }

  get state(): z.infer<typeof BLOCKS_STATE> {
    return { next: this.#next, pauses: [...this.#pauses] };
  }

  /** The first height that was not read yet. */
  get next(): number {
    return this.#next;
  }
  /** The last block that was read; undefined if there is none. */
  get last(): Block | undefined {
    return this.#pauses.at(-1);
  }

  /**
   * Records that everything up to this block was read. Of the blocks at least `margin` below it, only the newest is
   * kept.
   */
  add(block: Block, margin: number): void {
    this.#pauses.push(block);
    this.#next = block.height + 1;
    while (this.#pauses.length > 1 && (this.#pauses[1] as Block).height <= block.height - margin) this.#pauses.shift();
  }

  /** Calls `add` for each of these empty blocks up to `height`. */
  addEmpty({ height, hashAt }: Pick<EmptyBlocks, "height" | "hashAt">, margin: number): void {
    // Lower blocks would be dropped immediately.
    for (let at = Math.max(this.#next, height - margin); at <= height; at++)
      this.add({ height: at, hash: hashAt(at) }, margin);
  }

  /** Whether the last block that was read is still on the chain. */
  async stands(): Promise<boolean> {
    const { last } = this;
    return last === undefined || (await this.#isOnChain(last));
  }

  /**
   * Returns to the last block that is still on the chain, or `margin` blocks further back if none is. Resolves to the
   * height from which blocks must be read again, or undefined if no block was removed. Rejects without a change if the
   * chain cannot be reached.
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

// An unattributed deposit is journaled once, when it is final, for an operator to resolve. Their number is limited,
// because anyone can send worthless tokens to an address.

/** Deposits that are not final yet. */
const SAVED_STRAYS = z.array(coinShape.extend({ stray: z.enum(UNKNOWN_DEPOSIT_REASONS) }));

export type Stray = ChainCoin & { readonly stray: UnknownDepositReason };

export class UnattributedDeposits {
  readonly #parts: FollowerParts;
  readonly #network: string;
  /** Deposits that are not final yet. */
  readonly #coins = new Map<string, Stray>();
  /** Whether the operators were notified that the limit is reached. */
  #isFullTold = false;

  constructor(parts: FollowerParts) {
    this.#parts = parts;
    this.#network = parts.chain.network;
    const restored = parts.saved.restore("unattributed", SAVED_STRAYS, () =>
      [...this.#coins.values()].map((coin) => ({ ...coin, block: { ...coin.block } })),
    );
    for (const coin of restored ?? []) this.add(coin);
  }

  get isEmpty(): boolean {
    return this.#coins.size === 0;
  }

  add(coin: Stray): void {
    const { txId, output } = coin;
    if (this.#parts.view.venue.isNoted({ network: this.#network, txId, output })) return;
    this.#coins.set(`${txId} ${output}`, coin);
  }

  /** Drops deposits in blocks from this height on, because these blocks left the chain. */
  drop(fromHeight: number): void {
    for (const [key, { block }] of this.#coins) if (block.height >= fromHeight) this.#coins.delete(key);
  }

  /** Journals the deposits in blocks up to this height; resolves to their number. Failures are retried. */
  async note(toHeight: number): Promise<number> {
    let noted = 0;
    for (const [key, coin] of [...this.#coins]) {
      if (coin.block.height > toHeight) continue;
      if (await this.#note(coin)) noted++;
      this.#coins.delete(key);
    }
    return noted;
  }

  async #note({ txId, output, asset: coin, address, tag, amount, stray: reason }: Stray): Promise<boolean> {
    const { sequencer, log } = this.#parts;
    const about = { network: this.#network, txId, output, coin, amount, reason };
    if (!this.#hasRoom(coin)) {
      if (!this.#isFullTold)
        log.warn(about, "too many unattributed deposits; more are recorded only after some are resolved");
      this.#isFullTold = true;
      return false;
    }
    this.#isFullTold = false;
    const command = { type: "noteUnknownDeposit", network: this.#network, txId, output, address, tag } as const;
    const refusal = await refusalOf(sequencer, { ...command, coin, amount, reason });
    if (refusal === null) log.warn(about, "unattributed deposit recorded");
    else if (!this.#isBooked(refusal, txId, output))
      log.error({ ...about, why: refusal }, "cannot record an unattributed deposit");
    return refusal === null;
  }

  /**
   * Whether the deposit was already reported, or booked as a customer's deposit. Happens because blocks above the
   * journaled height are read again.
   */
  #isBooked(refusal: RejectReason, txId: string, output: number): boolean {
    if (refusal === "ALREADY_EXISTS" || refusal === "CONTENTS_NOT_KEPT") return true;
    return this.#parts.view.funds.isDeposit({ network: this.#network, txId, output });
  }

  #hasRoom(coin: string): boolean {
    let [here, ofCoin] = [0, 0];
    for (const waiting of this.#parts.view.venue.unknownDeposits()) {
      if (waiting.network !== this.#network) continue;
      here++;
      if (waiting.coin === coin) ofCoin++;
    }
    return here < MAX_UNATTRIBUTED_PER_NETWORK && ofCoin < MAX_UNATTRIBUTED_PER_COIN;
  }
}
