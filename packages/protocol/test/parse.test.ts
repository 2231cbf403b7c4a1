/** The signed text, precedence of parameters, and which of several errors is reported. Interface 7.7, 5.5. */
import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { test } from "node:test";
import { isApiError, type KnownEndpoint, MAX_PARAMETERS, type ParsedRequest, parseRequest } from "@pricetime/protocol";
import { scanPart } from "../src/scan.ts";
import { endpointOf } from "./endpoint.ts";

const PLACE = endpointOf("POST", "/api/v3/order");
const STATUS = endpointOf("GET", "/api/v3/order");
const CANCEL = endpointOf("DELETE", "/api/v3/order");
const TRADES = endpointOf("GET", "/api/v3/trades");
const PING_STREAM = endpointOf("PUT", "/api/v3/userDataStream");
const SIGNATURE = "c8db56825ae71d6d79447849e617115f4a920fa2acdcab2b053c4b2838bd6b71";

function parsed(endpoint: KnownEndpoint, query: string, body = ""): ParsedRequest {
  const request = parseRequest(endpoint, query, body);
  assert.ok(!isApiError(request), JSON.stringify(request));
  return request;
}

function refused(endpoint: KnownEndpoint, query: string, body = ""): [code: number, msg: string] {
  const error = parseRequest(endpoint, query, body);
  assert.ok(isApiError(error), `accepted: ${query} ${body}`);
  return [error.code, error.msg];
}

test("the original interface's signature examples, with the signature at any position", () => {
  const secret = "NhqPtmdSJYdKjVHjA7PZj4Mge3R5YNiP1e3UZjInClVN65XAbvqqM6A7H5fATj0j";
  const query = "symbol=LTCBTC&side=BUY&type=LIMIT&timeInForce=GTC";
  const rest = "quantity=1&price=0.1&recvWindow=5000&timestamp=1499827319559";
  const whole = `${query}&${rest}`;
  const mixed = "0fd168b8ddb4876a0358a8d14d0c9f3da0e9b20c5d52b2a00fcf7d1c602f9a77";
  const sent: readonly (readonly [query: string, body: string, signature: string])[] = [
    [`${whole}&signature=${SIGNATURE}`, "", SIGNATURE],
    ["", `${whole}&signature=${SIGNATURE}`, SIGNATURE],
    [`signature=${SIGNATURE}`, whole, SIGNATURE],
    [`signature=${SIGNATURE}&${whole}`, "", SIGNATURE],
    [`${query}&signature=${SIGNATURE}&${rest}`, "", SIGNATURE],
    [whole, `signature=${SIGNATURE}`, SIGNATURE],
    [query, `${rest}&signature=${mixed}`, mixed],
    [`${query}&signature=${mixed}`, rest, mixed],
    [query, `signature=${mixed}&${rest}`, mixed],
  ];
  for (const [inQuery, inBody, signature] of sent) {
    const request = parsed(PLACE, inQuery, inBody);
    assert.equal(request.signature, signature);
    assert.equal(createHmac("sha256", secret).update(request.payload, "latin1").digest("hex"), signature);
    assert.equal(request.timestampMs, 1499827319559);
    assert.equal(request.recvWindowMs, 5000);
    assert.equal(request.unread, null);
  }
});

test("the payload is the received text without the signature, including escapes and empty pairs", () => {
  const s = `signature=${SIGNATURE}`;
  const open = "symbol=A&orderId=1";
  const joints: readonly (readonly [query: string, body: string, payload: string])[] = [
    [`${open}&timestamp=1&${s}`, "", `${open}&timestamp=1`],
    [`${s}&${open}&timestamp=1`, "", `${open}&timestamp=1`],
    [`${open}&${s}&timestamp=1`, "", `${open}&timestamp=1`],
    [`${open}&timestamp=1&&${s}`, "", `${open}&timestamp=1&`],
    [`${open}&timestamp=1&${s}&`, "", `${open}&timestamp=1&`],
    [s, `${open}&timestamp=1`, `${open}&timestamp=1`],
    [`${s}&`, `${open}&timestamp=1`, `${open}&timestamp=1`],
    [`&${s}`, `${open}&timestamp=1`, `${open}&timestamp=1`],
    [`${open}&${s}`, "timestamp=1", `${open}timestamp=1`],
    [`${open}&${s}`, `${s}&timestamp=1`, `${open}timestamp=1`],
    [`a=%5b+%E2%82%AC\xc3\xa9&${open}&timestamp=1&${s}`, "", `a=%5b+%E2%82%AC\xc3\xa9&${open}&timestamp=1`],
    [`%73ignature=${SIGNATURE}&${open}&timestamp=1`, "", `${open}&timestamp=1`],
    [`signatures=1&xsignature=2&${open}&timestamp=1&${s}`, "", `signatures=1&xsignature=2&${open}&timestamp=1`],
  ];
  for (const [query, body, payload] of joints) assert.equal(parsed(CANCEL, query, body).payload, payload, query);
});

test("the query wins over the body", () => {
  const { values } = parsed(PING_STREAM, "listenKey=query", "listenKey=body&other=body");
  assert.deepEqual(
    [...values],
    [
      ["listenKey", "query"],
      ["other", "body"],
    ],
  );
});

