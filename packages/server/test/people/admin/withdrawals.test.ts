import assert from "node:assert/strict";
import { afterEach, beforeEach, test } from "node:test";
import { until } from "@pricetime/testkit/waiting";
import { AdminVenue } from "./admin-venue.ts";

let venue: AdminVenue;
beforeEach(async () => {
  venue = await AdminVenue.open();
});
afterEach(() => venue.close());

const act = (id: string, verb: string, body?: unknown, status = 200): Promise<Record<string, unknown>> =>
  venue.wanted(status, "POST", `/v1/withdrawals/${id}/${verb}`, body);

test("a large withdrawal waits for an operator, is approved, and paid by hand", async () => {
  const id = await venue.withdraw("6");
  const [row] = await venue.rows("/v1/withdrawals");
  assert.deepEqual(
    [row?.["withdrawalId"], row?.["status"], row?.["amount"], row?.["fee"], row?.["arrives"]],
    [id, "awaitingApproval", "6.00000000", "0.10000000", "5.90000000"],
  );
  assert.equal(await venue.balance(), "4.00000000 6.00000000");
  assert.equal((await act(id, "approve"))["status"], "processing");
  assert.equal((await venue.wanted(200, "GET", `/v1/withdrawals/${id}`))["status"], "processing");
  const done = await act(id, "complete", { txId: "paid-1" });
  assert.deepEqual([done["status"], done["txId"]], ["completed", "paid-1"]);
  assert.equal(await venue.balance(), "4.00000000 0.00000000");
  assert.deepEqual(await venue.rows("/v1/withdrawals"), []);
  assert.deepEqual(await venue.rows("/v1/house-accounts"), [{ account: "fees", asset: "COIN", free: "0.10000000" }]);
  const acts = (await venue.journaled()).filter((command) => command.type === "approveWithdrawal");
  assert.deepEqual(acts, [{ type: "approveWithdrawal", withdrawalId: id, by: "dora" }]);
});

test("an approval carries what the operator saw, and is rejected if the withdrawal differs", async () => {
  const id = await venue.withdraw("6");
  const [row] = await venue.rows("/v1/withdrawals");
  const { amount, fee, address, tag } = row ?? {};
  for (const other of [{ amount: "60" }, { fee: "0" }, { address: "elsewhere" }, { tag: "7" }]) {
    const refused = await act(id, "approve", { amount, fee, address, tag, ...other }, 409);
    assert.equal(refused["error"], "WITHDRAWAL_DIFFERS");
  }
  assert.equal((await act(id, "approve", { amount: "a lot" }, 400))["error"], "BAD_REQUEST");
  assert.equal((await act(id, "approve", { amount, fee, address, tag }))["status"], "processing");
  const acts = (await venue.journaled()).filter((command) => command.type === "approveWithdrawal").slice(-1);
  assert.deepEqual(acts, [{ type: "approveWithdrawal", withdrawalId: id, by: "dora", amount, fee, address, tag }]);
});

test("a rejected, cancelled or failed withdrawal is refunded", async () => {
  for (const [amount, verb, body, status] of [
    ["6", "reject", { why: "looks odd" }, "rejected"],
    ["6", "cancel", undefined, "cancelled"],
    ["5", "fail", { why: "the bank is shut" }, "failed"],
  ] as const) {
    const id = await venue.withdraw(amount);
    const ended = await act(id, verb, body);
    assert.deepEqual([ended["status"], ended["why"]], [status, body?.why], verb);
    assert.equal(await venue.balance(), "10.00000000 0.00000000", verb);
  }
  assert.deepEqual(await venue.rows("/v1/withdrawals"), []);
});

test("on an automatic network no operator can complete a withdrawal or fail a signed one", async () => {
  // Nothing is signed while the chain is unreachable.
  await venue.wanted(200, "POST", "/v1/networks/SAND/sandbox/fault", { kind: "unreachable", durationMs: 3_600_000 });
  const unsigned = await venue.withdraw("1", "SAND");
  assert.equal((await act(unsigned, "complete", { txId: "x" }, 409))["error"], "NOT_BY_HAND");
  assert.equal((await act(unsigned, "fail", { why: "never sent" }))["status"], "failed");
  await venue.wanted(200, "POST", "/v1/networks/SAND/sandbox/fault", { kind: "unreachable", durationMs: 0 });
  const signed = await venue.withdraw("1", "SAND");
  await venue.sent(signed);
  assert.equal((await act(signed, "fail", { why: "too late" }, 409))["error"], "ALREADY_SIGNED");
  assert.equal((await act(signed, "complete", { txId: "x" }, 409))["error"], "NOT_BY_HAND");
  const shown = await venue.wanted(200, "GET", `/v1/withdrawals/${signed}`);
  assert.deepEqual([shown["confirmationHash"], shown["signedTx"]], [undefined, undefined]);
  await venue.wanted(200, "POST", "/v1/networks/SAND/sandbox/mine", { blocks: 5 });
  await until("it is over", () => venue.admin.engine.funds.withdrawal(signed) === undefined);
  assert.equal(await venue.balance(), "9.00000000 0.00000000");
});

