/** A checkpoint may come from an untrusted file: a part accepts its state or rejects it without side effects. */
import { VENUE_INTERFACES } from "@pricetime/protocol";
import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
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
import { ChainFollower, type ChainFollowerOptions } from "../../../src/funds/wallet/chain-follower.ts";
import { type PartStates, SavedParts, SavedStateUnreadable } from "../../../src/platform/world/saved-state.ts";
import type { SavedValue } from "../../../src/platform/world/port.ts";
import { asInFile, restoring } from "./goes-on.ts";
import { VirtualWorld } from "./virtual-world.ts";

const NOW_MS = 1_614_834_367_000;
const RUNS = 400;

/** Parts with their state; `make` creates them from a registry and uses them. */
interface Case {
  readonly states: PartStates;
  readonly make: (saved: SavedParts) => unknown;
}

const venue = new TestVenue();
const worldWith = (saved: SavedParts): VirtualWorld => new VirtualWorld(NOW_MS, 0, saved);

function streamsOf(saved: SavedParts): MarketStreams {
  const world = worldWith(saved);
  return new MarketStreams({
    engine: venue.engine,
    history: venue.history(),
    publisher: { hasSubscribers: () => true, publish: () => {}, end: () => {} },
    turns: new Turns(world),
    log: { error: () => {} },
    world,
    nowMs: () => NOW_MS,
    venueInterface: VENUE_INTERFACES["2019"],
    settledMs: () => NOW_MS,
  });
}

/** The state after `use`. */
function statesOf<Part>(make: (saved: SavedParts) => Part, use: (part: Part) => void): PartStates {
  const saved = new SavedParts();
  use(make(saved));
  return saved.save();
}

/** Counters of requests, connections and codes, and the identifier sequence. */
function edge(saved: SavedParts): () => void {
  const ips = new IpLimiter(DEFAULT_LIMITS, saved);
  const orders = new OrderLimiter(DEFAULT_LIMITS, () => ({ ordersInWindow: () => 0 }), saved);
  const attempts = new Attempts(STREAM_LIMITS, saved);
  const checkTotp = totpCheck({ unseal: () => "GEZDGNBVGY3TQOJQ" }, saved);
  const [spent, ids] = [new SpentSignatures(saved), new RandomIds(worldWith(saved))];
  return () => {
    for (let i = 0; i < 3; i++) ips.count(ips.record(`10.0.0.${i}`, NOW_MS), i * 1_000, NOW_MS);
    ips.bans(NOW_MS);
    if (!("rule" in orders.reserve(100, 2, NOW_MS))) orders.releaseUnknown(100, 2, NOW_MS);
    attempts.take("10.0.0.1", NOW_MS);
    checkTotp(100, "", "000000", NOW_MS, "");
    spent.spend({ apiKey: "k", payload: "a", lastMs: NOW_MS, session: {} }, NOW_MS);
    ids.listenKey();
  };
}

const chain = (saved: SavedParts): WorldFile => new WorldFile(new DatabaseSync(":memory:"), "chain", worldWith(saved));
const chainStates = statesOf(chain, (file) => {
  for (const txId of ["a", "b"]) {
    file.add({ txId, asset: "BTC", address: "x", tag: "", amount: "1", nonce: null, height: 1, isSuccess: true });
  }
  file.fork(1);
});

const block = { height: 1, hash: "h" };
const coin = { txId: "a", output: 0, asset: "BTC", address: "x", tag: "", amount: "1", block };
const followerStates: PartStates = {
  follower: { isUp: true, watchTrouble: "", sendTrouble: "" },
  watcher: {
    coins: [coin],
    missing: [{ key: "a 0", sinceHeight: 1, rounds: 1 }],
    ...{ blocks: { next: 2, pauses: [block] }, height: 1, note: "" },
  },
  "watcher/refusals": [["what", 3]],
  unattributed: [{ ...coin, stray: "unknownAddress" }],
  watching: { dueMs: NOW_MS, failures: 0 },
  sender: { roundsDisplaced: [["w", 1]], inTurn: { txId: "", sinceHeight: 0 }, note: "" },
  "sender/refusals": [],
  sending: null,
};

