/** The scenarios of pending orders find bugs in them: with each planted bug, one of them fails. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { Ledger } from "../src/state/ledger.ts";
import { OrderLists } from "../src/state/order/order-lists.ts";
import { Order } from "../src/state/order/order.ts";
import { parseScenarios } from "./scenario/parse.ts";
import { engineSubject, runScenario } from "./scenario/run.ts";

const SCENARIOS = ["oto.txt", "opo.txt"].flatMap((file) =>
  parseScenarios(file, readFileSync(new URL(`./scenarios/${file}`, import.meta.url), "utf8")),
);

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

type Real = (...args: readonly unknown[]) => unknown;

/** What fails while the method of a class is replaced. */
function failingWith<T extends object>(
  prototype: T,
  method: Extract<keyof T, string>,
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
  "a pending order is never released": () =>
    failingWith(OrderLists.prototype, "startedBy", (_lists, real, [order]) =>
      (order as Order).status === "FILLED" ? undefined : real(order),
    ),
  "a pending order is released by a partial fill": () =>
    failingWith(OrderLists.prototype, "startedBy", (_lists, real, [order]) => {
      const working = order as Order;
      if (working.status === "PARTIALLY_FILLED") working.status = "FILLED";
      return real(order);
    }),
  "a pending order is released twice": () => {
    const released = new WeakSet<Order>();
    return failingWith(Order.prototype, "change", (order, real, [status, nowMs]) => {
      real(status, nowMs);
      // The order that becomes the pending one still looks pending when it is placed.
      if (status !== "NEW" || order.extras === null || order.executedLots > 0 || released.has(order)) return;
      released.add(order);
      if (order.workedMs === 0 && order.orderListId !== -1) order.status = "PENDING_NEW";
    });
  },
  "a pending order works from its placement": () =>
    failingWith(Order.prototype, "waitForList", (order) => {
      order.status = "PENDING_NEW";
    }),
  "what a list holds is never freed": () =>
    failingWith(Ledger.prototype, "release", (_ledger, real, [accountId, assetId, amount]) =>
      real(accountId, assetId, assetId === 0 ? 0n : amount),
    ),
  "a list goes on after its working order has expired": () =>
    failingWith(OrderLists.prototype, "startedBy", (_lists, real, [order]) =>
      ["EXPIRED", "EXPIRED_IN_MATCH"].includes((order as Order).status) ? undefined : real(order),
    ),
};

for (const [name, run] of Object.entries(BUGS)) {
  test(`found: ${name}`, () => {
    assert.notDeepEqual(run(), []);
  });
}
