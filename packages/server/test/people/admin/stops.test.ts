/** Operators set and lift stops, and the wallet respects them. */
import assert from "node:assert/strict";
import { afterEach, beforeEach, test } from "node:test";
import { until } from "@pricetime/testkit/waiting";
import { AdminVenue } from "./admin-venue.ts";

let venue: AdminVenue;
beforeEach(async () => {
  venue = await AdminVenue.open();
});
afterEach(() => venue.close());

const mine = (blocks = 1): Promise<unknown> => venue.wanted(200, "POST", "/v1/networks/SAND/sandbox/mine", { blocks });
const stop = (scope: string, more: object = {}): Promise<Record<string, unknown>> =>
  venue.wanted(200, "PUT", `/v1/suspensions/${encodeURIComponent(scope)}`, { why: "a drill", ...more });
const lift = (scope: string): Promise<Record<string, unknown>> =>
  venue.wanted(200, "DELETE", `/v1/suspensions/${encodeURIComponent(scope)}`);
const scopes = async (): Promise<unknown[]> => (await venue.rows("/v1/suspensions")).map(({ scope }) => scope);
/** Long enough for a network's loops to run several times. */
const someRounds = async (): Promise<void> => {
  const { wallet } = venue.admin;
  for (let i = 0; i < 3; i++) {
    await wallet.rescan("SAND", 0, "test", 0);
  }
};

test("a stop has an operator, reason and end; overview, readiness and metrics show it until it is lifted", async () => {
  const untilMs = Date.now() + 3_600_000;
  const told = await stop("asset:COIN", { untilMs });
  assert.deepEqual(
    [told["scope"], told["why"], told["by"], told["untilMs"], told["isOn"]],
    ["asset:COIN", "a drill", "dora", untilMs, true],
  );
  await stop("placing", { why: "first" });
  await stop("placing", { why: "second" });
  const [, placing, ...others] = await venue.rows("/v1/suspensions");
  assert.deepEqual([placing?.["why"], placing?.["untilMs"], others], ["second", null, []]);
  const overview = await venue.wanted(200, "GET", "/v1/overview");
  assert.deepEqual(
    (overview["suspensions"] as { scope: string }[]).map(({ scope }) => scope),
    ["asset:COIN", "placing"],
  );
  const ready = await venue.wanted(200, "GET", "/readyz");
  assert.deepEqual([ready["ready"], ready["suspensions"]], [true, { "asset:COIN": "a drill", placing: "second" }]);
  assert.match(await venue.admin.metrics.text(), /^pricetime_suspensions 2$/m);
  const lifted = await lift("placing");
  assert.deepEqual([lifted["scope"], lifted["isOn"]], ["placing", false]);
  await venue.wanted(404, "DELETE", "/v1/suspensions/placing");
  assert.deepEqual(await scopes(), ["asset:COIN"]);
  const acts = await venue.rows("/v1/audit-log");
  assert.deepEqual(
    acts.slice(0, 3).map(({ type, by }) => [type, by]),
    [
      ["liftStop", "dora"],
      ["liftStop", "dora"],
      ["setStop", "dora"],
    ],
  );
});

test("an invalid scope is rejected with a message", async () => {
  for (const [status, scope, body, error] of [
    [404, "everything", { why: "x" }, /UNKNOWN_SUSPENSION.*asset:ASSET/],
    [404, "asset:NONE", { why: "x" }, /UNKNOWN_ASSET/],
    [404, "network:NONE", { why: "x" }, /UNKNOWN_NETWORK/],
    [400, "trading", {}, /why/],
    [400, "trading", { why: "x", untilMs: 1 }, /INVALID_VALUE/],
  ] as const) {
    const refused = await venue.wanted(status, "PUT", `/v1/suspensions/${encodeURIComponent(scope)}`, body);
    assert.match(`${refused["error"]} ${refused["message"]}`, error, scope);
  }
  assert.deepEqual(await scopes(), []);
});

