/** Limits on withdrawals over time: which withdrawals count and for how long, and which wait for approval. */
import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import type { Command, ApprovalReason, LimitsOverTime, WithdrawalLimits } from "@pricetime/engine";
import { networkOf } from "@pricetime/testkit/commands";
import { BY, START_MS } from "../harness.ts";
import { ALICE, BOB, BTC, CAROL, idOf, SUB, Vault } from "./vault.ts";

const HOUR_MS = 3_600_000;
const UNIT = 100_000_000n;
const OPEN = networkOf("BTC", { withdrawFee: "0.1", withdrawMin: "0", withdrawMax: "0" });

let vault: Vault;
let last = 0;

beforeEach(() => {
  vault = opened();
});

function opened(edition?: number): Vault {
  const made = new Vault([OPEN, { ...OPEN, network: "SIDE", isDefault: false }], edition);
  for (const accountId of [ALICE, BOB, SUB, CAROL]) made.fund(accountId, "100000");
  last = 0;
  return made;
}

function limit(limits: WithdrawalLimits): void {
  vault.must({ type: "setWithdrawalLimits", by: BY, asset: "BTC", limits });
}
function limitAccount(limits: LimitsOverTime | null, accountId: number = ALICE): void {
  vault.must({ type: "setAccountWithdrawalLimits", by: BY, accountId, asset: "BTC", limits });
}

/** Requests a withdrawal and returns its number. */
function request(amount: string, accountId: number = ALICE, more: Partial<Command<"requestWithdrawal">> = {}): string {
  const withdrawalId = idOf(++last);
  vault.must(vault.request({ withdrawalId, accountId, amount, ...more }));
  return withdrawalId;
}
function statusOf(withdrawalId: string): string | undefined {
  return vault.engine.funds.withdrawal(withdrawalId)?.status;
}
function requested(
  amount: string,
  accountId: number = ALICE,
  more: Partial<Command<"requestWithdrawal">> = {},
): string {
  return statusOf(request(amount, accountId, more)) ?? "closed";
}
function reasonsOf(withdrawalId: string): readonly ApprovalReason[] {
  return vault.engine.funds.withdrawal(withdrawalId)?.approvalReasons ?? [];
}
/** Sums over 24 and 72 hours, in whole coins. */
function sums(accountId: number | null = ALICE): readonly [number, number] {
  const { per24h = 0n, per72h = 0n } = vault.engine.funds.withdrawn(accountId, vault.nowMs).get(BTC) ?? {};
  return [Number(per24h / UNIT), Number(per72h / UNIT)];
}

test("of 14 withdrawals of 1000 with a limit of 5000 over 24 hours, those beyond it wait", () => {
  vault.must({ type: "setAssetNetworks", by: BY, asset: "BTC", networks: [{ ...OPEN, approvalAbove: "1000" }] });
  limit({ account: { per24h: "5000" } });
  const statuses = Array.from({ length: 14 }, () => requested("1000"));
  assert.deepEqual(statuses, [...Array(5).fill("processing"), ...Array(9).fill("awaitingApproval")]);
  assert.deepEqual(reasonsOf(idOf(6)), [{ rule: "account", hours: 24, limit: "5000", sum: "6000.00000000" }]);
  assert.deepEqual(reasonsOf(idOf(5)), []);
  // The network's limit still applies to each withdrawal alone, and all exceeded limits are named.
  assert.deepEqual(reasonsOf(request("1000.5")), [
    { rule: "network", hours: 0, limit: "1000", sum: "1000.50000000" },
    { rule: "account", hours: 24, limit: "5000", sum: "15000.50000000" },
  ]);
});

test("without limits no withdrawal waits, and all are counted", () => {
  assert.equal(requested("40"), "processing");
  vault.nowMs += HOUR_MS;
  assert.equal(requested("2"), "processing");
  assert.deepEqual(sums(), [42, 42]);
  // A limit that is set later applies to earlier withdrawals, and changing it does not reset the sums.
  limit({ account: { per24h: "43" } });
  assert.equal(requested("1"), "processing");
  limit({});
  limit({ account: { per24h: "43" } });
  assert.equal(requested("1"), "awaitingApproval");
  assert.deepEqual(sums(), [44, 44]);
});

