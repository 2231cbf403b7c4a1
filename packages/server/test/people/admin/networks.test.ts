import assert from "node:assert/strict";
import { afterEach, beforeEach, test } from "node:test";
import { until } from "@pricetime/testkit/waiting";
import { AdminVenue } from "./admin-venue.ts";

let venue: AdminVenue;
beforeEach(async () => {
  venue = await AdminVenue.open();
});
afterEach(() => venue.close());

const statuses = async (): Promise<string> =>
  (await venue.rows("/v1/pending-deposits?network=SAND")).map(({ status }) => status).join();

test("networks are listed with their state", async () => {
  const networks = await venue.rows("/v1/networks");
  assert.deepEqual(
    networks.map(({ network, kind }) => [network, kind]),
    [
      ["SAND", "sandbox"],
      ["HAND", "manual"],
    ],
  );
});

test("a sandbox pays an account, makes blocks on request, and a reorg removes the deposit", async () => {
  const paid = await venue.wanted(201, "POST", "/v1/networks/SAND/sandbox/faucet", {
    ...{ asset: "COIN", amount: "2", account: "a@example.com" },
  });
  const address = await venue.wanted(201, "POST", "/v1/accounts/100/deposit-addresses", { network: "SAND" });
  assert.equal(paid["address"], address["address"]);
  assert.equal((await venue.wanted(200, "GET", "/v1/networks/SAND/sandbox"))["waiting"], 1);
  await venue.wanted(200, "POST", "/v1/networks/SAND/sandbox/mine");
  await until("it is pending", async () => (await statuses()) === "pending");
  const other = { asset: "OTHER", name: "Another on the same network", networks: [{ network: "SAND" }] };
  await venue.wanted(201, "POST", "/v1/assets", other);
  const coin = { network: "SAND", txId: String(paid["txId"]), output: 0 };
  assert.equal(venue.admin.wallet.depthOf(coin), 1);
  const [row, ...others] = await venue.rows("/v1/pending-deposits");
  assert.deepEqual(others, []);
  assert.deepEqual([row?.["asset"], row?.["amount"], row?.["txId"]], ["COIN", "2.00000000", paid["txId"]]);
  assert.equal(await venue.balance(), "10.00000000 0.00000000");
  await venue.wanted(200, "POST", "/v1/networks/SAND/sandbox/mine", { blocks: 1 });
  await until("it is credited", async () => (await statuses()) === "credited");
  assert.equal(await venue.balance(), "12.00000000 0.00000000");
  assert.deepEqual(
    [coin, { ...coin, output: 9 }, { ...coin, network: "HAND" }].map((each) => venue.admin.wallet.depthOf(each)),
    [...[2, undefined, undefined]],
  );
  await venue.wanted(200, "POST", "/v1/networks/SAND/sandbox/reorg", { depth: 2, fate: "lost" });
  await until("it is gone", async () => (await statuses()) === "");
  assert.equal(await venue.balance(), "10.00000000 0.00000000");
});

test("a sandbox fails on request, and the network reports it", async () => {
  const fault = { kind: "unreachable", durationMs: 3_600_000 };
  assert.deepEqual(await venue.wanted(200, "POST", "/v1/networks/SAND/sandbox/fault", fault), fault);
  const isUp = async (): Promise<unknown> => (await venue.rows("/v1/networks"))[0]?.["isUp"];
  await until("it is down", async () => (await isUp()) === false);
  const unreachable = await venue.wanted(503, "POST", "/v1/networks/SAND/rescan", { fromHeight: 0 });
  assert.equal(unreachable["error"], "NETWORK_UNREACHABLE");
  await venue.wanted(200, "POST", "/v1/networks/SAND/sandbox/fault", { ...fault, durationMs: 0 });
  await until("it is up", async () => (await isUp()) === true);
  await venue.wanted(200, "POST", "/v1/networks/SAND/rescan", { fromHeight: 0 });
  const acts = (await venue.journaled()).filter(
    (command) => command.type === "advanceNetwork" && command.by === "dora",
  );
  assert.equal(acts.length, 1, "who had it read again is in the journal");
});

test("a manual deposit is reported in steps and booked once", async () => {
  const coin = { txId: "tx-1", asset: "COIN", amount: "3", account: 100 };
  const seen = await venue.wanted(201, "POST", "/v1/networks/HAND/deposits", coin);
  assert.deepEqual([seen["address"], seen["status"]], ["hand-1", "pending"]);
  assert.equal(await venue.balance(), "10.00000000 0.00000000");
  for (let times = 0; times < 2; times++) {
    await venue.wanted(201, "POST", "/v1/networks/HAND/deposits", { ...coin, status: "credited" });
    assert.equal(await venue.balance(), "13.00000000 0.00000000");
  }
  const listed = (rows: readonly Record<string, unknown>[]) =>
    rows.map(({ txId, asset, amount, status, accountId }) => [txId, asset, amount, status, accountId]);
  assert.deepEqual(listed(await venue.rows("/v1/deposit-history?limit=1")), [
    ["tx-1", "COIN", "3.00000000", "credited", 100],
  ]);
  const [open] = await venue.rows("/v1/pending-deposits?network=HAND");
  assert.deepEqual([open?.["status"], open?.["by"]], ["credited", "dora"]);
  await venue.wanted(201, "POST", "/v1/networks/HAND/deposits", { ...coin, status: "success" });
  assert.equal(await venue.balance(), "13.00000000 0.00000000");
  assert.deepEqual(await venue.rows("/v1/pending-deposits"), []);
  const byAddress = { txId: "tx-2", output: 7, asset: "COIN", amount: "1", address: "hand-1" };
  await venue.wanted(201, "POST", "/v1/networks/HAND/deposits", byAddress);
  await venue.wanted(200, "POST", "/v1/networks/HAND/deposits/drop", { txId: "tx-2", output: 7 });
  assert.deepEqual(await venue.rows("/v1/pending-deposits"), []);
  const steps = (await venue.journaled()).filter(({ type }) => type.endsWith("Deposit"));
  assert.equal(new Set(steps.map(({ type }) => type)).size, 4);
  assert.ok(
    steps.every((step) => "by" in step && step.by === "dora"),
    JSON.stringify(steps),
  );
});

