/** Idempotent routes: an equal repeat gets the booked record, a different request with the same id 409 and the record. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { SignedInOperator } from "./signed-in-operator.ts";
import { AdminVenue } from "./admin-venue.ts";

let venue: AdminVenue;
let carol: SignedInOperator;
let bob: SignedInOperator;
before(async () => {
  venue = await AdminVenue.open();
  carol = await SignedInOperator.open(venue, "carol", "treasurer");
  bob = await SignedInOperator.open(venue, "bob", "treasurer");
});
after(() => venue.close());

type Row = Record<string, unknown>;

const HAND = "/v1/networks/HAND/deposits";
let references = 0;
const fresh = (): string => `id-${++references}`;

/** Expects 409 with the record and unchanged balances. */
async function differs(path: string, body: object, asks: Pick<SignedInOperator, "wanted"> = venue): Promise<Row> {
  const balance = await venue.balance();
  const refused = await asks.wanted(409, "POST", path, body);
  assert.equal(refused["error"], "REPEAT_DIFFERS", JSON.stringify(refused));
  assert.equal(await venue.balance(), balance);
  assert.match(String(refused["message"]), /Recorded: /);
  return refused["record"] as Row;
}

const some = (row: Row, ...fields: readonly string[]): unknown[] => fields.map((field) => row[field]);

for (const type of ["deposit", "debit"] as const) {
  test(`a ${type} is repeated with its reference`, async () => {
    const body = { account: "a@example.com", asset: "COIN", amount: "1.5", reference: fresh() };
    const first = await venue.wanted(201, "POST", `/v1/${type}s`, body);
    const balance = await venue.balance();
    for (const again of [body, { ...body, account: 100, amount: "1.50" }]) {
      assert.deepEqual(await venue.wanted(201, "POST", `/v1/${type}s`, again), first);
    }
    assert.equal(await venue.balance(), balance);
    assert.deepEqual(some(first, "accountId", "amount"), [100, "1.50000000"]);
    const other = type === "deposit" ? "debit" : "deposit";
    for (const [path, change] of [
      [type, { amount: "2" }],
      [type, { account: "treasury" }],
      [other, {}],
    ] as const) {
      const record = await differs(`/v1/${path}s`, { ...body, ...change });
      assert.deepEqual(some(record, "accountId", "amount", "reference", "by"), [100, "1.5", body.reference, "dora"]);
    }
  });
}

test("a repeated deposit report with different contents is rejected, and the answer shows the booked one", async () => {
  const coin = { txId: fresh(), asset: "COIN", amount: "70", account: 100 };
  const seen = await venue.wanted(201, "POST", HAND, coin);
  assert.deepEqual(some(seen, "amount", "accountId", "status"), ["70.00000000", 100, "pending"]);
  const wrong = [{ amount: "700000", status: "success" }, { account: "treasury", status: "success" }, { amount: "7" }];
  for (const change of wrong) {
    const record = await differs(HAND, { ...coin, ...change });
    assert.deepEqual(record, seen, "the record, and not what was sent");
  }
  assert.deepEqual(await venue.wanted(201, "POST", HAND, { ...coin, amount: "70.0" }), seen);
  for (const status of ["credited", "success", "pending", "success"]) {
    const { status: booked, amount } = await venue.wanted(201, "POST", HAND, { ...coin, status });
    assert.deepEqual([booked, amount], [status === "credited" ? "credited" : "success", "70.00000000"]);
  }
  for (const change of wrong) {
    const record = await differs(HAND, { ...coin, ...change });
    assert.deepEqual(some(record, "amount", "accountId", "status"), ["70.00000000", 100, "success"]);
  }
  await differs(`${HAND}/drop`, { ...coin, amount: "1" });
  await venue.wanted(409, "POST", `${HAND}/drop`, { txId: coin.txId });
  await venue.wanted(201, "POST", "/v1/debits", { account: 100, asset: "COIN", amount: "70", reference: fresh() });
});

test("a wrong pending report is dropped, by id or by all its fields, and reported again", async () => {
  const coin = { txId: fresh(), asset: "COIN", amount: "5", account: 100 };
  await venue.wanted(201, "POST", HAND, coin);
  await differs(`${HAND}/drop`, { ...coin, amount: "6" });
  await venue.wanted(400, "POST", `${HAND}/drop`, { txId: coin.txId, amount: "5" });
  for (const body of [coin, coin, { txId: coin.txId }]) {
    assert.equal((await venue.wanted(200, "POST", `${HAND}/drop`, body))["status"], "dropped");
  }
  const right = { ...coin, amount: "6" };
  const seen = await venue.wanted(201, "POST", HAND, right);
  assert.equal(seen["amount"], "6.00000000");
  assert.deepEqual(await differs(HAND, coin), seen);
  await venue.wanted(200, "POST", `${HAND}/drop`, { txId: coin.txId });
});

