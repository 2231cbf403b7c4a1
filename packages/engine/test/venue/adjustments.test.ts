/** Random adjustments: credits and debits match to the unit, once for each reference. */
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  type Command,
  DUST_ACCOUNT,
  FEE_ACCOUNT,
  HOUSE_ACCOUNTS,
  type HouseAccount,
  OUTSIDE_ACCOUNT,
  TREASURY_ACCOUNT,
} from "@pricetime/engine";
import { Dice } from "@pricetime/testkit/dice";
import { BY, TestExchange } from "../harness.ts";

const SEEDS = 40;
const STEPS = 60;
const NUMBERS: Readonly<Record<HouseAccount, number>> = {
  treasury: TREASURY_ACCOUNT,
  fees: FEE_ACCOUNT,
  dust: DUST_ACCOUNT,
};
const EVERYBODY = [OUTSIDE_ACCOUNT, FEE_ACCOUNT, TREASURY_ACCOUNT, DUST_ACCOUNT, 100, 101];

const OTHER = { category: "other", why: "w" } as const;

class Ledger {
  readonly exchange = new TestExchange();
  #proposals = 0;

  constructor() {
    this.exchange.listAssets(["BTC", 2], ["ETH", 0]);
    for (const email of ["a@example.org", "b@example.org"]) this.exchange.openAccount(email);
    for (const name of ["carol", "dave"]) {
      this.exchange.run({ type: "openOperator", by: BY, name, email: `${name}@example.org`, role: "treasurer" });
    }
    for (const [accountId, asset] of [
      [100, "BTC"],
      [101, "BTC"],
      [101, "ETH"],
    ] as const) {
      const money = { accountId, asset, amount: "50", reference: `in ${accountId} ${asset}` };
      this.exchange.run({ type: "deposit", by: BY, ...money });
    }
  }

  /** The result after another operator has approved it. */
  byTwo(act: Omit<Command<"adjust">, "by">): string {
    const proposalId = String(++this.#proposals).padStart(32, "0");
    const own = { ...act, by: "operator:carol" };
    assert.equal(
      this.exchange.answer({ type: "propose", by: own.by, proposalId, act: own, why: "w" }),
      "proposalChanged",
    );
    const answer = this.exchange.answer({ type: "approveProposal", by: "operator:dave", proposalId, version: 1 });
    if (/_/.test(answer)) {
      const left: Command = { type: "rejectProposal", by: own.by, proposalId, why: "refused" };
      assert.equal(this.exchange.answer(left), "proposalChanged", "what is refused waits on");
    }
    return answer;
  }

  balances(): bigint[][] {
    return [0, 1].map((assetId) => EVERYBODY.map((id) => this.exchange.engine.balance(id, assetId).free));
  }
}

test("adjustments move money between two accounts, and rejected ones move nothing", () => {
  const seen = new Map<string, number>();
  for (let seed = 1; seed <= SEEDS; seed++) {
    const dice = new Dice(seed);
    const ledger = new Ledger();
    for (let step = 0; step < STEPS; step++) {
      const before = ledger.balances();
      const asset = dice.pick(["BTC", "BTC", "ETH", "NONE"]);
      const amount = dice.pick(["0.01", "1", "1", "7.5", "49.99", "51", "0", "-1", "0.001", "x"]);
      const act = {
        ...{ type: "adjust" as const, accountId: dice.pick([100, 101, 101, 7]), asset, amount },
        ...{ direction: dice.pick(["credit", "debit"] as const), house: dice.pick(HOUSE_ACCOUNTS) },
        ...{ category: "correction" as const, why: "w", reference: `r${dice.below(STEPS)}` },
      };
      const answer = ledger.byTwo(act);
      seen.set(answer, (seen.get(answer) ?? 0) + 1);
      const assetId = asset === "ETH" ? 1 : 0;
      const units = answer.includes("_") ? 0n : BigInt(Math.round(Number(amount) * (asset === "ETH" ? 1 : 100)));
      const given = act.direction === "credit" ? units : -units;
      const expected = before.map((row) => [...row]);
      const add = (account: number, moved: bigint): void => {
        const row = expected[assetId] ?? assert.fail();
        const place = EVERYBODY.indexOf(account);
        if (place >= 0) row[place] = (row[place] ?? 0n) + moved;
      };
      add(act.accountId, given);
      add(NUMBERS[act.house], -given);
      assert.deepEqual(ledger.balances(), expected, `seed ${seed}: ${JSON.stringify(act)}: ${answer}`);
      for (const row of ledger.balances()) {
        assert.equal(
          row.reduce((sum, each) => sum + each, 0n),
          0n,
          "all accounts together hold nothing",
        );
        for (const [place, free] of row.entries()) {
          const mayOwe = EVERYBODY[place] === TREASURY_ACCOUNT || EVERYBODY[place] === OUTSIDE_ACCOUNT;
          assert.ok(free >= 0n || mayOwe, `${EVERYBODY[place]} owes`);
        }
      }
    }
    ledger.exchange.engine.checkInvariants();
  }
  const all = ["balanceAdjusted proposalChanged", "INSUFFICIENT_BALANCE", "REPEAT_DIFFERS", "UNKNOWN_ASSET"];
  for (const answer of [...all, "UNKNOWN_ACCOUNT", "INVALID_VALUE"]) {
    assert.ok((seen.get(answer) ?? 0) > 10, `hardly ever ${answer}: ${[...seen]}`);
  }
});

test("a debit and a credit cancel out, and each reference is valid once", () => {
  const ledger = new Ledger();
  const before = ledger.balances();
  const act = { type: "adjust", accountId: 100, asset: "BTC", amount: "12.34", house: "treasury", ...OTHER } as const;
  assert.match(ledger.byTwo({ ...act, direction: "debit", reference: "1" }), /^balanceAdjusted/);
  assert.notDeepEqual(ledger.balances(), before);
  assert.equal(ledger.byTwo({ ...act, direction: "debit", reference: "1" }), "ALREADY_EXISTS");
  assert.equal(ledger.byTwo({ ...act, direction: "credit", reference: "1" }), "REPEAT_DIFFERS");
  assert.match(ledger.byTwo({ ...act, direction: "credit", reference: "2" }), /^balanceAdjusted/);
  assert.deepEqual(ledger.balances(), before);
});
