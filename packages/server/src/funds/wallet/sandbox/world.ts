/**
 * Simulates the events of a chain (blocks, payments, reorgs and faults), and implements the operators' control of it.
 */
import { createHash } from "node:crypto";
import { type Block, ChainUnreachable } from "../chain.ts";
import {
  ControlRefused,
  type Fate,
  type SandboxControl,
  type SandboxFault,
  type SandboxStatus,
  type StrangersPayment,
} from "../port.ts";
import { type Cancel, type Clock, NOTHING_FOLLOWS, type Saves, type Timers } from "../../../platform/world/port.ts";
import { z } from "zod";
import { savedCount } from "../../../platform/world/saved-state.ts";
import type { WorldFile } from "./world-file.ts";

const MAX_TRANSACTIONS_A_BLOCK = 1000;
/** Maximum number of pending transactions; further ones are rejected. */
const MAX_WAITING = 10_000;
/** Maximum number of blocks mined per request. */
const MAX_MINED_BLOCKS = 1000;
export const MAX_REORG_DEPTH = 100;
/** Maximum number of payments that one request may make fail. */
const MAX_SPOILT_PAYMENTS = 1000;
const MAX_UNREACHABLE_MS = 3_600_000;

export interface SandboxWorldOptions {
  readonly network: string;
  readonly file: WorldFile;
  /** The initial interval between blocks; 0: blocks are mined only on request. */
  readonly blockMs: number;
  /** Returns why a payment is not possible here, or null if it is possible. */
  readonly checkPayment: (payment: StrangersPayment) => string | null;
  /** Called after each change, so that the chain is read at once. Returns false if no watcher reads it. */
  readonly onChange: () => unknown;
  /** The name of the node that runs this network, if it is another node; "" otherwise. */
  readonly elsewhere?: () => string;
  /**
   * Called with the error when a due block could not be written (it is retried with the next block), and with null
   * after a success.
   */
  readonly onTrouble?: (error: Error | null) => void;
  readonly world: Clock & Timers & Saves;
}

const SAVED = z.strictObject({ reachableFromMs: savedCount });

export class SandboxWorld implements SandboxControl {
  readonly #file: WorldFile;
  readonly #options: SandboxWorldOptions;
  readonly #nowMs: () => number;
  /** Until this time, the chain does not answer. */
  #reachableFromMs: number;
  #stopMining: Cancel = () => {};

  constructor(options: SandboxWorldOptions) {
    this.#options = options;
    this.#file = options.file;
    this.#nowMs = options.world.nowMs;
    const save = () => ({ reachableFromMs: this.#reachableFromMs });
    const restored = options.world.saved.restore(`wallet/${options.network}/sandbox`, SAVED, save);
    this.#reachableFromMs = restored?.reachableFromMs ?? 0;
  }

  get isReachable(): boolean {
    return this.#nowMs() >= this.#reachableFromMs;
  }

  head(): Block {
    return this.#block(this.#file.world().height);
  }

  status(): SandboxStatus {
    return { head: this.head(), waiting: this.#file.countWaiting(), blockMs: this.#options.blockMs };
  }

  mine(blocks: number): Block {
    within("blocks", blocks, 1, MAX_MINED_BLOCKS);
    this.#file.write(() => {
      for (let i = 0; i < blocks; i++) this.#mineOne();
    });
    return this.#changed();
  }

  faucet(payment: StrangersPayment): string {
    const refusal = this.#options.checkPayment(payment);
    if (refusal !== null) throw new ControlRefused(refusal);
    if (this.#file.countWaiting() >= MAX_WAITING) throw new ControlRefused("too many transactions wait for a block");
    const { asset, address, tag, amount } = payment;
    const txId = this.#file.write(() => {
      const txId = this.#newTxId();
      this.#file.add({ txId, asset, address, tag, amount, nonce: null, height: null, isSuccess: true });
      return txId;
    });
    this.#changed();
    return txId;
  }

  reorg(depth: number, fate: Fate): Block {
    const file = this.#file;
    file.write(() => {
      const { height } = file.world();
      within("depth", depth, 1, Math.min(MAX_REORG_DEPTH, height));
      const fromHeight = height - depth + 1;
      const gone = file.minedBetween(fromHeight, height).map((each) => ({ ...each, height: null }));
      for (const { txId } of gone) file.remove(txId);
      file.fork(fromHeight);
      file.set({ height: fromHeight - 1 });
      if (fate === "mined") for (const each of gone) file.add(each);
      for (let i = 0; i <= depth; i++) this.#mineOne();
      if (fate === "waiting") for (const each of gone) file.add(each);
    });
    return this.#changed();
  }

