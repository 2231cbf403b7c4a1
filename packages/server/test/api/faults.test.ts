/** Invalid input to every endpoint and parameter, generated from the endpoint table, through the whole gateway. */
import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { test } from "node:test";
import { PERMISSIONS } from "@pricetime/engine";
import { completed, type FaultCase, faultCases } from "@pricetime/testkit/bad-requests";
import { type TestAnswer, TestVenue } from "@pricetime/testkit/gateway-venue";

/** Errors that a request with valid parameters may still get. */
const BEHIND_PARAMETERS: ReadonlySet<number> = new Set([
  -1013, -1014, -1106, -1125, -1127, -1128, -2010, -2011, -2013, -2022, -2038, -2043,
  // An endpoint that always rejects.
  -1020,
  // Well-formed assets, networks, addresses and email addresses that do not exist here.
  -1130, -4001, -4005, -4006, -4008, -4015, -4018, -4019, -4022, -4026, -4042, -4047, -5001, -5003, -5021,
]);

const venue = new TestVenue();
venue.listSymbol("ETH/USDT");
const { accountId } = venue.trader;
const all = venue.key(accountId, PERMISSIONS);
venue.openAccount("sub@example.org", accountId);
// Enough for every valid withdrawal and transfer among the cases.
venue.act({ type: "deposit", by: "test", accountId, asset: "BTC", amount: "10000", reference: "enough" });

function send(one: FaultCase): Promise<TestAnswer> {
  const { secretKey, apiKey } = all;
  const sign = (payload: string): string => createHmac("sha256", secretKey).update(payload, "latin1").digest("hex");
  const { query, body } = completed(one, venue.nowMs, sign);
  const headers = { "x-mbx-apikey": apiKey, "content-type": "application/x-www-form-urlencoded" };
  return venue.send(one.endpoint.method, one.endpoint.paths[0] ?? "", { query, body, headers });
}

/** What is wrong with the response; "" if nothing. */
function complaint({ endpoint, expected }: FaultCase, { status, json }: TestAnswer): string {
  const isWapi = endpoint.family === "wapi";
  if (expected === "accepted") {
    if (status === 200 && json.success !== false) return "";
    const isRefused = isWapi ? status === 200 && json.success === false : status === 400;
    return isRefused && BEHIND_PARAMETERS.has(json.code) ? "" : `${status} ${JSON.stringify(json)}`;
  }
  const isRight = json.code === expected.code && (expected.msg === undefined || json.msg === expected.msg);
  if (!isRight || typeof json.msg !== "string")
    return `wanted ${JSON.stringify(expected)}, got ${JSON.stringify(json)}`;
  // Interface S.3: the wallet family rejects with 200.
  const isStatusRight = isWapi ? status === 200 && json.success === false : status >= 400 && status < 500;
  return isStatusRight ? "" : `status ${status}`;
}

test("each invalid value gets its code, its text and a 4XX, and changes nothing", async () => {
  const wrong: string[] = [];
  for (const one of faultCases()) {
    const hash = venue.engine.eventDigest();
    const { seq } = venue.engine;
    const answer = await send(one);
    let fault = complaint(one, answer);
    const isUntouched = venue.engine.eventDigest() === hash && venue.engine.seq === seq;
    if (one.expected !== "accepted" && !isUntouched) fault += " the engine was reached";
    const { endpoint, parameter, placement } = one;
    if (fault !== "") wrong.push(`${endpoint.id} ${parameter} ${one.fault} in ${placement}: ${fault}`);
  }
  assert.deepEqual(wrong.slice(0, 20), []);
  assert.deepEqual(venue.bugs, []);
  venue.engine.checkInvariants();
});
