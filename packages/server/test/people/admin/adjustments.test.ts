/** Adjustments between a customer and the venue, which need two operators, and notes visible to operators only. */
import assert from "node:assert/strict";
import { afterEach, beforeEach, test } from "node:test";
import { TREASURY_ACCOUNT } from "@pricetime/engine";
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

const CREDIT = {
  ...{ asset: "COIN", direction: "credit", amount: "1.5", house: "treasury", category: "goodwill" },
  ...{ why: "=an outage", reference: "ticket 7" },
};
const PATH = "/v1/accounts/a@example.com/adjustments";
const listed = async (query = ""): Promise<Record<string, unknown>[]> => venue.rows(`/v1/adjustments${query}`);
const csv = async (path: string): Promise<string[]> => {
  const headers = { authorization: "Bearer a-token-for-tests-only" };
  return (await (await fetch(venue.admin.url + path, { headers })).text()).trimEnd().split(/\r?\n/);
};

test("an adjustment is proposed, moves money once another operator approves it, and is in every list", async () => {
  const { engine } = venue.admin;
  const proposed = await carol.wanted(202, "POST", PATH, CREDIT);
  assert.equal(await venue.balance(), "10.00000000 0.00000000", "nothing has moved yet");
  assert.deepEqual(await listed(), []);
  await assert.rejects(carol.approve(proposed), /OWN_APPROVAL_REQUEST/);
  await bob.approve(proposed);
  assert.equal(await venue.balance(), "11.50000000 0.00000000");
  assert.equal(engine.balance(TREASURY_ACCOUNT, 0).free, -150_000_000n, "the treasury owes it");
  const debit = { ...CREDIT, direction: "debit", amount: "0.5", category: "correction", reference: "ticket 8" };
  await bob.wanted(202, "POST", PATH, debit).then((answer) => carol.approve(answer));
  assert.equal(await venue.balance(), "11.00000000 0.00000000");
  const [second, first, ...others] = await listed();
  assert.deepEqual(others, []);
  const { seq, timeMs, ...told } = first ?? {};
  assert.ok(Number.isInteger(seq) && Number.isInteger(timeMs));
  assert.deepEqual(told, {
    ...{ accountId: 100, asset: "COIN", amount: "1.50000000", house: "treasury", category: "goodwill" },
    ...{ why: "=an outage", reference: "ticket 7", by: "operator:carol+operator:bob" },
  });
  assert.deepEqual([second?.["amount"], second?.["by"]], ["-0.50000000", "operator:bob+operator:carol"]);
  assert.deepEqual(await listed("?account=100&limit=1"), [second]);
  assert.deepEqual(await listed(`?account=100&before=${String(second?.["seq"])}`), [first]);
  const line = await venue.wanted(200, "GET", "/v1/accounts/100/timeline?kind=money");
  const rows = (line["rows"] as Record<string, unknown>[]).filter(({ what }) => what === "adjustment");
  assert.deepEqual(
    rows.map(({ id, amount, asset, house, reference }) => [id, amount, asset, house, reference]),
    [second, first].map((row) => [row?.["seq"], row?.["amount"], "COIN", "treasury", row?.["reference"]]),
  );
});

test("the CSV file of adjustments escapes formulas", async () => {
  await bob.approve(await carol.wanted(202, "POST", PATH, CREDIT));
  const [head, row, ...others] = await csv("/v1/adjustments?format=csv");
  assert.equal(head, "seq,timeMs,accountId,asset,amount,house,category,why,reference,by");
  assert.match(row ?? "", /,100,COIN,1\.50000000,treasury,goodwill,'=an outage,ticket 7,/);
  assert.deepEqual(others, []);
});

test("an impossible adjustment is rejected by the route or at the approval", async () => {
  for (const [status, body, error] of [
    [404, { ...CREDIT, asset: "NONE" }, /UNKNOWN_ASSET/],
    [400, { ...CREDIT, house: "outside" }, /house/],
    [400, { ...CREDIT, category: "gift" }, /category/],
    [400, { ...CREDIT, direction: "both" }, /direction/],
    [400, { ...CREDIT, why: "" }, /why/],
  ] as const) {
    const refused = await carol.wanted(status, "POST", PATH, body);
    assert.match(`${refused["error"]} ${refused["message"]}`, error);
  }
  await carol.wanted(404, "POST", "/v1/accounts/none@example.com/adjustments", CREDIT);
  for (const [change, reason] of [
    [{ direction: "debit", amount: "1000" }, /INSUFFICIENT_BALANCE/],
    [{ house: "fees", amount: "1000" }, /INSUFFICIENT_BALANCE/],
    [{ amount: "0" }, /INVALID_VALUE/],
  ] as const) {
    const proposed = await carol.wanted(202, "POST", PATH, { ...CREDIT, ...change });
    await assert.rejects(bob.approve(proposed), reason);
  }
  const used = await carol.wanted(409, "POST", PATH, { ...CREDIT, reference: "gift" });
  assert.equal(used["error"], "REPEAT_DIFFERS");
  assert.equal(await venue.balance(), "10.00000000 0.00000000");
  const lone = await venue.wanted(403, "POST", PATH, CREDIT);
  assert.equal(lone["error"], "NOT_PERMITTED", "whoever has no name cannot propose");
  const viewer = await SignedInOperator.open(venue, "vic", "viewer");
  await viewer.wanted(403, "POST", PATH, CREDIT);
});

test("notes are visible to operators, newest first, on the account's timeline, and permanent", async () => {
  const path = "/v1/accounts/a@example.com/notes";
  assert.deepEqual(await venue.rows(path), []);
  await carol.wanted(403, "POST", path, { text: "not a treasurer's" });
  await venue.wanted(404, "POST", "/v1/accounts/none@example.com/notes", { text: "x" });
  for (const text of ["", "x".repeat(2001), "two\nlines"]) await venue.wanted(400, "POST", path, { text });
  const support = await SignedInOperator.open(venue, "sam", "support");
  for (const text of ["called, and was angry", "@calm again"]) await support.wanted(201, "POST", path, { text });
  const notes = await venue.rows(path);
  assert.deepEqual(
    notes.map(({ text, by, accountId }) => [text, by, accountId]),
    [
      ["@calm again", "operator:sam", 100],
      ["called, and was angry", "operator:sam", 100],
    ],
  );
  assert.deepEqual(await venue.rows(`${path}?before=${String(notes[0]?.["seq"])}`), notes.slice(1));
  const line = await venue.wanted(200, "GET", "/v1/accounts/100/timeline?kind=action&limit=1");
  const [row] = line["rows"] as Record<string, unknown>[];
  assert.deepEqual([row?.["what"], row?.["by"]], ["noteAccount", "operator:sam"]);
  assert.match((await csv(`${path}?format=csv`))[1] ?? "", /,'@calm again,operator:sam$/);
});
