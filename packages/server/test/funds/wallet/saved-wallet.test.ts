/** The saved state of networks: watcher, sender and sandbox continue, and journal the same bytes. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { ADOPT_NEWEST_RULES, decodeCommands, Engine } from "@pricetime/engine";
import { deposit, listAsset, openAccount, requestWithdrawal } from "@pricetime/testkit/commands";
import { Dice } from "@pricetime/testkit/dice";
import { createLog } from "../../../src/platform/observe/log.ts";
import { NodeWallet } from "../../../src/funds/wallet/wallet.ts";
import type { Fate, SandboxFault } from "../../../src/funds/wallet/port.ts";
import type { PartStates } from "../../../src/platform/world/saved-state.ts";
import { VirtualNode } from "../../journal/sequencer/virtual-node.ts";
import { asInFile, restoring } from "../../platform/world/goes-on.ts";
import { VirtualWorld } from "../../platform/world/virtual-world.ts";
import { assetNetwork, NETWORK, scratch } from "./sandbox-world.ts";

const START_MS = 1_609_459_230_000;
const SEEDS = 6;
const STEPS = 60;
const BLOCK_MS = 1_500;
const CUSTOMERS = [100, 101];
const FATES: readonly Fate[] = ["lost", "waiting", "mined"];
const FAULTS: readonly SandboxFault[] = [
  { kind: "revert", payments: 1 },
  { kind: "loseBroadcast", payments: 2 },
  { kind: "takeNonce" },
  { kind: "unreachable", durationMs: 9_000 },
];

/** A node with a sandbox, its customers, and the outside world. */
class WalletNode {
  readonly node: VirtualNode;
  readonly wallet: NodeWallet;
  withdrawals: number;

  private constructor(node: VirtualNode, wallet: NodeWallet, withdrawals: number) {
    this.node = node;
    this.wallet = wallet;
    this.withdrawals = withdrawals;
  }

  static async open(node: VirtualNode, dataFolder: string, withdrawals = 0, isOfLab = false): Promise<WalletNode> {
    const { world, engine: view, sequencer } = node;
    const networks = [
      { kind: "sandbox" as const, network: NETWORK, blockMs: BLOCK_MS, maxPendingPayments: 3 },
      { kind: "manual" as const, network: "BANK", addresses: [], sharedAddress: "IBAN" },
    ];
    const log = createLog({ level: "silent", node: "test" });
    const onFatal = (error: Error): void => assert.fail(error);
    const parts = { networks, view, sequencer, log, dataFolder, seed: "1", world, onFatal };
    const wallet = await NodeWallet.open({ ...parts, isOfLab });
    wallet.start();
    return new WalletNode(node, wallet, withdrawals);
  }

  async list(): Promise<void> {
    await this.node.run(ADOPT_NEWEST_RULES);
    const networks = [assetNetwork({ creditConfirmations: 2, finalConfirmations: 4 })];
    await this.node.run(listAsset("COIN", 8, networks));
    for (const customer of CUSTOMERS) {
      await this.node.run(openAccount(`${customer}@example.com`));
      await this.node.run(deposit(customer, "COIN", "100"));
    }
  }

  async step(dice: Dice): Promise<void> {
    const { node } = this;
    await node.world.advance(dice.below(2_500));
    const sandbox = this.wallet.sandbox(NETWORK);
    assert(sandbox !== undefined);
    const what = dice.below(20);
    const customer = dice.pick(CUSTOMERS);
    if (what < 7) await this.#pay(customer, String(dice.between(1, 900) / 100));
    else if (what < 14) await this.#withdraw(customer, dice.between(2, 5));
    else if (what < 16) sandbox.mine(dice.between(1, 3));
    else if (what < 18) reorg(() => sandbox.reorg(dice.between(1, 3), dice.pick(FATES)));
    else sandbox.fail(dice.pick(FAULTS));
  }

  /** Relevant where most blocks are empty: long waits, queries, other depths, rescans. */
  async idleStep(dice: Dice): Promise<unknown> {
    const { node, wallet } = this;
    await node.world.advance(dice.below(4) === 0 ? dice.below(400_000) : dice.below(10_000));
    const what = dice.below(6);
    if (what === 0) await this.step(dice);
    else if (what === 1) return asInFile(node.world.saved.save());
    else if (what === 2) return [wallet.networks(), wallet.sandbox(NETWORK)?.status()];
    else if (what === 3) return this.#deepen(dice.between(3, 30));
    else if (what === 4) await this.#rescan(dice.below(300));
    else wallet.sandbox(NETWORK)?.fail(dice.pick(FAULTS));
    return undefined;
  }

