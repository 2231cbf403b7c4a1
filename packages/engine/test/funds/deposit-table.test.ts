/** Every step of a deposit from every status, and the effect on balances. Interface 2.10, 3.6. */
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  type Command,
  DEPOSITS_ACCOUNT,
  type DepositStatus,
  OUTSIDE_ACCOUNT,
  TREASURY_ACCOUNT,
} from "@pricetime/engine";
import { networkOf } from "@pricetime/testkit/commands";
import { BY } from "../harness.ts";
import { ALICE, BTC, COIN, REPORTED, SUB, Vault } from "./vault.ts";

const STEPS = {
  see: new Vault().see(),
  credit: { type: "creditDeposit", ...COIN, ...REPORTED },
  finish: { type: "finishDeposit", ...COIN, ...REPORTED },
  drop: { type: "dropDeposit", ...COIN, ...REPORTED },
} as const satisfies Readonly<Record<string, Command>>;
type Step = keyof typeof STEPS;

type Place = DepositStatus | "none" | "success at once" | "dropped when credited" | "seen again";
const WAYS: Readonly<Record<Place, readonly Step[]>> = {
  none: [],
  pending: ["see"],
  credited: ["see", "credit"],
  success: ["see", "credit", "finish"],
  "success at once": ["see", "finish"],
  dropped: ["see", "drop"],
  "dropped when credited": ["see", "credit", "drop"],
  "seen again": ["see", "credit", "drop", "see"],
};

const OVER = "WRONG_STATUS";
const UNKNOWN = "UNKNOWN_DEPOSIT";
const PENDING = { see: "ALREADY_EXISTS", credit: "credited", finish: "success", drop: "dropped" };
const DONE = "ALREADY_EXISTS";
const FINAL = { see: DONE, credit: DONE, finish: DONE, drop: OVER };
const DROPPED = { see: "pending", credit: OVER, finish: OVER, drop: DONE };
const TABLE: Readonly<Record<Place, Readonly<Record<Step, string>>>> = {
  none: { see: "pending", credit: UNKNOWN, finish: UNKNOWN, drop: UNKNOWN },
  pending: PENDING,
  credited: { see: DONE, credit: DONE, finish: "success", drop: "dropped" },
  success: FINAL,
  "success at once": FINAL,
  dropped: DROPPED,
  "dropped when credited": DROPPED,
  "seen again": PENDING,
};

const UNIT = 100_000_000n;
/** The result of a deposit of 2: the account's balance, the pending amount, and the withdrawable amount. */
const MONEY: Readonly<Record<string, readonly [has: bigint, waits: bigint, withdrawable: bigint]>> = {
  pending: [0n, 2n * UNIT, 0n],
  credited: [2n * UNIT, 0n, 0n],
  success: [2n * UNIT, 0n, 2n * UNIT],
  dropped: [0n, 0n, 0n],
};

for (const place of Object.keys(WAYS) as Place[]) {
  test(`a deposit that is ${place}`, () => {
    for (const step of Object.keys(STEPS) as Step[]) {
      const vault = new Vault();
      for (const before of WAYS[place]) vault.must(STEPS[before]);
      vault.restart();
      const outcome = TABLE[place][step];
      const money = MONEY[outcome];
      if (money === undefined) {
        vault.refuses(STEPS[step], outcome);
        continue;
      }
      const hadFree = vault.engine.balance(ALICE, BTC).free;
      const [event, ...others] = vault.run(STEPS[step]);
      assert.ok(event?.type === "depositChanged" && others.length === 0, `${step} of ${place}`);
      const { status, moved, shortage, deposit } = event;
      assert.deepEqual([status, deposit.status, deposit.depositId, shortage], [outcome, outcome, 1, 0n]);
      const [has, waits, withdrawable] = money;
      assert.equal(moved, has - hadFree, `moved by ${step} of ${place}`);
      vault.holds(ALICE, has);
      vault.holds(DEPOSITS_ACCOUNT, waits);
      vault.holds(OUTSIDE_ACCOUNT, -has - waits);
      assert.equal(vault.engine.funds.withdrawable(ALICE, BTC), withdrawable);
      const isOpen = outcome === "pending" || outcome === "credited";
      assert.equal(vault.engine.funds.openDeposits("BTC").length, isOpen ? 1 : 0);
      vault.engine.checkInvariants();
      vault.refuses(STEPS[step], DONE);
    }
  });
}

