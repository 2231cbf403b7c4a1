/**
 * Instants that are replayed within one turn of the event loop, which a lab's journal permits, equal those that wait
 * for a journal: row by row, up to the hash over all of them.
 */
import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import type { Side } from "@pricetime/engine";
import type { PromptSequencer } from "@pricetime/server/parts";
import { archiveTrades, ReplayVenue, START_MS } from "./replay-venue.ts";

type Row = readonly [price: number, quantity: number, takerSide: Side, timeMs: number];

const ROWS = 2_500;
/** Some instants are alone in their millisecond, some have a hundred rows, and one more commands than a batch takes. */
function walk(): Row[] {
  const rows: Row[] = [];
  let [ticks, timeMs, draw] = [9_500_000, START_MS, 777];
  const next = (below: number): number => {
    draw = (draw * 48_271) % 2_147_483_647;
    return draw % below;
  };
  let hasLarge = false;
  while (rows.length < ROWS) {
    const side = next(2) === 0 ? "BUY" : "SELL";
    const sign = side === "BUY" ? 1 : -1;
    ticks += next(20) === 0 ? (next(2) === 0 ? 1 : -1) * next(50_000) : sign * next(3);
    const fills = rows.length > 700 && !hasLarge ? 1_100 : next(30) === 0 ? 100 : next(4);
    hasLarge ||= rows.length > 700;
    for (let fill = fills; fill >= 0; fill--) {
      rows.push([ticks / 100, (1 + next(3_000_000)) / 1e6, side, timeMs]);
      ticks += sign * next(2) * next(4);
    }
    timeMs += next(3) === 0 ? 0 : next(40);
  }
  return rows;
}

interface Case {
  readonly name: string;
  readonly settings?: object;
  readonly act: (venue: ReplayVenue, path: string) => Promise<unknown>;
}

const toTheEnd = (venue: ReplayVenue): Promise<unknown> => venue.advance(10 * 60_000);

const CASES: readonly Case[] = [
  { name: "alone", act: toTheEnd },
  { name: "a hundred times as fast", settings: { speed: 100 }, act: toTheEnd },
  { name: "without a band", settings: { band: { levels: 0 } }, act: toTheEnd },
  ...(["book", "none"] as const).map((impact) => ({
    name: `among own orders, impact ${impact}`,
    settings: { impact },
    act: async (venue: ReplayVenue) => {
      for (let round = 0; round < 10; round++) {
        await venue.advance(200);
        const [[bid = 0] = [], [ask = 0] = []] = [venue.book("bids")[0], venue.book("asks")[0]];
        await venue.order("BUY", 0.5);
        await venue.order(round % 2 === 0 ? "BUY" : "SELL", 1, round % 2 === 0 ? bid : ask);
      }
      await toTheEnd(venue);
    },
  })),
  {
    name: "paused, stepped, and hurried",
    act: async (venue, path) => {
      await venue.advance(1_000);
      await venue.ask("POST", path, { state: "paused" });
      await venue.advance(5_000);
      await venue.ask("POST", `${path}/step`, { rows: 37 });
      await venue.advance(7);
      await venue.ask("POST", path, { state: "playing", speed: 3 });
      await toTheEnd(venue);
    },
  },
];

for (const { name, settings, act } of CASES) {
  test(`the journal is the same whether moments share a turn or not: ${name}`, async (t) => {
    const [waiting, prompt] = [await played(t, true, act, settings), await played(t, false, act, settings)];
    assert.deepEqual({ ...prompt, batches: 0 }, { ...waiting, batches: 0 });
    assert.deepEqual([waiting.state, waiting.batches], ["ended", 0]);
    assert.ok(prompt.batches > 20, `${prompt.batches} batches were sequenced within their turn`);
  });
}

test("what is told of a moment is sent before the next one, however many share a turn", async (t) => {
  const venue = await ReplayVenue.open(t);
  const { sendQueue, market } = venue;
  const sentMs: (readonly [tradedMs: number, nowMs: number])[] = [];
  sendQueue.follow({
    applied: ({ timeMs }, events) => {
      const isTold = events.some(({ type }) => type === "trade");
      if (isTold) sendQueue.stream(() => sentMs.push([timeMs, market.clock.nowMs()]));
    },
  });
  await venue.play([venue.file("trades.csv", archiveTrades(walk()))], { startAtMs: START_MS + 50 });
  await toTheEnd(venue);
  assert.ok(sentMs.length > 100);
  assert.deepEqual(
    sentMs.filter(([tradedMs, nowMs]) => tradedMs !== nowMs),
    [],
  );
});

test("a bad row ends a replay alike, and what came before it in its moment is played", async (t) => {
  const ends = (lines: string[]): string[] => [...lines.slice(0, 30), "cut,here", ...lines.slice(30)];
  const { REPLAY_LIMITS } = await import("../../../src/lab/replay/replay-shapes.ts");
  const usual = { ...REPLAY_LIMITS };
  Object.assign(REPLAY_LIMITS, { measuredRows: 10 });
  t.after(() => Object.assign(REPLAY_LIMITS, usual));
  const [waiting, prompt] = [
    await played(t, true, toTheEnd, { check: "beginning" }, ends),
    await played(t, false, toTheEnd, { check: "beginning" }, ends),
  ];
  assert.deepEqual({ ...prompt, batches: 0 }, { ...waiting, batches: 0 });
  assert.deepEqual([prompt.state, prompt.rows], ["failed", 30]);
});

async function played(
  t: TestContext,
  journalWaits: boolean,
  act: Case["act"],
  settings: object = {},
  change = (lines: string[]): string[] => lines,
) {
  const venue = await ReplayVenue.open(t, { journalWaits });
  const counted = counting(venue.market.sequencer);
  const file = venue.file("trades.csv", change(archiveTrades(walk())));
  const { id } = await venue.play([file], { startAtMs: START_MS + 50, ...settings });
  await act(venue, `/v1/lab/replays/${id}`);
  const { state, rows, trades, error = "" } = await venue.list();
  venue.market.engine.checkInvariants();
  const { chainHash } = venue.market;
  return { state, rows, trades, error, chainHash, printed: venue.trades.length, batches: counted.batches };
}

/** Counts what is sequenced within its turn. */
function counting(sequencer: PromptSequencer): { batches: number } {
  const counted = { batches: 0 };
  const submitNow = sequencer.submitNow.bind(sequencer);
  Object.assign(sequencer, {
    submitNow: (...args: Parameters<PromptSequencer["submitNow"]>): boolean => {
      const isDone = submitNow(...args);
      if (isDone) counted.batches++;
      return isDone;
    },
  });
  return counted;
}