  async #deepen(finalConfirmations: number): Promise<PartStates> {
    const networks = [assetNetwork({ creditConfirmations: 2, finalConfirmations })];
    await this.node.run({ type: "setAssetNetworks", by: "t", asset: "COIN", networks });
    await this.node.world.advance(4 * BLOCK_MS);
    return asInFile(this.node.world.saved.save());
  }

  async #rescan(blocks: number): Promise<void> {
    const { readHeight } = this.wallet.networks()[0] ?? { readHeight: 0 };
    const asked = this.wallet.rescan(NETWORK, Math.max(0, readHeight - blocks), "t").catch(() => undefined);
    await this.node.world.advance(0);
    await asked;
  }

  async #pay(customer: number, amount: string): Promise<void> {
    const asked = this.wallet.depositAddress(customer, NETWORK).catch(() => undefined);
    await this.node.world.advance(0);
    const found = await asked;
    if (found !== undefined) this.wallet.sandbox(NETWORK)?.faucet({ asset: "COIN", ...found, amount });
  }

  async #withdraw(accountId: number, coins: number): Promise<void> {
    const withdrawalId = String(++this.withdrawals).padStart(32, "0");
    await this.node.run(
      requestWithdrawal({
        withdrawalId,
        accountId,
        network: NETWORK,
        address: "stranger1234567890",
        asset: "COIN",
        amount: String(coins),
      }),
    );
  }
}

/** A chain that is too short has no such depth. */
function reorg(turn: () => unknown): void {
  try {
    turn();
  } catch (error) {
    assert.equal((error as Error).name, "ControlRefused");
  }
}

test("networks go on: the same commands at the same times, and the same chain", async () => {
  const folders = scratch();
  const steps = new Set<string>();
  let differ = 0;
  try {
    for (let seed = 1; seed <= SEEDS; seed++) {
      const folder = (name: string): string => join(folders.folder, `${seed}-${name}`);
      const dice = new Dice(seed);
      const own = await WalletNode.open(new VirtualNode(new VirtualWorld(START_MS), new Engine()), folder("own"));
      await own.list();
      for (let i = 0; i < STEPS; i++) await own.step(dice);
      await own.node.world.advance(0);
      const firstSeq = own.node.engine.seq + 1;
      const states = asInFile(own.node.world.saved.save());
      const saved = restoring(states);
      const other = await WalletNode.open(await own.node.copy(saved), folder("other"), own.withdrawals);
      saved.finish();
      assert.deepEqual(saved.save(), states, `seed ${seed}: the same is saved again`);
      // The chain alone, as after a restart.
      const outside = ["sequencer", "wallet", `wallet/${NETWORK}/chain`, `wallet/${NETWORK}/sandbox`];
      const chainAlone = Object.fromEntries(Object.entries(states).filter(([name]) => outside.includes(name)));
      const anew = await WalletNode.open(
        await own.node.copy(restoring(chainAlone, false)),
        folder("anew"),
        own.withdrawals,
      );
      for (const each of [own, other, anew]) {
        const same = new Dice(seed + SEEDS);
        for (let i = 0; i < STEPS; i++) await each.step(same);
        await each.node.world.advance(60_000);
      }
      const [entries, same, restarted] = [own, other, anew].map(({ node }) => node.entriesFrom(firstSeq));
      assert.deepEqual(same, entries, `seed ${seed}`);
      assert.deepEqual(saved.save(), own.node.world.saved.save(), `seed ${seed}: and at the end`);
      assert.deepEqual(other.wallet.networks(), own.wallet.networks());
      if (JSON.stringify(restarted) !== JSON.stringify(entries)) differ++;
      for (const { bytes, count } of own.node.journal.appended) {
        for (const { type } of decodeCommands(bytes, count)) steps.add(type);
      }
    }
  } finally {
    folders.remove();
  }
  assert.ok(differ > 0, "saved state decides it");
  for (const step of ["dropDeposit", "finishDeposit", "signWithdrawal", "completeWithdrawal", "failSignedWithdrawal"]) {
    assert.ok(steps.has(step), `${step} was journaled`);
  }
});

test("in a lab, where empty blocks are only counted, all is as where each is mined", async () => {
  const folders = scratch();
  try {
    for (let seed = 1; seed <= SEEDS / 2; seed++) {
      const folder = (name: string): string => join(folders.folder, `${seed}-${name}`);
      const node = (): VirtualNode => new VirtualNode(new VirtualWorld(START_MS), new Engine());
      const mined = await WalletNode.open(node(), folder("mined"));
      const counted = await WalletNode.open(node(), folder("counted"), 0, true);
      const seen = [];
      for (const each of [mined, counted]) {
        const dice = new Dice(seed);
        const told = [];
        await each.list();
        for (let i = 0; i < STEPS; i++) told.push(await each.idleStep(dice));
        const stopping = each.wallet.stop();
        await each.node.world.advance(0);
        await stopping;
        seen.push({ told, entries: each.node.entriesFrom(1), networks: each.wallet.networks() });
      }
      assert.deepEqual(seen[1], seen[0], `seed ${seed}`);
    }
  } finally {
    folders.remove();
  }
});

test("the state of a wallet with other networks is rejected", async () => {
  const folders = scratch();
  const world = new VirtualWorld(START_MS, 0, restoring({ sequencer: { tickMs: null }, wallet: ["OTHER"] }));
  try {
    const opened = WalletNode.open(new VirtualNode(world, new Engine()), folders.folder);
    await assert.rejects(opened, /the checkpoint has the networks OTHER, and this node BANK, SBX/);
  } finally {
    folders.remove();
  }
});
