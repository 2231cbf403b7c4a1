/** Follows one chain and pays on it, in two loops that do not wait for each other. Started once and stopped once. */
import type { Cancel, Clock, SavedState, Timers } from "../../platform/world/port.ts";
import {
  FIRST_BACK_OFF_MS,
  LONGEST_BACK_OFF_MS,
  MAX_RESCAN_BLOCKS,
  MAX_TROUBLE_LENGTH,
  RESCAN_BLOCKS_A_TURN,
} from "./follower-parts.ts";
import { AssertionError } from "node:assert";
import { InvariantBroken } from "@pricetime/engine";
import { type ChainCoin, ChainUnreachable, PaymentRefused } from "./chain.ts";
import { savedCount } from "../../platform/world/saved-state.ts";
import { z } from "zod";
import { ControlRefused, type NetworkStatus } from "./port.ts";
import { NotAccepted } from "../../journal/sequencer/port.ts";
import { Sender, type SenderParts } from "./sender.ts";
import { Watcher, type WatcherParts } from "./watcher.ts";

/** When the next round is due, and the number of consecutive failures; null if the loop was not running. */
const SAVED_LOOP = z.strictObject({ dueMs: savedCount, failures: savedCount }).nullable();

export interface LoopOptions {
  readonly world: Clock & Timers;
  /** The name of the loop's timers. */
  readonly name?: string;
  readonly saved: SavedState;
  /** The loop's name in saved state. */
  readonly part: string;
  /** Skips a round that would find nothing, and returns whether it did. Not called after a failed round. */
  readonly skip?: () => boolean;
  /** Runs one round. Returns true if nothing remains to do until the next interval, false to run again at once. */
  readonly round: () => Promise<boolean>;
  readonly pollMs: number;
  /** Called after each round, with its error or null. */
  readonly onResult: (error: Error | null) => void;
}

export class Loop {
  readonly #options: LoopOptions;
  #failures: number;
  /** When the first round is due, if the loop was restored from a checkpoint. */
  readonly #firstDueMs: number | undefined;
  /** The end of the current pause; undefined during a round. */
  #dueMs: number | undefined;
  #isWoken = false;
  #isStopped = false;
  #wake: (() => void) | undefined;
  #running: Promise<void> | undefined;
  readonly #between: (() => Promise<void>)[] = [];

