/** The parser, compared with simple implementations on random input. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { ENDPOINTS, isApiError, parseRequest, weightOf } from "@pricetime/protocol";
import fc from "fast-check";
import { endpointOf } from "./endpoint.ts";

const latin1 = fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes).toString("latin1"));
const piece = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom("symbol=BTCUSDT", "limit=5", "orderId=1", "timestamp=1", "recvWindow=1") },
  { weight: 3, arbitrary: fc.constantFrom(`signature=${"a".repeat(64)}`, "signature=", "%73ignature=x", "signature") },
  { weight: 2, arbitrary: fc.constantFrom("", "&", "=", "%", "+", "a=%E9", "side=BUY", "type=LIMIT", "symbols=[]") },
  latin1,
);
const form = fc.array(piece, { maxLength: 8 }).map((pieces) => pieces.join("&"));
const anyEndpoint = fc.constantFrom(...ENDPOINTS);
const CANCEL = endpointOf("DELETE", "/api/v3/order");
const TRADES = endpointOf("GET", "/api/v3/trades");

test("never throws for any bytes", () => {
  fc.assert(
    fc.property(anyEndpoint, form, form, (endpoint, query, body) => {
      const request = parseRequest(endpoint, query, body);
      assert.equal(typeof (isApiError(request) ? request.msg : request.payload), "string");
      const weight = weightOf(endpoint, query, body);
      assert.ok(Number.isInteger(weight) && weight >= 1 && weight <= 100);
    }),
    { numRuns: 5000 },
  );
});

test("characters outside one byte are rejected too", () => {
  fc.assert(
    fc.property(anyEndpoint, fc.string({ unit: "binary" }), fc.string({ unit: "binary" }), (endpoint, query, body) => {
      parseRequest(endpoint, query, body);
    }),
    { numRuns: 2000 },
  );
});

const name = fc.string({ unit: fc.constantFrom(..."abcxyz%+&= é€\u{1f600}"), minLength: 1, maxLength: 4 });
const text = fc.string({ unit: fc.constantFrom(..."019%+&=;# é€\u{1f600}\u0000"), maxLength: 12 });
const pairs = fc.uniqueArray(fc.tuple(name, text), { maxLength: 10, selector: ([key]) => key });
/** Encodings of different clients: everything escaped, as a form, or only what must be. */
const encoders: readonly ((value: string) => string)[] = [
  encodeURIComponent,
  (value) => new URLSearchParams([["", value]]).toString().slice(1),
  (value) => Buffer.from(value.replace(/[%+&=]/g, encodeURIComponent)).toString("latin1"),
];
const encoder = fc.constantFrom(...encoders);

test("valid pairs are parsed as written, and as by URLSearchParams", () => {
  fc.assert(
    fc.property(pairs, encoder, (sent, encode) => {
      const query = [["symbol", "A"] as const, ...sent]
        .map(([key, value]) => `${encode(key)}=${encode(value)}`)
        .join("&");
      const request = parseRequest(TRADES, query, "");
      assert.ok(!isApiError(request), JSON.stringify(request));
      assert.deepEqual(new Map(request.values), new Map([["symbol", "A"], ...sent]));
      if (/^[\x20-\x7e]*$/.test(query)) {
        assert.deepEqual([...request.values], [...new URLSearchParams(query)]);
      }
    }),
    { numRuns: 3000 },
  );
});

/** Splits, filters and joins. */
function slowPayload(part: string): string {
  return part
    .split("&")
    .filter((pair) => decodeURIComponent(pair.split("=")[0] ?? "") !== "signature")
    .join("&");
}

test("the payload has all parts except the signature", () => {
  const plain = fc.constantFrom("a=1", "b=%20", "c", "", "d=2=3", "signature1=x", "e=é");
  const part = fc.uniqueArray(plain, { maxLength: 6 });
  const at = fc.nat(6);
  const signatureName = fc.constantFrom("signature", "%73ignature", "signatur%65");
  let joined = 0;
  fc.assert(
    fc.property(
      part,
      part,
      at,
      at,
      fc.constantFrom("query", "body", "both"),
      signatureName,
      (query, body, i, j, where, key) => {
        const signature = `${key}=${"b".repeat(64)}`;
        const withSignature = (pairsOf: readonly string[], place: number): string[] => {
          const k = Math.min(place, pairsOf.length);
          return [...pairsOf.slice(0, k), signature, ...pairsOf.slice(k)];
        };
        const inQuery = (where === "body" ? query : withSignature(query, i)).concat("symbol=A", "orderId=1").join("&");
        const inBody = (where === "query" ? body : withSignature(body, j)).concat("timestamp=1").join("&");
        const request = parseRequest(CANCEL, toLatin1(inQuery), toLatin1(inBody));
        assert.ok(!isApiError(request), JSON.stringify(request));
        assert.equal(request.payload, toLatin1(slowPayload(inQuery) + slowPayload(inBody)));
        assert.equal(request.signature, "b".repeat(64));
        joined++;
      },
    ),
    { numRuns: 3000 },
  );
  assert.equal(joined, 3000);
});

const toLatin1 = (value: string): string => Buffer.from(value).toString("latin1");
