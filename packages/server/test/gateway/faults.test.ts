/** Bad input to every endpoint and parameter, made from the endpoint table, through the whole gateway. */
import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { test } from "node:test";
import { completed, faultCases } from "../../../protocol/test/faults.ts";
import type { FaultCase } from "../../../protocol/test/faults.ts";
import { TestVenue } from "./venue.ts";
import type { TestAnswer } from "./venue.ts";

/** What a request without a fault in its parameters may still be refused for. */
const BEHIND_PARAMETERS: ReadonlySet<number> = new Set([
  -1013, -1014, -1106, -1125, -1127, -1128, -2010, -2011, -2013, -2022,
]);

const venue = new TestVenue();
venue.listSymbol("ETHUSDT", "ETH", "USDT", {});

function send(one: FaultCase): Promise<TestAnswer> {
  const { secretKey, apiKey } = venue.trader;
  const sign = (payload: string): string => createHmac("sha256", secretKey).update(payload, "latin1").digest("hex");
  const { query, body } = completed(one, venue.nowMs, sign);
  const headers = { "x-mbx-apikey": apiKey, "content-type": "application/x-www-form-urlencoded" };
  return venue.send(one.endpoint.method, one.endpoint.paths[0] ?? "", { query, body, headers });
}

/** What is wrong with the answer; "" when nothing is. */
function complaint({ expected }: FaultCase, { status, json }: TestAnswer): string {
  if (expected === "accepted") {
    if (status === 200) return "";
    return status === 400 && BEHIND_PARAMETERS.has(json.code) ? "" : `${status} ${JSON.stringify(json)}`;
  }
  const isRight = json.code === expected.code && (expected.msg === undefined || json.msg === expected.msg);
  if (!isRight || typeof json.msg !== "string")
    return `wanted ${JSON.stringify(expected)}, got ${JSON.stringify(json)}`;
  return status >= 400 && status < 500 ? "" : `status ${status}`;
}

test("each fault gets its code, its text and a 4XX, and changes nothing", async () => {
  const wrong: string[] = [];
  for (const one of faultCases()) {
    const hash = venue.engine.hash();
    const { seq } = venue.engine;
    const answer = await send(one);
    let fault = complaint(one, answer);
    const isUntouched = venue.engine.hash() === hash && venue.engine.seq === seq;
    if (one.expected !== "accepted" && !isUntouched) fault += " the engine was reached";
    const { endpoint, parameter, placement } = one;
    if (fault !== "") wrong.push(`${endpoint.id} ${parameter} ${one.fault} in ${placement}: ${fault}`);
  }
  assert.deepEqual(wrong.slice(0, 20), []);
  assert.deepEqual(venue.bugs, []);
  venue.engine.checkInvariants();
});
