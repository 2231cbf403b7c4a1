/** What pages ask the node for in several requests: nothing is left out. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { askAllRisks, RISKS_A_PAGE } from "../../src/console/withdrawals/all-risks.ts";
import type { Admin, Sent } from "../../src/console/wire/admin.ts";

test("every withdrawal that waits is looked at, however many they are", async () => {
  const all = Array.from({ length: 2 * RISKS_A_PAGE + 7 }, (_, n) => ({
    withdrawalId: `w${n}`,
    applyTimeMs: 1000 + n,
  }));
  const admin: Admin = {
    ask: async <Value>(_: string, __: string, { query = {} }: Sent = {}) => {
      const after = all.findIndex((one) => `${one.applyTimeMs}.${one.withdrawalId}` === query["after"]);
      return all.slice(after + 1, after + 1 + Number(query["limit"])) as Value;
    },
    askFile: () => Promise.reject(new Error("no files here")),
  };
  assert.deepEqual(await askAllRisks(admin, "/v1/withdrawal-risks", {}), all);
});
