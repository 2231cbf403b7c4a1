/**
 * Every step of a withdrawal from every status: valid steps lead to the status that Interface 2.10 defines; the others
 * are rejected and move nothing.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  type Command,
  FEE_ACCOUNT,
  FIRST_EDITION,
  OUTSIDE_ACCOUNT,
  WITHDRAWAL_STATUSES,
  type WithdrawalStatus,
} from "@pricetime/engine";
import { BY, START_MS } from "../harness.ts";
import { ALICE, BOB, HASH, idOf, Vault } from "./vault.ts";

const withdrawalId = idOf(1);

const STEPS = {
  request: new Vault().request(),
  confirm: { type: "confirmWithdrawal", withdrawalId, confirmationHash: HASH },
  cancel: { type: "cancelWithdrawal", accountId: ALICE, withdrawalId },
  approve: { type: "approveWithdrawal", by: BY, withdrawalId },
  reject: { type: "rejectWithdrawal", by: BY, withdrawalId, why: "fraud" },
  sign: { type: "signWithdrawal", withdrawalId, txId: "pay1", nonce: 3, signedTx: "raw1" },
  signHigher: { type: "signWithdrawal", withdrawalId, txId: "pay2", nonce: 3, signedTx: "raw2" },
  signOtherNonce: { type: "signWithdrawal", withdrawalId, txId: "pay3", nonce: 4, signedTx: "raw3" },
  complete: { type: "completeWithdrawal", withdrawalId, txId: "pay1" },
  completeByOther: { type: "completeWithdrawal", withdrawalId, txId: "pay9" },
  fail: { type: "failWithdrawal", withdrawalId, why: "reverted" },
  failSigned: { type: "failSignedWithdrawal", withdrawalId, txId: "pay1", nonce: 3, why: "nonce taken" },
  failOther: { type: "failSignedWithdrawal", withdrawalId, txId: "pay9", nonce: 3, why: "nonce taken" },
  failOtherNonce: { type: "failSignedWithdrawal", withdrawalId, txId: "pay1", nonce: 4, why: "nonce taken" },
} as const satisfies Readonly<Record<string, Command>>;
type Step = keyof typeof STEPS;

/** How each status is reached. `signed` is processing, with a transaction. */
type Place = WithdrawalStatus | "none" | "processing, signed";
const WAYS: Readonly<Record<Place, readonly Step[]>> = {
  none: [],
  emailSent: ["request"],
  cancelled: ["request", "cancel"],
  awaitingApproval: ["request", "confirm"],
  rejected: ["request", "confirm", "reject"],
  processing: ["request", "confirm", "approve"],
  "processing, signed": ["request", "confirm", "approve", "sign"],
  failed: ["request", "confirm", "approve", "fail"],
  completed: ["request", "confirm", "approve", "sign", "complete"],
};

/** The result of each step in each status; a reason in capitals means a rejection. */
const UNKNOWN = "UNKNOWN_WITHDRAWAL";
const OVER = "WRONG_STATUS";
const TABLE: Readonly<Record<Place, Readonly<Record<Step, string>>>> = {
  none: { ...all(UNKNOWN), request: "emailSent" },
  emailSent: { ...all(OVER), request: "ALREADY_EXISTS", confirm: "awaitingApproval", cancel: "cancelled" },
  awaitingApproval: {
    ...all(OVER),
    request: "ALREADY_EXISTS",
    cancel: "cancelled",
    approve: "processing",
    reject: "rejected",
  },
  processing: {
    ...all(OVER),
    request: "ALREADY_EXISTS",
    sign: "processing",
    signHigher: "processing",
    signOtherNonce: "processing",
    complete: "completed",
    completeByOther: "completed",
    fail: "failed",
    failSigned: "TRANSACTION_DIFFERS",
    failOther: "TRANSACTION_DIFFERS",
    failOtherNonce: "TRANSACTION_DIFFERS",
  },
  "processing, signed": {
    ...all(OVER),
    request: "ALREADY_EXISTS",
    sign: "ALREADY_EXISTS",
    signHigher: "processing",
    signOtherNonce: "TRANSACTION_DIFFERS",
    complete: "completed",
    completeByOther: "TRANSACTION_DIFFERS",
    fail: "ALREADY_SIGNED",
    failSigned: "failed",
    failOther: "TRANSACTION_DIFFERS",
    failOtherNonce: "TRANSACTION_DIFFERS",
  },
  cancelled: { ...all(OVER), request: "ALREADY_EXISTS" },
  rejected: { ...all(OVER), request: "ALREADY_EXISTS" },
  failed: { ...all(OVER), request: "ALREADY_EXISTS" },
  completed: { ...all(OVER), request: "ALREADY_EXISTS" },
};

function all(answer: string): Readonly<Record<Step, string>> {
  return Object.fromEntries(Object.keys(STEPS).map((step) => [step, answer])) as Record<Step, string>;
}

