/** The watcher and the sender, step by step: cases that the random histories cannot distinguish. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Chain } from "../../../src/funds/wallet/chain.ts";
import { MIN_MARGIN_BLOCKS, ROUNDS_TO_BELIEVE } from "../../../src/funds/wallet/follower-parts.ts";
import { Sender } from "../../../src/funds/wallet/sender.ts";
import { Watcher } from "../../../src/funds/wallet/watcher.ts";
import { PAYMENTS_UNDER_WAY } from "./mortal-wallet.ts";
import { assetNetwork, NETWORK, scratch } from "./sandbox-world.ts";
import { Venue } from "./venue.ts";
import { MACHINE } from "../../../src/platform/world/machine.ts";

const CUSTOMER = 100;
/** More than two rounds: signs, sends, checks. */
const A_WHILE = 4;

function follow(what: string, run: (venue: Venue) => Promise<void>): void {
  test(what, async () => {
    const { folder, remove } = scratch();
    const venue = new Venue(folder);
    try {
      await venue.open();
      await run(venue);
      await venue.quieten();
      await venue.check();
    } finally {
      await venue.wallet.close();
      remove();
    }
  });
}

const statuses = ({ wallet }: Venue): string[] => wallet.engine.funds.openDeposits(NETWORK).map(({ status }) => status);
const mine = (venue: Venue, blocks: number): unknown => venue.wallet.sandbox.world.mine(blocks);
const deposit = (venue: Venue, asset: "COIN" | "TOKEN", cents: number): Promise<void> =>
  venue.act({ type: "deposit", customer: CUSTOMER, asset, cents });
const withdraw = (venue: Venue, cents: number): Promise<void> =>
  venue.act({ type: "withdraw", customer: CUSTOMER, asset: "COIN", cents, to: null });

async function commands(venue: Venue, type: string): Promise<number> {
  return (await venue.journaled()).filter((command) => command.type === type).length;
}

follow("a deposit is pending, credited and final when its block is as deep as the asset wants it", async (venue) => {
  await deposit(venue, "COIN", 300);
  await venue.wallet.live(1);
  assert.deepEqual(statuses(venue), [], "not before a block holds it");
  for (const expected of [["pending"], ["credited"], ["credited"], []]) {
    mine(venue, 1);
    await venue.wallet.live(1);
    assert.deepEqual(statuses(venue), expected);
  }
});

follow("a coin that is too little costs the journal nothing", async (venue) => {
  await deposit(venue, "COIN", 4);
  mine(venue, 10);
  await venue.wallet.live(A_WHILE);
  await venue.wallet.restart();
  await venue.wallet.live(A_WHILE);
  const seen = (await venue.journaled()).filter((command) => command.type === "seeDeposit");
  assert.ok(seen.length > 0 && seen.every(({ amount }) => amount !== "0.04"));
});

follow("a coin that left the chain is dropped without waiting for more blocks", async (venue) => {
  await deposit(venue, "COIN", 300);
  mine(venue, 2);
  await venue.wallet.live(1);
  assert.deepEqual(statuses(venue), ["credited"]);
  venue.wallet.sandbox.world.reorg(2, "lost");
  await venue.wallet.live(ROUNDS_TO_BELIEVE - 1);
  assert.deepEqual(statuses(venue), ["credited"], "a chain must say it more than once");
  await venue.wallet.live(1);
  assert.deepEqual(statuses(venue), []);
  assert.equal(await commands(venue, "dropDeposit"), 1);
});

follow("a coin that waits for another block is kept for as long as it takes to be final", async (venue) => {
  await deposit(venue, "COIN", 300);
  mine(venue, 2);
  await venue.wallet.live(1);
  venue.wallet.sandbox.world.reorg(2, "waiting");
  await venue.wallet.live(3 * ROUNDS_TO_BELIEVE);
  assert.deepEqual(statuses(venue), ["credited"]);
  mine(venue, 1);
  await venue.wallet.live(1);
  assert.deepEqual(statuses(venue), ["credited"]);
  assert.equal(await commands(venue, "dropDeposit"), 0);
});

