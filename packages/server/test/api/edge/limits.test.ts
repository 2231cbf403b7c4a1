/** Windows, bans and order counts, as tables. Interface 8.1, 8.5 and S.17. */
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  BAN_FORGIVEN_AFTER_MS,
  BAN_LADDER_MS,
  BanRecord,
  IpLimiter,
  LimitHeaders,
  OrderLimiter,
} from "../../../src/api/edge/rate-limits.ts";
import { DEFAULT_LIMITS, secondsToWindowEnd, WindowCounter } from "../../../src/api/edge/rate-limit-rules.ts";
import { NOTHING_SAVED } from "../../../src/platform/world/port.ts";

/** 2021-01-01T00:00:00Z: the start of a day, hence of every window. */
const DAY_START_MS = 1_609_459_200_000;
const MINUTE_MS = 60_000;

const spend = (limiter: IpLimiter, ip: string, weight: number, nowMs: number) =>
  limiter.count(limiter.record(ip, nowMs), weight, nowMs);

test("a window is a calendar window, not a sliding one", () => {
  const counter = new WindowCounter(1000);
  assert.equal(counter.add(3, DAY_START_MS + 999), 3);
  assert.equal(counter.used(DAY_START_MS + 999), 3);
  assert.equal(counter.used(DAY_START_MS + 1000), 0);
  assert.equal(counter.add(1, DAY_START_MS + 1000), 1);
});

test("undoing a count in a later window has no effect", () => {
  const counter = new WindowCounter(1000);
  counter.add(1, DAY_START_MS);
  counter.add(1, DAY_START_MS + 1000);
  counter.takeBack(1, DAY_START_MS);
  assert.equal(counter.used(DAY_START_MS + 1000), 1);
  counter.takeBack(1, DAY_START_MS + 1500);
  assert.equal(counter.used(DAY_START_MS + 1000), 0);
});

test("weight: the limit itself passes, one more is 429 until the minute ends", () => {
  const limiter = new IpLimiter(DEFAULT_LIMITS, NOTHING_SAVED);
  const nowMs = DAY_START_MS + 45_500;
  assert.equal(spend(limiter, "1.1.1.1", 1200, nowMs), null);
  const refusal = spend(limiter, "1.1.1.1", 1, nowMs);
  assert.deepEqual(refusal, { kind: "limit", rule: limiter.rules[0], retryAfterSeconds: 15 });
  assert.equal(spend(limiter, "2.2.2.2", 1, nowMs), null, "another address is not touched");
  assert.equal(spend(limiter, "1.1.1.1", 1, DAY_START_MS + MINUTE_MS), null, "the next minute is free");
});

test("raw requests are counted regardless of their weight", () => {
  const limiter = new IpLimiter(DEFAULT_LIMITS, NOTHING_SAVED);
  for (let i = 0; i < 5000; i++) {
    assert.equal(spend(limiter, "1.1.1.1", 0, DAY_START_MS + Math.floor(i / 1000) * MINUTE_MS), null);
  }
  const refusal = spend(limiter, "1.1.1.1", 0, DAY_START_MS + 4 * MINUTE_MS);
  assert.equal(refusal?.kind === "limit" && refusal.rule.rateLimitType, "RAW_REQUESTS");
  assert.equal(refusal?.retryAfterSeconds, 60);
});

test("continuing after 429 leads to a ban, and each ban is longer", () => {
  const limiter = new IpLimiter(DEFAULT_LIMITS, NOTHING_SAVED);
  let nowMs = DAY_START_MS;
  for (const banMs of [...BAN_LADDER_MS, BAN_LADDER_MS.at(-1) as number]) {
    assert.equal(spend(limiter, "1.1.1.1", 1200, nowMs), null);
    assert.equal(spend(limiter, "1.1.1.1", 599, nowMs)?.kind, "limit", "1799 is still below one and a half");
    const refusal = spend(limiter, "1.1.1.1", 1, nowMs);
    assert.deepEqual(refusal, { kind: "ban", untilMs: nowMs + banMs, retryAfterSeconds: banMs / 1000 });
    assert.equal(spend(limiter, "1.1.1.1", 1, nowMs + banMs - 1)?.kind, "ban");
    nowMs += banMs;
    assert.equal(nowMs % MINUTE_MS, 0);
  }
});

test("bans are forgiven after a long time", () => {
  const record = new BanRecord();
  const firstEndsMs = record.ban(DAY_START_MS);
  assert.equal(firstEndsMs, DAY_START_MS + (BAN_LADDER_MS[0] as number));
  const secondStartsMs = firstEndsMs + BAN_FORGIVEN_AFTER_MS;
  assert.equal(record.ban(secondStartsMs), secondStartsMs + (BAN_LADDER_MS[1] as number));
  const thirdStartsMs = record.untilMs + BAN_FORGIVEN_AFTER_MS + 1;
  assert.equal(record.ban(thirdStartsMs), thirdStartsMs + (BAN_LADDER_MS[0] as number));
});

