/** A checkpoint may come from a stranger's file: a room takes what was kept, or refuses it; nothing else happens. */
import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import { Engine } from "@pricetime/engine";
import fc from "fast-check";
import { TestVenue } from "@pricetime/testkit/gateway-venue";
import { Turns } from "../../../src/api/answers/long-list.ts";
import { RandomIds } from "../../../src/api/ids.ts";
import { totpCheck } from "../../../src/platform/secrets/totp.ts";
import { SpentSignatures } from "../../../src/api/edge/authentication.ts";
import { IpLimiter, OrderLimiter } from "../../../src/api/edge/rate-limits.ts";
import { DEFAULT_LIMITS } from "../../../src/api/edge/rate-limit-rules.ts";
import { Attempts } from "../../../src/api/edge/sockets/sockets.ts";
import { STREAM_LIMITS } from "../../../src/api/edge/limits.ts";
import { MarketStreams } from "../../../src/api/streams/market/market-streams.ts";
import { WorldFile } from "../../../src/funds/wallet/sandbox/world-file.ts";
import { KEPT_FOLLOWER } from "../../../src/funds/wallet/follower-parts.ts";
import type { KeptValue } from "../../../src/platform/world/port.ts";
import { KeptUnreadable, readKept } from "../../../src/platform/world/read-kept.ts";
import { VirtualNode } from "../../journal/sequencer/virtual-node.ts";
import { asInFile } from "./goes-on.ts";
import { VirtualWorld } from "./virtual-world.ts";

const NOW_MS = 1_614_834_367_000;
const RUNS = 400;
const world = new VirtualWorld(NOW_MS);

interface Room {
  readonly kept: KeptValue;
  readonly make: (kept: KeptValue) => unknown;
}

const venue = new TestVenue();
const streamsOf = (kept: KeptValue): MarketStreams =>
  new MarketStreams(
    {
      engine: venue.engine,
      history: venue.history(),
      publisher: { hasSubscribers: () => true, publish: () => {}, end: () => {} },
      turns: new Turns(world),
      log: { error: () => {} },
      world,
      nowMs: () => NOW_MS,
      settledMs: () => NOW_MS,
    },
    kept,
  );

function limiter(): IpLimiter {
  const addresses = new IpLimiter(DEFAULT_LIMITS);
  for (let i = 0; i < 3; i++) addresses.count(addresses.record(`10.0.0.${i}`, NOW_MS), i * 1_000, NOW_MS);
  return addresses;
}

function orders(): OrderLimiter {
  const limits = new OrderLimiter(DEFAULT_LIMITS, () => ({ ordersInWindow: () => 0 }));
  limits.reserve(100, 2, NOW_MS);
  limits.releaseUnknown(100, 2, NOW_MS);
  return limits;
}

function attempts(): Attempts {
  const all = new Attempts(STREAM_LIMITS);
  all.take("10.0.0.1", NOW_MS);
  return all;
}

function spent(): SpentSignatures {
  const all = new SpentSignatures();
  for (const payload of ["a", "b"]) all.spend({ apiKey: "k", payload, lastMs: NOW_MS, session: {} }, NOW_MS);
  return all;
}

function chain(): WorldFile {
  const file = new WorldFile(new DatabaseSync(":memory:"), "chain", world);
  for (const txId of ["a", "b"]) {
    file.add({ txId, asset: "BTC", address: "x", tag: "", amount: "1", nonce: null, height: 1, isSuccess: true });
  }
  file.fork(1);
  return file;
}

const follower: KeptValue = {
  ...{ isUp: true, watchTrouble: "", sendTrouble: "" },
  watcher: {
    coins: [
      {
        ...{ txId: "a", output: 0, asset: "BTC", address: "x", tag: "", amount: "1" },
        block: { height: 1, hash: "h" },
      },
    ],
    missing: [{ key: "a 0", sinceHeight: 1, rounds: 1 }],
    ...{ refusals: [["what", 3]], blocks: { next: 2, pauses: [{ height: 1, hash: "h" }] }, height: 1, note: "" },
  },
  watching: { dueMs: NOW_MS, failures: 0 },
  sender: { roundsDisplaced: [["w", 1]], inTurn: { txId: "", sinceHeight: 0 }, refusals: [], note: "" },
  sending: null,
};

