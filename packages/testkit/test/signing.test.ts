import assert from "node:assert/strict";
import { generateKeyPairSync, verify } from "node:crypto";
import { test } from "node:test";
import { ed25519Key, encode, encodeSigned, hmacKey, payloadOf, sign } from "@pricetime/testkit/client";

/** The example in the interface's documentation since 2017. */
const SECRET = "NhqPtmdSJYdKjVHjA7PZj4Mge3R5YNiP1e3UZjInClVN65XAbvqqM6A7H5fATj0j";
const ORDER = {
  ...{ symbol: "LTCBTC", side: "BUY", type: "LIMIT", timeInForce: "GTC", quantity: 1, price: "0.1" },
  ...{ recvWindow: 5000, timestamp: 1499827319559 },
};
const SIGNATURE = "c8db56825ae71d6d79447849e617115f4a920fa2acdcab2b053c4b2838bd6b71";

test("the signature of the published example is as published", () => {
  assert.equal(sign(SECRET, encode(ORDER)), SIGNATURE);
  assert.equal(encodeSigned(ORDER, SECRET), `${encode(ORDER)}&signature=${SIGNATURE}`);
  assert.equal(hmacKey({ apiKey: "a", secretKey: SECRET }).sign(encode(ORDER)), SIGNATURE);
});

test("values are encoded; calls of the WebSocket API sign them unencoded, sorted by name", () => {
  assert.equal(encode({ b: "x y&z", a: 1 }), "b=x%20y%26z&a=1");
  assert.equal(payloadOf({ b: "x y&z", a: ["B"], c: true }), 'a=["B"]&b=x y&z&c=true');
});

test("the public key verifies signatures of an Ed25519 key", () => {
  const { publicKey, privateKey } = generateKeyPairSync("ed25519");
  const signature = Buffer.from(ed25519Key("a", privateKey).sign("payload"), "base64");
  assert.ok(verify(null, Buffer.from("payload"), publicKey, signature));
});