function follower(saved: SavedParts): ChainFollower {
  const unused = {} as never;
  const chainOf = { network: "SBX" } as ChainFollowerOptions["chain"];
  const pace = { pollMs: 1, maxPendingPayments: 1, raiseFeeAfterMs: 0 };
  const parts = { view: venue.engine, sequencer: unused, log: unused, onFatal: unused };
  return new ChainFollower({ ...parts, ...pace, chain: chainOf, world: worldWith(new SavedParts()), saved });
}

const NAMES = ["btcusdt@depth", "btcusdt@depth5", "btcusdt@ticker", "!ticker@arr", "btcusdt@kline_1m"];
const openStates = statesOf(streamsOf, (streams) => NAMES.forEach((name) => streams.opened(name)));
const quiet = { openTicks: 1, highTicks: 1, lowTicks: 1, closeTicks: 1, lots: "0", quote: "0", count: 0 };
const kline = {
  ...{ openTimeMs: NOW_MS - (NOW_MS % 60_000), ...quiet },
  ...{ takerBuyLots: "0", takerBuyQuote: "0", firstTradeId: -1, pastCount: 0 },
};
const KLINES = "btcusdt@kline_1m";
const klineStates = (of: typeof kline): PartStates => ({
  openStreams: [KLINES],
  [`openStreams/${KLINES}`]: { kline: of, hasNews: true, sentMs: NOW_MS },
});

const CASES: Readonly<Record<string, Case>> = {
  edge: { states: statesOf(edge, (use) => use()), make: (saved) => edge(saved)() },
  streams: { states: openStates, make: streamsOf },
  klines: { states: klineStates(kline), make: (saved) => streamsOf(saved).closed(KLINES) },
  chain: { states: chainStates, make: (saved) => (chain(saved), saved.save()) },
  follower: { states: followerStates, make: (saved) => (follower(saved), saved.save()) },
};

/** The paths of all values inside a value. */
function places(value: SavedValue, path: readonly (string | number)[] = []): (readonly (string | number)[])[] {
  if (typeof value !== "object" || value === null) return [path];
  const inner = Object.entries(value).flatMap(([key, each]) => places(each, [...path, key]));
  return [path, ...inner];
}

function replaced(value: SavedValue, [key, ...rest]: readonly (string | number)[], by: SavedValue): SavedValue {
  if (key === undefined) return by;
  const copy = structuredClone(value) as Record<string, SavedValue>;
  copy[key] = replaced(copy[key] ?? null, rest, by);
  return copy;
}

const junk = fc.oneof(
  fc.constantFrom<SavedValue>(null, -1, 0, 1.5, 2 ** 53, -(2 ** 60), "", "NaN", [], {}, true, [[]], [null]),
  fc.jsonValue() as fc.Arbitrary<SavedValue>,
);

for (const [name, { states, make }] of Object.entries(CASES)) {
  test(`${name}: accepted or rejected`, () => {
    const whole = asInFile(states);
    make(restoring(whole));
    const all = places(whole).filter((path) => path.length > 0);
    fc.assert(
      fc.property(fc.constantFrom(...all), junk, (place, by) => {
        try {
          make(restoring(replaced(whole, place, by) as PartStates));
        } catch (error) {
          if (!(error instanceof SavedStateUnreadable)) throw error;
        }
      }),
      { numRuns: RUNS },
    );
  });
}

test("duplicates are rejected where entries are unique", () => {
  const { transactions, ...others } = chainStates["chain"] as { readonly transactions: readonly SavedValue[] };
  const twice = restoring({ chain: { ...others, transactions: [...transactions, ...transactions] } });
  assert.throws(() => chain(twice), SavedStateUnreadable);
});

test("an old candle is rejected, as all later ones would be sent", () => {
  const old = klineStates({ ...kline, openTimeMs: kline.openTimeMs - 120_000 });
  assert.throws(() => streamsOf(restoring(old)), /not the current candle/);
});