test("on a bank network an amount finer than its step is rejected, and amounts have the step's decimals", async () => {
  const bank = { withdrawFee: "1", withdrawMin: "10", withdrawStep: "0.01", depositStep: "0.01" };
  await venue.wanted(200, "PUT", "/v1/assets/COIN/networks", [{ network: "HAND", ...bank }]);
  const coin = { txId: "tx-1", asset: "COIN", account: 100 };
  const { error } = await venue.wanted(400, "POST", "/v1/networks/HAND/deposits", { ...coin, amount: "500.005" });
  assert.equal(error, "DEPOSIT_NOT_A_MULTIPLE");
  await venue.wanted(201, "POST", "/v1/networks/HAND/deposits", { ...coin, amount: "500.5" });
  const [open] = await venue.rows("/v1/pending-deposits?network=HAND");
  assert.equal(open?.["amount"], "500.50");
  await venue.wanted(201, "POST", "/v1/networks/HAND/deposits", { ...coin, amount: "500.5", status: "success" });
  const withdrawal = await venue.withdraw("20", "HAND");
  const { amount, fee, arrives } = await venue.wanted(200, "GET", `/v1/withdrawals/${withdrawal}`);
  assert.deepEqual([amount, fee, arrives], ["20.00", "1.00", "19.00"]);
  const [risk] = await venue.rows("/v1/withdrawal-risks");
  assert.equal(risk?.["amount"], "20.00");
});

test("manual and automatic networks reject each other's steps", async () => {
  const coin = { txId: "tx", asset: "COIN", amount: "3", account: 100 };
  const refused = await venue.wanted(409, "POST", "/v1/networks/SAND/deposits", coin);
  assert.equal(refused["error"], "NOT_BY_HAND");
  await venue.wanted(409, "POST", "/v1/networks/SAND/deposits/drop", { txId: "tx" });
  await venue.wanted(409, "POST", "/v1/networks/NONE/deposits", coin);
  for (const [path, body] of [
    ["mine", undefined],
    ["reorg", { depth: 1 }],
    ["faucet", { asset: "COIN", amount: "1", account: 100 }],
    ["fault", { kind: "takeNonce" }],
  ] as const) {
    await venue.wanted(404, "POST", `/v1/networks/HAND/sandbox/${path}`, body);
  }
  await venue.wanted(404, "GET", "/v1/networks/NONE/sandbox");
});

test("an invalid request is rejected with a message and changes no balance", async () => {
  const { engine } = venue.admin;
  const { seq } = engine;
  const sandbox = "/v1/networks/SAND/sandbox";
  const faucet = { asset: "COIN", amount: "1", account: 100 };
  const manual = "/v1/networks/HAND/deposits";
  const coin = { txId: "tx", asset: "COIN", amount: "1", address: "hand-9" };
  for (const [status, path, body, error] of [
    [400, `${sandbox}/mine`, { blocks: 0 }, /blocks/],
    [409, `${sandbox}/mine`, { blocks: 1_000_000 }, /NOT_POSSIBLE/],
    [409, `${sandbox}/reorg`, { depth: 99 }, /NOT_POSSIBLE/],
    [400, `${sandbox}/reorg`, { depth: 1, fate: "lucky" }, /fate/],
    [400, `${sandbox}/fault`, { kind: "none" }, /kind/],
    [400, `${sandbox}/faucet`, { ...faucet, amount: "-1" }, /amount/],
    [404, `${sandbox}/faucet`, { ...faucet, account: "none@example.com" }, /UNKNOWN_ACCOUNT/],
    [400, `${sandbox}/faucet`, { ...faucet, address: "x" }, /either account, or address/],
    [400, `${sandbox}/faucet`, { asset: "COIN", amount: "1" }, /either account, or address/],
    [400, manual, { ...coin, status: "dropped" }, /status/],
    [409, manual, coin, /UNKNOWN_ADDRESS/],
    [409, `${manual}/drop`, { txId: "never" }, /UNKNOWN_DEPOSIT/],
    [404, "/v1/accounts/100/deposit-addresses", { network: "NONE" }, /UNKNOWN_NETWORK/],
    [404, "/v1/networks/NONE/rescan", { fromHeight: 0 }, /UNKNOWN_NETWORK/],
    [409, "/v1/networks/HAND/rescan", { fromHeight: 0 }, /NOT_POSSIBLE/],
  ] as const) {
    const refused = await venue.wanted(status, "POST", path, body);
    assert.match(`${refused["error"]} ${refused["message"]}`, error, path);
  }
  assert.equal(await venue.balance(), "10.00000000 0.00000000");
  const moved = (await venue.journaled()).slice(seq).filter(({ type }) => /credit|finish|deposit$/i.test(type));
  assert.deepEqual(
    moved.map(({ type }) => type),
    ["seeDeposit", "dropDeposit"],
  );
});

test("a network without assets gives no addresses and is not an error", async () => {
  await venue.wanted(200, "PUT", "/v1/assets/COIN/networks", []);
  const { error } = await venue.wanted(404, "POST", "/v1/accounts/100/deposit-addresses", { network: "SAND" });
  assert.equal(error, "UNKNOWN_NETWORK");
});