test("a request counts until the end of the clock hour that is 24 (72) hours after its own", () => {
  const hourStart = START_MS + HOUR_MS;
  for (const within of [0, 1, HOUR_MS / 2, HOUR_MS - 1]) {
    vault = opened();
    vault.nowMs = hourStart + within;
    request("7");
    for (const [hours, place] of [
      [24, 0],
      [72, 1],
    ] as const) {
      const endMs = hourStart + (hours + 1) * HOUR_MS;
      // Only then has a complete window passed, whatever the minute of the request.
      assert.ok(endMs - vault.nowMs > 0 && endMs - (hourStart + within) > hours * HOUR_MS);
      vault.nowMs = endMs - 1;
      vault.restart();
      assert.equal(sums()[place], 7, `${hours} hours, at ${within}`);
      vault.nowMs = endMs;
      assert.equal(sums()[place], 0, `${hours} hours, at ${within}`);
    }
  }
});

test("both windows are checked independently", () => {
  limit({ account: { per24h: "10", per72h: "15" } });
  assert.equal(requested("10"), "processing");
  vault.nowMs += 25 * HOUR_MS;
  assert.equal(requested("5"), "processing");
  const beyond = request("0.5");
  assert.deepEqual(reasonsOf(beyond), [{ rule: "account", hours: 72, limit: "15", sum: "15.50000000" }]);
  vault.nowMs += 48 * HOUR_MS;
  // The first withdrawal is outside both windows now; the others are within the longer one.
  assert.deepEqual(sums(), [0, 5]);
  assert.equal(requested("9.5"), "processing");
  assert.equal(requested("0.6"), "awaitingApproval");
});

test("a master and its sub-accounts count together, on all networks, and other customers do not", () => {
  limit({ account: { per24h: "10" } });
  assert.equal(requested("6", SUB), "processing");
  assert.equal(requested("4", ALICE, { network: "SIDE" }), "processing");
  for (const accountId of [SUB, ALICE]) assert.equal(requested("0.5", accountId), "awaitingApproval");
  assert.equal(requested("10", BOB), "processing");
  assert.deepEqual([sums(ALICE)[0], sums(SUB)[0], sums(BOB)[0], sums(CAROL)[0]], [11, 11, 10, 0]);
});

test("the limit of all customers is a budget: withdrawals beyond it wait", () => {
  limit({ allCustomers: { per24h: "10", per72h: "12" } });
  assert.equal(requested("5", ALICE), "processing");
  assert.equal(requested("5", BOB), "processing");
  const beyond = request("1", CAROL);
  assert.equal(statusOf(beyond), "awaitingApproval");
  assert.deepEqual(reasonsOf(beyond), [{ rule: "allCustomers", hours: 24, limit: "10", sum: "11.00000000" }]);
  assert.deepEqual(sums(null), [11, 11]);
  vault.nowMs += 26 * HOUR_MS;
  assert.deepEqual(reasonsOf(request("2", CAROL)), [
    { rule: "allCustomers", hours: 72, limit: "12", sum: "13.00000000" },
  ]);
});

test("an account's own limits replace the asset's until they are set to null", () => {
  limit({ account: { per24h: "10" }, allCustomers: { per24h: "200" } });
  limitAccount({ per24h: "100" });
  assert.equal(requested("60", SUB), "processing");
  assert.equal(requested("41"), "awaitingApproval");
  assert.equal(requested("11", BOB), "awaitingApproval");
  limitAccount({ per72h: "500" });
  vault.restart();
  assert.deepEqual([...vault.engine.funds.ownWithdrawalLimits(SUB)], [[BTC, { per72h: "500" }]]);
  assert.equal(requested("50"), "processing");
  limitAccount(null);
  assert.equal(requested("1"), "awaitingApproval");
  assert.equal(vault.engine.funds.ownWithdrawalLimits(ALICE).size, 0);
});

test("with a limit of 0, every withdrawal needs approval", () => {
  limitAccount({ per24h: "0" });
  assert.equal(requested("0.2"), "awaitingApproval");
  assert.equal(requested("0.2", BOB), "processing");
});