for (const scope of ["withdrawals", "asset:COIN", "network:SAND"]) {
  test(`while ${scope} is stopped, the sender signs nothing, and continues when the stop is lifted`, async () => {
    const withdrawalId = await venue.withdraw("2", "SAND");
    await until("it is signed", () => venue.admin.engine.funds.withdrawal(withdrawalId)?.txId !== "");
    const held = async (): Promise<string> => {
      await stop(scope);
      await venue.wanted(409, "POST", `/v1/withdrawals/${withdrawalId}/raise-fee`);
      return withdrawalId;
    };
    await held();
    await mine(3);
    await until("what was sent before arrives", () => venue.admin.engine.funds.withdrawal(withdrawalId) === undefined);
    await lift(scope);
    // Requested before the stop and not signed yet, as its network does not answer.
    await venue.wanted(200, "POST", "/v1/networks/SAND/sandbox/fault", { kind: "unreachable", durationMs: 3_600_000 });
    const waiting = await venue.withdraw("1", "SAND");
    await stop(scope);
    await venue.wanted(200, "POST", "/v1/networks/SAND/sandbox/fault", { kind: "unreachable", durationMs: 0 });
    const isUp = async (): Promise<unknown> => (await venue.rows("/v1/networks"))[0]?.["isUp"];
    await until("it is up", async () => (await isUp()) === true);
    for (let i = 0; i < 3; i++) {
      await mine();
      await someRounds();
    }
    const shown = await venue.wanted(200, "GET", `/v1/withdrawals/${waiting}`);
    assert.deepEqual([shown["status"], shown["txId"], shown["isSuspended"]], ["processing", "", true]);
    const tried = (await venue.journaled()).filter((one) => one.type === "signWithdrawal");
    assert.equal(tried.length, 1, "a stopped payment costs the journal nothing");
    await lift(scope);
    await venue.sent(waiting);
    await mine(3);
    await until("it is paid", () => venue.admin.engine.funds.withdrawal(waiting) === undefined);
  });
}

test("a stop just before a signature prevents it, and the payment continues when it is lifted", async () => {
  const ahead = { type: "setStop", by: "dora", scope: "withdrawals", why: "a thief", untilMs: null } as const;
  venue.overtake("signWithdrawal", ahead);
  const withdrawalId = await venue.withdraw("2", "SAND");
  await until("it is stopped", async () => (await scopes()).length > 0);
  await someRounds();
  assert.equal(venue.admin.engine.funds.withdrawal(withdrawalId)?.txId, "");
  await lift("withdrawals");
  await venue.sent(withdrawalId);
  await mine(3);
  await until("it is paid", () => venue.admin.engine.funds.withdrawal(withdrawalId) === undefined);
});

test("a stopped coin does not delay other coins of its network", async () => {
  const networks = [{ network: "SAND", withdrawFee: "0", withdrawMin: "0.1", withdrawMax: "0" }];
  await venue.wanted(201, "POST", "/v1/assets", { asset: "OTHER", name: "Other", networks });
  await venue.wanted(201, "POST", "/v1/deposits", { account: 100, asset: "OTHER", amount: "5", reference: "other" });
  await stop("asset:OTHER");
  const request = { type: "requestWithdrawal", accountId: 100, asset: "OTHER", network: "SAND", tag: "" } as const;
  const refused = await venue.admin.sequencer.run({
    ...{ ...request, withdrawalId: "f".repeat(32), address: "somewhereelse1234", amount: "1", name: "" },
    ...{ withdrawOrderId: "", totpStep: null, confirmationHash: "ab".repeat(32) },
  });
  assert.deepEqual(
    refused.events.map((event) => (event.type === "rejected" ? event.reason : event.type)),
    ["WITHDRAWAL_SUSPENDED"],
  );
  const paid = await venue.withdraw("1", "SAND");
  await venue.sent(paid);
});

test("a deposit during a stop is pending and credited when the stop is lifted", async () => {
  await stop("network:SAND");
  await venue.wanted(201, "POST", "/v1/networks/SAND/sandbox/faucet", {
    ...{ asset: "COIN", amount: "2", account: "a@example.com" },
  });
  await mine(5);
  const statuses = async (): Promise<string> =>
    (await venue.rows("/v1/pending-deposits?network=SAND")).map(({ status }) => status).join();
  await until("it is pending", async () => (await statuses()) === "pending");
  await someRounds();
  assert.equal(await venue.balance(), "10.00000000 0.00000000");
  await lift("network:SAND");
  await mine();
  await until("it is final", async () => (await statuses()) === "");
  assert.equal(await venue.balance(), "12.00000000 0.00000000");
});

test("a manual payment waits as well, and the list shows it", async () => {
  const withdrawalId = await venue.withdraw("2", "HAND");
  await stop("network:HAND");
  const [row] = await venue.rows("/v1/withdrawals");
  assert.deepEqual([row?.["withdrawalId"], row?.["isSuspended"]], [withdrawalId, true]);
  await lift("network:HAND");
  assert.equal((await venue.rows("/v1/withdrawals"))[0]?.["isSuspended"], false);
  await venue.wanted(200, "POST", `/v1/withdrawals/${withdrawalId}/complete`, { txId: "tx" });
});
