/** Grouping of addresses where clients are counted. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { Dice } from "@pricetime/testkit/dice";
import { CountByNetwork, networkOf, normaliseIp } from "../../../src/api/edge/client-address.ts";
import { IpLimiter } from "../../../src/api/edge/rate-limits.ts";
import { DEFAULT_LIMITS } from "../../../src/api/edge/rate-limit-rules.ts";
import { Attempts } from "../../../src/api/edge/sockets/sockets.ts";
import { STREAM_LIMITS } from "../../../src/api/edge/limits.ts";
import { NOTHING_SAVED } from "../../../src/platform/world/port.ts";

const START_MS = 1_614_834_367_000;

test("IPv4 by address, including mapped ones; IPv6 by /64", () => {
  const table: readonly (readonly [address: string, network: string])[] = [
    ["203.0.113.7", "203.0.113.7"],
    ["::ffff:203.0.113.7", "203.0.113.7"],
    ["::ffff:cb00:7107", "203.0.113.7"],
    ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
    ["2001:DB8:1:2::", "2001:db8:1:2::/64"],
    ["2001:db8:1:2::9", "2001:db8:1:2::/64"],
    ["2001:db8::9", "2001:db8:0:0::/64"],
    ["2001:db8:0:0:1::9", "2001:db8:0:0::/64"],
    ["2001::5:6:7:8", "2001:0:0:0::/64"],
    ["1::4:5:6:7:8", "1:0:0:4::/64"],
    ["::1", "0:0:0:0::/64"],
    ["::", "0:0:0:0::/64"],
    ["::1.2.3.4", "0:0:0:0::/64"],
    ["", ""],
  ];
  for (const [address, network] of table) assert.equal(networkOf(normaliseIp(address)), network, address);
});

test("the first four hextets of any shortened IPv6 address", () => {
  const random = new Dice(1);
  const part = (): number => random.pick([0, 0, 1, 0xdb8, 0xffff]) ?? 0;
  for (let n = 0; n < 20_000; n++) {
    const parts = [0x2001, ...Array.from({ length: 7 }, part)].map((each) => each.toString(16));
    assert.equal(networkOf(normaliseIp(parts.join(":"))), `${parts.slice(0, 4).join(":")}::/64`, parts.join(":"));
  }
});

test("2,000 addresses of one /64 count as one for weights, bans, connections and attempts; a neighboring /64 is another", () => {
  const address = (n: number) => normaliseIp(`2001:db8:1:2::${n.toString(16)}`);
  const limiter = new IpLimiter(DEFAULT_LIMITS, NOTHING_SAVED);
  const attempts = new Attempts(STREAM_LIMITS, NOTHING_SAVED);
  const open = new CountByNetwork();
  let banned = false;
  let attempted = 0;
  for (let n = 0; n < 2000; n++) {
    banned ||= limiter.count(limiter.record(address(n), START_MS), 1, START_MS)?.kind === "ban";
    if (attempts.take(address(n), START_MS)) attempted++;
    open.add(address(n));
  }
  assert.deepEqual([banned, limiter.trackedIps, attempted], [true, 1, STREAM_LIMITS.maxAttempts]);
  assert.deepEqual([open.of(address(9999)), open.size], [2000, 1]);
  assert.equal(limiter.banOf(address(9999), START_MS)?.kind, "ban");
  const neighbour = "2001:db8:1:3::1";
  assert.equal(limiter.banOf(neighbour, START_MS), null);
  assert.equal(limiter.count(limiter.record(neighbour, START_MS), 1, START_MS), null);
  assert.ok(attempts.take(neighbour, START_MS));
  for (let n = 0; n < 2000; n++) open.remove(address(n));
  assert.equal(open.size, 0);
});
