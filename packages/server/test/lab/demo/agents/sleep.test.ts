/** Agents that can do nothing sleep until they get news, may hunt, or have a position to close. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { agentSchema } from "../../../../src/platform/config/lab-schema.ts";
import type { Agent, AgentParts, AgentView } from "../../../../src/lab/demo/agents/agent.ts";
import { SavedParts } from "../../../../src/platform/world/saved-state.ts";
import { agentOf } from "../../../../src/lab/demo/agents/agent-group.ts";

const START_MS = 1_000_000_000;
const GRID = { priceDecimals: 2, quantityDecimals: 3, tick: 1, step: 1, minLots: 1, maxLots: 0 };
const saved = new SavedParts();
const PARTS: Omit<AgentParts, "saved"> = {
  ...{ seed: 3, name: "agent", nowMs: START_MS, grid: GRID },
  ...{ orderQuote: 1000, maxPositionQuote: 50_000, minNotional: 5, dailyVolume: 1e8 },
};
/** The longest pause of a second. */
const AWAKE_MS = 1500;

function made(settings: object): Agent {
  saved.end();
  return agentOf({ ...PARTS, saved }, agentSchema.parse({ symbol: "LTCUSDT", ...settings }));
}

const seen = (nowMs: number, positionLots = 0): AgentView => ({
  ...{ nowMs, bid: 9999, ask: 10001, positionLots, open: [] },
  tape: { last: 100, returnOver: () => 0, high: () => 100, low: () => 100 },
});
/** A field of the state that the agent saves. */
const stateOf = (field: string): unknown => (saved.saveOne("agent") as Readonly<Record<string, unknown>>)[field];

test("the informed trader sleeps from one news to the next, unless it has something to close", () => {
  const agent = made({ type: "informed", newsEveryMs: 3_600_000, newsBps: 50 });
  assert.ok(agent.nextMs <= START_MS + AWAKE_MS);
  assert.deepEqual(agent.wake(seen(agent.nextMs)), []);
  const hearsMs = agent.nextMs;
  assert.deepEqual([hearsMs, hearsMs > START_MS + 1_000_000], [stateOf("hearsMs"), true]);
  agent.wake(seen(hearsMs));
  const { publicMs } = stateOf("news") as { readonly publicMs: number };
  assert.equal(publicMs, hearsMs + 20_000);
  assert.ok(agent.nextMs <= hearsMs + AWAKE_MS, "it trades on them");
  assert.equal(agent.wake(seen(publicMs, 700))[0]?.type, "news");
  agent.wake(seen(agent.nextMs, 700));
  const closesMs = agent.nextMs;
  assert.equal(closesMs, stateOf("closesMs"));
  assert.equal(agent.wake(seen(closesMs, 700))[0]?.type, "take");
  assert.ok(agent.nextMs <= closesMs + AWAKE_MS, "it looks whether it is out");
  assert.deepEqual(agent.wake(seen(agent.nextMs)), []);
  assert.equal(agent.nextMs, stateOf("hearsMs"));
});

test("news that are worth no trade are slept through", () => {
  const agent = made({ type: "informed", newsEveryMs: 3_600_000, newsBps: 1 });
  agent.wake(seen(agent.nextMs));
  const hearsMs = agent.nextMs;
  agent.wake(seen(hearsMs));
  assert.equal(agent.nextMs, hearsMs + 20_000);
  assert.equal(agent.wake(seen(agent.nextMs))[0]?.type, "news");
});

test("a stop hunter sleeps while it may not hunt, unless it has something to close", () => {
  const agent = made({ type: "stop-hunter", pauseMs: 120_000, holdMs: 10_000 });
  agent.wake(seen(agent.nextMs));
  const quietMs = START_MS + 120_000;
  assert.equal(agent.nextMs, quietMs);
  for (let pushes = 0; pushes < 5; pushes++) {
    const [act] = agent.wake(seen(agent.nextMs));
    assert.equal(act?.type, "take");
    assert.ok(agent.nextMs <= quietMs + (pushes + 1) * AWAKE_MS);
  }
  const overMs = agent.nextMs;
  assert.deepEqual(agent.wake(seen(overMs, 400)), []);
  agent.wake(seen(agent.nextMs, 400));
  assert.equal(agent.nextMs, overMs + 10_000, "it holds");
  assert.equal(agent.wake(seen(agent.nextMs, 400))[0]?.type, "take");
  assert.ok(agent.nextMs <= overMs + 10_000 + AWAKE_MS);
  agent.wake(seen(agent.nextMs));
  assert.equal(agent.nextMs, overMs + 10_000 + 120_000);
});