test("the number of tracked addresses is bounded: the one idle longest is dropped, a banned one stays", () => {
  const limiter = new IpLimiter({ ...DEFAULT_LIMITS, maxTrackedIps: 3 }, NOTHING_SAVED);
  spend(limiter, "banned", 1800, DAY_START_MS);
  spend(limiter, "a", 1200, DAY_START_MS);
  spend(limiter, "b", 1200, DAY_START_MS);
  spend(limiter, "a", 0, DAY_START_MS + 1000);
  spend(limiter, "c", 1, DAY_START_MS + 1000);
  assert.equal(limiter.trackedIps, 3);
  assert.equal(spend(limiter, "banned", 1, DAY_START_MS + 1000)?.kind, "ban");
  assert.equal(spend(limiter, "a", 1, DAY_START_MS + 1000)?.kind, "limit", "a was used after b");
  assert.equal(spend(limiter, "b", 1, DAY_START_MS + 1000), null, "b was forgotten");
});

test("limits off: counted, never rejected", () => {
  const limiter = new IpLimiter({ ...DEFAULT_LIMITS, enabled: false }, NOTHING_SAVED);
  assert.equal(spend(limiter, "1.1.1.1", 100_000, DAY_START_MS), null);
  assert.equal(spend(limiter, "1.1.1.1", 1, DAY_START_MS), null);
  assert.equal(limiter.record("1.1.1.1", DAY_START_MS).counters[0]?.used(DAY_START_MS), 100_001);
  const orders = new OrderLimiter({ ...DEFAULT_LIMITS, enabled: false }, () => new Journal(), NOTHING_SAVED);
  assert.deepEqual(orders.reserve(100, 200_000, DAY_START_MS), [200_000, 200_000]);
});

/** Journaled orders of one account. The test sets the clock. */
class Journal {
  readonly placed: number[] = [];

  ordersInWindow(accountId: number, windowMs: number, nowMs: number): number {
    const startMs = nowMs - (nowMs % windowMs);
    return accountId === 100 ? this.placed.filter((timeMs) => timeMs >= startMs).length : 0;
  }
}

function placed(limiter: OrderLimiter, journal: Journal, orders: number, nowMs: number): unknown {
  const reserved = limiter.reserve(100, orders, nowMs);
  if ("rule" in reserved) return reserved;
  for (let i = 0; i < orders; i++) journal.placed.push(nowMs);
  limiter.release(100, orders);
  return reserved;
}

test("orders: ten a second for each account, in flight or journaled; rejected ones are released", () => {
  const journal = new Journal();
  const limiter = new OrderLimiter(DEFAULT_LIMITS, () => journal, NOTHING_SAVED);
  const nowMs = DAY_START_MS + 250;
  for (let i = 1; i <= 4; i++) assert.deepEqual(placed(limiter, journal, 1, nowMs), [i, i]);
  for (let i = 5; i <= 10; i++) assert.deepEqual(limiter.reserve(100, 1, nowMs), [i, i]);
  const refusal = { rule: limiter.rules[0], retryAfterSeconds: 1 };
  assert.deepEqual(limiter.reserve(100, 1, nowMs), refusal);
  assert.deepEqual(limiter.reserve(101, 1, nowMs), [1, 1], "another account is not touched");
  limiter.release(100, 1);
  assert.deepEqual(limiter.reserve(100, 2, nowMs), refusal, "two do not fit where one does");
  assert.deepEqual(limiter.reserve(100, 1, nowMs), [10, 10]);
  assert.deepEqual(limiter.reserve(100, 1, DAY_START_MS + 1000), [7, 11], "what is on its way comes later than now");
  limiter.release(100, 7);
  assert.deepEqual(limiter.reserve(100, 1, DAY_START_MS + 1000), [1, 5]);
});

test("orders: an unknown outcome counts until the end of the window", () => {
  const journal = new Journal();
  const limiter = new OrderLimiter(DEFAULT_LIMITS, () => journal, NOTHING_SAVED);
  limiter.reserve(100, 2, DAY_START_MS);
  limiter.releaseUnknown(100, 2, DAY_START_MS);
  assert.deepEqual(placed(limiter, journal, 1, DAY_START_MS + 5), [3, 3]);
  assert.deepEqual(placed(limiter, journal, 1, DAY_START_MS + 1000), [1, 4]);
  assert.deepEqual(placed(limiter, journal, 1, DAY_START_MS + 86_400_000), [1, 1]);
});