/** The ways in which a withdrawal can end. */
const ENDS: Readonly<Record<string, (withdrawalId: string) => void>> = {
  cancelled: (withdrawalId) => vault.must({ type: "cancelWithdrawal", accountId: ALICE, withdrawalId }),
  rejected: (withdrawalId) => vault.must({ type: "rejectWithdrawal", by: BY, withdrawalId, why: "odd" }),
  failed: (withdrawalId) => {
    vault.must({ type: "approveWithdrawal", by: BY, withdrawalId });
    vault.must({ type: "failWithdrawal", withdrawalId, why: "stuck" });
  },
  "failed when signed": (withdrawalId) => {
    vault.must({ type: "approveWithdrawal", by: BY, withdrawalId });
    vault.must({ type: "signWithdrawal", withdrawalId, txId: "tx", nonce: 1, signedTx: "raw" });
    vault.must({ type: "failSignedWithdrawal", withdrawalId, txId: "tx", nonce: 1, why: "its nonce was taken" });
  },
  frozen: () => vault.must({ type: "freezeAccount", by: BY, accountId: ALICE }),
};

for (const [name, end] of Object.entries(ENDS)) {
  test(`a withdrawal that is ${name} is given back, in the hour of its request`, () => {
    limit({ account: { per24h: "10" } });
    request("8");
    vault.nowMs += 2 * HOUR_MS;
    const withdrawalId = request("5");
    assert.equal(statusOf(withdrawalId), "awaitingApproval");
    vault.nowMs += 5 * HOUR_MS;
    vault.restart();
    end(withdrawalId);
    assert.deepEqual(
      [sums(), sums(null)],
      [
        [8, 8],
        [8, 8],
      ],
    );
    vault.nowMs += 19 * HOUR_MS;
    assert.deepEqual(sums(), [0, 8]);
  });
}

test("a withdrawal that waits for its link counts until the link expires", () => {
  vault.must({ type: "setAssetNetworks", by: BY, asset: "BTC", networks: [{ ...OPEN, confirmsByMail: true }] });
  limit({ account: { per24h: "10" } });
  assert.equal(requested("10"), "emailSent");
  const beyond = request("1");
  assert.deepEqual([statusOf(beyond), vault.engine.funds.withdrawal(beyond)?.needsApproval], ["emailSent", true]);
  vault.nowMs += 30 * 60_000;
  vault.must({ type: "tick" });
  assert.deepEqual(sums(), [0, 0]);
});

test("a completed withdrawal continues to count; one that ends after 72 hours no longer does", () => {
  const [done, old] = [request("3"), request("4")];
  vault.must({ type: "completeWithdrawal", withdrawalId: done, txId: "tx" });
  assert.deepEqual(sums(), [7, 7]);
  vault.nowMs += 74 * HOUR_MS;
  request("1", BOB);
  vault.must({ type: "failWithdrawal", withdrawalId: old, why: "stuck" });
  assert.deepEqual(
    [sums(), sums(null)],
    [
      [0, 0],
      [1, 1],
    ],
  );
});

test("a withdrawal from before rules version 4 is not subtracted from the sums", () => {
  vault = opened(3);
  const old = request("9");
  assert.equal(vault.engine.funds.withdrawal(old)?.accountSum24h, undefined);
  assert.deepEqual(sums(), [0, 0]);
  vault.must({ type: "adoptRules", edition: 4 });
  const counted = request("5");
  vault.must({ type: "failWithdrawal", withdrawalId: old, why: "stuck" });
  assert.deepEqual(
    [sums(), sums(null)],
    [
      [5, 5],
      [5, 5],
    ],
  );
  vault.must({ type: "failWithdrawal", withdrawalId: counted, why: "stuck" });
  assert.deepEqual(sums(), [0, 0]);
});

test("in older rules versions, limits over time do not apply", () => {
  vault = opened(3);
  limit({ account: { per24h: "1" }, allCustomers: { per24h: "1" } });
  assert.equal(requested("40"), "processing");
});

