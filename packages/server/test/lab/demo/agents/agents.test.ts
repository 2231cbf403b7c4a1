/** Each agent, alone beside the bots, does what its name says. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { PlaceOrder } from "@pricetime/engine";
import { deposit, openAccount, placeOrder } from "@pricetime/testkit/commands";
import type { LabMarket } from "@pricetime/testkit/lab-market";
import { type AgentRig, agentRig, closed, type Sent, SYMBOL } from "./agent-rig.ts";

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;

const placed = ({ sent }: AgentRig): (Sent & { readonly command: PlaceOrder })[] =>
  sent.filter((one): one is Sent & { readonly command: PlaceOrder } => one.command.type === "placeOrder");

/** The last price before a time, in ticks. */
function priceAt({ trades }: AgentRig, timeMs: number): number {
  return trades.findLast((trade) => trade.timeMs < timeMs)?.ticks ?? Number.NaN;
}

/** How many of the orders follow the price change over `lookbackMs`, and how many there are. */
function withTheTrend(rig: AgentRig, lookbackMs: number): readonly [followed: number, all: number] {
  const orders = placed(rig).filter(({ timeMs }) => timeMs - (rig.trades[0]?.timeMs ?? 0) > lookbackMs + 1000);
  const ways = orders.map(({ timeMs, command }) => {
    const gone = priceAt(rig, timeMs) / priceAt(rig, timeMs - lookbackMs) - 1;
    return gone > 0 === (command.side === "BUY");
  });
  return [ways.filter(Boolean).length, ways.length];
}

for (const [type, isFollowing] of [
  ["momentum", true],
  ["reversion", false],
] as const) {
  test(`${type}: its orders ${isFollowing ? "follow" : "oppose"} the way the price has gone, and without a move there are none`, async () => {
    const lookbackMs = 5 * MINUTE_MS;
    const settings = { type, symbol: SYMBOL, lookbackMs, thresholdBps: 8, maxPositionQuote: 1e6 };
    const rig = await agentRig({ agents: [settings] });
    await rig.market.advance(HOUR_MS / 2);
    const [followed, all] = withTheTrend(rig, lookbackMs);
    assert.ok(all > 20, `${all} orders`);
    const part = isFollowing ? followed / all : 1 - followed / all;
    assert.ok(part > 0.97, `${part}`);
    await closed(rig);
    const calm = await agentRig({ agents: [{ ...settings, thresholdBps: 2000 }] });
    await calm.market.advance(10 * MINUTE_MS);
    assert.deepEqual(calm.sent, []);
    await closed(calm);
  });
}

test("the informed trader earns: more than it would by chance, of each seed, and holds nothing between its news", async () => {
  for (const seed of [1, 2]) {
    const rig = await agentRig({ seed, agents: [{ type: "informed", symbol: SYMBOL, newsEveryMs: 2 * MINUTE_MS }] });
    await rig.market.advance(HOUR_MS / 2);
    const [group] = rig.market.agents.groups;
    assert.ok(group !== undefined);
    const { trades, volume, profit } = rig.market.agents.figuresOf(group);
    assert.ok(trades > 50, `${trades} trades`);
    // At least a basis point of everything that it traded.
    assert.ok(profit * 10_000n > volume, `${profit} of ${volume}`);
    const sides = placed(rig).map(({ command }) => command.side);
    assert.ok(sides.includes("BUY") && sides.includes("SELL"));
    await closed(rig);
  }
});

test("noise takes and rests on both sides, takes back what rests too long, and keeps within its bounds", async () => {
  const bounds = { maxOpen: 3, patienceMs: 30_000, maxPositionQuote: 5_000 };
  const rig = await agentRig({ agents: [{ type: "noise", symbol: SYMBOL, count: 4, everyMs: 4_000, ...bounds }] });
  const [group] = rig.market.agents.groups;
  assert.ok(group !== undefined);
  const { engine } = rig.market;
  for (let minute = 0; minute < 15; minute++) {
    await rig.market.advance(MINUTE_MS);
    for (const { accountId, base } of group.parts.accounts) {
      const market = engine.marketBySymbol(SYMBOL) ?? assert.fail();
      const { free, locked } = engine.balance(accountId, market.baseAssetId);
      const worth = (Number(free + locked - base) / 1e8) * rig.market.lastPrice(SYMBOL);
      assert.ok(Math.abs(worth) < bounds.maxPositionQuote * 1.02, `${worth}`);
      const open = engine.openOrders(accountId);
      assert.ok(open.length <= bounds.maxOpen);
      // It checks every few seconds: nothing is much older than its patience.
      assert.ok(open.every(({ timeMs }) => engine.timeMs - timeMs < 3 * bounds.patienceMs));
    }
  }
  const orders = placed(rig).map(({ command }) => command);
  const buys = orders.filter(({ side }) => side === "BUY").length / orders.length;
  const resting = orders.filter(({ timeInForce }) => timeInForce === "GTC").length / orders.length;
  assert.ok(orders.length > 400 && buys > 0.4 && buys < 0.6, `${orders.length} ${buys}`);
  assert.ok(resting > 0.2 && resting < 0.7, `${resting}`);
  assert.ok(rig.sent.some(({ command }) => command.type === "cancelOrder"));
  assert.ok(new Set(rig.sent.map(({ by }) => by)).size === 4);
  await closed(rig);
});

