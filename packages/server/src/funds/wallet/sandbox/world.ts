/** What happens in a sandbox's world: blocks, payments, reorgs and faults, and the operators' control of it. */
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
/** The transactions that may wait for a block; beyond this none are taken. */
const MAX_WAITING = 10_000;
/** The blocks that one command may mine. */
const MAX_MINED_BLOCKS = 1000;
export const MAX_REORG_DEPTH = 100;
/** The payments that one command may spoil. */
const MAX_SPOILT_PAYMENTS = 1000;
const MAX_UNREACHABLE_MS = 3_600_000;

export interface SandboxWorldOptions {
  readonly network: string;
  readonly file: WorldFile;
  /** The interval between blocks once it is started; 0: blocks come only on command. */
  readonly blockMs: number;
  /** Returns why such a payment cannot be made here; null when it can. */
  readonly checkPayment: (payment: StrangersPayment) => string | null;
  /** Called when something happened: a good moment to look. Returns false when nobody does. */
  readonly onChange: () => unknown;
  /** Returns the name of the node that runs this network if it is another; "" otherwise. */
  readonly elsewhere?: () => string;
  /** Called when a due block could not be written (it is tried again with the next), or with null when one was. */
  readonly onTrouble?: (error: Error | null) => void;
  readonly world: Clock & Timers & Saves;
}

const SAVED = z.strictObject({ reachableFromMs: savedCount });

export class SandboxWorld implements SandboxControl {
  readonly #file: WorldFile;
  readonly #options: SandboxWorldOptions;
  readonly #nowMs: () => number;
  /** Nothing answers until then. */
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

  /** What is kept in memory is known to this process alone. */
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

  /** A full disk must not end the process: the world stands still instead. */
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

  /** Begins the timed blocks; among the processes that have the file open, one does. */
  start(): void {
    const { network, blockMs, world } = this.#options;
    this.stop();
    if (blockMs > 0) this.#stopMining = world.every(blockMs, () => this.#mineInTime(), `${network}: block`);
  }

  /** Ends the timed blocks. Those that were not written yet are, unless the disk refuses: then they never were. */
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
    // Most blocks are empty.
    if (takenNonces === 0 && file.countWaiting() === 0) return;
    for (const { txId } of file.waiting(false, MAX_TRANSACTIONS_A_BLOCK)) file.place(txId, height);
    this.#takeNonce(height);
    let next = file.nextNonce(height);
    for (const { txId, nonce } of file.waiting(true, MAX_TRANSACTIONS_A_BLOCK)) {
      if (nonce === next) {
        file.place(txId, height);
        next++;
      } else if (nonce !== null && nonce < next) {
        // Another transaction with its nonce was mined: this one can never be.
        file.remove(txId);
      }
    }
  }

  /** Mines a transaction of the venue's account that the venue does not know of. It pays nobody. */
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
