/** Wallet requests count with all others of their address. Interface S.3, 8.8. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { DEFAULT_LIMITS } from "../../../src/api/edge/rate-limit-rules.ts";
import { TestVenue } from "@pricetime/testkit/gateway-venue";

const STATUS = "/wapi/v3/systemStatus.html";

test("their weight is 1, or as configured, in the same limiter", async () => {
  const used = async (venue: TestVenue, path: string) => (await venue.public(path)).headers.get("x-mbx-used-weight-1m");
  const venue = new TestVenue();
  assert.deepEqual([await used(venue, STATUS), await used(venue, "/sapi/v1/system/status")], ["1", "2"]);
  assert.equal(await used(venue, "/api/v3/time"), "3");
  const heavy = new TestVenue({ limits: { ...DEFAULT_LIMITS, walletWeight: 7 } });
  assert.deepEqual([await used(heavy, STATUS), await used(heavy, "/sapi/v1/system/status")], ["7", "14"]);
  assert.equal(await used(heavy, "/api/v3/time"), "15");
});

test("above the limit, the wallet responds 429, then 418, in its own envelope", async () => {
  const [weight] = DEFAULT_LIMITS.rules;
  assert.ok(weight !== undefined);
  const venue = new TestVenue({ limits: { ...DEFAULT_LIMITS, rules: [{ ...weight, limit: 2 }] } });
  await venue.public(STATUS);
  await venue.public(STATUS);
  const { status, json, headers } = await venue.public(STATUS, { a: 1 });
  assert.deepEqual(
    [status, json.success, json.code, Object.keys(json)],
    [418, false, -1003, ["success", "msg", "code"]],
  );
  assert.match(json.msg, /IP banned until/);
  assert.ok(Number(headers.get("retry-after")) > 0);
  const wider = new TestVenue({ limits: { ...DEFAULT_LIMITS, rules: [{ ...weight, limit: 3 }] } });
  for (let i = 0; i < 3; i++) await wider.public(STATUS);
  const over = await wider.public(STATUS);
  assert.deepEqual([over.status, over.json.success, over.json.code], [429, false, -1003]);
});
