/**
 * Agents are repeatable to the byte, continue from saved state, do not affect other symbols, and are controlled by
 * routes.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { LabMarketState } from "@pricetime/testkit/lab-market";
import { Rejection } from "../../../../src/people/http/answer.ts";
import { callRoute } from "../../call-route.ts";
import { AGENT_LIMITS, agentSchema } from "../../../../src/platform/config/lab-schema.ts";
import { agentRoutes } from "../../../../src/lab/agent-routes.ts";
import { type AgentRig, agentRig, closed, SYMBOL } from "./agent-rig.ts";

const MINUTE_MS = 60_000;
const OTHER = "ETHBTC";

const EACH_TYPE = [
  { type: "noise", symbol: SYMBOL, count: 3, everyMs: 3_000 },
  { type: "momentum", symbol: SYMBOL, thresholdBps: 1 },
  { type: "reversion", symbol: SYMBOL, thresholdBps: 2, lookbackMs: 30_000 },
  { type: "informed", symbol: SYMBOL, newsEveryMs: 30_000, aheadMs: 10_000 },
  { type: "worked", symbol: SYMBOL, side: "SELL", totalQuote: 50_000 },
  { type: "stop-hunter", symbol: SYMBOL, pauseMs: 20_000, withinBps: 30 },
];

/** A checkpoint goes through a file. */
const throughFile = (state: LabMarketState): LabMarketState => ({
  ...state,
  states: JSON.parse(JSON.stringify(state.states)) as LabMarketState["states"],
});

test("agents of all types repeat to the byte, however time is cut, and go on from saved state", async () => {
  const whole = await agentRig({ seed: 7, agents: EACH_TYPE });
  await whole.market.advance(4 * MINUTE_MS);
  const first = await agentRig({ seed: 7, agents: EACH_TYPE });
  for (const ms of [1, 70_001, 9_998]) await first.market.advance(ms);
  const second = await agentRig({ seed: 7, from: throughFile(first.market.state) });
  await second.market.advance(4 * MINUTE_MS - 80_000);
  assert.equal(second.market.chainHash, whole.market.chainHash);
  assert.deepEqual(second.market.state.states, whole.market.state.states);
  const types = new Set(whole.sent.map(({ by }) => by.replace(/^agent-[0-9]+-([a-z-]+?)(-[0-9]+)?$/, "$1")));
  assert.deepEqual([...types].toSorted(), EACH_TYPE.map(({ type }) => type).toSorted());
  await Promise.all([whole, first, second].map(closed));
});

test("agents of one symbol change nothing of another", async () => {
  const tradesOf = async (agents: readonly object[]): Promise<readonly string[]> => {
    const rig = await agentRig({ symbols: [SYMBOL, OTHER], agents });
    await rig.market.advance(3 * MINUTE_MS);
    await closed(rig);
    return rig.trades.filter(({ symbol }) => symbol === OTHER).map(({ timeMs, ticks }) => `${timeMs} ${ticks}`);
  };
  const [quiet, lively] = await Promise.all([tradesOf([]), tradesOf(EACH_TYPE)]);
  assert.ok(quiet.length > 10);
  assert.deepEqual(lively, quiet);
});

interface Body {
  readonly id: number;
  readonly isOn: boolean;
  readonly accounts: readonly string[];
  readonly trades: number;
  readonly volumeQuote: string;
  readonly positionBase: string;
  readonly profitQuote: string;
  readonly settings: { readonly everyMs: number; readonly orderQuote: number };
}

async function ask<T = Body>({ market }: AgentRig, method: string, path = "", sent?: unknown): Promise<T> {
  const parts = { agents: () => market.agents, view: market.engine, nowMs: market.clock.nowMs };
  const body = method === "POST" && path === "" ? agentSchema.parse(sent) : sent;
  return (await callRoute(agentRoutes(parts), method, `/v1/lab/agents${path}`, body)) as T;
}

