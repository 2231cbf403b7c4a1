/** The audit log by the admin API: newest first, filtered, without secrets. */
import assert from "node:assert/strict";
import { afterEach, beforeEach, test } from "node:test";
import { until } from "@pricetime/testkit/waiting";
import { AdminVenue } from "./admin-venue.ts";

let venue: AdminVenue;
beforeEach(async () => {
  venue = await AdminVenue.open();
});
afterEach(() => venue.close());

const acts = async (query = ""): Promise<string[]> =>
  (await venue.rows(`/v1/audit-log${query}`)).map(({ by, type, accountId, outcome }) =>
    [by, type, accountId, outcome].join(" "),
  );

test("manual withdrawal steps are in the audit log, automatic ones are not", async () => {
  const id = await venue.withdraw("6");
  await venue.wanted(200, "POST", `/v1/withdrawals/${id}/approve`);
  await venue.wanted(409, "POST", `/v1/withdrawals/${id}/approve`);
  await venue.wanted(200, "POST", `/v1/withdrawals/${id}/complete`, { txId: "slip-1" });
  assert.deepEqual(await acts(`?withdrawal=${id}`), [
    "dora completeWithdrawal 100 done",
    "dora approveWithdrawal  WRONG_STATUS",
    "dora approveWithdrawal  done",
  ]);
  const own = await venue.withdraw("1", "SAND");
  await venue.sent(own);
  await venue.wanted(200, "POST", "/v1/networks/SAND/sandbox/mine", { blocks: 5 });
  await until("it is over", () => venue.admin.engine.funds.withdrawal(own) === undefined);
  assert.deepEqual(await acts(`?withdrawal=${own}`), [], "the node's own steps are nobody's act");
});

test("manual deposits of an account, in pages", async () => {
  const coin = { txId: "tx-1", asset: "COIN", amount: "3", account: 100, status: "success" };
  await venue.wanted(201, "POST", "/v1/networks/HAND/deposits", coin);
  const wanted = [
    "dora finishDeposit 100 done",
    "dora seeDeposit 100 done",
    "dora deposit 100 done",
    "dora openAccount 100 done",
  ];
  assert.deepEqual(await acts("?account=a@example.com"), wanted);
  assert.deepEqual(await acts("?account=100&limit=2"), wanted.slice(0, 2));
  const rows = await venue.rows("/v1/audit-log?account=100&limit=2");
  assert.deepEqual(await acts(`?account=100&before=${rows[1]?.["seq"]}`), wanted.slice(2));
  assert.deepEqual(rows[1]?.["details"], {
    ...{ network: "HAND", txId: "tx-1", output: 0, asset: "COIN", address: "hand-1", tag: "", amount: "3" },
  });
});

test("no secret is shown, and invalid filters are rejected", async () => {
  await venue.wanted(201, "POST", "/v1/accounts/100/keys", { permissions: ["TRADE"] });
  const text = JSON.stringify(await venue.rows("/v1/audit-log"));
  assert.match(text, /createApiKey/);
  assert.doesNotMatch(text, /sealed|s1\./);
  for (const query of ["?account=none", "?limit=0", "?limit=1001", "?before=x", "?by=me"]) {
    const { status } = await venue.admin.call("GET", `/v1/audit-log${query}`);
    assert.ok(status === 400 || status === 404, query);
  }
});
