/** Pages and filters of open withdrawals, and the link to the next page. */
import assert from "node:assert/strict";
import { afterEach, beforeEach, test } from "node:test";
import { requestWithdrawal } from "@pricetime/testkit/commands";
import { TOKEN } from "./running.ts";
import { AdminVenue } from "./admin-venue.ts";

let venue: AdminVenue;
beforeEach(async () => {
  venue = await AdminVenue.open();
});
afterEach(() => venue.close());

const idsOf = (rows: readonly Record<string, unknown>[]): unknown[] => rows.map((row) => row["withdrawalId"]);

async function openRich(account: number): Promise<void> {
  const { accountId } = await venue.wanted(201, "POST", "/v1/accounts", { email: `${account}@example.com`, name: "B" });
  assert.equal(accountId, account);
  await venue.wanted(201, "POST", "/v1/deposits", {
    account,
    asset: "COIN",
    amount: "100",
    reference: `of ${account}`,
  });
}

let asks = 0;
async function withdrawOf(accountId: number, amount = "0.5"): Promise<string> {
  const withdrawalId = `f${String(++asks).padStart(31, "0")}`;
  const to = { network: "HAND", address: "somewhereelse1234", amount, confirmationHash: "ab".repeat(32) };
  await venue.run(requestWithdrawal({ withdrawalId, accountId, asset: "COIN", ...to }));
  return withdrawalId;
}

/** The answer to a path, and its link to the next page. */
async function asked(path: string): Promise<{ rows: Record<string, unknown>[]; more: string | null }> {
  const response = await fetch(new URL(path, venue.admin.url), { headers: { Authorization: `Bearer ${TOKEN}` } });
  assert.equal(response.status, 200, path);
  return { rows: (await response.json()) as Record<string, unknown>[], more: response.headers.get("link") };
}

test("links from the first page lead through all withdrawals, each once", async () => {
  const all: string[] = [];
  // An account has a limited number of open withdrawals.
  for (let account = 101; all.length < 205; account++) {
    await openRich(account);
    for (let n = 0; n < 41; n++) all.push(await withdrawOf(account));
  }
  const first = await asked("/v1/withdrawals");
  assert.deepEqual(idsOf(first.rows), all.slice(0, 100));
  const seen: unknown[] = [];
  const sizes: number[] = [];
  for (let path: string | null = "/v1/withdrawals?network=HAND"; path !== null; ) {
    const { rows, more } = await asked(path);
    seen.push(...idsOf(rows));
    sizes.push(rows.length);
    const next = more === null ? null : /^<(\/v1\/withdrawals\?[^>]+)>; rel="next"$/.exec(more)?.[1];
    assert.ok(next !== undefined, String(more));
    path = next;
  }
  assert.deepEqual([seen, sizes], [all, [100, 100, 5]]);
  assert.equal((await asked("/v1/withdrawals?limit=205")).more, null, "what is whole names no more");
  const file = await fetch(new URL("/v1/withdrawals?format=csv", venue.admin.url), {
    headers: { Authorization: `Bearer ${TOKEN}` },
  });
  assert.equal((await file.text()).trimEnd().split("\r\n").length, 206, "a file is whole");
});

test("closed withdrawals are listed, newest first, and each can be read like a pending one", async () => {
  await openRich(101);
  const [first, second, third] = [await withdrawOf(101, "6"), await withdrawOf(101, "6"), await withdrawOf(101, "6")];
  await venue.wanted(200, "POST", `/v1/withdrawals/${first}/reject`, { why: "no" });
  await venue.wanted(200, "POST", `/v1/withdrawals/${second}/approve`);
  await venue.wanted(200, "POST", `/v1/withdrawals/${second}/complete`, { txId: "slip" });
  const { rows, more } = await asked("/v1/withdrawal-history?limit=1");
  assert.deepEqual(idsOf(rows), [second]);
  const [rejected] = (await asked(/<(.*)>/.exec(more ?? "")?.[1] ?? "")).rows;
  assert.deepEqual(
    [rejected?.["withdrawalId"], rejected?.["status"], rejected?.["why"], rejected?.["accountId"]],
    [first, "rejected", "no", 101],
  );
  const pending = await venue.wanted(200, "GET", `/v1/withdrawals/${third}`);
  const closed = await venue.wanted(200, "GET", `/v1/withdrawals/${second}`);
  assert.deepEqual([closed["status"], closed["txId"]], ["completed", "slip"]);
  for (const name of ["amount", "fee", "arrives", "asset", "network", "address"]) {
    assert.equal(closed[name], pending[name], name);
  }
  assert.deepEqual([pending["needsDualApproval"], closed["needsDualApproval"]], [false, undefined]);
  await venue.wanted(404, "GET", `/v1/withdrawals/${"f".repeat(32)}`);
});

test("a page can start after a withdrawal that has ended", async () => {
  await openRich(101);
  const [first, second, third] = [await withdrawOf(101, "6"), await withdrawOf(101, "6"), await withdrawOf(101, "6")];
  const { rows, more } = await asked("/v1/withdrawals?limit=2");
  assert.deepEqual(idsOf(rows), [first, second]);
  await venue.wanted(200, "POST", `/v1/withdrawals/${second}/reject`, { why: "no" });
  assert.deepEqual(idsOf((await asked(/<(.*)>/.exec(more ?? "")?.[1] ?? "")).rows), [third]);
});

test("lists of withdrawals and their risks can be filtered by status, asset, network and account", async () => {
  await openRich(101);
  await venue.wanted(200, "POST", "/v1/networks/SAND/sandbox/fault", { kind: "unreachable", durationMs: 3_600_000 });
  const [large, small, sand] = [
    await venue.withdraw("6"),
    await venue.withdraw("1"),
    await venue.withdraw("1", "SAND"),
  ];
  const other = await withdrawOf(101, "7");
  for (const [query, ids] of [
    ["", [large, small, sand, other]],
    ["?status=awaitingApproval", [large, other]],
    ["?status=processing", [small, sand]],
    ["?status=emailSent", []],
    ["?network=SAND", [sand]],
    ["?account=101", [other]],
    ["?account=a@example.com&status=awaitingApproval", [large]],
    ["?asset=COIN&network=HAND&status=processing", [small]],
  ] as const) {
    for (const list of ["/v1/withdrawals", "/v1/withdrawal-risks"]) {
      assert.deepEqual(idsOf(await venue.rows(`${list}${query}`)), ids, `${list}${query}`);
    }
  }
  for (const [query, status, word] of [
    ["status=over", 400, "status"],
    ["after=yesterday", 400, "after"],
    ["limit=1001", 400, "limit"],
    ["asset=CION", 404, "COIN"],
    ["network=COIN", 404, "SAND and HAND"],
    ["account=9999", 404, "9999"],
  ] as const) {
    const { message } = await venue.wanted(status, "GET", `/v1/withdrawals?${query}`);
    assert.match(String(message), new RegExp(word));
  }
});