test("a worked order moves the price with the square root of its size, up or down, and some of it comes back", async (t) => {
  // After these times so many parts of it are done: 1, 6 and 36.
  const SPANS_S = [36, 216, 1296] as const;
  const sums = SPANS_S.map(() => 0);
  let afterwards = 0;
  for (const seed of [1, 2, 3, 4]) {
    const side = seed % 2 === 1 ? "BUY" : "SELL";
    const sign = side === "BUY" ? 1 : -1;
    const agents = [{ type: "worked", symbol: SYMBOL, side, totalQuote: 1e12, participation: 0.1 }];
    const [rig, without] = await Promise.all([agentRig({ seed, agents }), agentRig({ seed })]);
    for (const [index, spanS] of SPANS_S.entries()) {
      const sinceS = SPANS_S[index - 1] ?? 0;
      sums[index] = (sums[index] ?? 0) + (await impact(rig, without, (spanS - sinceS) * 1000)) * sign;
    }
    const [group] = rig.market.agents.groups;
    assert.ok(group !== undefined);
    await rig.market.agents.turn(group, false);
    afterwards += (await impact(rig, without, HOUR_MS / 4)) * sign;
    await Promise.all([closed(rig), closed(without)]);
  }
  const [small = 0, medium = 0, large = 0] = sums;
  const slope = Math.log(large / small) / Math.log(36);
  t.diagnostic(`slope ${slope}, impact ${sums.join(" ")}, a quarter of an hour later ${afterwards}`);
  assert.ok(small > 0 && medium > small && large > medium, sums.join(" "));
  assert.ok(slope > 0.4 && slope < 0.6, `${slope} of ${sums.join(" ")}`);
  assert.ok(afterwards < large * 0.75 && afterwards > 0, `${afterwards} of ${large}`);
});

/** The difference of the mid price from the same market without agents after so long: a mean over the last seconds. */
async function impact(one: AgentRig, other: AgentRig, ms: number): Promise<number> {
  const LAST_S = 10;
  await Promise.all([one, other].map(({ market }) => market.advance(ms - LAST_S * 1000)));
  let sum = 0;
  for (let second = 0; second < LAST_S; second++) {
    await Promise.all([one, other].map(({ market }) => market.advance(1000)));
    sum += Math.log(midOf(one) / midOf(other)) / LAST_S;
  }
  return sum;
}

function midOf({ market }: AgentRig): number {
  const view = market.engine.marketBySymbol(SYMBOL) ?? assert.fail();
  return view.bestLevel("BUY")[0] + view.bestLevel("SELL")[0];
}

test("stop hunters trigger stops that would have waited, and are out again afterwards", async (t) => {
  const hunter = {
    type: "stop-hunter",
    symbol: SYMBOL,
    lookbackMs: 5 * MINUTE_MS,
    withinBps: 40,
    maxPositionQuote: 2e5,
  };
  const base = await agentRig({ seed: 5, agents: [hunter] });
  await turn(base.market, false);
  const accountId = await stopAccount(base);
  await base.market.advance(6 * MINUTE_MS);
  const counts = { hunted: 0, left: 0 };
  for (let round = 0; round < 8; round++) {
    // The same instant twice: with the hunter and without.
    for (const isOn of [true, false]) {
      const rig = await agentRig({ seed: 5, from: base.market.state });
      await turn(rig.market, isOn);
      await placeStops(rig.market, accountId, base);
      await rig.market.advance(MINUTE_MS);
      counts[isOn ? "hunted" : "left"] += 2 - rig.market.engine.openOrders(accountId).length;
      const [group] = rig.market.agents.groups;
      assert.ok(group !== undefined);
      const most = group.sizes.maxPositionQuote / rig.market.lastPrice(SYMBOL);
      assert.ok(Math.abs(Number(rig.market.agents.figuresOf(group).base)) / 1e8 < most * 1.02);
      await rig.market.advance(2 * MINUTE_MS);
      assert.equal(
        placed(rig).some(({ command }) => command.side === "BUY"),
        isOn,
      );
      assert.equal(
        placed(rig).some(({ command }) => command.side === "SELL"),
        isOn,
      );
      await closed(rig);
    }
    await base.market.advance(MINUTE_MS);
  }
  await closed(base);
  t.diagnostic(`${counts.hunted} with hunters, ${counts.left} without`);
  assert.ok(counts.hunted >= counts.left + 4, `${counts.hunted} with hunters, ${counts.left} without`);
});

async function turn({ agents }: LabMarket, isOn: boolean): Promise<void> {
  for (const group of agents.groups) await agents.turn(group, isOn);
}

/** A tick beyond the extremes of the last five minutes. */
async function placeStops(market: LabMarket, accountId: number, { trades }: AgentRig): Promise<void> {
  const { engine } = market;
  const view = engine.marketBySymbol(SYMBOL) ?? assert.fail();
  const ticks = trades.filter(({ timeMs }) => timeMs > engine.timeMs - 5 * MINUTE_MS).map((trade) => trade.ticks);
  for (const [side, stopTicks] of [
    ["BUY", Math.max(...ticks) + 1],
    ["SELL", Math.min(...ticks) - 1],
  ] as const) {
    const terms = {
      side,
      orderType: "STOP_LOSS_LIMIT",
      quantityLots: 1_000_000,
      clientOrderId: `stop-${side}`,
    } as const;
    const priceTicks = Math.round(stopTicks * (side === "BUY" ? 1.01 : 0.99));
    await market.run(placeOrder({ accountId, symbolId: view.symbolId, priceTicks, stopTicks, ...terms }));
  }
  assert.equal(engine.openOrders(accountId).length, 2);
}

async function stopAccount({ market }: AgentRig): Promise<number> {
  const email = "stops@example.org";
  await market.run(openAccount(email, { name: "stops" }));
  const accountId = market.engine.accountByEmail(email)?.accountId ?? assert.fail();
  await market.run(deposit(accountId, "LTC", "10000"));
  await market.run(deposit(accountId, "USDT", "10000000"));
  return accountId;
}