test("the body of a GET is not read", () => {
  assert.deepEqual(refused(TRADES, "", "symbol=BTCUSDT"), [
    -1102,
    "Mandatory parameter 'symbol' was not sent, was empty/null, or malformed.",
  ]);
  const { payload } = parsed(STATUS, `symbol=A&orderId=1&timestamp=1&signature=${SIGNATURE}`, "limit=1");
  assert.equal(payload, "symbol=A&orderId=1&timestamp=1");
});

test("values are decoded once: percent, plus and UTF-8", () => {
  const { values } = parsed(
    TRADES,
    "symbol=BTC%55SDT&a=%2541&b=x+y%2Bz&c=%E2%82%AC&d=\xe2\x82\xac&e=1=2&f&=g&%61%62=h",
  );
  assert.deepEqual(Object.fromEntries(values), {
    symbol: "BTCUSDT",
    a: "%41",
    b: "x y+z",
    c: "€",
    d: "€",
    e: "1=2",
    f: "",
    "": "g",
    ab: "h",
  });
});

test("public endpoints ignore unknown parameters, signed ones reject them", () => {
  assert.equal(parsed(TRADES, "symbol=A&_=1&timestamp=x&recvWindow=y&signature=z").unread, null);
  assert.equal(parsed(PING_STREAM, "listenKey=a&timestamp=x&signature=z").unread, null);
  const signed = `symbol=A&orderId=1&timestamp=1&signature=${SIGNATURE}`;
  assert.deepEqual(parsed(STATUS, `${signed}&a=1&b=2`).unread, {
    code: -1104,
    msg: "Not all sent parameters were read; read '4' parameter(s) but was sent '6'.",
    status: 400,
  });
  assert.equal(
    parsed(CANCEL, signed, "a=1&recvWindow=1&symbol=B").unread?.msg,
    "Not all sent parameters were read; read '5' parameter(s) but was sent '6'.",
  );
});

test("of several errors, the first in the interface's order is reported", () => {
  const illegal = "symbol=btc";
  const twice = "orderId=1&orderId=2";
  const empty = "origClientOrderId=";
  const all = [illegal, twice, empty, "unknown=1"];
  assert.equal(refused(STATUS, all.join("&"))[0], -1100);
  assert.equal(refused(STATUS, all.slice(1).join("&"))[0], -1101);
  assert.equal(refused(STATUS, "symbol=A&orderId=1&origClientOrderId=&unknown=1")[0], -1102);
  const signed = `timestamp=1&signature=${SIGNATURE}`;
  assert.equal(refused(STATUS, `symbol=A&orderId=1&origClientOrderId=&unknown=1&${signed}`)[0], -1105);
  assert.equal(parsed(STATUS, `symbol=A&orderId=1&unknown=1&${signed}`).unread?.code, -1104);
  // Errors of words and limits come after those of illegal and missing values.
  assert.equal(refused(PLACE, `side=X&type=LIMIT&${signed}`)[0], -1102);
  assert.equal(refused(PLACE, `symbol=A&side=X&type=LIMIT&${signed}&price=a`)[0], -1100);
  assert.equal(refused(PLACE, `symbol=A&side=X&type=Y&${signed}`)[0], -1117);
});

test("one of two ids must be sent and not be empty", () => {
  const text = "Param 'origClientOrderId' or 'orderId' must be sent, but both were empty/null!";
  const signed = `symbol=A&timestamp=1&signature=${SIGNATURE}`;
  for (const endpoint of [STATUS, CANCEL]) {
    assert.deepEqual(refused(endpoint, signed), [-1102, text]);
    assert.deepEqual(refused(endpoint, `${signed}&orderId=&origClientOrderId=`), [-1102, text]);
    assert.equal(refused(endpoint, `${signed}&orderId=&origClientOrderId=a`)[0], -1105);
    assert.equal(parsed(endpoint, `${signed}&orderId=1&origClientOrderId=a`).unread, null);
  }
});

test("a limited number of parameters is accepted", () => {
  const many = (count: number): string => Array.from({ length: count }, (_, i) => `p${i}=1`).join("&");
  const { values } = parsed(PING_STREAM, `listenKey=a&${many(60)}`, many(MAX_PARAMETERS - 61));
  assert.equal(values.size, 61);
  assert.equal(refused(PING_STREAM, `listenKey=a&${many(60)}`, many(MAX_PARAMETERS - 60))[0], -1101);
  assert.equal(refused(PING_STREAM, `listenKey=a&${many(100_000)}`)[0], -1101);
});

test("a repeatable parameter has all its values", () => {
  const endpoint: KnownEndpoint = {
    ...PING_STREAM,
    parameters: [{ name: "asset", kind: "symbol", required: true, repeated: true }],
  };
  assert.equal(parsed(endpoint, "asset=A&asset=B&asset=C").values.get("asset"), "A,B,C");
  assert.equal(refused(endpoint, "asset=A&asset=b")[0], -1100);
  assert.equal(refused(endpoint, "asset=A&asset=B&x=1&x=1")[0], -1101);
});

test("names of object members are ordinary parameter names", () => {
  const { values } = parsed(TRADES, "symbol=A&__proto__=1&constructor=2&toString=3&hasOwnProperty=4");
  assert.equal(values.get("__proto__"), "1");
  assert.equal(values.get("valueOf"), undefined);
  assert.equal(({} as Record<string, unknown>)["1"], undefined);
});

test("parsing stops after the maximum number of parameters", () => {
  const body = Array.from({ length: 4_000 }, (_, i) => `${i}=`).join("&");
  assert.equal(scanPart(body, new Set()).count, MAX_PARAMETERS + 1);
});
