import assert from "node:assert/strict";
import { afterEach, beforeEach, test } from "node:test";
import { until } from "@pricetime/testkit/waiting";
import { Desk } from "./wallet-desk.ts";

let desk: Desk;
beforeEach(async () => {
  desk = await Desk.open();
});
afterEach(() => desk.close());

const statuses = async (): Promise<string> =>
  (await desk.rows("/v1/pending-deposits?network=SAND")).map(({ status }) => status).join();

test("networks are listed with their state", async () => {
  const networks = await desk.rows("/v1/networks");
  assert.deepEqual(
    networks.map(({ network, kind }) => [network, kind]),
    [
      ["SAND", "sandbox"],
      ["HAND", "manual"],
    ],
  );
});

test("a sandbox pays an account, its blocks come on command, and a reorg takes the coin back", async () => {
  const paid = await desk.wanted(201, "POST", "/v1/networks/SAND/sandbox/faucet", {
    ...{ asset: "COIN", amount: "2", account: "a@example.com" },
  });
  const address = await desk.wanted(201, "POST", "/v1/accounts/100/deposit-addresses", { network: "SAND" });
  assert.equal(paid["address"], address["address"]);
  assert.equal((await desk.wanted(200, "GET", "/v1/networks/SAND/sandbox"))["waiting"], 1);
  await desk.wanted(200, "POST", "/v1/networks/SAND/sandbox/mine");
  await until("it is pending", async () => (await statuses()) === "pending");
  const other = { asset: "OTHER", name: "Another on the same network", networks: [{ network: "SAND" }] };
  await desk.wanted(201, "POST", "/v1/assets", other);
  const coin = { network: "SAND", txId: String(paid["txId"]), output: 0 };
  assert.equal(desk.admin.wallet.depthOf(coin), 1);
  const [row, ...others] = await desk.rows("/v1/pending-deposits");
  assert.deepEqual(others, []);
  assert.deepEqual([row?.["asset"], row?.["amount"], row?.["txId"]], ["COIN", "2.00000000", paid["txId"]]);
  assert.equal(await desk.balance(), "10.00000000 0.00000000");
  await desk.wanted(200, "POST", "/v1/networks/SAND/sandbox/mine", { blocks: 1 });
  await until("it is credited", async () => (await statuses()) === "credited");
  assert.equal(await desk.balance(), "12.00000000 0.00000000");
  assert.deepEqual(
    [coin, { ...coin, output: 9 }, { ...coin, network: "HAND" }].map((each) => desk.admin.wallet.depthOf(each)),
    [...[2, undefined, undefined]],
  );
  await desk.wanted(200, "POST", "/v1/networks/SAND/sandbox/reorg", { depth: 2, fate: "lost" });
  await until("it is gone", async () => (await statuses()) === "");
  assert.equal(await desk.balance(), "10.00000000 0.00000000");
});

test("a sandbox fails on request, and the network reports it", async () => {
  const fault = { kind: "unreachable", durationMs: 3_600_000 };
  assert.deepEqual(await desk.wanted(200, "POST", "/v1/networks/SAND/sandbox/fault", fault), fault);
  const isUp = async (): Promise<unknown> => (await desk.rows("/v1/networks"))[0]?.["isUp"];
  await until("it is down", async () => (await isUp()) === false);
  const unreachable = await desk.wanted(503, "POST", "/v1/networks/SAND/rescan", { fromHeight: 0 });
  assert.equal(unreachable["error"], "NETWORK_UNREACHABLE");
  await desk.wanted(200, "POST", "/v1/networks/SAND/sandbox/fault", { ...fault, durationMs: 0 });
  await until("it is up", async () => (await isUp()) === true);
  await desk.wanted(200, "POST", "/v1/networks/SAND/rescan", { fromHeight: 0 });
  const acts = (await desk.journaled()).filter((command) => command.type === "advanceNetwork" && command.by === "dora");
  assert.equal(acts.length, 1, "who had it read again is in the journal");
});

