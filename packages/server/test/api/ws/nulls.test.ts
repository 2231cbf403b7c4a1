/** A null parameter counts as not sent, for every method, because serializers write null for omitted values. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { hmacKey, payloadOf } from "@pricetime/testkit/client";
import fc from "fast-check";
import { isApiError, METHODS, parseValues, type KnownEndpoint, type Parameter } from "@pricetime/protocol";
import { type Frame, readFrame } from "../../../src/api/ws-frame.ts";
import { ApiVenue } from "./api-venue.ts";

let venue: ApiVenue;
before(async () => {
  venue = new ApiVenue();
  await venue.listen();
});
after(() => venue.close());

const NAMES = ["recvWindow", "timestamp", "signature", "apiKey", "returnRateLimits", "foreign"];
const LONG = "a".repeat(64);
const SAMPLES: Readonly<Record<string, unknown>> = {
  ...{ symbol: "BTCUSDT", symbols: ["BTCUSDT"], timestamp: 1, recvWindow: 5000, signature: LONG, apiKey: LONG },
  ...{ returnRateLimits: false, foreign: "x", listenKey: LONG },
};

function sampleOf({ name, kind, words }: Pick<Parameter, "name" | "kind"> & { words?: readonly string[] }): unknown {
  return SAMPLES[name] ?? words?.[0] ?? (kind === "boolean" ? true : 1);
}

function frameOf(method: string, params: object): Frame {
  const frame = readFrame(JSON.stringify({ id: 1, method, params }));
  assert.ok(!("error" in frame), JSON.stringify(frame));
  return frame;
}

/** The parameters that the endpoint gets, or why the request is rejected. */
function parsed(endpoint: KnownEndpoint, { values, payload }: Frame): object {
  return parseValues(endpoint, { values, payload, isLoggedOn: false });
}

test("every parameter of every method: null is the same as absent", () => {
  for (const endpoint of METHODS) {
    const all = [...endpoint.parameters, ...NAMES.map((name) => ({ name, kind: "string" as const }))];
    const full = Object.fromEntries(all.map((parameter) => [parameter.name, sampleOf(parameter)]));
    fc.assert(
      fc.property(fc.subarray(Object.keys(full)), fc.subarray(Object.keys(full)), (sent, nulls) => {
        const there = Object.fromEntries(
          sent.filter((name) => !nulls.includes(name)).map((name) => [name, full[name]]),
        );
        const absent = frameOf(endpoint.id, there);
        const withNulls = frameOf(endpoint.id, { ...Object.fromEntries(nulls.map((name) => [name, null])), ...there });
        const { payloadWithNulls, ...frame } = withNulls;
        assert.deepEqual({ ...frame, payloadWithNulls: undefined }, absent);
        assert.equal(payloadWithNulls === undefined, nulls.length === 0);
        assert.deepEqual(parsed(endpoint, withNulls), parsed(endpoint, absent));
      }),
      { numRuns: 30 },
    );
    for (const { name, required, replacedBy } of endpoint.parameters) {
      if (!required) continue;
      const other = replacedBy === undefined ? {} : { [replacedBy]: null };
      const error = parsed(endpoint, frameOf(endpoint.id, { ...full, ...other, [name]: null }));
      assert.ok(isApiError(error) && error.code === -1102 && error.msg.includes(name), `${endpoint.id} ${name}`);
    }
  }
});

const ORDER = { symbol: "BTCUSDT", side: "BUY", type: "LIMIT", timeInForce: "GTC", price: "9000", quantity: "1" };

test("the signature may include or omit the nulls, and nothing else", async () => {
  const client = await venue.connect();
  const { trader } = venue.venue;
  const key = hmacKey(trader);
  const sent = { ...ORDER, timestamp: venue.venue.nowMs, apiKey: trader.apiKey };
  const nulls = { newClientOrderId: null, icebergQty: null, stopPrice: null, recvWindow: null };
  const signedAs = (text: object) => ({ ...sent, ...nulls, signature: key.sign(payloadOf(text as never)) });
  const ids = new Set<unknown>();
  for (const text of [
    sent,
    { ...sent, newClientOrderId: "null", icebergQty: "null", stopPrice: "null", recvWindow: "null" },
  ]) {
    const { status, result, error } = await client.call("order.place", signedAs(text));
    assert.equal(status, 200, JSON.stringify(error));
    assert.match(result.clientOrderId, /^[A-Za-z0-9]{22}$/, "an id is generated, as without the parameter");
    ids.add(result.clientOrderId);
  }
  assert.equal(ids.size, 2);
  const half = await client.call("order.place", signedAs({ ...sent, newClientOrderId: "null" }));
  assert.equal(half.error.code, -1022);
});

test("null params count as none, and a mandatory parameter that is null is missing", async () => {
  const client = await venue.connect();
  assert.deepEqual((await client.raw('{"id":null,"method":"ping","params":null}')).result, {});
  const { error } = await client.call("depth", { symbol: null });
  assert.deepEqual([error.code, error.msg.includes("'symbol'")], [-1102, true]);
});

test("a signed logon with nulls is valid on one connection, however its nulls are written", async () => {
  const [owner, thief] = [await venue.connect(), await venue.connect()];
  const { trader } = venue.venue;
  const key = hmacKey(trader);
  const method = "userDataStream.subscribe.signature";
  for (const signsNulls of [false, true]) {
    venue.venue.nowMs += 1;
    const params = { apiKey: trader.apiKey, timestamp: venue.venue.nowMs };
    const text = signsNulls ? { ...params, recvWindow: "null" } : params;
    const frame = { ...params, recvWindow: null, signature: key.sign(payloadOf(text)) };
    assert.equal((await owner.call(method, frame as never)).status, 200);
    for (const copy of [frame, { ...frame, foreign: null }, { ...frame, recvWindow: undefined }]) {
      assert.equal((await thief.call(method, copy as never)).error.code, -1022);
    }
  }
});
