import assert from "node:assert/strict";
import { test } from "node:test";
import { normaliseIp, TrustedProxies } from "../../../src/api/edge/client-address.ts";

test("addresses are normalized", () => {
  const table: readonly [string, string][] = [
    ["127.0.0.1", "127.0.0.1"],
    ["::ffff:127.0.0.1", "127.0.0.1"],
    ["::FFFF:7f00:1", "127.0.0.1"],
    ["0:0:0:0:0:0:0:1", "::1"],
    ["2001:DB8:0::1", "2001:db8::1"],
    ["unknown", ""],
    ["", ""],
    ["1.2.3.4:80", ""],
    ["1.2.3.999", ""],
  ];
  for (const [written, expected] of table) assert.equal(normaliseIp(written), expected, written);
});

test("X-Forwarded-For counts only from a trusted proxy, and only up to the first untrusted address", () => {
  const proxies = new TrustedProxies(["10.0.0.0/8", "fd00::1"]);
  const table: readonly [string, string | string[] | undefined, string][] = [
    ["9.9.9.9", "1.1.1.1", "9.9.9.9"],
    ["10.0.0.1", undefined, "10.0.0.1"],
    ["10.0.0.1", "1.1.1.1", "1.1.1.1"],
    ["::ffff:10.0.0.1", "1.1.1.1", "1.1.1.1"],
    ["fd00::1", "2001:DB8::1", "2001:db8::1"],
    ["fd00::2", "1.1.1.1", "fd00::2"],
    ["10.0.0.1", "6.6.6.6, 1.1.1.1", "1.1.1.1"],
    ["10.0.0.1", "1.1.1.1, 10.2.2.2", "1.1.1.1"],
    ["10.0.0.1", ["6.6.6.6", "1.1.1.1 , 10.2.2.2"], "1.1.1.1"],
    ["10.0.0.1", "1.1.1.1, garbage, 10.2.2.2", "10.2.2.2"],
    ["10.0.0.1", "10.3.3.3, 10.2.2.2", "10.3.3.3"],
    ["10.0.0.1", "", "10.0.0.1"],
  ];
  for (const [peer, forwarded, expected] of table) {
    assert.equal(proxies.clientIp(peer, forwarded), expected, `${peer} says ${String(forwarded)}`);
  }
  assert.equal(new TrustedProxies([]).clientIp("10.0.0.1", "1.1.1.1"), "10.0.0.1");
});

test("an invalid proxy address is rejected", () => {
  for (const entry of ["proxy.example", "10.0.0.0/33", "10.0.0.0/8/8", "::1/129", "10.0.0.0/", ""]) {
    assert.throws(() => new TrustedProxies([entry]), RangeError, entry);
  }
});
