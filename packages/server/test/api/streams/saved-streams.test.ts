/** The saved state of streams: remaining subscribers get the same messages as without a restore. */
import { VENUE_INTERFACES } from "@pricetime/protocol";
import assert from "node:assert/strict";
import { test } from "node:test";
import { Dice } from "@pricetime/testkit/dice";
import { START_MS, TestVenue } from "@pricetime/testkit/gateway-venue";
import { Turns } from "../../../src/api/answers/long-list.ts";
import { SendQueue } from "../../../src/api/edge/send-queue.ts";
import { Hub, type Subscriber } from "../../../src/api/streams/hub.ts";
import { MarketStreams } from "../../../src/api/streams/market/market-streams.ts";
import { SavedParts } from "../../../src/platform/world/saved-state.ts";
import { asInFile, restoring } from "../../platform/world/goes-on.ts";
import { VirtualWorld } from "../../platform/world/virtual-world.ts";

const SEEDS = 8;
const STEPS = 60;
const OF_A_MARKET = [
  ...["trade", "aggTrade", "bookTicker", "ticker", "miniTicker", "kline_1m", "kline_1d"],
  ...["kline_1s", "kline_1d@+08:00", "ticker_1h", "ticker_1d", "avgPrice", "referencePrice"],
  ...["depth", "depth@100ms", "depth5", "depth20@100ms"],
];
const NAMES = [
  ...["btcusdt", "ethbtc"].flatMap((symbol) => OF_A_MARKET.map((stream) => `${symbol}@${stream}`)),
  ...["!bookTicker", "!ticker@arr", "!miniTicker@arr@3000ms", "!ticker_1h@arr"],
];

/** A client with all streams, and its messages. */
class Client implements Subscriber {
  readonly isCombined = true;
  readonly heard: string[] = [];
  deliver(frames: Buffer): void {
    this.heard.push(frames.toString("latin1"));
  }
  hold(): boolean {
    return false;
  }
  release(): void {}
  streamEnded(): void {
    assert.fail("market streams do not end");
  }
}

class StreamsVenue extends TestVenue {
  readonly world = new VirtualWorld(START_MS);

  streamsTo(hub: Hub, saved: SavedParts): MarketStreams {
    const { engine } = this;
    const { nowMs: now, soon, after, every, pause } = this.world;
    const world = { nowMs: now, soon, after, every, pause, saved };
    const nowMs = (): number => Math.max(now(), engine.timeMs);
    const log = { error: (fields: object) => assert.fail(JSON.stringify(fields)) };
    const context = { world, turns: new Turns(world), engine, history: this.history(), publisher: hub, log, nowMs };
    const streams = new MarketStreams({ ...context, venueInterface: VENUE_INTERFACES["2019"], settledMs: nowMs });
    hub.watchInstead([streams]);
    this.followers.add(streams);
    return streams;
  }

  async traffic(dice: Dice, steps: number): Promise<void> {
    for (let i = 0; i < steps; i++) {
      await this.world.advance(dice.oneIn(4) ? dice.below(3_000) : dice.below(120));
      this.nowMs = this.world.nowMs();
      const [symbol, price] = dice.pick([
        ["BTCUSDT", 20_000],
        ["ETHBTC", 1],
      ] as const);
      const [side, key] = [dice.pick(["BUY", "SELL"] as const), dice.pick([this.trader, this.maker])];
      if (dice.oneIn(4)) {
        await this.signed("DELETE", "/api/v3/openOrders", { symbol }, { key });
      } else {
        const quantity = String(dice.between(1, 30) / 1000);
        await this.order({ symbol, side, quantity, price: String(price + dice.below(6)) }, { key });
      }
    }
  }
}

interface Heard {
  readonly own: Client;
  readonly same: Client;
  /** The messages of a client whose streams are reopened. */
  readonly anew: Client;
}

async function hear(seed: number): Promise<Heard> {
  const dice = new Dice(seed);
  const venue = new StreamsVenue();
  const priceRange = { bucketCount: 5, bucketWidthMs: 1000 };
  for (const symbol of ["BTCUSDT", "ETHBTC"]) venue.act({ type: "setPriceRange", by: "test", symbol, priceRange });
  const hub = new Hub(new SendQueue());
  const saved = new SavedParts();
  venue.streamsTo(hub, saved);
  const own = new Client();
  const names = NAMES.toSorted(() => dice.next() - 0.5);
  for (const [at, name] of names.entries()) {
    hub.subscribe(name, own);
    if (at % 5 === 0) await venue.traffic(dice, 3);
  }
  venue.listSymbol("ETH/USDT");
  await venue.traffic(dice, STEPS);
  own.heard.length = 0;

  const states = asInFile(saved.save());
  const clients = [restoring(states), new SavedParts()].map((each, at) => {
    const client = new Client();
    const others = new Hub(new SendQueue());
    // In another order than they were opened in, because the saved order counts.
    for (const name of NAMES) others.subscribe(name, client);
    venue.streamsTo(others, each);
    each.finish();
    if (at === 0) assert.deepEqual(each.save(), states, "the same is saved again");
    return client;
  });
  await venue.traffic(dice, STEPS);
  const [same, anew] = clients;
  assert(same !== undefined && anew !== undefined);
  return { own, same, anew };
}

test("remaining subscribers get the same messages as without a restore", async () => {
  for (let seed = 1; seed <= SEEDS; seed++) {
    const { own, same, anew } = await hear(seed);
    for (const name of NAMES) {
      assert.ok(
        own.heard.some((text) => text.includes(`"stream":"${name}"`)),
        `seed ${seed}: ${name} is heard`,
      );
    }
    assert.deepEqual(same.heard, own.heard, `seed ${seed}`);
    assert.notDeepEqual(anew.heard, own.heard, `seed ${seed}: and saved state decides it`);
  }
});

test("streams without subscribers are closed, and later ones start fresh", () => {
  const venue = new StreamsVenue();
  const hub = new Hub(new SendQueue());
  const depth = { updateId: 1, bids: [], asks: [] };
  const restored = restoring({ openStreams: ["btcusdt@depth"], "openStreams/btcusdt@depth": depth });
  const streams = venue.streamsTo(hub, restored);
  streams.opened("btcusdt@depth5");
  restored.finish();
  assert.deepEqual(restored.save(), {
    openStreams: ["btcusdt@depth5"],
    "openStreams/btcusdt@depth5": { sentUpdateId: -1 },
  });
  streams.closed("btcusdt@depth5");
  assert.deepEqual(restored.save(), { openStreams: [] });
});