  constructor(options: LoopOptions) {
    this.#options = options;
    // A round that was running when the checkpoint was taken starts again.
    const restored = options.saved.restore(options.part, SAVED_LOOP, () => {
      if (this.#running === undefined || this.#isStopped) return null;
      return { dueMs: this.#dueMs ?? options.world.nowMs(), failures: this.#failures };
    });
    this.#failures = restored?.failures ?? 0;
    this.#firstDueMs = restored?.dueMs;
  }

  start(): void {
    this.#running ??= this.#run();
  }

  /**
   * Starts the next round now, without waiting for it. Returns false if the round would find nothing and was skipped.
   */
  wake(): boolean {
    this.#isWoken = true;
    this.#wake?.();
    return this.#isWoken;
  }

  /** Runs `act` between two rounds. Rejects with the errors of `act`. */
  between<T>(act: () => Promise<T>): Promise<T> {
    if (this.#running === undefined || this.#isStopped) return act();
    return new Promise((resolve, reject) => {
      this.#between.push(() => act().then(resolve, reject));
      this.wake();
    });
  }

  /** Resolves when the current round has ended. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#wake?.();
    await this.#running;
  }

  async #run(): Promise<void> {
    const { pollMs, world } = this.#options;
    const dueMs = this.#firstDueMs;
    if (dueMs !== undefined)
      await this.#pauseUntil(Math.min(dueMs, world.nowMs() + Math.max(pollMs, LONGEST_BACK_OFF_MS)));
    while (!this.#isStopped) {
      this.#isWoken = false;
      for (const act of this.#between.splice(0)) await act();
      const isDone = await this.#round();
      if (isDone) await this.#pause();
    }
    for (const act of this.#between.splice(0)) await act();
  }

  async #round(): Promise<boolean> {
    try {
      const isDone = await this.#options.round();
      this.#failures = 0;
      this.#options.onResult(null);
      return isDone;
    } catch (error) {
      this.#failures++;
      this.#options.onResult(error as Error);
      return true;
    }
  }

  /**
   * Pauses before the next round. `wake` does not shorten a pause after a failure; otherwise an unreachable chain would
   * be polled continuously.
   */
  async #pause(): Promise<void> {
    const { pollMs, world } = this.#options;
    const backOffMs = Math.min(LONGEST_BACK_OFF_MS, FIRST_BACK_OFF_MS * 2 ** (this.#failures - 1));
    await this.#pauseUntil(world.nowMs() + (this.#failures === 0 ? pollMs : Math.max(pollMs, backOffMs)));
  }

  async #pauseUntil(dueMs: number): Promise<void> {
    const { world, name, pollMs, skip } = this.#options;
    const isWakeable = this.#failures === 0;
    if (this.#isStopped || (isWakeable && this.#isWoken) || this.#between.length > 0) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    let cancel: Cancel = () => {};
    const wait = (untilMs: number): void => {
      this.#dueMs = untilMs;
      cancel = world.after(untilMs - world.nowMs(), go, name);
    };
    const go = (): void => {
      const mustRun = this.#isStopped || this.#between.length > 0 || !isWakeable;
      if (mustRun || skip?.() !== true) {
        resolve();
        return;
      }
      this.#isWoken = false;
      cancel();
      wait(world.nowMs() + pollMs);
    };
    wait(dueMs);
    this.#wake = () => {
      if (isWakeable || this.#isStopped || this.#between.length > 0) go();
    };
    await promise;
    cancel();
    this.#wake = undefined;
    this.#dueMs = undefined;
  }
}

export interface ChainFollowerOptions extends WatcherParts, SenderParts {
  readonly pollMs: number;
  /** Called on a bug; the node must stop. */
  readonly onFatal: (error: Error) => void;
}

const SAVED = z.strictObject({ isUp: z.boolean(), watchTrouble: z.string(), sendTrouble: z.string() });

export class ChainFollower {
  readonly #options: ChainFollowerOptions;
  readonly #network: string;
  readonly #watcher: Watcher;
  readonly #watching: Loop;
  readonly #sender: Sender;
  readonly #sending: Loop;
  #isUp: boolean;
  /** Whether a rescan is running. */
  #isLooking = false;
  #watchTrouble: string;
  #sendTrouble: string;

  constructor(options: ChainFollowerOptions) {
    const { pollMs, world, saved } = options;
    this.#options = options;
    this.#network = options.chain.network;
    const restored = saved.restore("follower", SAVED, () => {
      return { isUp: this.#isUp, watchTrouble: this.#watchTrouble, sendTrouble: this.#sendTrouble };
    });
    this.#isUp = restored?.isUp ?? false;
    this.#watchTrouble = restored?.watchTrouble ?? "";
    this.#sendTrouble = restored?.sendTrouble ?? "";
    this.#watcher = new Watcher(options);
    this.#watching = new Loop({
      world,
      round: () => this.#watcher.round(),
      skip: () => this.#watcher.skip(),
      pollMs,
      onResult: (error) => this.#watched(error),
      name: `${this.#network}: watch`,
      saved,
      part: "watching",
    });
    this.#sender = new Sender(options);
    this.#sending = new Loop({
      world,
      round: () => this.#sender.round(),
      skip: () => this.#sender.skip(),
      pollMs,
      onResult: (error) => this.#sent(error),
      name: `${this.#network}: send`,
      saved,
      part: "sending",
    });
  }

  status(): Pick<NetworkStatus, "isUp" | "height" | "readHeight" | "trouble"> {
    const { height, readHeight, note } = this.#watcher;
    const troubles = [this.#watchTrouble, note, this.#sendTrouble, this.#sender.note];
    return { isUp: this.#isUp, height, readHeight, trouble: troubles.filter((text) => text !== "").join("; ") };
  }

  /** See `Watcher`. */
  depthOf(coin: Pick<ChainCoin, "txId" | "output">): number | undefined {
    return this.#watcher.depthOf(coin);
  }

  /** See `Watcher`. */
  begin(): Promise<void> {
    return this.#watcher.begin();
  }

  /** See `WalletControls`. */
  async rescan(fromHeight: number, by: string, toHeight?: number): Promise<number | null> {
    const { height } = this.#watcher;
    if (!Number.isInteger(fromHeight) || fromHeight < 0 || fromHeight > height) {
      throw new ControlRefused(`height: a whole number from 0 to ${height}`);
    }
    if (toHeight !== undefined) return this.#look(fromHeight, toHeight);
    await this.#watching.between(() => this.#watcher.rescan(fromHeight, by));
    return null;
  }

  /** Scans a range of blocks between regular rounds, a few at a time, so that new blocks are still read. */
  async #look(fromHeight: number, toHeight: number): Promise<number> {
    const { height } = this.#watcher;
    if (!Number.isInteger(toHeight) || toHeight < fromHeight || toHeight > height) {
      throw new ControlRefused(`the last height: a whole number from ${fromHeight} to ${height}`);
    }
    if (toHeight - fromHeight >= MAX_RESCAN_BLOCKS) {
      throw new ControlRefused(`at most ${MAX_RESCAN_BLOCKS} blocks are looked through at a time`);
    }
    if (this.#isLooking) throw new ControlRefused(`blocks of ${this.#network} are being looked through already`);
    this.#isLooking = true;
    try {
      let found = 0;
      for (let from = fromHeight; from <= toHeight; from += RESCAN_BLOCKS_A_TURN) {
        const to = Math.min(toHeight, from + RESCAN_BLOCKS_A_TURN - 1);
        found += await this.#watching.between(() => this.#watcher.look(from, to));
      }
      return found;
    } finally {
      this.#isLooking = false;
    }
  }

  async raiseFee(withdrawalId: string, by: string): Promise<void> {
    try {
      await this.#sending.between(() => this.#sender.raise(withdrawalId, by));
    } catch (error) {
      if (error instanceof PaymentRefused) throw new ControlRefused(error.message, { cause: error });
      throw error;
    }
    this.wake();
  }

  /** Called after a change on the chain. Returns false if it does not concern this follower. */
  wake(): boolean {
    const isWatching = this.#watching.wake();
    return this.#sending.wake() || isWatching;
  }

  start(): void {
    this.#watching.start();
    this.#sending.start();
  }

  /** Resolves when both loops have ended and everything is journaled. */
  async stop(): Promise<void> {
    await Promise.all([this.#watching.stop(), this.#sending.stop()]);
    try {
      await this.#watcher.advance();
    } catch (error) {
      // Not an error: if the height was not journaled, a restart reads a few more blocks. Another node may already run
      // the network.
      if (error instanceof NotAccepted) return;
      this.#options.log.warn({ err: error, network: this.#network }, "cannot journal the scanned height, retrying");
    }
  }

  #watched(error: Error | null): void {
    if (error === null && !this.#isUp) this.#options.log.info({ network: this.#network }, "network reachable");
    this.#isUp = error === null || (this.#isUp && !(error instanceof ChainUnreachable));
    this.#watchTrouble = this.#troubleOf(error, this.#watchTrouble);
  }

  #sent(error: Error | null): void {
    this.#sendTrouble = this.#troubleOf(error, this.#sendTrouble);
  }

  #troubleOf(error: Error | null, before: string): string {
    if (error === null) return "";
    if (error instanceof AssertionError || error instanceof InvariantBroken) this.#options.onFatal(error);
    const trouble = error.message.slice(0, MAX_TROUBLE_LENGTH);
    // Logs a repeated error only once.
    if (trouble !== before) this.#options.log.warn({ network: this.#network, err: error }, "network degraded");
    return trouble;
  }
}