for (const atStep of [0, 1, 2, 3, 4]) {
  follow(`a coin that leaves the chain in a round is not credited in it, step ${atStep}`, async (venue) => {
    await venue.act({ type: "shut", asset: "TOKEN", isOpen: false });
    await deposit(venue, "TOKEN", 300);
    mine(venue, 1);
    await venue.wallet.live(1);
    await venue.act({ type: "shut", asset: "TOKEN", isOpen: true });
    const act = (): unknown => venue.wallet.sandbox.world.reorg(1, "lost");
    await venue.wallet.live(1, undefined, { atStep, act });
    assert.deepEqual(statuses(venue), ["pending"]);
  });
}

for (const atStep of [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10]) {
  follow(`a coin in a block that replaces one that was read is found, step ${atStep} of a round`, async (venue) => {
    await venue.wallet.live(1);
    mine(venue, 1);
    await deposit(venue, "COIN", 300);
    const act = (): unknown => venue.wallet.sandbox.world.reorg(2, "lost");
    await venue.wallet.live(1, undefined, { atStep, act });
    mine(venue, 5);
    await venue.wallet.live(A_WHILE);
    assert.equal(venue.wallet.engine.balance(CUSTOMER, 0).free, 800_000_000n);
  });
}

for (const steps of Array.from({ length: 20 }, (_, i) => i + 1)) {
  follow(`a coin of nobody is noted once, also when the watcher dies after ${steps} steps`, async (venue) => {
    const networks = [assetNetwork({ isTagged: true })];
    await venue.wallet.must({ type: "setAssetNetworks", by: "test", asset: "TOKEN", networks });
    const { address } = await venue.wallet.sandbox.chain.addressOf(100);
    await venue.wallet.live(1);
    venue.wallet.sandbox.world.faucet({ asset: "TOKEN", address, tag: "", amount: "7" });
    mine(venue, 3 * MIN_MARGIN_BLOCKS);
    await venue.wallet.live(1, steps);
    await venue.wallet.live(A_WHILE);
    assert.equal(await commands(venue, "noteUnknownDeposit"), 1);
    await venue.wallet.restart();
    await venue.wallet.live(A_WHILE);
    assert.equal(await commands(venue, "noteUnknownDeposit"), 1, "what is known costs the journal nothing");
  });
}

follow("while deposits are shut a coin stays pending, at no cost to the journal", async (venue) => {
  await venue.act({ type: "shut", asset: "TOKEN", isOpen: false });
  await deposit(venue, "TOKEN", 300);
  mine(venue, 50);
  await venue.wallet.live(1);
  const { seq } = venue.wallet.engine;
  await venue.wallet.live(20);
  assert.deepEqual(statuses(venue), ["pending"]);
  assert.equal(venue.wallet.engine.seq, seq);
  await venue.wallet.restart();
  await venue.wallet.live(1);
  await venue.act({ type: "shut", asset: "TOKEN", isOpen: true });
  await venue.wallet.live(1);
  assert.deepEqual(statuses(venue), [], "however deep it lies by then");
});

follow("how far was read is journaled now and then, and at the end", async (venue) => {
  const before = await commands(venue, "advanceNetwork");
  for (let i = 0; i < 30; i++) {
    mine(venue, 1);
    await venue.wallet.live(1);
  }
  assert.equal((await commands(venue, "advanceNetwork")) - before, 10);
  mine(venue, 1);
  await venue.wallet.live(1);
  await venue.wallet.stopInOrder();
  const { height } = venue.wallet.sandbox.world.head();
  assert.equal(venue.wallet.engine.funds.networkHeight(NETWORK)?.height, height);
});

test("a long way is read in steps, from where it was told to begin", async () => {
  const { folder, remove } = scratch();
  const venue = new Venue(folder);
  try {
    await venue.open();
    const { chain } = venue.wallet.sandbox;
    mine(venue, 1000);
    mine(venue, 200);
    const asked: (readonly [number, number])[] = [];
    const watched = new Proxy(chain, {
      get: (_, name) => {
        if (name === "network") return "OTHER";
        const value = Reflect.get(chain, name) as unknown;
        if (typeof value !== "function") return value;
        return (...args: unknown[]) => {
          if (name === "coins") asked.push([args[0] as number, args[1] as number]);
          return (value as (...all: unknown[]) => unknown).apply(chain, args);
        };
      },
    });
    const log = { info: () => {}, warn: () => {}, error: () => {} };
    const { engine: view, sequencer } = venue.wallet;
    const watcher = new Watcher({ chain: watched, view, sequencer, log, startHeight: 100, saved: MACHINE.saved });
    assert.equal(await watcher.round(), false);
    assert.equal(view.funds.networkHeight("OTHER")?.height, asked[0]?.[1], "no further than it was read");
    while (!(await watcher.round()));
    const { height } = await chain.head();
    assert.ok(asked.length >= 3 && asked.every(([from, to]) => to - from < 500), JSON.stringify(asked));
    assert.ok((asked[0]?.[0] ?? 0) <= 100);
    for (const [i, [from]] of asked.entries()) if (i > 0) assert.equal(from, (asked[i - 1]?.[1] ?? 0) + 1);
    assert.equal(asked.at(-1)?.[1], height);
    assert.ok((view.funds.networkHeight("OTHER")?.height ?? 0) > height - 100);
  } finally {
    await venue.wallet.close();
    remove();
  }
});

