/** Withdrawal limits per period, set and shown by the admin API, the command line and metrics. */
import assert from "node:assert/strict";
import { rmSync } from "node:fs";
import { afterEach, beforeEach, test } from "node:test";
import { temporaryFolder } from "@pricetime/testkit/scratch";
import { writeAdminFile } from "../../../src/platform/config/admin-file.ts";
import { doneIn, jsonIn, runIn } from "../../program/cli/command-line.ts";
import { TOKEN } from "./running.ts";
import { AdminVenue } from "./admin-venue.ts";

let venue: AdminVenue;
beforeEach(async () => {
  venue = await AdminVenue.open();
});
afterEach(() => venue.close());

const setLimits = (limits: object, status = 200): Promise<Record<string, unknown>> =>
  venue.wanted(status, "PUT", "/v1/assets/COIN/withdrawal-limits", limits);
const statusOf = (id: string): string | undefined => venue.admin.engine.funds.withdrawal(id)?.status;

test("a withdrawal above a limit waits, and the list shows the limit and the sum", async () => {
  const spec = await setLimits({ account: { per24h: "4" }, allCustomers: { per24h: "8", per72h: "9" } });
  const withdrawalLimits = { account: { per24h: "4" }, allCustomers: { per24h: "8", per72h: "9" } };
  assert.deepEqual(spec["withdrawalLimits"], withdrawalLimits);
  assert.deepEqual((await venue.wanted(200, "GET", "/v1/assets/COIN"))["withdrawalLimits"], withdrawalLimits);
  const [first, second] = [await venue.withdraw("4"), await venue.withdraw("0.5")];
  assert.deepEqual([statusOf(first), statusOf(second)], ["processing", "awaitingApproval"]);
  const reasons = [{ rule: "account", hours: 24, limit: "4", sum: "4.50000000" }];
  const rows = await venue.rows("/v1/withdrawals?status=awaitingApproval");
  assert.deepEqual(
    rows.map((row) => [row["withdrawalId"], row["approvalReasons"], row["accountSum24h"]]),
    [[second, reasons, undefined]],
  );
  assert.deepEqual((await venue.wanted(200, "GET", `/v1/withdrawals/${first}`))["approvalReasons"], []);
  const answer = await venue.wanted(200, "POST", `/v1/withdrawals/${second}/approve`);
  assert.deepEqual([answer["status"], answer["approvalReasons"]], ["processing", reasons]);
});

test("used and remaining amounts are listed venue-wide, per account, and in the metrics", async () => {
  assert.deepEqual(await venue.rows("/v1/withdrawal-limits"), []);
  await setLimits({ account: { per72h: "6" }, allCustomers: { per24h: "8" } });
  await venue.withdraw("2");
  const used = { withdrawn24h: "2.00000000", withdrawn72h: "2.00000000" };
  const all = { limit24h: "8", left24h: "6.00000000", limit72h: null, left72h: null, ...used };
  assert.deepEqual(await venue.rows("/v1/withdrawal-limits"), [
    { asset: "COIN", accountLimit24h: null, accountLimit72h: "6", ...all },
  ]);
  const own = { limit24h: null, left24h: null, limit72h: "6", left72h: "4.00000000", ...used };
  const ofAccount = (): Promise<unknown> => venue.rows("/v1/accounts/100/withdrawal-limits");
  assert.deepEqual(await ofAccount(), [{ asset: "COIN", isOwn: false, ...own }]);
  assert.match(
    await venue.admin.metrics.text(),
    /^pricetime_withdrawal_budget_used_ratio\{asset="COIN",hours="24"\} 0\.25$/m,
  );
  await venue.withdraw("4.5");
  await venue.withdraw("2.5");
  const [row] = await venue.rows("/v1/withdrawal-limits");
  assert.deepEqual([row?.["withdrawn24h"], row?.["left24h"]], ["9.00000000", "0.00000000"]);
});

test("an account can have its own limits, and a sub-account has its master's", async () => {
  await setLimits({ account: { per24h: "1" } });
  const path = "/v1/accounts/a%40example.com/withdrawal-limits/COIN";
  const set = await venue.wanted(200, "PUT", path, { per24h: "5" });
  const [row] = set["limits"] as Record<string, unknown>[];
  assert.deepEqual([set["accountId"], row?.["isOwn"], row?.["limit24h"], row?.["limit72h"]], [100, true, "5", null]);
  assert.equal(statusOf(await venue.withdraw("4")), "processing");
  await venue.wanted(201, "POST", "/v1/accounts", { email: "sub@example.com", name: "S", master: 100 });
  const [sub] = await venue.rows("/v1/accounts/101/withdrawal-limits");
  assert.deepEqual([sub?.["limit24h"], sub?.["withdrawn24h"]], ["5", "4.00000000"]);
  const refused = await venue.wanted(409, "PUT", "/v1/accounts/101/withdrawal-limits/COIN", { per24h: "9" });
  assert.equal(refused["error"], "MASTER_ONLY");
  const removed = await venue.wanted(200, "DELETE", path);
  assert.deepEqual([(removed["limits"] as Record<string, unknown>[])[0]?.["limit24h"]], ["1"]);
  assert.equal(statusOf(await venue.withdraw("0.5")), "awaitingApproval");
});

test("invalid limits are rejected and change nothing", async () => {
  await setLimits({ account: { per24h: "0.000000001" } }, 400);
  await setLimits({ account: { per24h: 5 } }, 400);
  await setLimits({ account: { per48h: "5" } }, 400);
  await venue.wanted(404, "PUT", "/v1/assets/NONE/withdrawal-limits", {});
  await venue.wanted(404, "GET", "/v1/accounts/999/withdrawal-limits");
  assert.deepEqual(await venue.rows("/v1/withdrawal-limits"), []);
});

test("an asset is listed with limits", async () => {
  const withdrawalLimits = { account: { per24h: "5000", per72h: "12000" } };
  const listed = await venue.wanted(201, "POST", "/v1/assets", { asset: "EUR", name: "Euro", withdrawalLimits });
  assert.deepEqual(listed["withdrawalLimits"], withdrawalLimits);
  const [row] = await venue.rows("/v1/withdrawal-limits");
  assert.deepEqual([row?.["asset"], row?.["accountLimit24h"], row?.["accountLimit72h"]], ["EUR", "5000", "12000"]);
});

test("the command line sets limits, leaves the others unchanged, and lists the remainders", async () => {
  const folder = temporaryFolder();
  try {
    writeAdminFile(folder, { admin: venue.admin.url, adminToken: TOKEN });
    const done = (...words: readonly string[]): Promise<string> => doneIn(folder, ["withdrawal-limit", ...words]);
    await done("set", "COIN", "--account-24h", "4", "--all-24h", "8");
    await done("set", "COIN", "--account-72h", "6", "--all-24h", "none");
    await venue.withdraw("3");
    assert.match(await done("list"), /COIN +4 +6 /);
    assert.match(await done("list", "--account", "100"), /COIN +\S+ +4 +3\.00000000 +1\.00000000 +6 +3\.00000000/);
    await done("set-account", "100", "COIN", "--per-24h", "20");
    const [own] = await jsonIn<Record<string, unknown>[]>(folder, ["withdrawal-limit", "list", "--account", "100"]);
    assert.deepEqual([own?.["isOwn"], own?.["limit24h"], own?.["limit72h"]], [true, "20", null]);
    await done("reset-account", "100", "COIN");
    assert.match(await done("list", "--account", "100"), /COIN +\S+ +4 /);
    assert.match((await runIn(folder, ["withdrawal-limit", "set", "NONE"])).err, /no asset NONE/);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