const refused = (status: number, code: string) => (error: unknown) =>
  error instanceof Rejection && error.status === status && error.code === code;

test("routes make, show, turn and remove agents; their money adds up, and their orders leave with them", async () => {
  const rig = await agentRig({});
  const { engine } = rig.market;
  assert.deepEqual(await ask(rig, "GET"), []);
  const made = await ask(rig, "POST", "", { type: "noise", symbol: SYMBOL, count: 2, everyMs: 1_000, restShare: 0.8 });
  assert.deepEqual([made.id, made.isOn, made.settings.everyMs], [1, true, 1_000]);
  assert.deepEqual(made.accounts, ["agent-1-noise-1", "agent-1-noise-2"]);
  assert.ok(made.settings.orderQuote > 0);
  await rig.market.advance(2 * MINUTE_MS);
  const [shown] = await ask<Body[]>(rig, "GET");
  assert.ok(shown !== undefined && shown.trades > 20 && Number(shown.volumeQuote) > 0);
  // Once for each of their sides.
  const own = rig.trades.flatMap(({ taker, maker }) => [taker, maker]).filter((name) => name.startsWith("agent-1-"));
  assert.equal(shown.trades, own.length);
  const accounts = [...engine.accounts()].filter(({ name }) => name.startsWith("agent-1-"));
  const openOrders = (): number => accounts.reduce((sum, { accountId }) => sum + engine.countOpenOrders(accountId), 0);
  assert.ok(openOrders() > 0);
  const off = await ask(rig, "POST", "/1", { isOn: false });
  assert.deepEqual([off.isOn, openOrders()], [false, 0]);
  const sentBefore = rig.sent.length;
  await rig.market.advance(MINUTE_MS);
  assert.equal(rig.sent.length, sentBefore);
  await ask(rig, "POST", "/1", { isOn: true });
  await rig.market.advance(MINUTE_MS);
  assert.ok(rig.sent.length > sentBefore && openOrders() > 0);
  assert.deepEqual(await ask<object>(rig, "DELETE", "/1"), { removed: 1 });
  assert.deepEqual([await ask(rig, "GET"), openOrders()], [[], 0]);
  const next = await ask(rig, "POST", "", { type: "momentum", symbol: SYMBOL });
  assert.equal(next.id, 2, "ids are not used again: their accounts are other ones");
  await closed(rig);
});

test("what cannot be is refused by name", async () => {
  const rig = await agentRig({});
  await assert.rejects(ask(rig, "POST", "", { type: "noise", symbol: "NOPE" }), refused(404, "UNKNOWN_SYMBOL"));
  await assert.rejects(ask(rig, "POST", "", { type: "noise", symbol: OTHER }), refused(409, "NOT_DRIVEN"));
  for (const id of ["9", "x", "01"]) {
    await assert.rejects(ask(rig, "POST", `/${id}`, { isOn: true }), refused(404, "UNKNOWN_AGENT"));
    await assert.rejects(ask(rig, "DELETE", `/${id}`), refused(404, "UNKNOWN_AGENT"));
  }
  for (let group = 0; group < AGENT_LIMITS.maxGroups; group++) {
    await ask(rig, "POST", "", { type: "momentum", symbol: SYMBOL });
  }
  await assert.rejects(ask(rig, "POST", "", { type: "noise", symbol: SYMBOL }), refused(409, "TOO_MANY"));
  for (const bad of [
    { type: "bogus", symbol: SYMBOL },
    { type: "noise", symbol: SYMBOL, count: AGENT_LIMITS.maxCount + 1 },
    { type: "worked", symbol: SYMBOL, side: "BUY" },
    { type: "momentum", symbol: SYMBOL, lookbackMs: AGENT_LIMITS.maxLookbackMs + 1 },
    { type: "noise", symbol: SYMBOL, everyMillis: 5 },
  ]) {
    assert.equal(agentSchema.safeParse(bad).success, false);
  }
  await closed(rig);
});
