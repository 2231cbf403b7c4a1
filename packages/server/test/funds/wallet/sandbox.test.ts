/** The sandbox chain: a chain like any other, which also follows orders. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { until } from "@pricetime/testkit/waiting";
import type { SignedPayment } from "../../../src/funds/wallet/chain.ts";
import { ControlRefused } from "../../../src/funds/wallet/port.ts";
import { MAX_REORG_DEPTH } from "../../../src/funds/wallet/sandbox/world.ts";
import { openSandbox, type Sandbox } from "../../../src/funds/wallet/sandbox/sandbox.ts";
import { chainContract, type ChainWorld } from "./chain-contract.ts";
import { listing, NETWORK, sandboxIn, scratch } from "./sandbox-world.ts";
import { MACHINE } from "../../../src/platform/world/machine.ts";
import { WorldFile } from "../../../src/funds/wallet/sandbox/world-file.ts";

const FAR = 3_600_000;

chainContract("sandbox", async (): Promise<ChainWorld> => {
  const { folder, remove } = scratch();
  const view = listing();
  let sandbox = sandboxIn(folder, view);
  let strangers = 0;
  return {
    chain: sandbox.chain,
    asset: "COIN",
    amounts: ["1.50000000", "0.00000001"],
    stranger: () => `stranger${String(++strangers).padStart(12, "0")}`,
    mine: async (blocks) => void sandbox.world.mine(blocks),
    pay: async (address, tag, amount) => {
      const txId = sandbox.world.faucet({ asset: "COIN", address, tag, amount });
      sandbox.world.mine(1);
      return txId;
    },
    received: async (address) => {
      const { height } = await sandbox.chain.head();
      const coins = await sandbox.chain.coins(0, height, (to) => to === address);
      assert.ok(coins.length <= 1);
      return coins[0]?.amount ?? "0";
    },
    reorg: async (depth) => void sandbox.world.reorg(depth, "lost"),
    cutOff: async () => sandbox.world.fail({ kind: "unreachable", durationMs: FAR }),
    mend: async () => sandbox.world.fail({ kind: "unreachable", durationMs: 0 }),
    restart: async () => {
      await sandbox.chain.close();
      sandbox = sandboxIn(folder, view);
      return sandbox.chain;
    },
    close: async () => {
      await sandbox.chain.close();
      remove();
    },
  };
});

function sandboxTest(what: string, run: (sandbox: Sandbox) => Promise<void>, tagged = false): void {
  test(`sandbox: ${what}`, async () => {
    const { folder, remove } = scratch();
    const sandbox = sandboxIn(folder, listing({ isTagged: tagged }), { cost: { asset: "COIN", amount: "0.01" } });
    try {
      await run(sandbox);
    } finally {
      await sandbox.chain.close();
      remove();
    }
  });
}

const PAYMENT = { asset: "COIN", address: "stranger00000001", tag: "", amount: "2" };

async function signed({ chain }: Sandbox): Promise<SignedPayment> {
  const nonce = await chain.minedNonce((await chain.head()).height);
  return chain.sign({ ...PAYMENT, nonce });
}

async function paid(sandbox: Sandbox): Promise<string> {
  const { txId, signedTx } = await signed(sandbox);
  await sandbox.chain.broadcast(signedTx);
  return txId;
}

sandboxTest("a payment reverts when it is told to, and costs all the same", async (sandbox) => {
  const { chain, world } = sandbox;
  world.fail({ kind: "revert", payments: 1 });
  const txId = await paid(sandbox);
  world.mine(1);
  const block = await chain.head();
  const cost = { asset: "COIN", amount: "0.01" };
  assert.deepEqual(await chain.transaction(txId), { state: "mined", block, isSuccess: false, cost });
  assert.deepEqual(await chain.coins(0, block.height, () => true), []);
  assert.equal(await chain.minedNonce(block.height), 1);
  const next = await paid(sandbox);
  world.mine(1);
  assert.deepEqual(await chain.transaction(next), { state: "mined", block: await chain.head(), isSuccess: true, cost });
});

sandboxTest("a broadcast is lost when it is told to be, and heard the next time", async (sandbox) => {
  const { chain, world } = sandbox;
  world.fail({ kind: "loseBroadcast", payments: 1 });
  const { txId, signedTx } = await signed(sandbox);
  await chain.broadcast(signedTx);
  world.mine(1);
  assert.deepEqual(await chain.transaction(txId), { state: "unknown" });
  await chain.broadcast(signedTx);
  world.mine(1);
  assert.equal((await chain.transaction(txId)).state, "mined");
});

sandboxTest("another transaction takes the nonce, and ours can never be mined", async (sandbox) => {
  const { chain, world } = sandbox;
  world.fail({ kind: "takeNonce" });
  const txId = await paid(sandbox);
  assert.equal((await chain.transaction(txId)).state, "waiting");
  world.mine(1);
  assert.deepEqual(await chain.transaction(txId), { state: "unknown" });
  assert.equal(await chain.minedNonce(1), 1);
  world.reorg(1, "lost");
  assert.equal(await chain.minedNonce((await chain.head()).height), 0, "the other one is gone");
});

sandboxTest("what a reorg takes out is lost, waits, or is mined again", async ({ chain, world }) => {
  for (const [fate, state] of [
    ["lost", "unknown"],
    ["waiting", "waiting"],
    ["mined", "mined"],
  ] as const) {
    const txId = world.faucet({ ...PAYMENT, address: "stranger00000002" });
    const before = world.mine(3);
    const after = world.reorg(3, fate);
    assert.equal(after.height, before.height + 1);
    const found = await chain.transaction(txId);
    assert.equal(found.state, state);
    if (found.state === "mined") assert.deepEqual(await chain.block(found.block.height), found.block);
  }
  world.mine(1);
  assert.equal(world.status().waiting, 0);
});

sandboxTest("no hash comes back, however often the chain turns", async ({ chain, world }) => {
  const seen = new Set<string>();
  world.mine(5);
  for (let turn = 0; turn < 20; turn++) {
    world.reorg(1 + (turn % 5), "lost");
    const { hash } = await chain.head();
    assert.ok(!seen.has(hash));
    seen.add(hash);
  }
});

sandboxTest("refuses what cannot be", async ({ chain, world }) => {
  world.mine(3);
  const head = await chain.head();
  const refused: (() => unknown)[] = [
    () => world.mine(0),
    () => world.mine(1.5),
    () => world.mine(1_000_000),
    () => world.reorg(0, "lost"),
    () => world.reorg(4, "lost"),
    () => world.reorg(MAX_REORG_DEPTH + 1, "lost"),
    () => world.faucet({ ...PAYMENT, amount: "0" }),
    () => world.faucet({ ...PAYMENT, amount: "-1" }),
    () => world.faucet({ ...PAYMENT, amount: "0.000000001" }),
    () => world.faucet({ ...PAYMENT, asset: "OTHER" }),
    () => world.faucet({ ...PAYMENT, address: "no address" }),
    () => world.fail({ kind: "revert", payments: 0 }),
    () => world.fail({ kind: "unreachable", durationMs: -1 }),
  ];
  for (const act of refused) assert.throws(act, ControlRefused, String(act));
  assert.deepEqual(await chain.head(), head);
});

sandboxTest(
  "where there are tags, accounts share an address",
  async ({ chain }) => {
    const [one, other] = [await chain.addressOf(100), await chain.addressOf(101)];
    assert.equal(one.address, other.address);
    assert.deepEqual([one.tag, other.tag], ["100", "101"]);
  },
  true,
);

test("sandbox: blocks come by themselves when they are to", async () => {
  const { folder, remove } = scratch();
  let changes = 0;
  const file = WorldFile.open(`${folder}/chain.sqlite`, MACHINE);
  const options = { world: MACHINE, network: NETWORK, blockMs: 5, seed: "seed", view: listing(), cost: null };
  const { chain, world } = openSandbox({ ...options, file, onChange: () => changes++ });
  try {
    assert.equal(world.status().head.height, 0, "not before it is started");
    world.start();
    await until("three blocks", () => world.status().head.height >= 3);
    assert.ok(changes >= 3);
  } finally {
    await chain.close();
    remove();
  }
});
