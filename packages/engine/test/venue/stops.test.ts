/** Suspensions: what each scope rejects and allows, and when it ends. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Command, ProposedAct, StopScope } from "@pricetime/engine";
import { listSymbol, placeOrder } from "@pricetime/testkit/commands";
import { MAX_STOPS } from "../../src/limits.ts";
import { BY } from "../harness.ts";
import { ALICE, idOf, REPORTED, Vault } from "../funds/vault.ts";

const HOUR_MS = 3_600_000;
const OPERATORS = [
  ["ada", "admin"],
  ["tom", "treasurer"],
  ["sue", "support"],
  ["bea", "support"],
] as const;

/** A venue in which each of these commands succeeds without a suspension. */
function venue(): Vault {
  const vault = new Vault();
  vault.must(listSymbol("BTC/USDT"));
  vault.fund(ALICE, "40");
  vault.must(order("resting"));
  vault.must(vault.request({ withdrawalId: idOf(2) }));
  vault.must(vault.see());
  return vault;
}

function order(clientOrderId: string): Command {
  const size = { priceTicks: 500, quantityLots: 7 };
  return placeOrder({ accountId: ALICE, side: "SELL", ...size, clientOrderId });
}

const COIN = { network: "BTC", txId: "tx1", output: 0 };
const request = (number: number, network: string): Command =>
  new Vault().request({ withdrawalId: idOf(number), network });

const WISHES = {
  place: order("wanted"),
  cancel: {
    ...{ type: "cancelOrder", accountId: ALICE, symbolId: 0, orderId: 1 },
    ...{ origClientOrderId: "", newClientOrderId: "" },
  },
  withdraw: request(3, "BTC"),
  withdrawBySide: request(4, "SIDE"),
  sign: { type: "signWithdrawal", withdrawalId: idOf(2), txId: "pay1", nonce: 3, signedTx: "raw1" },
} as const satisfies Readonly<Record<string, Command>>;
type Wish = keyof typeof WISHES;

/** The commands that each scope rejects, with the reason; the others succeed. */
const REFUSES: Readonly<Record<StopScope, { readonly [W in Wish]?: string }>> = {
  trading: { place: "MARKET_CLOSED", cancel: "MARKET_CLOSED" },
  placing: { place: "MARKET_CLOSED" },
  withdrawals: { withdraw: "WITHDRAWAL_SUSPENDED", withdrawBySide: "WITHDRAWAL_SUSPENDED", sign: "STOPPED" },
  "coin:BTC": { withdraw: "WITHDRAWAL_SUSPENDED", withdrawBySide: "WITHDRAWAL_SUSPENDED", sign: "STOPPED" },
  "coin:USDT": {},
  "network:BTC": { withdraw: "WITHDRAWAL_SUSPENDED", sign: "STOPPED" },
  "network:SIDE": { withdrawBySide: "WITHDRAWAL_SUSPENDED" },
};

const stop = (scope: StopScope, untilMs: number | null = null): Command => ({
  ...{ type: "setStop", by: BY, scope, why: "fire", untilMs },
});

function answers(vault: Vault): Readonly<Record<string, string>> {
  const said = Object.entries(WISHES).map(([wish, command]) => [wish, vault.answer(command)] as const);
  return Object.fromEntries(said.filter(([, answer]) => /^[A-Z_]+$/.test(answer)));
}

for (const [scope, refused] of Object.entries(REFUSES)) {
  test(`a suspension of ${scope} rejects its commands until it is lifted or ends`, () => {
    const stopped = venue();
    assert.equal(stopped.answer(stop(scope)), "stopChanged");
    stopped.nowMs += 1000 * HOUR_MS;
    stopped.must({ type: "tick" });
    stopped.restart();
    assert.equal(stopped.engine.venue.isStopped(scope, stopped.nowMs), true);
    assert.deepEqual(answers(stopped), refused);
    stopped.engine.checkInvariants();

    const lifted = venue();
    lifted.must(stop(scope));
    lifted.must({ type: "liftStop", by: BY, scope });
    assert.deepEqual(answers(lifted), {});
    assert.equal(lifted.answer({ type: "liftStop", by: BY, scope }), "UNKNOWN_STOP");

    // The end of a suspension needs no entry: commands from that time on are accepted.
    const timed = venue();
    timed.must(stop(scope, timed.nowMs + HOUR_MS));
    timed.nowMs += HOUR_MS - 1;
    assert.deepEqual(answers(timed), refused);
    const over = venue();
    over.must(stop(scope, over.nowMs + HOUR_MS));
    over.nowMs += HOUR_MS;
    assert.deepEqual(answers(over), {});
    assert.match(over.answer({ type: "tick" }), /stopChanged/);
    assert.deepEqual([...over.engine.venue.stops()], []);
  });
}