test("orders: nodes of one journal count each other's; only orders in flight can exceed the limit", () => {
  const journal = new Journal();
  const nodes = [1, 2, 3].map(() => new OrderLimiter(DEFAULT_LIMITS, () => journal, NOTHING_SAVED));
  const nowMs = DAY_START_MS + 250;
  const accepted = (): number => nodes.filter((node) => !("rule" in node.reserve(100, 1, nowMs))).length;
  for (let i = 0; i < 9; i++) placed(nodes[i % 3]!, journal, 1, nowMs);
  assert.equal(accepted(), 3, "each has room for the tenth");
  assert.equal(accepted(), 0);
  for (const node of nodes) {
    journal.placed.push(nowMs);
    node.release(100, 1);
  }
  assert.equal(accepted(), 0);
  assert.equal(journal.ordersInWindow(100, 1000, nowMs), 12);
});

test("orders: the daily limit", () => {
  const journal = { ordersInWindow: (_account: number, windowMs: number) => (windowMs === 1000 ? 0 : 99_990) };
  const limiter = new OrderLimiter(DEFAULT_LIMITS, () => journal, NOTHING_SAVED);
  assert.deepEqual(limiter.reserve(100, 10, DAY_START_MS + 9_999_000), [10, 100_000]);
  limiter.release(100, 10);
  const refusal = limiter.reserve(100, 11, DAY_START_MS + 10_000_000);
  assert.deepEqual(refusal, { rule: limiter.rules[0], retryAfterSeconds: 1 });
  for (let i = 0; i < 10; i++) limiter.reserve(100, 1, DAY_START_MS + 10_000_000);
  const dayOver = { ordersInWindow: (_account: number, windowMs: number) => (windowMs === 1000 ? 0 : 100_000) };
  assert.deepEqual(
    new OrderLimiter(DEFAULT_LIMITS, () => dayOver, NOTHING_SAVED).reserve(100, 1, DAY_START_MS + 10_000_000),
    {
      rule: limiter.rules[1],
      retryAfterSeconds: 76_400,
    },
  );
});

test("Retry-After is never zero seconds", () => {
  const rule = { rateLimitType: "ORDERS", interval: "SECOND", intervalNum: 1, limit: 1 } as const;
  assert.equal(secondsToWindowEnd(rule, DAY_START_MS), 1);
  assert.equal(secondsToWindowEnd(rule, DAY_START_MS + 999), 1);
});

test("headers: weight with and without its window, order counts by window", () => {
  const ips = new IpLimiter(DEFAULT_LIMITS, NOTHING_SAVED);
  const orders = new OrderLimiter(DEFAULT_LIMITS, () => new Journal(), NOTHING_SAVED);
  const names = new LimitHeaders(ips.rules, orders.rules);
  spend(ips, "1.1.1.1", 42, DAY_START_MS);
  const counts = orders.reserve(100, 3, DAY_START_MS);
  assert(!("rule" in counts));
  const headers: string[] = [];
  names.pushWeights(headers, ips.record("1.1.1.1", DAY_START_MS), DAY_START_MS);
  names.pushOrderCounts(headers, counts);
  const written = "x-mbx-used-weight 42 x-mbx-used-weight-1m 42 x-mbx-order-count-1s 3 x-mbx-order-count-1d 3";
  assert.equal(headers.join(" "), written);
});

test("bans are sent to other nodes, which enforce them until they end", () => {
  const [one, other] = [new IpLimiter(DEFAULT_LIMITS, NOTHING_SAVED), new IpLimiter(DEFAULT_LIMITS, NOTHING_SAVED)];
  const nowMs = DAY_START_MS;
  for (const weight of [1200, 600]) spend(one, "1.1.1.1", weight, nowMs);
  const told = one.bans(nowMs);
  const [banMs = 0] = BAN_LADDER_MS;
  assert.deepEqual(told, { "1.1.1.1": nowMs + banMs });
  assert.equal(other.banOf("1.1.1.1", nowMs), null);
  other.takeBans(told, nowMs);
  assert.equal(other.banOf("1.1.1.1", nowMs)?.kind, "ban");
  assert.equal(spend(other, "1.1.1.1", 1, nowMs)?.kind, "ban");
  assert.deepEqual(other.bans(nowMs), told, "it tells them too: the first may be gone");
  other.takeBans(told, nowMs + banMs);
  assert.equal(spend(other, "1.1.1.1", 1, nowMs + banMs), null);
  assert.deepEqual([one.bans(nowMs + banMs), other.bans(nowMs + banMs)], [{}, {}]);
});

test("the next ban after a ban by another node is the second", () => {
  const limiter = new IpLimiter(DEFAULT_LIMITS, NOTHING_SAVED);
  limiter.takeBans({ "1.1.1.1": DAY_START_MS + 1 }, DAY_START_MS);
  const nowMs = DAY_START_MS + MINUTE_MS;
  for (const weight of [1200, 600]) spend(limiter, "1.1.1.1", weight, nowMs);
  assert.deepEqual(limiter.bans(nowMs), { "1.1.1.1": nowMs + (BAN_LADDER_MS[1] ?? 0) });
});