function at(place: Place): Vault {
  const vault = new Vault();
  vault.setNetwork({ confirmsByMail: true, approvalAbove: "2" });
  vault.fund(ALICE, "5");
  for (const step of WAYS[place]) vault.must(STEPS[step]);
  return vault;
}

const UNIT = 100_000_000n;
/** The account's free and locked balance in each status: it starts with 5 and requests 3. */
function holding(status: string): readonly [free: bigint, locked: bigint] {
  if (["emailSent", "awaitingApproval", "processing"].includes(status)) return [2n * UNIT, 3n * UNIT];
  return status === "completed" ? [2n * UNIT, 0n] : [5n * UNIT, 0n];
}

for (const place of Object.keys(WAYS) as Place[]) {
  test(`a withdrawal that is ${place}`, () => {
    for (const step of Object.keys(STEPS) as Step[]) {
      const vault = at(place);
      vault.restart();
      vault.nowMs += 1_000;
      const command = STEPS[step];
      const outcome = TABLE[place][step];
      if (!WITHDRAWAL_STATUSES.includes(outcome as WithdrawalStatus)) {
        vault.refuses(command, outcome);
        continue;
      }
      const [event, ...others] = vault.run(command);
      assert.ok(event?.type === "withdrawalChanged" && others.length === 0, `${step} of ${place}`);
      assert.equal(event.status, outcome, `${step} of ${place}`);
      const { withdrawal } = event;
      assert.deepEqual([withdrawal.status, withdrawal.updateTimeMs], [outcome, vault.nowMs]);
      assert.equal(withdrawal.applyTimeMs, place === "none" ? vault.nowMs : START_MS);
      vault.engine.checkInvariants();
      vault.holds(ALICE, ...holding(outcome));
      vault.holds(FEE_ACCOUNT, outcome === "completed" ? UNIT / 10n : 0n);
      vault.holds(OUTSIDE_ACCOUNT, outcome === "completed" ? (-5n * 10n + 29n) * (UNIT / 10n) : -5n * UNIT);
      const isOpen = ["emailSent", "awaitingApproval", "processing"].includes(outcome);
      assert.equal(vault.engine.funds.withdrawal(withdrawalId) !== undefined, isOpen);
      // A repeated step, as after a crash, has no effect.
      if (step === "request") vault.refuses(command, "ALREADY_EXISTS");
      else if (step.startsWith("sign")) vault.refuses(command, "ALREADY_EXISTS");
      else vault.refuses(command, "WRONG_STATUS");
    }
  });
}

test("the first status of a request depends on email confirmation and amount", () => {
  const rows = [
    [{}, false, "processing"],
    [{ approvalAbove: "3" }, false, "processing"],
    [{ approvalAbove: "2.99999999" }, false, "awaitingApproval"],
    [{ approvalAbove: "0" }, false, "awaitingApproval"],
    [{ confirmsByMail: true }, false, "emailSent"],
    [{ confirmsByMail: false }, true, "emailSent"],
    [{ approvalAbove: "2", confirmsByMail: true }, false, "emailSent"],
  ] as const;
  for (const [change, ofAccount, expected] of rows) {
    const vault = new Vault();
    vault.setNetwork(change);
    vault.fund(ALICE, "5");
    vault.must({ type: "changeAccount", by: BY, accountId: ALICE, confirmsByMail: ofAccount });
    vault.must(vault.request());
    assert.equal(vault.engine.funds.withdrawal(withdrawalId)?.status, expected, JSON.stringify(change));
    if (expected !== "emailSent") continue;
    vault.must(STEPS.confirm);
    const next = "approvalAbove" in change ? "awaitingApproval" : "processing";
    assert.equal(vault.engine.funds.withdrawal(withdrawalId)?.status, next);
  }
});

test("an approval is rejected if the withdrawal is not the one that the operator saw", () => {
  const vault = at("awaitingApproval");
  const { amount, address, tag } = new Vault().request();
  const shown = { ...STEPS.approve, amount, fee: "0.1", address, tag };
  for (const other of [
    { amount: "3.00000001" },
    { amount: "30" },
    { amount: "three" },
    { amount: "3.000000001" },
    { fee: "0" },
    { fee: "0.01" },
    { address: `${address}0` },
    { address: "" },
    { tag: "77" },
  ]) {
    vault.refuses({ ...STEPS.approve, ...other }, "WITHDRAWAL_DIFFERS");
    vault.refuses({ ...shown, ...other }, "WITHDRAWAL_DIFFERS");
  }
  assert.equal(vault.engine.funds.withdrawal(withdrawalId)?.status, "awaitingApproval");
  vault.must({ ...shown, amount: "3.00000000" });
  assert.equal(vault.engine.funds.withdrawal(withdrawalId)?.status, "processing");
  for (const part of [{ amount }, { fee: "0.1" }, { address }, { tag }])
    at("awaitingApproval").must({ ...STEPS.approve, ...part });
});