const open = streamsOf([]);
for (const name of ["btcusdt@depth", "btcusdt@depth5", "btcusdt@ticker", "!ticker@arr", "btcusdt@kline_1m"]) {
  open.opened(name);
}
const quiet = { openTicks: 1, highTicks: 1, lowTicks: 1, closeTicks: 1, lots: "0", quote: "0", count: 0 };
const kline = {
  ...{ openTimeMs: NOW_MS - (NOW_MS % 60_000), ...quiet },
  ...{ takerBuyLots: "0", takerBuyQuote: "0", firstTradeId: -1, pastCount: 0 },
};
const klines: KeptValue = [{ name: "btcusdt@kline_1m", kept: { kline, hasNews: true, sentMs: NOW_MS } }];

const ROOMS: Readonly<Record<string, Room>> = {
  addresses: { kept: limiter().kept(), make: (kept) => new IpLimiter(DEFAULT_LIMITS, kept).bans(NOW_MS) },
  orders: {
    kept: orders().kept(),
    make: (kept) => new OrderLimiter(DEFAULT_LIMITS, () => ({ ordersInWindow: () => 0 }), kept).reserve(1, 1, NOW_MS),
  },
  attempts: { kept: attempts().kept(), make: (kept) => new Attempts(STREAM_LIMITS, kept).take("::1", NOW_MS) },
  spent: { kept: spent().kept(), make: (kept) => new SpentSignatures(undefined, kept) },
  identifiers: { kept: { pool: "AAAA" }, make: (kept) => new RandomIds(world, kept).listenKey() },
  codes: {
    kept: [{ accountId: 100, count: 1, lastMs: NOW_MS }],
    make: (kept) => totpCheck({ unseal: () => "GEZDGNBVGY3TQOJQ" }, kept)(100, "", "000000", NOW_MS, ""),
  },
  sequencer: {
    kept: { tickMs: NOW_MS },
    make: (kept) => new VirtualNode(new VirtualWorld(NOW_MS), new Engine(), kept),
  },
  streams: { kept: open.kept(), make: streamsOf },
  klines: { kept: klines, make: (kept) => streamsOf(kept).closed("btcusdt@kline_1m") },
  chain: {
    kept: chain().kept(),
    make: (kept) => new WorldFile(new DatabaseSync(":memory:"), "chain", world, kept).kept(),
  },
  follower: { kept: follower, make: (kept) => readKept("follower", KEPT_FOLLOWER, kept) },
};

/** Every place in the value, as paths. */
function places(value: KeptValue, path: readonly (string | number)[] = []): (readonly (string | number)[])[] {
  if (typeof value !== "object" || value === null) return [path];
  const inner = Object.entries(value).flatMap(([key, each]) => places(each, [...path, key]));
  return [path, ...inner];
}

function replaced(value: KeptValue, [key, ...rest]: readonly (string | number)[], by: KeptValue): KeptValue {
  if (key === undefined) return by;
  const copy = structuredClone(value) as Record<string, KeptValue>;
  copy[key] = replaced(copy[key] ?? null, rest, by);
  return copy;
}

const junk = fc.oneof(
  fc.constantFrom<KeptValue>(null, -1, 0, 1.5, 2 ** 53, -(2 ** 60), "", "NaN", [], {}, true, [[]], [null]),
  fc.jsonValue() as fc.Arbitrary<KeptValue>,
);

for (const [name, { kept, make }] of Object.entries(ROOMS)) {
  test(`${name}: taken, or refused`, () => {
    const whole = asInFile(kept);
    make(whole);
    const all = places(whole);
    fc.assert(
      fc.property(fc.constantFrom(...all), junk, (place, by) => {
        try {
          make(replaced(whole, place, by));
        } catch (error) {
          if (!(error instanceof KeptUnreadable)) throw error;
        }
      }),
      { numRuns: RUNS },
    );
  });
}

test("what stands twice is refused, where it can stand once only", () => {
  const { transactions, ...others } = chain().kept() as { readonly transactions: readonly KeptValue[] };
  const twice = { ...others, transactions: [...transactions, ...transactions] };
  assert.throws(() => ROOMS["chain"]?.make(asInFile(twice)), KeptUnreadable);
});

test("a candle of long ago is refused, for each since would be told", () => {
  const [stream] = klines as readonly [{ readonly name: string; readonly kept: KeptValue }];
  const old = { ...kline, openTimeMs: kline.openTimeMs - 120_000 };
  const kept = [{ ...stream, kept: { kline: old, hasNews: true, sentMs: NOW_MS } }];
  assert.throws(() => ROOMS["klines"]?.make(kept), /not the current candle/);
});
