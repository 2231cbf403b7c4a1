/** The scenarios of self-trade prevention find bugs in it: with each planted bug, one of them fails. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { Ledger, type Payment } from "../src/state/ledger.ts";
import { Market } from "../src/state/market/market.ts";
import { Order } from "../src/state/order/order.ts";
import { parseScenarios } from "./scenario/parse.ts";
import { engineSubject, runScenario } from "./scenario/run.ts";

const FILE = "prevention.txt";
const SCENARIOS = parseScenarios(FILE, readFileSync(new URL(`./scenarios/${FILE}`, import.meta.url), "utf8"));

/** The scenarios that fail on an engine that is restarted after every command. */
function failing(): readonly string[] {
  return SCENARIOS.filter((scenario) => {
    try {
      runScenario(scenario, engineSubject({}, true));
      return false;
    } catch {
      return true;
    }
  }).map(({ name }) => name);
}

type Method<T extends object> = Extract<keyof T, string>;
type Real = (...args: readonly unknown[]) => unknown;

/** What fails while the method of a class is replaced. */
function failingWith<T extends object>(
  prototype: T,
  method: Method<T>,
  bug: (of: T, real: Real, args: readonly unknown[]) => unknown,
): readonly string[] {
  const methods = prototype as Record<string, Real>;
  const real = methods[method] as Real;
  methods[method] = function (this: T, ...args) {
    return bug(this, real.bind(this), args);
  };
  try {
    return failing();
  } finally {
    methods[method] = real;
  }
}

test("without a bug, no scenario fails", () => {
  assert.deepEqual(failing(), []);
});

const BUGS: Readonly<Record<string, () => readonly string[]>> = {
  "a decrement takes one lot too many": () =>
    failingWith(Order.prototype, "prevent", (order, real, [lots, ...rest]) =>
      real(Math.min(order.leftLots, (lots as number) + 1), ...rest),
    ),
  "a decrement takes one lot too few": () =>
    failingWith(Order.prototype, "prevent", (_order, real, [lots, ...rest]) =>
      real(Math.max(1, (lots as number) - 1), ...rest),
    ),
  "an expired maker keeps what it has locked": () => {
    const { release } = Ledger.prototype;
    let expired: Order | null = null;
    Ledger.prototype.release = function (accountId, assetId, amount) {
      if (expired?.accountId !== accountId) release.call(this, accountId, assetId, amount);
      expired = null;
    };
    try {
      return failingWith(Order.prototype, "prevent", (order, real, args) => {
        real(...args);
        if (order.status === "EXPIRED_IN_MATCH" && order.level === null) expired = order;
      });
    } finally {
      Ledger.prototype.release = release;
    }
  },
  "the other leg of a list keeps its quantity": () =>
    failingWith(Order.prototype, "prevent", (order, real, args) => {
      if (order.isWorking) real(...args);
    }),
  "a transfer moves twice the price": () =>
    failingWith(Ledger.prototype, "payLocked", (_ledger, real, [payment]) => {
      const { reason, amount, assetId } = payment as Payment;
      const isPrice = reason === "preventionTransfer" && assetId === 1;
      real({ ...(payment as Payment), amount: isPrice ? 2n * amount : amount });
    }),
  "an order that lost a part ends": () =>
    failingWith(Order.prototype, "prevent", (order, real, args) => {
      real(...args);
      order.change("EXPIRED_IN_MATCH", order.updateTimeMs);
    }),
  "a snapshot starts the numbers of prevented matches again": () =>
    failingWith(Market.prototype, "load", (market, real, args) => {
      real(...args);
      market.preventedMatches = 0;
    }),
};

for (const [name, run] of Object.entries(BUGS)) {
  test(`found: ${name}`, () => {
    assert.notDeepEqual(run(), []);
  });
}
