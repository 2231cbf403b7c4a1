/**
 * A node's watcher and sender, which may die between any two steps, and are recreated from the journal alone. After
 * death, requests get no answer, and nothing that waited continues.
 */
import assert from "node:assert/strict";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { type Command, Engine, type RejectReason } from "@pricetime/engine";
import { MemoryJournal } from "../../journal/memory-journal.ts";
import { replayBatch } from "../../../src/journal/replica/recover.ts";
import { GroupCommitSequencer } from "../../../src/journal/sequencer/group-commit.ts";
import { type Chain, ChainUnreachable } from "../../../src/funds/wallet/chain.ts";
import { refusalOf } from "../../../src/funds/wallet/follower-parts.ts";
import { assignedAddress } from "../../../src/funds/wallet/network.ts";
import { ControlRefused } from "../../../src/funds/wallet/port.ts";
import type { Sandbox } from "../../../src/funds/wallet/sandbox/sandbox.ts";
import { Sender } from "../../../src/funds/wallet/sender.ts";
import { Watcher } from "../../../src/funds/wallet/watcher.ts";
import { CHAIN_FILE, NETWORK, sandboxIn } from "./sandbox-world.ts";
import { MACHINE } from "../../../src/platform/world/machine.ts";
import { NOTHING_SAVED } from "../../../src/platform/world/port.ts";

const NO_LOG = { info: () => {}, warn: () => {}, error: () => {} };
/** Often, so a restart does not read everything again. */
const ADVANCE_EVERY = 3;
/** Few enough that some wait. */
export const PAYMENTS_UNDER_WAY = 3;
/** Milliseconds of the wallet's own clock, which every command advances by a second. */
const RAISE_FEE_AFTER_MS = 10_000;
/** Steps that are never completed. */
const IMMORTAL = Number.POSITIVE_INFINITY;

interface Life {
  /** Steps left. */
  steps: number;
  /** Steps taken. */
  taken: number;
  /** Just before the step of this number. */
  readonly meanwhile?: { readonly atStep: number; readonly act: () => void };
  readonly ended: PromiseWithResolvers<void>;
}

export interface ChainPayment {
  readonly txId: string;
  readonly asset: string;
  readonly amount: string;
  /** 0: it reverted. */
  readonly isSuccess: number;
}

export interface MortalOptions {
  readonly folder: string;
  readonly cost: { readonly asset: string; readonly amount: string };
}

export class MortalWallet {
  readonly journal = new MemoryJournal();
  readonly #options: MortalOptions;
  #nowMs = 1_600_000_000_000;
  readonly #world = { ...MACHINE, nowMs: () => this.#nowMs };
  #life: Life = { steps: IMMORTAL, taken: 0, ended: Promise.withResolvers() };
  #snapshot: Uint8Array | undefined;
  engine = new Engine();
  sequencer = this.#newSequencer();
  sandbox: Sandbox;
  #watcher: Watcher;
  #sender: Sender;
  deaths = 0;

