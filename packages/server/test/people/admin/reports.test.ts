/** The reports of the admin API: periods, default asset, customers, limits, files. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { startAdmin } from "./running.ts";
import { MACHINE } from "../../../src/platform/world/machine.ts";

/** A Wednesday. */
const NOW_MS = Date.UTC(2026, 10, 25, 12);
const world = { ...MACHINE, nowMs: () => NOW_MS };

interface Report {
  readonly asset: string;
  readonly from: string;
  readonly to: string;
  readonly rows: readonly Readonly<Record<string, unknown>>[];
}

test("periods are complete, and end with the current one", async (t) => {
  const admin = await startAdmin({ world });
  t.after(() => admin.close());
  const get = async (path: string): Promise<Report> => (await admin.call("GET", path)).body as unknown as Report;
  const days = await get("/v1/reports/periods");
  assert.deepEqual([days.rows.length, days.asset, days.to], [30, "", "2026-11-25"]);
  const weeks = await get("/v1/reports/periods?by=week&from=2026-11-12");
  assert.deepEqual(
    weeks.rows.map(({ from, to }) => [from, to]),
    [
      ["2026-11-09", "2026-11-15"],
      ["2026-11-16", "2026-11-22"],
      ["2026-11-23", "2026-11-29"],
    ],
  );
  const months = await get("/v1/reports/periods?by=month&from=2026-01-31&to=2026-02-01");
  assert.deepEqual([months.from, months.to, months.rows.length], ["2026-01-01", "2026-02-28", 2]);
  assert.equal((await get("/v1/reports/periods?by=week&periods=3")).rows.length, 3);
  assert.equal((await admin.call("GET", "/v1/reports/periods?periods=3&from=2026-11-12")).status, 400);
  assert.equal((await admin.call("GET", "/v1/reports/periods?periods=401")).status, 400);
  assert.equal((await admin.call("GET", "/v1/reports/periods?from=1980-01-01")).status, 400);
  assert.equal((await admin.call("GET", "/v1/reports/markets?from=1980-01-01&by=month")).status, 400);
  assert.equal((await admin.call("GET", "/v1/reports/periods?from=2026-12-01")).status, 400);
});
