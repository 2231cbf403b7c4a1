/** Unattributed deposits: recorded by a sandbox's watcher or by an operator, and resolved. */
import assert from "node:assert/strict";
import { afterEach, beforeEach, test } from "node:test";
import { TREASURY_ACCOUNT } from "@pricetime/engine";
import { until } from "@pricetime/testkit/waiting";
import { MAX_UNATTRIBUTED_PER_COIN } from "../../../src/funds/wallet/follower-parts.ts";
import { SignedInOperator } from "./signed-in-operator.ts";
import { AdminVenue } from "./admin-venue.ts";

let venue: AdminVenue;
let carol: SignedInOperator;
let bob: SignedInOperator;
beforeEach(async () => {
  venue = await AdminVenue.open();
  carol = await SignedInOperator.open(venue, "carol", "treasurer");
  bob = await SignedInOperator.open(venue, "bob", "treasurer");
});
afterEach(() => venue.close());

const SAND = "/v1/networks/SAND";
const SETTLE = "/v1/unattributed-deposits/resolve";
const mine = (blocks: number): Promise<unknown> => venue.wanted(200, "POST", `${SAND}/sandbox/mine`, { blocks });
const waiting = (query = ""): Promise<Record<string, unknown>[]> => venue.rows(`/v1/unattributed-deposits${query}`);
const move = { withdrawFee: "0.1", withdrawMin: "0.2", withdrawMax: "1000" };

/** Makes accounts share one SAND address with tags. Returns the address. */
async function tagged(): Promise<string> {
  const networks = [{ network: "SAND", isDefault: true, isTagged: true, ...move }];
  await venue.wanted(201, "POST", "/v1/assets", { asset: "TAG", name: "Tagged", networks });
  const address = await venue.wanted(201, "POST", "/v1/accounts/100/deposit-addresses", { network: "SAND" });
  assert.equal(address["tag"], "100");
  return String(address["address"]);
}
const pay = async (asset: string, address: string, tag: string, amount = "3"): Promise<string> => {
  const payment = { asset, amount, address, tag };
  return String((await venue.wanted(201, "POST", `${SAND}/sandbox/faucet`, payment))["txId"]);
};

test("deposits without a known tag are recorded once they are final", async () => {
  const address = await tagged();
  const [untagged, nobodys] = [await pay("TAG", address, ""), await pay("TAG", address, "777")];
  await pay("TAG", address, "100");
  await pay("TAG", "somewhereelse1234", "");
  await mine(5);
  await until("the customer's is credited", () => venue.admin.engine.balance(100, 1).free === 300_000_000n);
  assert.deepEqual(await waiting(), [], "a block may still take them back");
  await mine(7);
  await until("both are noted", async () => (await waiting()).length === 2);
  const byTx = new Map((await waiting()).map((row) => [row["txId"], row]));
  assert.deepEqual([byTx.get(untagged)?.["reason"], byTx.get(nobodys)?.["reason"]], ["noTag", "unknownAddress"]);
  const { seq: _seq, seenMs: _seenMs, updateTimeMs: _updateTimeMs, ...told } = byTx.get(nobodys) ?? {};
  assert.deepEqual(told, {
    ...{ network: "SAND", txId: nobodys, output: 0, address, tag: "777", asset: "TAG", amount: "3" },
    ...{ reason: "unknownAddress", status: "seen", accountId: null, why: "" },
  });
  assert.match(await venue.admin.metrics.text(), /^pricetime_unattributed_deposits 2$/m);
  assert.equal((await venue.wanted(200, "GET", "/v1/overview"))["unattributedDeposits"], 2);
  // A rescan records nothing twice and does not write known deposits to the journal.
  const { seq } = venue.admin.engine;
  const again = await venue.wanted(200, "POST", `${SAND}/rescan`, { fromHeight: 0, toHeight: 12 });
  assert.deepEqual(again, { network: "SAND", fromHeight: 0, toHeight: 12, found: 0 });
  assert.equal(venue.admin.engine.seq, seq);
});

