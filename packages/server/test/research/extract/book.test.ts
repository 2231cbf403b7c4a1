/** A book followed by events alone equals the engine's, after every entry; and so does an extract of it. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { Engine, type Entry, type Event, fromScale, type Side } from "@pricetime/engine";
import { BookFollower } from "../../../src/research/extract/book-rows.ts";
import { csvRows, extractInto } from "./extracting.ts";
import { randomJournal, replayed, SYMBOLS } from "./random-journal.ts";

const SIDES: readonly Side[] = ["BUY", "SELL"];
const ALL_LEVELS = 100_000;
const HALF = 750;

test("the orders that stand, in their order, and what each shows, are those of the engine", async () => {
  const followers = SYMBOLS.map((_, symbolId) => new BookFollower(symbolId, () => {}));
  let refreshed = 0;
  const watching = new BookFollower(0, ({ kind }) => void (refreshed += kind === "refresh" ? 1 : 0));
  const engine = new Engine();
  const visit = (entry: Entry, events: readonly Event[]): void => {
    watching.take(events);
    for (const [symbolId, follower] of followers.entries()) {
      follower.take(events);
      const isListed = engine.marketBySymbol(SYMBOLS[symbolId] as string) !== undefined;
      if (!isListed || entry.seq % 50 > 0) continue;
      for (const side of SIDES) {
        const told = follower.standing(side).map(({ orderId, shownLots, leftLots }) => [orderId, shownLots, leftLots]);
        const stands = [...engine.state.marketOf(symbolId).book.orders(side)];
        const expected = stands.map(({ orderId, visibleLots, leftLots }) => [orderId, visibleLots, leftLots]);
        assert.deepEqual(told, expected, `entry ${entry.seq}`);
      }
    }
  };
  replayed(await randomJournal(7, 3000), visit, engine);
  assert.ok(refreshed > 20, `icebergs have shown ${refreshed} further slices: too few to say anything`);
});

test("the levels of an extract make the book at any time, whenever it begins", async (t) => {
  const journal = await randomJournal(8, 1500);
  const times: number[] = [];
  const books = new Map<number, string[]>();
  replayed(journal, ({ seq, timeMs }, _, engine) => {
    times.push(timeMs);
    const market = engine.marketBySymbol("BTCUSDT");
    // Every entry around the second beginning.
    if (market === undefined || (seq % 100 > 0 && Math.abs(seq - HALF) > 30)) return;
    const { priceDecimals, quantityDecimals } = market.scale;
    const levels = [
      ...market.bids(ALL_LEVELS).map((l) => ["BUY", ...l]),
      ...market.asks(ALL_LEVELS).map((l) => ["SELL", ...l]),
    ];
    const lines = levels.map(([side, ticks, lots]) =>
      [side, fromScale(ticks as number, priceDecimals), fromScale(lots as number, quantityDecimals)].join(" "),
    );
    books.set(seq, lines.sort());
  });
  const halfMs = times[HALF] as number;
  for (const fromMs of [0, halfMs]) {
    const { rows } = extractInto(t, journal, { subject: "book", symbols: ["BTCUSDT"], fromMs });
    const levels = new Map<string, string>();
    const told = rows("BTCUSDT-book-by-level.csv");
    assert.equal(
      told.some(({ isSnapshot }) => isSnapshot === "true"),
      fromMs > 0,
    );
    let at = 0;
    let compared = 0;
    for (const [seq, book] of books) {
      for (; at < told.length && Number(told[at]?.["seq"]) <= seq; at++) {
        const { side, price, qty } = told[at] as Record<string, string>;
        if (qty === "0.00000000") levels.delete(`${side} ${price}`);
        else levels.set(`${side} ${price}`, qty as string);
      }
      if ((times[seq - 1] as number) < fromMs) continue;
      compared++;
      assert.deepEqual([...levels].map((level) => level.join(" ")).sort(), book, `entry ${seq}`);
    }
    assert.ok(compared >= 5);
  }
});

test("order by order, what is shown follows from what came and went", async (t) => {
  const journal = await randomJournal(9, 1500);
  const { text } = extractInto(t, journal, { subject: "book", by: "order", symbols: ["BTCUSDT"], withAccounts: true });
  const shown = new Map<string, bigint>();
  const kinds = new Set<string>();
  for (const { event = "", orderId = "", qty = "", shownQty = "", account } of csvRows(
    text("BTCUSDT-book-by-order.csv"),
  )) {
    const lots = BigInt(qty.replace(".", ""));
    const before = shown.get(orderId) ?? 0n;
    const after = event === "add" || event === "refresh" ? before + lots : before - lots;
    kinds.add(event);
    assert.equal(after, BigInt(shownQty.replace(".", "")), `order ${orderId}`);
    assert.match(account ?? "", /^10[012]$/);
    shown.set(orderId, after);
  }
  assert.deepEqual([...kinds].sort(), ["add", "fill", "reduce", "refresh", "remove"]);
});