  fail(fault: SandboxFault): void {
    this.#file.write(() => this.#plan(fault));
  }

  /** Throws `ControlRefused` unless this node runs the network. Other nodes do not have the chain's in-memory state. */
  #mustBeHere(): void {
    const holder = this.#options.elsewhere?.() ?? "";
    if (holder !== "") throw new ControlRefused(`the network is run by ${holder}: ask it there`);
  }

  #plan(fault: SandboxFault): void {
    const { reverts, losses, takenNonces } = this.#file.world();
    switch (fault.kind) {
      case "revert":
        within("payments", fault.payments, 1, MAX_SPOILT_PAYMENTS);
        this.#file.set({ reverts: reverts + fault.payments });
        break;
      case "loseBroadcast":
        within("payments", fault.payments, 1, MAX_SPOILT_PAYMENTS);
        this.#file.set({ losses: losses + fault.payments });
        break;
      case "takeNonce":
        this.#file.set({ takenNonces: takenNonces + 1 });
        break;
      case "unreachable":
        within("durationMs", fault.durationMs, 0, MAX_UNREACHABLE_MS);
        this.#mustBeHere();
        this.#reachableFromMs = this.#nowMs() + fault.durationMs;
        break;
    }
  }

  /** Mines the block that is due. A full disk must not end the process; until it has space, no block is mined. */
  #mineInTime(): unknown {
    if (this.#file.addEmptyBlock()) return this.#options.onChange() === false ? NOTHING_FOLLOWS : undefined;
    try {
      this.mine(1);
    } catch (error) {
      if (!(error instanceof ChainUnreachable)) throw error;
      return this.#options.onTrouble?.(error);
    }
    return this.#options.onTrouble?.(null);
  }

  /** Starts mining at intervals. Only one of the processes that share the file may do so. */
  start(): void {
    const { network, blockMs, world } = this.#options;
    this.stop();
    if (blockMs > 0) this.#stopMining = world.every(blockMs, () => this.#mineInTime(), `${network}: block`);
  }

  /** Stops mining. Counted empty blocks are lost if a disk error prevents writing them. */
  stop(): void {
    this.#stopMining();
    try {
      this.#file.writeEmptyBlocks();
    } catch (error) {
      if (!(error instanceof ChainUnreachable)) throw error;
    }
  }

  #block(height: number): Block {
    return { height, hash: this.#file.hashAt(height) };
  }

  #changed(): Block {
    this.#options.onChange();
    return this.head();
  }

  #newTxId(): string {
    const { genesis, nextStranger } = this.#file.world();
    this.#file.set({ nextStranger: nextStranger + 1 });
    return createHash("sha256").update(`${genesis}/stranger/${nextStranger}`).digest("hex");
  }

  #mineOne(): void {
    const file = this.#file;
    const { height: last, takenNonces } = file.world();
    const height = last + 1;
    file.set({ height });
    // Shortcut for an empty block, which is the common case.
    if (takenNonces === 0 && file.countWaiting() === 0) return;
    for (const { txId } of file.waiting(false, MAX_TRANSACTIONS_A_BLOCK)) file.place(txId, height);
    this.#takeNonce(height);
    let next = file.nextNonce(height);
    for (const { txId, nonce } of file.waiting(true, MAX_TRANSACTIONS_A_BLOCK)) {
      if (nonce === next) {
        file.place(txId, height);
        next++;
      } else if (nonce !== null && nonce < next) {
        // Another transaction with this nonce was mined, so this one can never be mined.
        file.remove(txId);
      }
    }
  }

  /** Mines a transaction from the exchange's account that the exchange did not send and that pays nothing. */
  #takeNonce(height: number): void {
    const { takenNonces } = this.#file.world();
    if (takenNonces === 0) return;
    const nonce = this.#file.nextNonce(height);
    const nothing = { asset: "", address: "", tag: "", amount: "0" };
    this.#file.add({ ...nothing, txId: this.#newTxId(), nonce, height, isSuccess: false });
    this.#file.set({ takenNonces: takenNonces - 1 });
  }
}

function within(name: string, value: number, low: number, high: number): void {
  if (Number.isInteger(value) && value >= low && value <= high) return;
  throw new ControlRefused(`${name}: a whole number from ${low} to ${high}`);
}