const underWay = ({ wallet }: Venue) => wallet.engine.funds.openWithdrawals().filter(({ txIds }) => txIds.length > 0);

follow("withdrawals are paid in the order in which they were requested, so many at a time", async (venue) => {
  await deposit(venue, "COIN", 1000);
  mine(venue, 5);
  await venue.wallet.live(A_WHILE);
  for (let i = 0; i < 7; i++) await withdraw(venue, 101 + i);
  const signed: string[] = [];
  const nonces: number[] = [];
  let most = 0;
  for (let block = 0; block < 40; block++) {
    await venue.wallet.live(1);
    const open = underWay(venue);
    most = Math.max(most, open.length);
    for (const { withdrawalId, nonce } of open) {
      if (signed.includes(withdrawalId)) continue;
      signed.push(withdrawalId);
      nonces.push(nonce);
    }
    mine(venue, 1);
  }
  assert.equal(most, PAYMENTS_UNDER_WAY);
  assert.equal(signed.length, 7);
  assert.deepEqual(signed, [...signed].sort());
  assert.deepEqual(nonces, [0, 1, 2, 3, 4, 5, 6], "one after the other, none left out");
  assert.equal(await commands(venue, "signWithdrawal"), 7);
});

follow("one that fails in the middle, and one whose nonce is taken, hold up nobody", async (venue) => {
  const { world } = venue.wallet.sandbox;
  for (let i = 0; i < 3; i++) await withdraw(venue, 101 + i);
  await venue.wallet.live(1);
  assert.equal(world.status().waiting, 3);
  // The first block contains another transaction of the account instead of the first payment.
  world.fail({ kind: "takeNonce" });
  venue.expectFailure();
  for (let block = 0; block < 6; block++) {
    mine(venue, 1);
    await venue.wallet.live(A_WHILE);
  }
  assert.equal(underWay(venue).length, 0);
  const ends = (await venue.journaled()).filter(({ type }) => /^(complete|failSigned)Withdrawal$/.test(type));
  assert.deepEqual(
    ends.map(({ type }) => type),
    ["failSignedWithdrawal", "completeWithdrawal", "completeWithdrawal"],
  );
});

follow(
  "all that was lost on the way is sent again, in order, by a process that knows the journal alone",
  async (venue) => {
    const { world } = venue.wallet.sandbox;
    world.fail({ kind: "loseBroadcast", payments: 3 });
    for (let i = 0; i < 3; i++) await withdraw(venue, 101 + i);
    await venue.wallet.live(1);
    assert.deepEqual([underWay(venue).length, world.status().waiting], [3, 0]);
    await venue.wallet.restart();
    await venue.wallet.live(1);
    assert.equal(venue.wallet.sandbox.world.status().waiting, 3);
    assert.equal(await commands(venue, "signWithdrawal"), 3);
  },
);

follow(
  "a payment that blocks pass over is signed again, with its nonce, and those behind it are not",
  async (venue) => {
    const { world } = venue.wallet.sandbox;
    for (let i = 0; i < 2; i++) await withdraw(venue, 101 + i);
    await venue.wallet.live(1);
    const before = underWay(venue).map(({ txId, nonce }) => ({ txId, nonce }));
    const [stuck] = before;
    assert.ok(stuck !== undefined);
    // It is not mined: a block arrives, and it is gone from the pending ones.
    const passOver = (): void => {
      world.reorg(1, "lost");
    };
    mine(venue, 1);
    passOver();
    await venue.wallet.live(1);
    const again = underWay(venue);
    assert.deepEqual([again[0]?.txIds.length, again[1]?.txIds.length], [1, 1], "its time is not over yet");
    for (let i = 0; i < 12; i++) await venue.wallet.do({ type: "tick" });
    world.fail({ kind: "loseBroadcast", payments: 2 });
    mine(venue, 1);
    passOver();
    await venue.wallet.live(1);
    const [first, second] = underWay(venue);
    assert.equal(first?.nonce, stuck.nonce);
    assert.deepEqual([first?.txIds.length, second?.txIds.length], [2, 1]);
    assert.equal(first?.txIds[0], stuck.txId);
  },
);

