/** The state of the venue: what is suspended or degraded is never shown as operational. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { HISTORY_LAG, venueState } from "../../src/console/venue-state.ts";

type Seen = NonNullable<Parameters<typeof venueState>[0]>;
const WELL: Seen = {
  ...{ isReady: true, isInMaintenance: false, suspensions: [], markets: { TRADING: 2, HALT: 1 } },
  ...{ warnings: {}, networks: {}, history: { seq: 1, lag: HISTORY_LAG - 1 } },
};
const suspended = (...scopes: string[]) =>
  scopes.map((scope) => ({ scope, why: "a", by: "b", sinceMs: 1, untilMs: null }));

const CASES: readonly (readonly [what: string, seen: Partial<Seen>, name: string, tone: string])[] = [
  ["nothing is wrong", {}, "operational", "good"],
  ["a venue without markets", { markets: {} }, "operational", "good"],
  ["trading suspended", { suspensions: suspended("trading") }, "suspended", "bad"],
  ["new orders suspended", { suspensions: suspended("placing") }, "suspended", "bad"],
  ["withdrawals suspended", { suspensions: suspended("asset:BTC", "withdrawals") }, "suspended", "bad"],
  ["one asset suspended", { suspensions: suspended("asset:BTC") }, "suspended", "warn"],
  ["suspended and in maintenance", { suspensions: suspended("trading"), isInMaintenance: true }, "suspended", "bad"],
  ["suspended and not ready", { suspensions: suspended("trading"), isReady: false }, "notReady", "bad"],
  ["in maintenance", { isInMaintenance: true }, "maintenance", "warn"],
  ["no market trades", { markets: { HALT: 1, BREAK: 2 } }, "closed", "warn"],
  ["a warning", { warnings: { disk: "nearly full" } }, "degraded", "warn"],
  ["a network that fails", { networks: { ETH: "unreachable" } }, "degraded", "warn"],
  ["history is behind", { history: { seq: 1, lag: HISTORY_LAG } }, "degraded", "warn"],
];

for (const [what, seen, name, tone] of CASES) {
  test(`${what}: ${name}`, () => {
    const state = venueState({ ...WELL, ...seen }, true);
    assert.deepEqual([state?.name, state?.tone], [name, tone]);
  });
}

test("an unreachable node is shown as such, whatever its last answer was", () => {
  assert.equal(venueState(WELL, false)?.name, "unreachable");
  assert.equal(venueState(null, true), null);
});
