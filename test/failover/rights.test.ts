/** The checks of rights and payments: an honest run passes, and what is spoiled of it is found. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Command } from "@pricetime/engine";
import { amount, type ModelWithdrawal } from "@pricetime/testkit/models";
import { Findings } from "../../failover/checks/findings.ts";
import { checkPayments, type MinedPayment } from "../../failover/checks/payments.ts";
import { checkRights, Rights } from "../../failover/checks/rights.ts";
import { payeeOf } from "../../failover/clients/payer.ts";

const ROLE = "network:CHAIN";
const ROWS = [
  { firstSeq: 1, count: 4 },
  { firstSeq: 5, count: 10 },
];

const batch = (node: string, incarnation = "a"): [string, Command] => [
  node,
  { type: "nodeBatch", node, incarnation, replaces: "", number: 1, atSeq: 0, digest: "", release: "" },
];
const grant = (node: string, after: number, incarnation = "a"): [string, Command] => [
  node,
  { type: "grantRole", role: ROLE, node, incarnation, after },
];
const act = (node: string, number: number): [string, Command] => [
  node,
  { type: "asHolder", role: ROLE, number, command: { type: "tick" } },
];
const TWO_HOLDERS = [batch("n1"), batch("n2"), grant("n1", 0), act("n1", 1), grant("n2", 1), act("n2", 2)];

function rightsOf(log: readonly (readonly [string, Command])[]): { rights: Rights; findings: Findings; done: number } {
  const findings = new Findings();
  const rights = new Rights(findings);
  const done = log.filter(([node, command], at) => rights.commandOf(at + 1, node, command)?.type === "tick").length;
  return { rights, findings, done };
}

test("an act by the newest grant is carried out, one by a grant that was replaced is not", () => {
  const { rights, findings, done } = rightsOf([...TWO_HOLDERS, act("n1", 1)]);
  assert.deepEqual([done, rights.acts, rights.moves, [...rights.lateActs]], [2, 2, 1, [7]]);
  checkRights(rights, ROWS, [], true, findings);
  assert.deepEqual(findings.first, []);
});

test("a row that went otherwise, with an act by a grant that was replaced", () => {
  const { rights, findings } = rightsOf([...TWO_HOLDERS, act("n1", 1)]);
  checkRights(rights, ROWS, [0], true, findings);
  assert.deepEqual(findings.first, [], "an honest row is not this check's");
  checkRights(rights, ROWS, [1], true, findings);
  assert.deepEqual(findings.first, ["rights: entry 7: a command of a replaced task owner was carried out"]);
});

test("an act by a grant that was never given, or is another's", () => {
  assert.match(rightsOf([batch("n1"), act("n1", 1)]).findings.first.join(), /entry 2: network:CHAIN has no grant 1/);
  const { findings } = rightsOf([...TWO_HOLDERS, act("n1", 2)]);
  assert.match(
    findings.first.join(),
    /entry 7: a command of n1\/a with grant 2 of network:CHAIN, which belongs to n2\/a/,
  );
  const older = rightsOf([batch("n1"), grant("n1", 0, "gone"), act("n1", 1)]);
  assert.match(
    older.findings.first.join(),
    /a command of n1\/a with grant 1 of network:CHAIN, which belongs to n1\/gone/,
  );
});

test("a run in which no holder acted, or none was replaced", () => {
  const { rights, findings } = rightsOf([batch("n1"), grant("n1", 0)]);
  checkRights(rights, ROWS, [], false, findings);
  assert.deepEqual(findings.first, ["rights: no task owner has sent a command"]);
  const alone = rightsOf([batch("n1"), grant("n1", 0), act("n1", 1), grant("n1", 1)]);
  checkRights(alone.rights, ROWS, [], true, alone.findings);
  assert.deepEqual(alone.findings.first, ["rights: no task has moved to another node"]);
});

type Wallet = Parameters<typeof checkPayments>[2];

const COIN = { network: "CHAIN", accountId: 100, asset: "COIN" };
const deposit = {
  ...COIN,
  coin: '["CHAIN","d1",0]',
  depositId: 1,
  amount: amount("10"),
  owed: 0n,
  status: "success",
  address: "ours",
  tag: "",
  isIdAlone: false,
} as const;
const withdrawal: ModelWithdrawal = {
  ...{
    ...COIN,
    withdrawalId: "1",
    withdrawOrderId: "w-1x",
    address: "theirs",
    tag: "",
    amount: amount("5"),
    fee: amount("1"),
    hash: "",
    needsApproval: false,
  },
  ...{ appliedMs: 1, signed: [{ txId: "p1", nonce: 0 }], status: "completed", emailStatus: "waiting" },
  ...{ reasons: [], isCounted: true, sumAtRequest: amount("5") },
};
const CHAIN: readonly MinedPayment[] = [
  { txId: "d1", address: "ours", amount: "10", nonce: null },
  { txId: "p1", address: payeeOf("w-1x"), amount: "4", nonce: 0 },
];
const WALLET: Wallet = { deposits: [deposit], withdrawals: [withdrawal] };

function paymentsSay(spoiled: {
  readonly chain?: readonly MinedPayment[];
  readonly wallet?: Partial<Wallet>;
  readonly outcome?: "done" | "notTaken";
}): string {
  const findings = new Findings();
  const asked = [{ orderId: "w-1x", outcome: spoiled.outcome ?? "done" }];
  const told = checkPayments(spoiled.chain ?? CHAIN, asked, { ...WALLET, ...spoiled.wallet }, findings);
  assert.equal(told.credited, 1);
  return findings.first.join("; ");
}

test("coins that are credited once and withdrawals that are paid once have no findings", () => {
  assert.equal(paymentsSay({}), "");
});

test("a coin that is credited twice, never, as another amount, or not to the end", () => {
  assert.match(
    paymentsSay({ wallet: { deposits: [deposit, { ...deposit, depositId: 2 }] } }),
    /d1 is credited 2 times/,
  );
  assert.match(paymentsSay({ wallet: { deposits: [] } }), /d1 is credited 0 times/);
  assert.match(
    paymentsSay({ wallet: { deposits: [{ ...deposit, amount: amount("1") }] } }),
    /d1 has 10, but another amount was credited/,
  );
  assert.match(paymentsSay({ wallet: { deposits: [{ ...deposit, status: "pending" }] } }), /deposit d1 is pending/);
  const other = { ...deposit, coin: '["CHAIN","d2",0]' };
  assert.match(paymentsSay({ wallet: { deposits: [deposit, other] } }), /2 deposits for 1 transactions/);
});

test("a withdrawal that is paid twice, never, as another amount, or by what nobody signed", () => {
  const [coin, paid] = CHAIN as [MinedPayment, MinedPayment];
  const again = { ...paid, txId: "p2", nonce: 1 };
  assert.match(paymentsSay({ chain: [coin, paid, again] }), /w-1x is completed, but was paid 2 times/);
  assert.match(paymentsSay({ chain: [coin] }), /w-1x is completed, but was paid 0 times/);
  assert.match(paymentsSay({ chain: [coin, { ...paid, amount: "5" }] }), /w-1x was paid as 5/);
  assert.match(paymentsSay({ chain: [coin, { ...paid, txId: "p3" }] }), /w-1x was paid by p3, unsigned/);
  const failed: ModelWithdrawal = { ...withdrawal, status: "failed" };
  assert.match(paymentsSay({ wallet: { withdrawals: [failed] } }), /w-1x is failed, but was paid 1 times/);
});

test("a withdrawal that was told otherwise than the log has it", () => {
  assert.match(paymentsSay({ outcome: "notTaken" }), /outcome notTaken, but is in the log 1 times/);
  const twice = [withdrawal, { ...withdrawal, withdrawalId: "2" }];
  assert.match(paymentsSay({ wallet: { withdrawals: twice } }), /outcome done, but is in the log 2 times/);
  assert.match(paymentsSay({ wallet: { withdrawals: [] } }), /w-1x had the outcome done, but is in the log 0 times/);
});
