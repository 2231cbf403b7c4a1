/** The saved state of the edge: parts created from it behave the same under random traffic. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Dice } from "@pricetime/testkit/dice";
import { SpentSignatures } from "../../../src/api/edge/authentication.ts";
import { BAN_LADDER_MS, IpLimiter, OrderLimiter } from "../../../src/api/edge/rate-limits.ts";
import { DEFAULT_LIMITS, type LimitsConfig } from "../../../src/api/edge/rate-limit-rules.ts";
import { Attempts } from "../../../src/api/edge/sockets/sockets.ts";
import { STREAM_LIMITS } from "../../../src/api/edge/limits.ts";
import { goesOn, restoring, type Step } from "../../platform/world/goes-on.ts";

const address = (dice: Dice): string => `10.0.0.${dice.below(6)}`;

test("limits of addresses: counts, bans, and which address is dropped first", () => {
  const config: LimitsConfig = { ...DEFAULT_LIMITS, maxTrackedIps: 4 };
  const seen = new Set<string>();
  const step: Step<IpLimiter> = (limiter, dice, nowMs) => {
    const ip = address(dice);
    if (dice.oneIn(10)) return [limiter.bans(nowMs), limiter.banOf(ip, nowMs), limiter.trackedIps];
    if (dice.oneIn(50)) limiter.takeBans({ [address(dice)]: nowMs + dice.below(BAN_LADDER_MS[1] as number) }, nowMs);
    const refusal = limiter.count(limiter.record(ip, nowMs), dice.between(0, 400), nowMs);
    seen.add(refusal?.kind ?? "taken");
    return refusal;
  };
  goesOn((saved) => new IpLimiter(config, saved), step, 20_000);
  assert.deepEqual([...seen].sort(), ["ban", "limit", "taken"]);
});

test("limits of orders: unknown outcomes count until the end of their window", () => {
  const seen = new Set<string>();
  const step: Step<OrderLimiter> = (limiter, dice, nowMs) => {
    const [accountId, orders] = [dice.below(4), dice.between(1, 9)];
    const counts = limiter.reserve(accountId, orders, nowMs);
    seen.add("rule" in counts ? "refused" : "taken");
    if ("rule" in counts) return counts;
    if (dice.oneIn(2)) limiter.releaseUnknown(accountId, orders, nowMs);
    else limiter.release(accountId, orders);
    return counts;
  };
  goesOn((saved) => new OrderLimiter(DEFAULT_LIMITS, () => ({ ordersInWindow: () => 3 }), saved), step, 2_000);
  assert.deepEqual([...seen].sort(), ["refused", "taken"]);
});

test("signatures: used ones are invalid, and the number per key is bounded", () => {
  const limits = { maxSpent: 60, maxSpentOfKey: 25 };
  const seen = new Set<string>();
  const step: Step<SpentSignatures> = (spent, dice, nowMs) => {
    const lastMs = nowMs - (nowMs % 4_000) + dice.below(3) * 5_000;
    const signed = { apiKey: `key${dice.below(4)}`, payload: `p${dice.below(20)}`, lastMs, session: {} };
    const outcome = spent.spend(signed, nowMs);
    seen.add(outcome);
    return [outcome, spent.size];
  };
  goesOn((saved) => new SpentSignatures(saved, limits), step, 200);
  assert.deepEqual([...seen].sort(), ["full", "new", "spent"]);
});

test("connection attempts", () => {
  const limits = { ...STREAM_LIMITS, maxAttempts: 3, maxTrackedIps: 5 };
  const seen = new Set<boolean>();
  const step: Step<Attempts> = (attempts, dice, nowMs) => {
    const isTaken = attempts.take(address(dice), nowMs);
    seen.add(isTaken);
    return [isTaken, attempts.retryAfterSeconds(nowMs)];
  };
  goesOn((saved) => new Attempts(limits, saved), step, 1_000);
  assert.equal(seen.size, 2);
});

test("counts of other windows than those of the node are rejected", () => {
  const windows = (windowsMs: number[]): unknown =>
    new IpLimiter(DEFAULT_LIMITS, restoring({ "gateway/addresses": { windowsMs, records: [], bannedUntil: [] } }));
  assert.throws(() => windows([1]), /counts in windows of 1 ms, and this node in 60000 ms, 300000 ms/);
  const attempts = restoring({ "streams/attempts": { windowMs: 5, counters: [] } });
  assert.throws(() => new Attempts(STREAM_LIMITS, attempts), /attempts in 5 ms/);
});