test("what comes by a manual network is reported step by step, and counts once", async () => {
  const coin = { txId: "tx-1", asset: "COIN", amount: "3", account: 100 };
  const seen = await desk.wanted(201, "POST", "/v1/networks/HAND/deposits", coin);
  assert.deepEqual([seen["address"], seen["status"]], ["hand-1", "pending"]);
  assert.equal(await desk.balance(), "10.00000000 0.00000000");
  for (let times = 0; times < 2; times++) {
    await desk.wanted(201, "POST", "/v1/networks/HAND/deposits", { ...coin, status: "credited" });
    assert.equal(await desk.balance(), "13.00000000 0.00000000");
  }
  const [open] = await desk.rows("/v1/pending-deposits?network=HAND");
  assert.deepEqual([open?.["status"], open?.["by"]], ["credited", "dora"]);
  await desk.wanted(201, "POST", "/v1/networks/HAND/deposits", { ...coin, status: "success" });
  assert.equal(await desk.balance(), "13.00000000 0.00000000");
  assert.deepEqual(await desk.rows("/v1/pending-deposits"), []);
  const byAddress = { txId: "tx-2", output: 7, asset: "COIN", amount: "1", address: "hand-1" };
  await desk.wanted(201, "POST", "/v1/networks/HAND/deposits", byAddress);
  await desk.wanted(200, "POST", "/v1/networks/HAND/deposits/drop", { txId: "tx-2", output: 7 });
  assert.deepEqual(await desk.rows("/v1/pending-deposits"), []);
  const steps = (await desk.journaled()).filter(({ type }) => type.endsWith("Deposit"));
  assert.equal(new Set(steps.map(({ type }) => type)).size, 4);
  assert.ok(
    steps.every((step) => "by" in step && step.by === "dora"),
    JSON.stringify(steps),
  );
});

test("on a bank's network a report finer than its step is rejected, and amounts are shown with the step's digits", async () => {
  const bank = { withdrawFee: "1", withdrawMin: "10", withdrawStep: "0.01", depositStep: "0.01" };
  await desk.wanted(200, "PUT", "/v1/assets/COIN/networks", [{ network: "HAND", ...bank }]);
  const coin = { txId: "tx-1", asset: "COIN", account: 100 };
  const { error } = await desk.wanted(400, "POST", "/v1/networks/HAND/deposits", { ...coin, amount: "500.005" });
  assert.equal(error, "DEPOSIT_NOT_A_MULTIPLE");
  await desk.wanted(201, "POST", "/v1/networks/HAND/deposits", { ...coin, amount: "500.5" });
  const [open] = await desk.rows("/v1/pending-deposits?network=HAND");
  assert.equal(open?.["amount"], "500.50");
  await desk.wanted(201, "POST", "/v1/networks/HAND/deposits", { ...coin, amount: "500.5", status: "success" });
  const withdrawal = await desk.withdraw("20", "HAND");
  const { amount, fee, arrives } = await desk.wanted(200, "GET", `/v1/withdrawals/${withdrawal}`);
  assert.deepEqual([amount, fee, arrives], ["20.00", "1.00", "19.00"]);
  const [risk] = await desk.rows("/v1/withdrawal-risks");
  assert.equal(risk?.["amount"], "20.00");
});

test("manual and automatic networks reject each other's steps", async () => {
  const coin = { txId: "tx", asset: "COIN", amount: "3", account: 100 };
  const refused = await desk.wanted(409, "POST", "/v1/networks/SAND/deposits", coin);
  assert.equal(refused["error"], "NOT_BY_HAND");
  await desk.wanted(409, "POST", "/v1/networks/SAND/deposits/drop", { txId: "tx" });
  await desk.wanted(409, "POST", "/v1/networks/NONE/deposits", coin);
  for (const [path, body] of [
    ["mine", undefined],
    ["reorg", { depth: 1 }],
    ["faucet", { asset: "COIN", amount: "1", account: 100 }],
    ["fault", { kind: "takeNonce" }],
  ] as const) {
    await desk.wanted(404, "POST", `/v1/networks/HAND/sandbox/${path}`, body);
  }
  await desk.wanted(404, "GET", "/v1/networks/NONE/sandbox");
});

test("what cannot be is refused with a sentence, and nothing is moved", async () => {
  const { engine } = desk.admin;
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
    const refused = await desk.wanted(status, "POST", path, body);
    assert.match(`${refused["error"]} ${refused["message"]}`, error, path);
  }
  assert.equal(await desk.balance(), "10.00000000 0.00000000");
  const moved = (await desk.journaled()).slice(seq).filter(({ type }) => /credit|finish|deposit$/i.test(type));
  assert.deepEqual(
    moved.map(({ type }) => type),
    ["seeDeposit", "dropDeposit"],
  );
});

test("a network that no asset has any more gives no address, and is no fault of the node", async () => {
  await desk.wanted(200, "PUT", "/v1/assets/COIN/networks", []);
  const { error } = await desk.wanted(404, "POST", "/v1/accounts/100/deposit-addresses", { network: "SAND" });
  assert.equal(error, "UNKNOWN_NETWORK");
});