test("only the owner cancels, and only the emailed secret confirms", () => {
  const vault = at("emailSent");
  vault.refuses({ type: "cancelWithdrawal", accountId: BOB, withdrawalId }, "UNKNOWN_WITHDRAWAL");
  vault.refuses({ type: "confirmWithdrawal", withdrawalId, confirmationHash: "cd".repeat(32) }, "WRONG_CONFIRMATION");
  vault.refuses({ type: "confirmWithdrawal", withdrawalId, confirmationHash: "" }, "WRONG_CONFIRMATION");
  vault.must(STEPS.confirm);
  vault.refuses(STEPS.confirm, "WRONG_STATUS");
});

test("an unconfirmed withdrawal is cancelled after half an hour", () => {
  const vault = at("emailSent");
  const untilMs = vault.nowMs + 30 * 60_000;
  assert.equal(vault.engine.nextDueMs(), untilMs);
  vault.nowMs = untilMs - 1;
  vault.must({ type: "tick" });
  vault.restart();
  assert.equal(vault.engine.nextDueMs(), untilMs);
  vault.holds(ALICE, 2n * UNIT, 3n * UNIT);
  vault.nowMs = untilMs;
  vault.refuses(STEPS.confirm, "WRONG_CONFIRMATION");
  assert.equal(vault.answer({ type: "tick" }), "withdrawalChanged done");
  vault.holds(ALICE, 5n * UNIT);
  assert.equal(vault.engine.nextDueMs(), Number.POSITIVE_INFINITY);
  vault.refuses(STEPS.confirm, "WRONG_STATUS");
});

test("a confirmed withdrawal does not expire, and the next unconfirmed one does", () => {
  const vault = at("emailSent");
  vault.must(vault.request({ withdrawalId: idOf(2), amount: "1" }));
  vault.nowMs += 60_000;
  vault.must(vault.request({ withdrawalId: idOf(3), amount: "1" }));
  vault.must(STEPS.confirm);
  vault.nowMs += 29 * 60_000;
  assert.equal(vault.answer({ type: "tick" }), "withdrawalChanged done");
  vault.holds(ALICE, UNIT, 4n * UNIT);
  assert.equal(vault.engine.nextDueMs(), vault.nowMs + 60_000);
});

test("every signed transaction is stored, and any of them completes", () => {
  const vault = at("processing");
  vault.must(STEPS.sign);
  vault.must(STEPS.signHigher);
  const { txIds, txId, signedTx, nonce } = vault.engine.funds.withdrawal(withdrawalId)!;
  assert.deepEqual(
    { txIds, txId, signedTx, nonce },
    { txIds: ["pay1", "pay2"], txId: "pay2", signedTx: "raw2", nonce: 3 },
  );
  vault.restart();
  const [event] = vault.run(STEPS.complete);
  assert.ok(event?.type === "withdrawalChanged" && event.txId === "pay1");
});

test("a report about a transaction is valid until another one is signed", () => {
  const vault = at("processing, signed");
  vault.must(STEPS.signHigher);
  vault.refuses(STEPS.failSigned, "TRANSACTION_DIFFERS");
  vault.must({ ...STEPS.failSigned, txId: "pay2" });
  vault.holds(ALICE, 5n * UNIT);
});

test("of a failure and a signature at the same time, the first one is executed", () => {
  const signedFirst = at("processing");
  signedFirst.must(STEPS.sign);
  signedFirst.refuses(STEPS.fail, "ALREADY_SIGNED");
  signedFirst.must(STEPS.complete);
  const failedFirst = at("processing");
  failedFirst.must(STEPS.fail);
  failedFirst.refuses(STEPS.sign, "WRONG_STATUS");
  failedFirst.holds(ALICE, 5n * UNIT);
});

test("in rules version 1, an operator can fail a signed withdrawal", () => {
  const vault = new Vault(undefined, FIRST_EDITION);
  vault.fund(ALICE, "5");
  vault.must(vault.request());
  vault.must(STEPS.sign);
  vault.must(STEPS.fail);
  vault.holds(ALICE, 5n * UNIT);
});

test("at most a hundred signatures", () => {
  const vault = at("processing");
  for (let i = 0; i < 100; i++) vault.must({ ...STEPS.sign, txId: `bump${i}` });
  vault.refuses({ ...STEPS.sign, txId: "bump100" }, "TOO_MANY");
  vault.must({ ...STEPS.complete, txId: "bump0" });
});

test("events contain the operator's reason of a rejection or failure", () => {
  for (const [place, step, why] of [
    ["awaitingApproval", "reject", "fraud"],
    ["processing", "fail", "reverted"],
    ["emailSent", "cancel", ""],
  ] as const) {
    const [event] = at(place).run(STEPS[step]);
    assert.ok(event?.type === "withdrawalChanged");
    assert.equal(event.why, why);
  }
});
