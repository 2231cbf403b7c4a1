/** LOBSTER as it is sold: a file of messages and one of a few levels of the book. */
import assert from "node:assert/strict";
import { renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { gzipSync } from "node:zlib";
import { Dice } from "@pricetime/testkit/dice";
import { FullBook, type MadeLobster } from "./made-lobster.ts";
import { ReplayVenue } from "./replay-venue.ts";

const stem = (name: string, levels: number): string => `AAPL_2026-01-14_34200000_57600000_${name}_${levels}.csv`;

async function opened(
  t: TestContext,
  made: MadeLobster,
  levels: number,
): Promise<{ venue: ReplayVenue; file: string }> {
  const venue = await ReplayVenue.open(t);
  venue.file(stem("orderbook", levels), made.books);
  return { venue, file: venue.file(stem("message", levels), made.messages) };
}

/** A row of the book's file, according to the venue. */
function shownBy(row: string): { readonly asks: number[][]; readonly bids: number[][] } {
  const values = row.split(",").map(Number);
  const levels: number[][] = [];
  for (let at = 0; at < values.length; at += 2) levels.push([(values[at] ?? 0) / 10_000, values[at + 1] ?? 0]);
  const isThere = ([, size]: number[]): boolean => (size ?? 0) > 0;
  return {
    asks: levels.filter((_, at) => at % 2 === 0).filter(isThere),
    bids: levels.filter((_, at) => at % 2 === 1).filter(isThere),
  };
}

for (const levels of [1, 2, 5, 10]) {
  test(`the replay's book is that of the file of ${levels} levels at every row`, async (t) => {
    for (const seed of [1, 2, 3]) {
      const made = new FullBook(new Dice(100 * levels + seed)).record(levels, 400);
      const { venue, file } = await opened(t, made, levels);
      const { id, doubts, book } = await venue.play([file]);
      assert.deepEqual(doubts, []);
      assert.deepEqual([book?.rows, book?.equalRows], [made.books.length, made.books.length]);
      await venue.ask("POST", `/v1/lab/replays/${id}`, { state: "paused" });
      for (let { rows, state } = await venue.list(); state === "paused"; ) {
        const { asks, bids } = shownBy(made.books[rows - 1] ?? assert.fail());
        const where = `seed ${seed}, row ${rows}: ${made.messages[rows - 1]}`;
        assert.deepEqual(venue.book("asks").slice(0, levels), asks, where);
        assert.deepEqual(venue.book("bids").slice(0, levels), bids, where);
        if (rows === made.messages.length) break;
        ({ rows, state } = await venue.ask("POST", `/v1/lab/replays/${id}/step`, { rows: 1 }));
      }
      const { rows, state, skipped, error } = await venue.list();
      assert.deepEqual([rows, state, skipped, error], [made.messages.length, "ended", made.skipped, undefined]);
      const executed = made.messages.map((line) => line.split(",").map(Number)).filter(([, type]) => type === 4);
      const hits = venue.trades.map(({ price, quantity }) => [price, quantity]);
      assert.deepEqual(
        hits,
        executed.map(([, , , size, price]) => [(price ?? 0) / 10_000, size]),
      );
      assert.ok(executed.length > 20);
    }
  });
}

test("by the clock, and on from a checkpoint, the same is played", async (t) => {
  const made = new FullBook(new Dice(7)).record(2, 600);
  const { venue, file } = await opened(t, made, 2);
  await venue.play([file]);
  for (let n = 0; n < 8; n++) {
    await venue.advance(700);
    venue.restore();
  }
  const { rows } = await venue.list();
  assert.ok(rows > 50 && rows < made.messages.length);
  const { asks, bids } = shownBy(made.books[rows - 1] ?? assert.fail());
  assert.deepEqual([venue.book("asks").slice(0, 2), venue.book("bids").slice(0, 2)], [asks, bids]);
  await venue.advance(60_000);
  const { state, error, trades } = await venue.list();
  assert.deepEqual([state, error, trades], ["ended", undefined, made.executions]);
});

test("names of the messages are those of the orders that they hit, also of orders from before the file", async (t) => {
  const made = new FullBook(new Dice(3)).record(10, 300);
  const { venue, file } = await opened(t, made, 10);
  await venue.play([file]);
  await venue.advance(60_000);
  const named = made.messages.map((line) => line.split(",")).filter(([, type]) => type === "4");
  const hits = venue.trades.map(({ maker }) => maker);
  const same = named.filter(([, , id], at) => hits[at] === `L${id}`).length;
  assert.ok(same > named.length * 0.9, `${same} of ${named.length}`);
});

test("a file of the book that is packed is found, one of another day is told of, and a lone file is as before", async (t) => {
  const made = new FullBook(new Dice(5)).record(1, 300);
  const { venue, file } = await opened(t, made, 1);
  const books = join(venue.folder, stem("orderbook", 1));
  const replayed = async (): Promise<{ readonly doubts: readonly string[]; readonly equal: unknown }> => {
    const { id, doubts, book } = await venue.play([file]);
    await venue.ask("DELETE", `/v1/lab/replays/${id}`);
    return { doubts, equal: book?.equalRows };
  };
  renameSync(books, `${books}.plain`);
  writeFileSync(`${books}.gz`, gzipSync(made.books.join("\n")));
  assert.deepEqual(await replayed(), { doubts: [], equal: made.books.length });
  const other = new FullBook(new Dice(6)).record(1, 300);
  writeFileSync(`${books}.gz`, gzipSync(other.books.join("\n")));
  const { doubts, equal } = await replayed();
  assert.ok(Number(equal) < other.books.length / 2);
  assert.match(
    doubts[0] ?? "",
    /^AAPL_2026-01-14_.*_orderbook_1\.csv\.gz, line [0-9]+: messages do not lead to this book; they do at [0-9]+ of [0-9]+ rows$/,
  );
  rmSync(`${books}.gz`);
  const [, said] = await venue.refusal([file]);
  assert.match(said, /^AAPL_.*_message_1\.csv, line [0-9]+: order .*; without AAPL_.*_orderbook_1\.csv beside it/);
  const [, wrong] = await venue.refusal([venue.file(stem("orderbook", 1), made.books)]);
  assert.match(
    wrong,
    /line 1: it is LOBSTER's file of the book: name its file of messages, and this one is found beside it$/,
  );
});