test("rejected deposits", () => {
  const vault = new Vault();
  vault.setNetwork({ depositMin: "0.5" });
  vault.refuses(vault.see({ asset: "DOGE" }), "UNKNOWN_ASSET");
  vault.refuses(vault.see({ asset: "USDT" }), "UNKNOWN_NETWORK");
  vault.refuses(vault.see({ network: "SIDE" }), "UNKNOWN_NETWORK");
  vault.refuses(vault.see({ address: "stranger" }), "UNKNOWN_ADDRESS");
  vault.refuses(vault.see({ tag: "1" }), "UNKNOWN_ADDRESS");
  vault.refuses(vault.see({ amount: "0" }), "INVALID_VALUE");
  vault.refuses(vault.see({ amount: "0.000000001" }), "INVALID_VALUE");
  vault.refuses(vault.see({ amount: "-2" }), "INVALID_VALUE");
  vault.refuses(vault.see({ amount: "0.49999999" }), "DEPOSIT_BELOW_MINIMUM");
  vault.must(vault.see({ amount: "0.5" }));
});

test("an operator's report finer than the network's step is rejected, a watcher's is not", () => {
  const vault = new Vault();
  vault.setNetwork({ depositStep: "0.01", depositMin: "0" });
  vault.refuses(vault.see({ amount: "2.005", by: "dora" }), "DEPOSIT_NOT_A_MULTIPLE");
  vault.must(vault.see({ amount: "2.01", by: "dora" }));
  vault.must(vault.see({ amount: "2.00500001", output: 1 }));
  vault.setNetwork({ depositStep: "0", depositMin: "0" });
  vault.must(vault.see({ amount: "2.005", output: 2, by: "dora" }));
});

test("the step also applies to unattributed deposits that an operator records", () => {
  const vault = new Vault();
  vault.setNetwork({ depositStep: "0.01" });
  const note = { type: "noteUnknownDeposit", ...COIN, address: "lost", tag: "", coin: "BTC", reason: "noTag" } as const;
  vault.refuses({ ...note, amount: "2.005", by: "dora" }, "DEPOSIT_NOT_A_MULTIPLE");
  vault.must({ ...note, amount: "2.005" });
  vault.must({ ...note, txId: "tx2", amount: "2.01", by: "dora" });
  vault.must({ ...note, txId: "tx3", coin: "0xabc", amount: "2.005", by: "dora" });
});

test("rules versions before 4 have no step of deposits", () => {
  const vault = new Vault(undefined, 3);
  vault.setNetwork({ depositStep: "0.01" });
  vault.must(vault.see({ amount: "2.005", by: "dora" }));
});

test("deposits are identified by network, transaction and output", () => {
  const vault = new Vault();
  vault.must({ type: "assignDepositAddress", accountId: ALICE, network: "SIDE", address: `home${ALICE}`, tag: "" });
  const coins = [{}, { output: 1 }, { txId: "tx2" }, { network: "SIDE" }];
  for (const coin of coins) vault.must(vault.see(coin));
  for (const coin of coins) vault.must({ type: "finishDeposit", ...COIN, ...REPORTED, ...coin });
  vault.holds(ALICE, 8n * UNIT);
  for (const coin of coins) vault.refuses(vault.see(coin), "ALREADY_EXISTS");
});