test("a deposit that a reorg removes was never recorded", async () => {
  const address = await tagged();
  await pay("TAG", address, "777");
  await mine(3);
  await venue.wanted(200, "POST", `${SAND}/rescan`, { fromHeight: 3, toHeight: 3 });
  await venue.wanted(200, "POST", `${SAND}/sandbox/reorg`, { depth: 3, fate: "lost" });
  const stays = await pay("TAG", address, "778");
  await mine(13);
  await until("the other is noted", async () => (await waiting()).length > 0);
  assert.deepEqual(
    (await waiting()).map(({ txId }) => txId),
    [stays],
  );
});

test("a deposit of an asset that left the network is recorded, and credited by a rescan after its return", async () => {
  const address = await venue.wanted(201, "POST", "/v1/accounts/100/deposit-addresses", { network: "SAND" });
  const txId = await pay("COIN", String(address["address"]), "");
  const hand = { network: "HAND", isDefault: true, ...move };
  await venue.wanted(200, "PUT", "/v1/assets/COIN/networks", [hand]);
  await mine(12);
  await until("it is noted", async () => (await waiting()).length === 1);
  const [row] = await waiting();
  assert.deepEqual([row?.["txId"], row?.["asset"], row?.["reason"]], [txId, "COIN", "unknownAsset"]);
  const sand = { network: "SAND", isDefault: false, creditConfirmations: 2, finalConfirmations: 3, ...move };
  await venue.wanted(200, "PUT", "/v1/assets/COIN/networks", [hand, sand]);
  const found = await venue.wanted(200, "POST", `${SAND}/rescan`, { fromHeight: 1, toHeight: 1 });
  assert.equal(found["found"], 1);
  await until("it is credited", async () => (await venue.balance()) === "13.00000000 0.00000000");
  assert.deepEqual(await waiting(), []);
  const [claimed] = await waiting("?status=deposit");
  assert.deepEqual([claimed?.["txId"], claimed?.["accountId"]], [txId, 100]);
});

test("a rescan is bounded and reports its bound", async () => {
  await mine(1000);
  await mine(1);
  for (const [body, error] of [
    [{ fromHeight: 0, toHeight: 1000 }, /at most 1000 blocks/],
    [{ fromHeight: 5, toHeight: 4 }, /from 5 to/],
    [{ fromHeight: 0, toHeight: 5000 }, /from 0 to/],
  ] as const) {
    const refused = await venue.wanted(409, "POST", `${SAND}/rescan`, body);
    assert.match(String(refused["message"]), error);
  }
  const { wallet } = venue.admin;
  const once = wallet.rescan("SAND", 1, "test", 1000);
  await assert.rejects(wallet.rescan("SAND", 1, "test", 1000), /looked through already/);
  assert.equal(await once, 0);
  assert.equal(await wallet.rescan("SAND", 1, "test", 1000), 0);
});

test("a manually recorded deposit is credited by two operators and is in the books", async () => {
  const { engine } = venue.admin;
  const coin = { txId: "tx-9", output: 2, address: "hand-7", asset: "COIN", amount: "2.5" };
  const noted = await venue.wanted(201, "POST", "/v1/networks/HAND/unattributed-deposits", coin);
  assert.deepEqual([noted["status"], noted["reason"], noted["tag"]], ["seen", "other", ""]);
  await venue.wanted(409, "POST", "/v1/networks/HAND/unattributed-deposits", { ...coin, amount: "2" });
  await venue.wanted(404, "POST", "/v1/networks/NONE/unattributed-deposits", coin);
  const how = { network: "HAND", txId: "tx-9", output: 2, why: "she sent a receipt" };
  const credit = { ...how, how: "credit", toAccount: "a@example.com", asset: "COIN", amount: "2.5" };
  const proposed = await carol.wanted(202, "POST", SETTLE, credit);
  assert.equal((await waiting()).length, 1);
  await bob.approve(proposed);
  assert.equal(await venue.balance(), "12.50000000 0.00000000");
  assert.equal(engine.balance(TREASURY_ACCOUNT, 0).free, 0n);
  assert.deepEqual(await waiting(), []);
  const [settled] = await waiting("?status=credit");
  assert.deepEqual([settled?.["accountId"], settled?.["why"]], [100, "she sent a receipt"]);
  const [adjustment] = await venue.rows("/v1/adjustments");
  assert.deepEqual(
    [adjustment?.["category"], adjustment?.["reference"], adjustment?.["amount"]],
    ["unknownDeposit", "HAND/tx-9/2", "2.50000000"],
  );
  assert.equal((await carol.wanted(200, "POST", SETTLE, credit))["status"], "credit");
  await venue.wanted(409, "POST", "/v1/networks/HAND/unattributed-deposits", { ...coin, amount: "2" });
  const late = { txId: "tx-9", output: 2, asset: "COIN", amount: "2.5", address: "hand-1" };
  await venue.wanted(201, "POST", "/v1/accounts/100/deposit-addresses", { network: "HAND" });
  const twice = await venue.wanted(409, "POST", "/v1/networks/HAND/deposits", { ...late, status: "pending" });
  assert.equal((twice["record"] as Record<string, unknown>)["status"], "credit");
  assert.deepEqual(await venue.rows("/v1/pending-deposits"), [], "what was settled never comes again");
});