test("invalid limits of an asset or an account are rejected", () => {
  const set = { type: "setWithdrawalLimits", by: BY, asset: "BTC" } as const;
  for (const amount of ["-1", "x", "0.000000001", ""]) {
    for (const window of ["per24h", "per72h"]) {
      for (const whose of ["account", "allCustomers"]) {
        vault.refuses({ ...set, limits: { [whose]: { [window]: amount } } }, "INVALID_VALUE");
      }
    }
    vault.refuses(
      { ...set, type: "setAccountWithdrawalLimits", accountId: ALICE, limits: { per24h: amount } },
      "INVALID_VALUE",
    );
  }
  vault.refuses({ ...set, asset: "NONE", limits: {} }, "UNKNOWN_ASSET");
  const own = { ...set, type: "setAccountWithdrawalLimits", limits: { per24h: "1" } } as const;
  vault.refuses({ ...own, accountId: 999 }, "UNKNOWN_ACCOUNT");
  vault.refuses({ ...own, accountId: SUB }, "MASTER_ONLY");
  vault.refuses({ ...own, accountId: ALICE, asset: "NONE" }, "UNKNOWN_ASSET");
  vault.refuses(
    {
      ...{ type: "listAsset", by: BY },
      asset: {
        asset: "XYZ",
        name: "X",
        precision: 2,
        networks: [],
        withdrawalLimits: { account: { per24h: "0.001" } },
      },
    },
    "INVALID_VALUE",
  );
});

test("an asset is listed with its limits, which remain when its networks change", () => {
  const withdrawalLimits = { account: { per24h: "5" } };
  const asset = { asset: "XYZ", name: "X", precision: 2, networks: [{ ...OPEN, network: "X" }], withdrawalLimits };
  vault.must({ type: "listAsset", by: BY, asset });
  vault.must({ type: "setAssetNetworks", by: BY, asset: "XYZ", networks: asset.networks });
  vault.restart();
  vault.fund(BOB, "100", "XYZ");
  assert.equal(requested("5", BOB, { asset: "XYZ" }), "processing");
  assert.equal(requested("0.2", BOB, { asset: "XYZ" }), "awaitingApproval");
  assert.deepEqual(sums(BOB), [0, 0]);
});

test("dual approval depends on the account's sum over 24 hours, at the request and at the approval", () => {
  vault.must({ type: "setAssetNetworks", by: BY, asset: "BTC", networks: [{ ...OPEN, approvalAbove: "3" }] });
  for (const name of ["ada", "bo", "tom"]) {
    const role = name === "tom" ? "treasurer" : "admin";
    vault.must({ type: "openOperator", by: "admin", name, email: `${name}@example.org`, role });
  }
  const setRule = (amount: string): void => {
    const rules = { approvals: 1, withdrawalsAbove: [{ asset: "BTC", amount }], acts: [] };
    // The current rules require dual approval: the second admin approves.
    const [proposalId, act] = [
      idOf(1000 + vault.engine.seq),
      { type: "setApprovalRules", rules, by: "operator:ada" },
    ] as const;
    vault.must({ type: "propose", by: "operator:ada", proposalId, act, why: "safety" });
    vault.must({ type: "approveProposal", by: "operator:bo", proposalId, version: 1 });
  };
  const approve = (withdrawalId: string) => ({ type: "approveWithdrawal", by: "operator:tom", withdrawalId }) as const;

  const first = request("4");
  setRule("10");
  // Below the rule's amount, so one operator can approve it.
  assert.deepEqual(
    reasonsOf(first).map(({ rule }) => rule),
    ["network"],
  );
  const second = request("4", SUB);
  assert.deepEqual(
    reasonsOf(second).map(({ rule }) => rule),
    ["network"],
  );
  const third = request("2.5");
  assert.deepEqual(reasonsOf(third), [{ rule: "dualApproval", hours: 24, limit: "10", sum: "10.50000000" }]);
  // The sum is above the rule's amount now, so the earlier withdrawals need dual approval as well.
  for (const withdrawalId of [first, second, third]) vault.refuses(approve(withdrawalId), "NEEDS_TWO");
  // A day later the sum is below the amount again. A withdrawal that exceeded it when requested still needs dual
  // approval; the others do not.
  vault.nowMs += 30 * HOUR_MS;
  vault.refuses(approve(third), "NEEDS_TWO");
  vault.must(approve(first));
  // Changed rules apply to it at once.
  setRule("3.9");
  vault.refuses(approve(second), "NEEDS_TWO");
  setRule("11");
  vault.must(approve(third));
});