follow("an operator has a payment signed again at once; it is done by whichever is mined", async (venue) => {
  const { world } = venue.wallet.sandbox;
  for (const [dies, mined] of [
    [undefined, 1],
    // After it was journaled, before it was broadcast: the first is mined, unless it is sent again.
    [9, 0],
  ] as const) {
    await withdraw(venue, 150);
    await venue.wallet.live(1);
    const [withdrawal] = underWay(venue);
    assert.ok(withdrawal !== undefined);
    const { withdrawalId } = withdrawal;
    await venue.wallet.raise(withdrawalId, dies);
    const now = venue.wallet.engine.funds.withdrawal(withdrawalId);
    assert.deepEqual([now?.txIds.length, now?.by], [2, "operator"]);
    const txIds = [...(now?.txIds ?? [])];
    venue.wallet.sandbox.world.mine(1);
    assert.equal((await venue.wallet.sandbox.chain.transaction(txIds[mined] ?? "")).state, "mined");
    venue.wallet.sandbox.world.mine(4);
    await venue.wallet.live(A_WHILE);
    assert.equal(underWay(venue).length, 0);
  }
  assert.notEqual(world, venue.wallet.sandbox.world, "one of them died");
});

follow("a broadcast that nobody heard is made again with the same bytes", async (venue) => {
  const { world, chain } = venue.wallet.sandbox;
  world.fail({ kind: "loseBroadcast", payments: 2 });
  await withdraw(venue, 150);
  await venue.wallet.live(1);
  const [withdrawal] = venue.wallet.engine.funds.openWithdrawals();
  assert.ok(withdrawal !== undefined && withdrawal.txId !== "");
  assert.equal((await chain.transaction(withdrawal.txId)).state, "unknown");
  await venue.wallet.live(A_WHILE);
  assert.equal((await chain.transaction(withdrawal.txId)).state, "waiting");
  assert.equal(await commands(venue, "signWithdrawal"), 1);
});

follow("a payment fails only when another transaction is final in its place", async (venue) => {
  const { world } = venue.wallet.sandbox;
  world.fail({ kind: "takeNonce" });
  await withdraw(venue, 150);
  await venue.wallet.live(1);
  for (let depth = 1; depth < 4; depth++) {
    mine(venue, 1);
    await venue.wallet.live(A_WHILE);
    assert.equal(venue.wallet.engine.funds.openWithdrawals().length, 1, `at depth ${depth}`);
  }
  mine(venue, 1);
  await venue.wallet.live(A_WHILE);
  assert.equal(venue.wallet.engine.funds.openWithdrawals().length, 0);
  venue.expectFailure();
});

follow("nothing is signed while another transaction of the account may still leave the chain", async (venue) => {
  const { world } = venue.wallet.sandbox;
  world.fail({ kind: "takeNonce" });
  mine(venue, 1);
  await withdraw(venue, 150);
  for (let depth = 1; depth < 4; depth++) {
    await venue.wallet.live(A_WHILE);
    assert.equal(await commands(venue, "signWithdrawal"), 0, `at depth ${depth}`);
    mine(venue, 1);
  }
  await venue.wallet.live(A_WHILE);
  assert.equal(await commands(venue, "signWithdrawal"), 1);
});