test("retaining a deposit takes two operators, dismissing it one; each has its own fields", async () => {
  const { engine } = venue.admin;
  for (const txId of ["tx-1", "tx-2"]) {
    const coin = { txId, address: "hand-7", asset: "0xdead", amount: "17", reason: "unknownAsset" };
    await venue.wanted(201, "POST", "/v1/networks/HAND/unattributed-deposits", coin);
  }
  const keep = { network: "HAND", txId: "tx-1", how: "keep", asset: "COIN", amount: "0.00000017", why: "a finder's" };
  for (const wrong of [
    { ...keep, toAccount: 100 },
    { ...keep, amount: undefined },
    { ...keep, how: "credit" },
    { ...keep, how: "dismiss" },
    { ...keep, how: "burn" },
  ]) {
    await carol.wanted(400, "POST", SETTLE, wrong);
  }
  await carol.wanted(404, "POST", SETTLE, { ...keep, txId: "tx-3" });
  await bob.approve(await carol.wanted(202, "POST", SETTLE, keep));
  assert.equal(engine.balance(TREASURY_ACCOUNT, 0).free, 17n);
  const dismissed = await bob.wanted(200, "POST", SETTLE, {
    ...{ network: "HAND", txId: "tx-2", how: "dismiss", why: "worthless" },
  });
  assert.deepEqual([dismissed["status"], dismissed["why"]], ["dismiss", "worthless"]);
  const all = await waiting("?status=all");
  assert.deepEqual(
    all.map(({ txId, status }) => [txId, status]),
    [
      ["tx-2", "dismiss"],
      ["tx-1", "keep"],
    ],
  );
  assert.deepEqual(await waiting("?status=all&limit=1"), all.slice(0, 1));
});

test("dust deposits are bounded in list and journal, and further ones are found once there is room", async () => {
  const address = await tagged();
  for (let n = 0; n < MAX_UNATTRIBUTED_PER_COIN + 3; n++) await pay("TAG", address, "", "0.01");
  await mine(1);
  await mine(11);
  await until("the list is full", async () => (await waiting()).length === MAX_UNATTRIBUTED_PER_COIN);
  const again = { fromHeight: 1, toHeight: 1 };
  const { seq } = venue.admin.engine;
  assert.equal((await venue.wanted(200, "POST", `${SAND}/rescan`, again))["found"], 0);
  assert.equal(venue.admin.engine.seq, seq, "what has no room costs the journal nothing");
  const [row] = await waiting();
  const worthless = { network: "SAND", txId: row?.["txId"], how: "dismiss", why: "worthless" };
  await carol.wanted(200, "POST", SETTLE, worthless);
  assert.equal((await venue.wanted(200, "POST", `${SAND}/rescan`, again))["found"], 1);
  assert.equal((await waiting()).length, MAX_UNATTRIBUTED_PER_COIN);
});