test("a dividend is repeated with its reference", async () => {
  await venue.wanted(201, "POST", "/v1/deposits", {
    ...{ account: "treasury", asset: "COIN", amount: "100", reference: fresh() },
  });
  const body = { heldAsset: "COIN", paidAsset: "COIN", amount: "1", info: "gift", reference: fresh() };
  const first = await venue.wanted(201, "POST", "/v1/dividends", body);
  const balance = await venue.balance();
  const again = await venue.wanted(201, "POST", "/v1/dividends", { ...body, amount: "1.0" });
  assert.deepEqual(some(again, "tranId", "amount", "info"), some(first, "tranId", "amount", "info"));
  assert.equal(await venue.balance(), balance);
  for (const change of [{ amount: "2" }, { info: "loan" }]) {
    const record = await differs("/v1/dividends", { ...body, ...change });
    assert.deepEqual(some(record, "amount", "info", "reference"), ["1", "gift", body.reference]);
  }
});

test("repeating an adjustment with its reference needs no second approval", async () => {
  const path = "/v1/accounts/100/adjustments";
  const body = {
    ...{ asset: "COIN", direction: "credit", amount: "1.5", house: "treasury", category: "goodwill" },
    ...{ why: "an outage", reference: fresh() },
  };
  await bob.approve(await carol.wanted(202, "POST", path, body));
  const balance = await venue.balance();
  const booked = await bob.wanted(200, "POST", path, body);
  assert.deepEqual(some(booked, "amount", "by"), ["1.50000000", "operator:carol+operator:bob"]);
  for (const change of [{ amount: "2" }, { direction: "debit" }, { why: "no outage" }, { house: "dust" }]) {
    assert.deepEqual(await differs(path, { ...body, ...change }, carol), booked);
  }
  assert.equal(await venue.balance(), balance);
});

test("an unattributed deposit is recorded and resolved once", async () => {
  const coin = { txId: fresh(), output: 0 };
  const note = { ...coin, address: "nowhere", asset: "COIN", amount: "3" };
  const path = "/v1/networks/HAND/unattributed-deposits";
  const settle = "/v1/unattributed-deposits/resolve";
  const noted = await venue.wanted(201, "POST", path, note);
  const again = await venue.wanted(201, "POST", path, { ...note, amount: "3.0" });
  assert.deepEqual(some(again, "amount", "status"), some(noted, "amount", "status"));
  assert.equal((await differs(path, { ...note, amount: "4" }))["amount"], "3");
  const dismissal = { network: "HAND", ...coin, how: "dismiss", why: "a guess" };
  for (let i = 0; i < 2; i++) assert.equal((await venue.wanted(200, "POST", settle, dismissal))["status"], "dismiss");
  assert.equal((await differs(settle, { ...dismissal, why: "another guess" }))["why"], "a guess");
  const credit = { ...dismissal, how: "credit", toAccount: 100, asset: "COIN", amount: "3" };
  assert.equal((await differs(settle, credit, carol))["status"], "dismiss");
  assert.equal((await differs(path, { ...note, amount: "4" }))["status"], "dismiss");
});

test("a resolved unattributed deposit cannot be reported as a deposit, nor a deposit as unattributed", async () => {
  const coin = { txId: fresh(), output: 0 };
  await venue.wanted(201, "POST", "/v1/networks/HAND/unattributed-deposits", {
    ...coin,
    address: "x",
    asset: "COIN",
    amount: "3",
  });
  const settle = { network: "HAND", ...coin, how: "keep", asset: "COIN", amount: "3", why: "it is ours" };
  await bob.approve(await carol.wanted(202, "POST", "/v1/unattributed-deposits/resolve", settle));
  assert.equal((await bob.wanted(200, "POST", "/v1/unattributed-deposits/resolve", settle))["status"], "keep");
  assert.equal((await differs(HAND, { ...coin, asset: "COIN", amount: "3", account: 100 }))["status"], "keep");
  const other = { txId: fresh(), output: 0 };
  await venue.wanted(201, "POST", HAND, { ...other, asset: "COIN", amount: "3", account: 100 });
  const note = { ...other, address: "x", asset: "COIN", amount: "3" };
  assert.equal((await differs("/v1/networks/HAND/unattributed-deposits", note))["status"], "pending");
});