test("a deposit stays pending while deposits are suspended, and is credited afterwards", () => {
  const shut: readonly (readonly [Command, Command])[] = [
    [networks({ depositEnabled: false }), networks({})],
    [{ type: "setAssetNetworks", by: BY, asset: "BTC", networks: [] }, networks({})],
    [mayDeposit(false), mayDeposit(true)],
  ];
  for (const [close, open] of shut) {
    for (const step of ["credit", "finish"] as const) {
      const vault = new Vault();
      vault.must(STEPS.see);
      vault.must(close);
      vault.refuses(STEPS[step], "DEPOSIT_SUSPENDED");
      vault.must(open);
      vault.must(STEPS[step]);
      vault.holds(ALICE, 2n * UNIT);
    }
  }
  // A credited deposit continues.
  const vault = new Vault();
  vault.must(STEPS.see);
  vault.must(STEPS.credit);
  vault.must(networks({ depositEnabled: false }));
  vault.must(STEPS.finish);
});

function networks(change: object): Command {
  const network = networkOf("BTC", { withdrawFee: "0", withdrawMin: "0", withdrawMax: "0", ...change });
  return { type: "setAssetNetworks", by: BY, asset: "BTC", networks: [network] };
}

function mayDeposit(canDeposit: boolean): Command {
  return { type: "changeAccount", by: BY, accountId: ALICE, canDeposit };
}

test("the treasury pays the uncovered part of a dropped deposit, and the account may not withdraw", () => {
  for (const [spent, taken, shortage] of [
    ["0", 2n * UNIT, 0n],
    ["0.5", 150_000_000n, 50_000_000n],
    ["2", 0n, 2n * UNIT],
  ] as const) {
    const vault = new Vault();
    vault.must(STEPS.see);
    vault.must(STEPS.credit);
    const debit = { type: "debit", by: BY, accountId: ALICE, asset: "BTC", reference: "spent" } as const;
    if (spent !== "0") vault.must({ ...debit, amount: spent });
    const [event, ...others] = vault.run(STEPS.drop);
    assert.ok(event?.type === "depositChanged");
    assert.deepEqual([event.status, event.moved, event.shortage], ["dropped", -taken, shortage]);
    vault.engine.checkInvariants();
    vault.restart();
    vault.holds(ALICE, 0n);
    vault.holds(TREASURY_ACCOUNT, -shortage);
    const isBarred = shortage > 0n;
    assert.deepEqual(others, isBarred ? [{ type: "accountChanged", accountId: ALICE }] : []);
    assert.equal(vault.engine.account(ALICE)?.canWithdraw, !isBarred);
    vault.fund(ALICE, "3");
    const toSub = { fromAccountId: ALICE, toAccountId: SUB, asset: "BTC", amount: "1" };
    if (!isBarred) continue;
    vault.refuses(vault.request(), "ACCOUNT_MAY_NOT_WITHDRAW");
    vault.refuses({ type: "transfer", accountId: ALICE, ...toSub }, "ACCOUNT_MAY_NOT_WITHDRAW");
    vault.must({ type: "changeAccount", by: BY, accountId: ALICE, canWithdraw: true });
    vault.must(vault.request());
  }
});

test("a deposit that reappears repays the treasury first", () => {
  const vault = new Vault();
  const debit = { type: "debit", by: BY, accountId: ALICE, asset: "BTC" } as const;
  const moved = (command: Command): bigint => {
    const [event] = vault.run(command);
    assert.ok(event?.type === "depositChanged");
    vault.engine.checkInvariants();
    vault.restart();
    return event.moved;
  };
  vault.must(STEPS.see);
  vault.must(STEPS.credit);
  vault.must({ ...debit, amount: "0.5", reference: "spent" });
  assert.equal(moved(STEPS.drop), -150_000_000n);
  vault.holds(TREASURY_ACCOUNT, -50_000_000n);
  vault.must(STEPS.see);
  assert.equal(moved(STEPS.credit), 150_000_000n);
  vault.holds(ALICE, 150_000_000n);
  vault.holds(TREASURY_ACCOUNT, 0n);
  // Dropped again: the shortage accumulates.
  vault.must({ ...debit, amount: "1", reference: "spent again" });
  assert.equal(moved(STEPS.drop), -50_000_000n);
  vault.holds(TREASURY_ACCOUNT, -150_000_000n);
  vault.must(STEPS.see);
  vault.must(STEPS.drop);
  vault.must(STEPS.see);
  assert.equal(moved(STEPS.finish), 50_000_000n);
  vault.holds(ALICE, 50_000_000n);
  vault.holds(TREASURY_ACCOUNT, 0n);
});