test("a coin that comes back with another amount is another coin", async () => {
  const { folder, remove } = scratch();
  const venue = new Venue(folder);
  try {
    await venue.open();
    const { engine: view, sequencer, sandbox } = venue.wallet;
    let amount = "3";
    const coins: Chain["coins"] = async (...asked) =>
      (await sandbox.chain.coins(...asked)).map((coin) => (coin.amount === "3.00" ? { ...coin, amount } : coin));
    const chain = new Proxy(sandbox.chain, {
      get: (target, name) => {
        const value = name === "coins" ? coins : (Reflect.get(target, name) as unknown);
        return typeof value === "function" ? value.bind(target) : value;
      },
    });
    const log = { info: () => {}, warn: () => {}, error: () => {} };
    const watcher = new Watcher({ chain, view, sequencer, log, saved: MACHINE.saved });
    await deposit(venue, "COIN", 300);
    mine(venue, 1);
    await watcher.round();
    sandbox.world.reorg(1, "mined");
    amount = "1.25";
    await watcher.round();
    assert.deepEqual(
      view.funds.openDeposits(NETWORK).map((each) => each.amount),
      [125_000_000n],
    );
    mine(venue, 3);
    await watcher.round();
    assert.equal(view.funds.openDeposits(NETWORK).length, 0);
  } finally {
    await venue.wallet.close();
    remove();
  }
});

follow("what the journal refuses is not broadcast", async (venue) => {
  const { engine: view, sequencer, sandbox } = venue.wallet;
  await withdraw(venue, 150);
  const [withdrawal] = view.funds.openWithdrawals();
  assert.ok(withdrawal !== undefined);
  const { withdrawalId } = withdrawal;
  const sign: Chain["sign"] = async (payment) => {
    // An operator is faster.
    await venue.wallet.must({ type: "failWithdrawal", withdrawalId, why: "by hand" });
    return sandbox.chain.sign(payment);
  };
  const chain = new Proxy(sandbox.chain, {
    get: (target, name) => {
      const value = name === "sign" ? sign : (Reflect.get(target, name) as unknown);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
  const log = { info: () => {}, warn: () => {}, error: () => {} };
  const pace = { maxPendingPayments: 1, raiseFeeAfterMs: 0, world: MACHINE };
  const sender = new Sender({ chain, view, sequencer, log, saved: MACHINE.saved, ...pace });
  assert.equal(await sender.round(), false);
  assert.equal(sandbox.world.status().waiting, 0);
  venue.expectFailure();
});

follow(
  "where only operators raise fees they are told of what is stuck, and by whom it can be helped",
  async (venue) => {
    const { engine: view, sequencer, sandbox } = venue.wallet;
    const log = { info: () => {}, warn: () => {}, error: () => {} };
    let nowMs = view.timeMs;
    const pace = { maxPendingPayments: 8, raiseFeeAfterMs: 0, world: { ...MACHINE, nowMs: () => nowMs } };
    await withdraw(venue, 150);
    const sender = new Sender({ chain: sandbox.chain, view, sequencer, log, saved: MACHINE.saved, ...pace });
    await sender.round();
    const [id] = view.funds.openWithdrawals().map(({ withdrawalId }) => withdrawalId);
    // Blocks come without it: it is lost again before each.
    for (const [waitMs, isTold] of [
      [179_000, false],
      [10_000, true],
    ] as const) {
      sandbox.world.mine(1);
      sandbox.world.reorg(1, "lost");
      nowMs += waitMs;
      await sender.round();
      assert.equal(sender.note, isTold ? `the payment of withdrawal ${id} is stuck; its fee can be raised` : "");
    }
    assert.equal(await commands(venue, "signWithdrawal"), 1);
    await sender.raise(id ?? "", "dora");
    await sender.round();
    assert.equal(sender.note, "");
    assert.equal(await commands(venue, "signWithdrawal"), 2);
  },
);

follow("while payments are held nothing is signed or raised, and it is told; then it goes on", async (venue) => {
  const { engine: view, sequencer, sandbox } = venue.wallet;
  const log = { info: () => {}, warn: () => {}, error: () => {} };
  let why = "payments are held";
  const pace = { maxPendingPayments: 8, raiseFeeAfterMs: 0, world: MACHINE, whyHeld: () => why };
  const sender = new Sender({ chain: sandbox.chain, view, sequencer, log, saved: MACHINE.saved, ...pace });
  await sender.round();
  assert.equal(sender.note, "", "nobody waits");
  await withdraw(venue, 150);
  assert.equal(await sender.round(), true);
  assert.deepEqual([sender.note, await commands(venue, "signWithdrawal")], [why, 0]);
  const [id] = view.funds.openWithdrawals().map(({ withdrawalId }) => withdrawalId);
  await assert.rejects(sender.raise(id ?? "", "dora"), /payments are held/);
  why = "";
  await sender.round();
  assert.deepEqual([sender.note, await commands(venue, "signWithdrawal")], ["", 1]);
});