  constructor(options: MortalOptions) {
    this.#options = options;
    this.sandbox = this.#openSandbox();
    [this.#watcher, this.#sender] = this.#newFollowers();
  }

  get isReachable(): boolean {
    return this.sandbox.world.isReachable;
  }

  /** The exchange executes it, whatever happens to the wallet. */
  do(command: Command): Promise<RejectReason | null> {
    this.#nowMs += 1000;
    return refusalOf(this.sequencer, command);
  }

  async must(command: Command): Promise<void> {
    assert.equal(await this.do(command), null, command.type);
  }

  async depositAddress(accountId: number): Promise<{ readonly address: string; readonly tag: string }> {
    await this.#watcher.begin();
    const book = { view: this.engine, sequencer: this.sequencer, network: NETWORK };
    return assignedAddress(book, accountId, () => this.sandbox.chain.addressOf(accountId));
  }

  /** Rounds of both at once. Dies after so many steps, if it takes as many, and restarts. */
  async live(rounds: number, steps = IMMORTAL, meanwhile?: Life["meanwhile"]): Promise<void> {
    const life: Life = { steps, taken: 0, ended: Promise.withResolvers(), ...(meanwhile && { meanwhile }) };
    this.#life = life;
    for (let i = 0; i < rounds; i++) {
      const both = Promise.all([attempt(() => this.#watcher.round()), attempt(() => this.#sender.round())]);
      const end = await Promise.race([both, life.ended.promise.then(() => "dead")]);
      if (end === "dead") return this.restart();
    }
    this.#life = { steps: IMMORTAL, taken: 0, ended: Promise.withResolvers() };
  }

  /** An operator raises a fee, if possible, between two rounds; the wallet may die of it like in `live`. */
  async raise(withdrawalId: string, steps = IMMORTAL): Promise<void> {
    const life: Life = { steps, taken: 0, ended: Promise.withResolvers() };
    this.#life = life;
    const raised = attempt(() => this.#sender.raise(withdrawalId, "operator"));
    const end = await Promise.race([raised, life.ended.promise.then(() => "dead")]);
    if (end === "dead") return this.restart();
    this.#life = { steps: IMMORTAL, taken: 0, ended: Promise.withResolvers() };
  }

  /** Stops in order: the read position is journaled. */
  async stopInOrder(): Promise<void> {
    await this.#watcher.advance();
    await this.restart();
  }

  /** From the journal alone, or from a snapshot on the way. */
  async restart(): Promise<void> {
    this.deaths++;
    this.#life.steps = 0;
    await this.sequencer.stop();
    const before = this.engine.eventDigest();
    const from = this.deaths % 2 === 0 && this.#snapshot !== undefined ? Engine.restore(this.#snapshot) : new Engine();
    for await (const batch of this.journal.read(from.seq + 1)) replayBatch(from, batch);
    assert.equal(from.eventDigest(), before);
    this.engine = from;
    this.#snapshot = from.snapshot();
    this.sequencer = this.#newSequencer();
    await this.sandbox.chain.close();
    this.sandbox = this.#openSandbox();
    [this.#watcher, this.#sender] = this.#newFollowers();
  }

  /**
   * Everything that ever left the venue's account, according to the chain's own file, whether the wallet knows it or
   * not.
   */
  payments(): ChainPayment[] {
    const file = new DatabaseSync(join(this.#options.folder, CHAIN_FILE), { readOnly: true });
    try {
      const rows = file.prepare(
        `SELECT tx_id AS txId, asset, amount, is_success AS isSuccess FROM transactions
         WHERE nonce IS NOT NULL AND height IS NOT NULL AND asset <> ''`,
      );
      return rows.all() as unknown as ChainPayment[];
    } finally {
      file.close();
    }
  }

  async close(): Promise<void> {
    await this.sequencer.stop();
    await this.sandbox.chain.close();
  }

  #openSandbox(): Sandbox {
    const view = { assets: () => this.engine.assets() };
    return sandboxIn(this.#options.folder, view, { cost: this.#options.cost });
  }

  #newSequencer(): GroupCommitSequencer {
    return new GroupCommitSequencer({
      journal: this.journal,
      engine: this.engine,
      node: "test",
      world: this.#world,
      onFatal: (error) => {
        throw error;
      },
    });
  }

  #newFollowers(): [Watcher, Sender] {
    this.#life = { steps: IMMORTAL, taken: 0, ended: Promise.withResolvers() };
    const sequencer = this.#mortal(this.sequencer, ["run"]);
    const chain = this.#mortal<Chain>(this.sandbox.chain, [
      ...(["head", "block", "coins", "transaction", "minedNonce", "sign", "raise", "broadcast"] as const),
    ]);
    const parts = { chain, view: this.engine, sequencer, log: NO_LOG, saved: NOTHING_SAVED };
    const pace = {
      maxPendingPayments: PAYMENTS_UNDER_WAY,
      raiseFeeAfterMs: RAISE_FEE_AFTER_MS,
      world: this.#world,
    };
    return [new Watcher({ ...parts, advanceEveryBlocks: ADVANCE_EVERY }), new Sender({ ...parts, ...pace })];
  }

  /** Each call is two steps: it may die before it, or after it and before its answer arrives. */
  #mortal<T extends object>(target: T, names: readonly (keyof T)[]): T {
    const born = this.deaths;
    const step = async (): Promise<void> => {
      if (this.deaths === born && this.#life.steps > 0) {
        this.#life.steps--;
        const { taken, meanwhile } = this.#life;
        this.#life.taken++;
        if (taken === meanwhile?.atStep) meanwhile.act();
        return;
      }
      this.#life.ended.resolve();
      await new Promise<never>(() => {});
    };
    return new Proxy(target, {
      get: (_, name) => {
        const value = Reflect.get(target, name) as unknown;
        if (typeof value !== "function") return value;
        const call = (value as (...args: unknown[]) => unknown).bind(target);
        if (!names.includes(name as keyof T)) return call;
        return async (...args: unknown[]) => {
          await step();
          const result = await call(...args);
          await step();
          return result;
        };
      },
    });
  }
}

/** What a node's loops do: a chain that is down is tried again later. */
async function attempt(round: () => Promise<unknown>): Promise<void> {
  try {
    await round();
  } catch (error) {
    if (!(error instanceof ChainUnreachable || error instanceof ControlRefused)) throw error;
  }
}