test("only the free balance pays for a dropped deposit, not amounts locked by orders and withdrawals", () => {
  const vault = new Vault();
  vault.fund(ALICE, "3");
  vault.must(vault.request());
  vault.must(STEPS.see);
  vault.must(STEPS.credit);
  vault.must({ type: "debit", by: BY, accountId: ALICE, asset: "BTC", amount: "1", reference: "spent" });
  vault.must(STEPS.drop);
  vault.holds(ALICE, 0n, 3n * UNIT);
  vault.holds(TREASURY_ACCOUNT, -UNIT);
});

test("a dropped deposit may reappear with another amount, for another account", () => {
  const vault = new Vault();
  vault.must(STEPS.see);
  vault.must(STEPS.drop);
  vault.restart();
  const other = { address: `home${SUB}`, amount: "7" };
  vault.must(vault.see(other));
  vault.refuses(STEPS.finish, "REPEAT_DIFFERS");
  vault.must({ ...STEPS.finish, ...other });
  vault.holds(ALICE, 0n);
  vault.holds(SUB, 7n * UNIT);
  vault.must(vault.see({ txId: "next" }));
  assert.equal(vault.engine.funds.openDeposits("BTC")[0]?.depositId, 2, "numbers go on");
});

test("the treasury has its own addresses", () => {
  const vault = new Vault();
  const address = `home${TREASURY_ACCOUNT}`;
  vault.must(vault.see({ address }));
  vault.must({ ...STEPS.credit, address });
  vault.holds(TREASURY_ACCOUNT, 2n * UNIT);
  vault.must({ type: "debit", by: BY, accountId: TREASURY_ACCOUNT, asset: "BTC", amount: "2", reference: "out" });
  const [event] = vault.run({ ...STEPS.drop, address });
  assert.ok(event?.type === "depositChanged" && event.moved === -2n * UNIT && event.shortage === 0n);
  vault.holds(TREASURY_ACCOUNT, -2n * UNIT);
  vault.engine.checkInvariants();
});

test("an address has one owner, and an account has one address on a network", () => {
  const vault = new Vault();
  const assign = { type: "assignDepositAddress", network: "SIDE", address: "a", tag: "" } as const;
  vault.refuses({ ...assign, accountId: 999 }, "UNKNOWN_ACCOUNT");
  vault.refuses({ ...assign, accountId: 2 }, "UNKNOWN_ACCOUNT");
  vault.refuses({ ...assign, accountId: ALICE, network: "MOON" }, "UNKNOWN_NETWORK");
  vault.must({ ...assign, accountId: ALICE });
  vault.refuses({ ...assign, accountId: ALICE, address: "b" }, "ALREADY_EXISTS");
  vault.refuses({ ...assign, accountId: SUB }, "ALREADY_EXISTS");
  vault.must({ ...assign, accountId: SUB, tag: "1" });
  vault.restart();
  assert.equal(vault.engine.funds.addressOwner("SIDE", "a", ""), ALICE);
  assert.equal(vault.engine.funds.addressOwner("SIDE", "a", "1"), SUB);
  assert.equal(vault.engine.funds.addressOwner("BTC", "a", ""), undefined);
  assert.deepEqual(vault.engine.funds.depositAddress(SUB, "SIDE"), {
    accountId: SUB,
    network: "SIDE",
    address: "a",
    tag: "1",
  });
});
