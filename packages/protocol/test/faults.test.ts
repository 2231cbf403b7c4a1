/** Every endpoint, parameter and fault, against the parser and the checks behind it. */
import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { test } from "node:test";
import {
  aboveBelowRequest,
  amountFault,
  type ApiError,
  checkTiming,
  ENDPOINTS,
  INVALID_SIGNATURE,
  isApiError,
  isSigned,
  ocoRequest,
  orderRequest,
  OTO_KINDS,
  otoReader,
  parseRequest,
} from "@pricetime/protocol";
import { completed, type FaultCase, faultCases } from "@pricetime/testkit/bad-requests";

const NOW_MS = 1_700_000_000_000;
const sign = (payload: string): string => createHmac("sha256", "secret").update(payload, "latin1").digest("hex");

const READERS: Readonly<
  Record<string, typeof orderRequest | typeof ocoRequest | ReturnType<typeof otoReader> | typeof amountReader>
> = {
  "order.place": orderRequest,
  "order.test": orderRequest,
  "order.cancelReplace": orderRequest,
  "orderList.place": ocoRequest,
  "orderList.place.oco": aboveBelowRequest,
  ...Object.fromEntries(OTO_KINDS.map((kind) => [`orderList.place.${kind.toLowerCase()}`, otoReader(kind)])),
  "wapi.withdraw": amountReader,
  "capital.withdraw": amountReader,
  "wapi.subAccountTransfer": amountReader,
  "subAccount.transfer": amountReader,
};

function amountReader(values: ReadonlyMap<string, string>, decimals: number): ApiError | Record<string, never> {
  return amountFault("amount", values.get("amount") ?? "", decimals) ?? {};
}

/** What a gateway does with parameters, in its order. */
function verdict(one: FaultCase): ApiError | "accepted" {
  const { endpoint } = one;
  const { query, body } = completed(one, NOW_MS, sign);
  const parsed = parseRequest(endpoint, query, body);
  if (isApiError(parsed)) return parsed;
  if (isSigned(endpoint.security)) {
    const late = checkTiming(parsed.timestampMs, parsed.recvWindowMs, NOW_MS);
    if (late !== null) return late;
    if (parsed.signature !== sign(parsed.payload)) return INVALID_SIGNATURE;
    if (parsed.unread !== null) return parsed.unread;
  }
  const placed = READERS[endpoint.id]?.(parsed.values, 8, 8) ?? {};
  return isApiError(placed) ? placed : "accepted";
}

const cases = faultCases();

test("every invalid input gets its code and text", () => {
  const wrong: string[] = [];
  for (const one of cases) {
    const got = verdict(one);
    const { expected } = one;
    const isRight =
      expected === "accepted" || got === "accepted"
        ? got === expected
        : got.code === expected.code && (expected.msg === undefined || got.msg === expected.msg);
    if (!isRight) {
      const { endpoint, fault, parameter, placement } = one;
      const where = `${endpoint.method} ${endpoint.paths[0]} ${parameter} ${fault} in ${placement}`;
      wrong.push(`${where}: wanted ${JSON.stringify(expected)}, got ${JSON.stringify(got)}`);
    }
  }
  assert.deepEqual(wrong, []);
});

test("the cases cover every endpoint and parameter, and most of them are rejected", () => {
  for (const endpoint of ENDPOINTS) {
    const names = new Set(cases.filter((one) => one.endpoint === endpoint).map(({ parameter }) => parameter));
    for (const { name } of endpoint.parameters) assert.ok(names.has(name), `${endpoint.id} ${name}`);
    if (isSigned(endpoint.security)) assert.ok(names.has("signature") && names.has("timestamp"), endpoint.id);
  }
  const refused = cases.filter(({ expected }) => expected !== "accepted").length;
  assert.ok(cases.length > 3000 && refused > 2500, `${refused} of ${cases.length}`);
});
