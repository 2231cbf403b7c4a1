/**
 * Coins that came to the venue and are nobody's: each is journaled once, when it lies so deep that no block can take it
 * back, for an operator to settle. Anybody can send worthless tokens to an address, so how many wait is bounded.
 */
import type { RejectReason, UnknownDepositReason } from "@pricetime/engine";
import type { ChainCoin } from "./chain.ts";
import { refusalOf } from "./commands.ts";
import type { KeptStrays } from "./kept-follower.ts";
import { MAX_STRAYS_OF_A_COIN, MAX_STRAYS_OF_A_NETWORK } from "./limits.ts";
import type { FollowerParts } from "./follower-parts.ts";

export type Stray = ChainCoin & { readonly stray: UnknownDepositReason };

export class Strays {
  readonly #parts: FollowerParts;
  readonly #network: string;
  /** Those that blocks may still take back. */
  readonly #coins = new Map<string, Stray>();
  /** Whether an operator was told that there is no room for more. */
  #isFullTold = false;

  constructor(parts: FollowerParts, kept: KeptStrays = []) {
    this.#parts = parts;
    this.#network = parts.chain.network;
    for (const coin of kept) this.add(coin);
  }

  get isEmpty(): boolean {
    return this.#coins.size === 0;
  }

  kept(): KeptStrays {
    return [...this.#coins.values()];
  }

  add(coin: Stray): void {
    const { txId, output } = coin;
    if (this.#parts.view.venue.isNoted({ network: this.#network, txId, output })) return;
    this.#coins.set(`${txId} ${output}`, coin);
  }

  /** The blocks from this height on left the chain. */
  drop(fromHeight: number): void {
    for (const [key, { block }] of this.#coins) if (block.height >= fromHeight) this.#coins.delete(key);
  }

  /** Journals those in blocks up to this height; returns how many. What fails is tried again. */
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

  /** Reported before, or booked as a customer's deposit: what lies above the journaled height is read again. */
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
    return here < MAX_STRAYS_OF_A_NETWORK && ofCoin < MAX_STRAYS_OF_A_COIN;
  }
}
