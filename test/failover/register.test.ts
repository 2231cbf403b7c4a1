/** The check of each order as a register, with made-up histories: good ones pass, and each bad one is found. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { Findings } from "../../failover/checks/findings.ts";
import { linearize, type Step } from "../../failover/checks/linearize.ts";
import { checkRegisters } from "../../failover/checks/order-register.ts";
import { canceled, cancelRefused, notFound, placed, queried, unknownCancel, unknownPlace } from "./made-up.ts";
import type { Operation } from "../../failover/clients/operation.ts";

function wrong(...operations: Operation[]): string {
  const findings = new Findings();
  checkRegisters(operations, findings);
  return findings.first.join("\n");
}

const isGood = (...operations: Operation[]): void => assert.equal(wrong(...operations), "");
const isBad = (...operations: Operation[]): void => assert.match(wrong(...operations), /not linearizable/);

test("an order's life as told one after another", () => {
  isGood(placed(0, 1), queried(2, 3, "NEW", "0"), queried(4, 5, "PARTIALLY_FILLED", "2"), canceled(6, 7, "2"));
  isGood(placed(0, 1), queried(2, 3, "FILLED", "5"), cancelRefused(4, 5), queried(6, 7, "FILLED", "5"));
  isGood(notFound(0, 1), placed(2, 3), canceled(4, 5, "0"), queried(6, 7, "CANCELED", "0"));
});

test("operations at the same time may be in any order that explains them", () => {
  isGood(placed(0, 10), notFound(1, 2), queried(3, 4, "NEW", "0"));
  isGood(placed(0, 1), canceled(2, 9, "0"), queried(3, 4, "NEW", "0"), queried(5, 6, "CANCELED", "0"));
  isGood(placed(0, 1), canceled(2, 9, "0"), cancelRefused(3, 8));
});

test("an unknown outcome may be at any time after it began, or never", () => {
  isGood(unknownPlace(0, 1), notFound(2, 3), notFound(4, 5));
  isGood(unknownPlace(0, 1), notFound(2, 3), queried(4, 5, "NEW", "0"), canceled(6, 7, "0"));
  isGood(placed(0, 1), unknownCancel(2, 3), queried(4, 5, "NEW", "0"), queried(6, 7, "CANCELED", "1"));
});

test("an acknowledged order that is not found, or not found again", () => {
  isBad(placed(0, 1), notFound(2, 3));
  isBad(placed(0, 10), queried(1, 2, "NEW", "0"), notFound(3, 4));
});

test("an unknown order that comes and goes, or that comes before it was asked for", () => {
  isBad(unknownPlace(0, 1), queried(2, 3, "NEW", "0"), notFound(4, 5));
  isBad(queried(0, 1, "NEW", "0"), unknownPlace(2, 3));
});

test("a read that is stale: behind a cancel, a fill, another read", () => {
  isBad(placed(0, 1), canceled(2, 3, "0"), queried(4, 5, "NEW", "0"));
  isBad(placed(0, 1), queried(2, 3, "PARTIALLY_FILLED", "3"), queried(4, 5, "PARTIALLY_FILLED", "2"));
  isBad(placed(0, 1), unknownCancel(2, 3), queried(4, 5, "CANCELED", "0"), queried(6, 7, "NEW", "0"));
});

test("an answer that says how old it is promises no more than that", () => {
  isGood(placed(0, 1), canceled(2, 3, "0"), { ...queried(4, 5, "NEW", "0"), staleMs: 700 });
  isGood(placed(0, 1), { ...unknownCancel(2, 3), staleMs: 700 }, queried(4, 5, "CANCELED", "0"));
});

test("an order that is cancelled twice, or fills after its cancel, or fills in part and says otherwise", () => {
  isBad(placed(0, 1), canceled(2, 3, "0"), canceled(4, 5, "0"));
  isBad(placed(0, 1), canceled(2, 3, "0"), queried(4, 5, "CANCELED", "1"));
  isBad(placed(0, 1), queried(2, 3, "NEW", "1"));
  isBad(placed(0, 1), canceled(2, 3, "5"));
});

test("a cancel refused though the order is open", () => {
  isBad(placed(0, 1), cancelRefused(2, 3), queried(4, 5, "NEW", "0"));
});

test("the search agrees with one that tries every order", () => {
  // A register of one number: writes, and reads that must see the last; drawn histories are small enough to permute.
  let seed = 1;
  const random = (below: number): number => (seed = (seed * 48_271) % 2_147_483_647) % below;
  const seen = { linearizable: 0, other: 0 };
  for (let round = 0; round < 400; round++) {
    const steps = Array.from({ length: 5 }, (): Step<number> => {
      const beganMs = random(12);
      const value = random(3);
      const isWrite = random(2) === 0;
      const next = (state: number): number | undefined => (isWrite || state === value ? value : undefined);
      return { beganMs, endedMs: beganMs + random(6), isUnknown: isWrite && random(4) === 0, next };
    });
    const expected = bruteForce(steps, 0, []);
    assert.equal(linearize(steps, 0, String) === "linearizable", expected, JSON.stringify(steps));
    seen[expected ? "linearizable" : "other"]++;
  }
  assert.ok(seen.linearizable > 50 && seen.other > 50, JSON.stringify(seen));
});

/** Tries all orders of all subsets that hold every step whose outcome is known. */
function bruteForce(steps: readonly Step<number>[], state: number, done: readonly Step<number>[]): boolean {
  const left = steps.filter((step) => !done.includes(step));
  if (left.every(({ isUnknown }) => isUnknown)) return true;
  return left.some((step) => {
    const mustBeLater = left.some((other) => other !== step && !other.isUnknown && other.endedMs < step.beganMs);
    const after = mustBeLater ? undefined : step.next(state);
    return after !== undefined && bruteForce(steps, after, [...done, step]);
  });
}
