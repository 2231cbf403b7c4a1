import assert from "node:assert/strict";
import { test } from "node:test";
import { type Command, type Entry, type Event, MINUTE_MS } from "@pricetime/engine";
import { LabMarket, type LabMarketState } from "@pricetime/testkit/lab-market";
import fc from "fast-check";

const SYMBOLS = ["BTCUSDT", "ETHBTC", "DOGEBTC"];
/** The makers act once, and once more. */
const SOON_MS = 1500;

/** A checkpoint goes through a file. */
const throughFile = (state: LabMarketState): LabMarketState => ({
  ...state,
  states: JSON.parse(JSON.stringify(state.states)) as LabMarketState["states"],
});

function assertClean({ errors, refused }: LabMarket): void {
  assert.deepEqual(errors, []);
  assert.deepEqual(refused, []);
}

test("the same seed journals the same, byte by byte, however its time is cut; another seed does not", async () => {
  const run = async (seed: number, pieces: readonly number[]): Promise<string> => {
    const market = await new LabMarket({ seed, symbols: SYMBOLS }).open();
    for (const ms of pieces) await market.advance(ms);
    await market.stop();
    assertClean(market);
    return market.chainHash;
  };
  const whole = await run(3, [30_000]);
  assert.equal(await run(3, [1, 249, 250, 12_345, 0, 17_155]), whole);
  assert.notEqual(await run(4, [30_000]), whole);
});

test("bots that go on from saved state journal the same, byte by byte", async () => {
  const spans = fc.record({ seed: fc.integer({ min: 1, max: 1e6 }), before: fc.nat(40_000), after: fc.nat(20_000) });
  await fc.assert(
    fc.asyncProperty(spans, async ({ seed, before, after }) => {
      const first = await new LabMarket({ seed, symbols: SYMBOLS }).open();
      await first.advance(before);
      const state = throughFile(first.state);
      const second = await new LabMarket({ seed, symbols: SYMBOLS, from: state }).open();
      assert.equal(second.chainHash, first.chainHash, "going on journals nothing");
      await first.advance(after);
      await second.advance(after);
      assert.equal(second.chainHash, first.chainHash);
      assert.deepEqual(second.state.states, first.state.states);
      await Promise.all([first.stop(), second.stop()]);
      assertClean(first);
      assertClean(second);
    }),
    { numRuns: 12 },
  );
});

/** The bots' orders, without ids, which both implementations draw differently. */
function sentBy(entries: readonly Entry[]): Map<number, Omit<Command, "clientOrderId" | "newClientOrderId">[]> {
  const sent = new Map<number, object[]>();
  for (const { command } of entries) {
    if (command.type !== "placeOrder" && command.type !== "cancelOrder") continue;
    const ids = { clientOrderId: undefined, newClientOrderId: undefined, orderId: undefined };
    sent.set(command.accountId, [...(sent.get(command.accountId) ?? []), { ...command, ...ids }]);
  }
  return sent as Map<number, Omit<Command, "clientOrderId" | "newClientOrderId">[]>;
}

test("acting at once sends what clients would have sent through the gateway", async () => {
  const commandsOf = async (way: "at once" | "gateway"): Promise<ReturnType<typeof sentBy>> => {
    const entries: Entry[] = [];
    const market = new LabMarket({ way, onApplied: (entry) => entries.push(entry) });
    await market.open();
    await market.stop();
    assertClean(market);
    return sentBy(entries);
  };
  // The first step: later ones start at other times, since the gateway's bots pause after they have acted.
  const [direct, asClients] = [await commandsOf("at once"), await commandsOf("gateway")];
  assert.ok(direct.size > 30);
  assert.deepEqual(direct, asClients);
});

test("a step has a time of its own, and all of its commands are one batch", async () => {
  const timesMs: number[] = [];
  const market = await new LabMarket({ symbols: SYMBOLS, onApplied: ({ timeMs }) => timesMs.push(timeMs) }).open();
  const from = timesMs.length;
  await market.advance(60_000);
  await market.stop();
  const steps = [...new Set(timesMs.slice(from))];
  const pauses = steps.slice(1).map((timeMs, index) => timeMs - (steps[index] ?? 0));
  assert.ok(
    pauses.every((ms) => ms >= 150 && Number.isInteger(ms)),
    `${Math.min(...pauses)}`,
  );
  const mean = 60_000 / steps.length;
  assert.ok(mean > 240 && mean < 370, `${mean}: steps without a command are not seen`);
});

test("a clock that was set ahead does not make bots catch up for hours", async () => {
  const market = await new LabMarket({ symbols: SYMBOLS }).open();
  const { seq } = market.engine;
  await market.clock.set({ mode: "manual", nowMs: market.clock.nowMs() + 86_400_000 });
  await market.advance(1000);
  assert.ok(market.engine.seq - seq < 1000, `${market.engine.seq - seq} commands`);
  const after = market.engine.seq;
  await market.advance(10_000);
  assert.ok(market.engine.seq > after);
  await market.stop();
  assertClean(market);
});

test("where somebody eats half of a dense side, a trade follows in the next steps, and the side is whole soon", async () => {
  let trades = 0;
  const onApplied = (_: Entry, events: readonly Event[]): void => {
    trades += events.filter(({ type }) => type === "trade").length;
  };
  const market = await new LabMarket({ symbols: ["BTCUSDT"], onApplied }).open();
  const { engine } = market;
  const listed = engine.marketBySymbol("BTCUSDT") ?? assert.fail();
  const eater = [...engine.accounts()].find(({ name }) => name === "taker-btcusdt") ?? assert.fail();
  await market.advance(MINUTE_MS);
  for (let meal = 0; meal < 12; meal++) {
    const asks = listed.asks(1000);
    const eaten = asks.slice(0, Math.ceil(asks.length * 0.6));
    await market.run({
      ...{ type: "placeOrder", accountId: eater.accountId, symbolId: listed.symbolId, side: "BUY", stopTicks: 0 },
      ...{ orderType: "LIMIT", timeInForce: "IOC", icebergLots: 0, quoteOrderQty: 0n, clientOrderId: `meal${meal}` },
      ...{ priceTicks: eaten.at(-1)?.[0] ?? 0, quantityLots: eaten.reduce((sum, [, lots]) => sum + lots, 0) },
    });
    assert.ok(listed.asks(1000).length < asks.length / 2);
    const before = trades;
    await market.advance(SOON_MS);
    assert.ok(trades > before, `nobody traded after meal ${meal}`);
    await market.advance(10_000);
    assert.ok(listed.asks(1000).length > 30);
  }
  await market.stop();
  assertClean(market);
});