test("a withdrawal that the node signs meanwhile cannot be failed", async () => {
  await venue.wanted(200, "POST", "/v1/networks/SAND/sandbox/fault", { kind: "unreachable", durationMs: 3_600_000 });
  const id = await venue.withdraw("1", "SAND");
  const payment = { txId: "ab".repeat(32), nonce: 0, signedTx: "raw" };
  venue.overtake("failWithdrawal", { type: "signWithdrawal", withdrawalId: id, ...payment });
  assert.equal((await act(id, "fail", { why: "takes long" }, 409))["error"], "ALREADY_SIGNED");
  assert.equal(venue.admin.engine.funds.withdrawal(id)?.status, "processing");
  assert.equal(await venue.balance(), "9.00000000 1.00000000");
});

test("an invalid step is rejected and changes no balance", async () => {
  const small = await venue.withdraw("1");
  for (const [status, id, verb, body, error] of [
    [409, small, "approve", undefined, /WRONG_STATUS/],
    [409, small, "reject", { why: "x" }, /WRONG_STATUS/],
    [409, small, "cancel", undefined, /WRONG_STATUS/],
    [400, small, "reject", {}, /why/],
    [400, small, "fail", undefined, /why/],
    [400, small, "complete", {}, /txId/],
    [404, "f".repeat(32), "approve", undefined, /UNKNOWN_WITHDRAWAL/],
    [404, "f".repeat(32), "complete", { txId: "x" }, /UNKNOWN_WITHDRAWAL/],
  ] as const) {
    const refused = await act(id, verb, body, status);
    assert.match(`${refused["error"]} ${refused["message"]}`, error, verb);
  }
  const large = await venue.withdraw("6");
  assert.equal((await act(large, "complete", { txId: "x" }, 409))["error"], "NOT_POSSIBLE");
  assert.equal((await act(large, "fail", { why: "x" }, 409))["error"], "NOT_POSSIBLE");
  assert.equal(await venue.balance(), "3.00000000 7.00000000");
  await venue.wanted(404, "GET", "/v1/withdrawals/none");
});

test("the fee can be raised only for a signed, unconfirmed withdrawal", async () => {
  await venue.wanted(200, "POST", "/v1/networks/SAND/sandbox/fault", { kind: "unreachable", durationMs: 3_600_000 });
  const id = await venue.withdraw("1", "SAND");
  const unsigned = await act(id, "raise-fee", undefined, 409);
  assert.match(String(unsigned["message"]), /nothing is signed/);
  await venue.wanted(200, "POST", "/v1/networks/SAND/sandbox/fault", { kind: "unreachable", durationMs: 0 });
  await venue.sent(id);
  await venue.wanted(200, "POST", "/v1/networks/SAND/sandbox/fault", { kind: "unreachable", durationMs: 3_600_000 });
  assert.equal((await act(id, "raise-fee", undefined, 503))["error"], "NETWORK_UNREACHABLE");
  await venue.wanted(200, "POST", "/v1/networks/SAND/sandbox/fault", { kind: "unreachable", durationMs: 0 });
  const raised = await act(id, "raise-fee");
  assert.deepEqual([(raised["txIds"] as unknown[]).length, raised["by"]], [2, "dora"]);
  await venue.wanted(200, "POST", "/v1/networks/SAND/sandbox/mine", { blocks: 1 });
  const mined = await act(id, "raise-fee", undefined, 409);
  assert.match(String(mined["message"]), /a block holds it already/);
  await venue.wanted(200, "POST", "/v1/networks/SAND/sandbox/mine", { blocks: 4 });
  await until("it is over", () => venue.admin.engine.funds.withdrawal(id) === undefined);
  assert.equal(await venue.balance(), "9.00000000 0.00000000");
});

test("each manual step is journaled and shown with its operator", async () => {
  const approved = await venue.withdraw("6");
  await act(approved, "approve");
  assert.equal((await venue.wanted(200, "GET", `/v1/withdrawals/${approved}`))["by"], "dora");
  assert.equal((await act(approved, "complete", { txId: "slip-1" }))["by"], "dora");
  const failed = await venue.withdraw("1");
  assert.equal((await venue.wanted(200, "GET", `/v1/withdrawals/${failed}`))["by"], undefined, "nobody has touched it");
  assert.equal((await act(failed, "fail", { why: "shut" }))["by"], "dora");
  const cancelled = await venue.withdraw("1.5", "HAND");
  assert.equal((await act(cancelled, "cancel", undefined, 409))["error"], "WRONG_STATUS");
  const wanted = ["approveWithdrawal", "completeWithdrawal", "failWithdrawal", "cancelWithdrawal"];
  const steps = (await venue.journaled()).filter(({ type }) => wanted.includes(type));
  assert.deepEqual(
    steps.map((step) => [step.type, "by" in step ? step.by : undefined]),
    wanted.map((type) => [type, "dora"]),
  );
});