test("without a suspension every command is accepted", () => {
  assert.deepEqual(answers(venue()), {});
});

test("a deposit during a suspension of its asset or network is recorded, and credited afterwards", () => {
  for (const scope of ["coin:BTC", "network:BTC"]) {
    const vault = venue();
    const before = vault.engine.balance(ALICE, 0).free;
    vault.must(stop(scope));
    vault.run({ type: "creditDeposit", ...COIN, ...REPORTED });
    assert.equal(vault.engine.balance(ALICE, 0).free, before, scope);
    vault.must({ type: "liftStop", by: BY, scope });
    vault.run({ type: "creditDeposit", ...COIN, ...REPORTED });
    assert.equal(vault.engine.balance(ALICE, 0).free, before + 200_000_000n, scope);
  }
});

test("a second suspension of a scope replaces the first", () => {
  const vault = venue();
  vault.must(stop("trading"));
  vault.must(stop("trading", vault.nowMs + HOUR_MS));
  assert.equal([...vault.engine.venue.stops()].length, 1);
  vault.nowMs += HOUR_MS;
  assert.deepEqual(answers(vault), {});
});

test("an operator without the right to lift a suspension cannot shorten it", () => {
  const [sooner, later] = [{ untilMs: HOUR_MS }, { untilMs: 3 * HOUR_MS }];
  for (const { scope, may } of [
    { scope: "withdrawals", may: "tom" },
    { scope: "trading", may: "ada" },
  ] as const) {
    const vault = venue();
    for (const [name, role] of OPERATORS) {
      vault.must({ type: "openOperator", by: BY, name, email: `${name}@example.org`, role });
    }
    const set = (name: string, { untilMs }: { readonly untilMs: number }): Command => ({
      ...stop(scope, vault.nowMs + untilMs),
      ...{ by: `operator:${name}` },
    });
    vault.must(set("sue", { untilMs: 2 * HOUR_MS }));
    vault.must(set("bea", later));
    vault.refuses(set("sue", sooner), "NOT_PERMITTED");
    const act = set("sue", sooner) as ProposedAct;
    vault.must({ type: "propose", by: "operator:sue", proposalId: idOf(9), act, why: "so" });
    const approve = { type: "approveProposal", by: "operator:bea", proposalId: idOf(9), version: 1 } as const;
    vault.refuses(approve, "NOT_PERMITTED");
    vault.must(set(may, sooner));
    vault.nowMs += HOUR_MS;
    vault.must(set("sue", { untilMs: 1 }));
  }
});

test("a suspension whose lifting needs dual approval cannot be shortened alone", () => {
  const vault = venue();
  for (const [name, role] of OPERATORS) {
    vault.must({ type: "openOperator", by: BY, name, email: `${name}@example.org`, role });
  }
  vault.must({ type: "openOperator", by: BY, name: "bo", email: "bo@example.org", role: "admin" });
  const rules = { approvals: 1, withdrawalsAbove: [], acts: ["liftStop"] };
  vault.must({ type: "setApprovalRules", by: BY, rules });
  vault.must(stop("withdrawals"));
  for (const by of [BY, "operator:ada"]) {
    vault.refuses({ ...stop("withdrawals", vault.nowMs + 1), by } as Command, "NEEDS_TWO");
  }
});

test("unknown scopes and ends in the past are rejected", () => {
  const vault = venue();
  vault.refuses(stop("coin:NONE"), "UNKNOWN_ASSET");
  vault.refuses(stop("network:NONE"), "UNKNOWN_NETWORK");
  for (const scope of ["", "all", "coin:", "network:", "TRADING"]) vault.refuses(stop(scope), "INVALID_VALUE");
  for (const untilMs of [0, vault.nowMs - 1, vault.nowMs]) vault.refuses(stop("trading", untilMs), "INVALID_VALUE");
  assert.ok(MAX_STOPS > Object.keys(REFUSES).length);
});
