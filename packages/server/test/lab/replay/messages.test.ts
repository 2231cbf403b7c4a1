import assert from "node:assert/strict";
import { test } from "node:test";
import { IMPACTS } from "../../../src/lab/replay/replay-shapes.ts";
import { ReplayVenue, START_MS } from "./replay-venue.ts";

/** Noon, in seconds after midnight. */
const NOON_S = 43_200;
const NAME = "AAPL_2026-01-14_34200000_57600000_message_10.csv";

/** A row of LOBSTER: seconds after noon, type, id, size, price of 10^-4, direction of what rests. */
const row = (s: number, type: number, id: number, size: number, price: number, direction: 1 | -1): string =>
  [(NOON_S + s).toFixed(9), type, id, size, Math.round(price * 10_000), direction].join();

async function played(venue: ReplayVenue, lines: readonly string[], settings: object = {}): Promise<void> {
  await venue.play([venue.file(NAME, lines)], settings);
}

const prints = (venue: ReplayVenue): unknown[] =>
  venue.trades.map(({ timeMs, price, quantity, takerSide, isRecorded }) => {
    return [(timeMs - START_MS) / 1000, price, quantity, takerSide, isRecorded];
  });

/** The executed quantity of each order, according to the tape. */
const hits = (venue: ReplayVenue): unknown[] =>
  venue.trades.map(({ maker, price, quantity }) => [maker.replace(/-[0-9]+$/, ""), price, quantity]);

/** The same according to the visible executions of a file. */
const executions = (lines: readonly string[]): unknown[] =>
  lines
    .map((line) => line.split(",").map(Number))
    .filter(([, type]) => type === 4)
    .map(([, , id, size, price]) => [`L${id}`, Number(price) / 10_000, size]);

const FILE = [
  row(0, 1, 100, 10, 50, 1),
  row(0.1, 1, 101, 5, 50, 1),
  row(0.2, 1, 102, 8, 51, -1),
  row(0.3, 1, 103, 4, 51, -1),
  // One taker buys 8 and 4, of two orders; its remainder rests.
  row(1, 4, 102, 8, 51, -1),
  row(1, 4, 103, 4, 51, -1),
  row(1, 1, 104, 3, 51, 1),
  // 100 keeps its place when it is reduced.
  row(2, 2, 100, 4, 50, 1),
  row(2.5, 4, 104, 3, 51, 1),
  row(3, 4, 100, 6, 50, 1),
  row(3, 4, 101, 1, 50, 1),
  row(4, 5, 0, 3, 50.5, 1),
  row(4.5, 7, 0, 0, -1 / 10_000, -1),
  row(5, 3, 101, 4, 50, 1),
];

test("messages are played order by order: every visible execution hits the order that the file names", async (t) => {
  const venue = await ReplayVenue.open(t);
  await played(venue, FILE);
  await venue.advance(1500);
  assert.deepEqual(venue.book("bids"), [
    [51, 3],
    [50, 15],
  ]);
  await venue.advance(700);
  assert.deepEqual(venue.book("bids")[1], [50, 11]);
  await venue.advance(60_000);
  assert.deepEqual(prints(venue), [
    [1, 51, 8, "BUY", true],
    [1, 51, 4, "BUY", true],
    [2.5, 51, 3, "SELL", true],
    [3, 50, 6, "SELL", true],
    [3, 50, 1, "SELL", true],
  ]);
  assert.deepEqual(hits(venue), executions(FILE));
  const { state, layout, rows, trades, skipped } = await venue.list();
  assert.deepEqual([state, layout, rows, trades, skipped], ["ended", "lobster", 14, 5, 2]);
  assert.deepEqual([venue.book("bids"), venue.book("asks")], [[], []]);
});

test("orders from before the file stand in the order of their ids, with what the file tells of them", async (t) => {
  const venue = await ReplayVenue.open(t);
  const lines = [
    row(0, 1, 90, 5, 50, 1),
    row(0.7, 2, 30, 1, 50, 1),
    row(1, 4, 12, 2, 50, 1),
    row(2, 3, 30, 6, 50, 1),
    row(2.5, 2, 12, 1, 50, 1),
    row(3, 4, 12, 4, 50, 1),
    row(4, 4, 90, 5, 50, 1),
  ];
  await played(venue, lines);
  await venue.advance(500);
  // 12 has 7, 30 has 7, 90 has 5.
  assert.deepEqual(venue.book("bids"), [[50, 19]]);
  const { engine } = venue.market;
  const { accountId } = engine.accountByEmail("replay-bids-btcusdt@bots.pricetime") ?? assert.fail();
  const queue = engine.openOrders(accountId).map(({ clientOrderId }) => clientOrderId);
  assert.deepEqual(queue, ["L12", "L12-0", "L30", "L30-0", "L90"]);
  await venue.advance(60_000);
  assert.deepEqual(hits(venue), executions(lines));
  assert.equal((await venue.list()).error, undefined);
});

test("an order that the file hits out of its turn is hit all the same", async (t) => {
  const venue = await ReplayVenue.open(t);
  const lines = [
    row(0, 1, 1, 5, 50, 1),
    row(0, 1, 2, 5, 50, 1),
    row(0, 1, 3, 5, 51, 1),
    row(1, 4, 2, 3, 50, 1),
    row(2, 4, 3, 5, 51, 1),
    row(3, 4, 2, 2, 50, 1),
  ];
  await played(venue, lines);
  await venue.advance(60_000);
  assert.deepEqual(hits(venue), executions(lines));
  assert.deepEqual(venue.book("bids"), [[50, 5]]);
});

test("a number that is used again is another order, with cuts of its own", async (t) => {
  const venue = await ReplayVenue.open(t);
  const lines = [
    row(0, 1, 1, 5, 50, 1),
    row(1, 2, 1, 2, 50, 1),
    row(1, 4, 1, 3, 50, 1),
    row(2, 1, 1, 4, 49, 1),
    row(3, 2, 1, 1, 49, 1),
    row(4, 4, 1, 2, 49, 1),
    row(5, 3, 1, 1, 49, 1),
  ];
  await played(venue, lines);
  await venue.advance(3500);
  assert.deepEqual(venue.book("bids"), [[49, 3]]);
  await venue.advance(60_000);
  assert.deepEqual(hits(venue), executions(lines));
  assert.deepEqual([venue.book("bids"), (await venue.list()).error], [[], undefined]);
});

test("own orders have their place in the queue, and take a recorded taker's trade (book), or are filled beside it (none)", async (t) => {
  for (const impact of IMPACTS) {
    const venue = await ReplayVenue.open(t);
    const lines = [
      row(0, 1, 1, 5, 50, 1),
      row(2, 1, 2, 5, 50, 1),
      row(3, 4, 1, 5, 50, 1),
      row(4, 4, 2, 2, 50, 1),
      row(5, 3, 2, 3, 50, 1),
    ];
    await played(venue, lines, { impact });
    await venue.advance(1000);
    const order = await venue.order("BUY", 1, 50);
    await venue.advance(2500);
    assert.equal(venue.leftOf(order), 1, "order 1 stands before it");
    await venue.advance(60_000);
    assert.equal(venue.leftOf(order), 0, "order 2 stands behind it");
    const quantities = venue.trades.map(({ quantity, isRecorded }) => [quantity, isRecorded]);
    const wanted =
      impact === "book"
        ? [
            [5, true],
            [1, false],
            [1, true],
          ]
        : [
            [5, true],
            [1, false],
            [2, true],
          ];
    assert.deepEqual(quantities, wanted, impact);
    assert.deepEqual([venue.book("bids"), (await venue.list()).error], [[], undefined]);
  }
});

for (const impact of IMPACTS) {
  test(`nautilus #4370: a stranger's cancel does not put an own order first in its queue (${impact})`, async (t) => {
    const venue = await ReplayVenue.open(t);
    const lines = [
      row(0, 1, 1, 5, 50, 1),
      row(0, 1, 2, 5, 50, 1),
      row(2, 3, 1, 5, 50, 1),
      row(2.5, 1, 3, 5, 50, 1),
      row(3, 4, 2, 3, 50, 1),
      row(4, 4, 2, 2, 50, 1),
      row(5, 4, 3, 1, 50, 1),
      row(6, 3, 3, 4, 50, 1),
    ];
    await played(venue, lines, { impact });
    await venue.advance(1000);
    const order = await venue.order("BUY", 1, 50);
    await venue.advance(3500);
    assert.equal(venue.leftOf(order), 1, "order 2 stands before it, and was hit twice");
    await venue.advance(60_000);
    assert.equal(venue.leftOf(order), 0, "order 3 stands behind it");
    const hit = venue.trades.map(({ maker, quantity }) => [maker, quantity]);
    const behind = impact === "book" ? [] : [["L3", 1]];
    assert.deepEqual(hit, [["L2", 3], ["L2", 2], ["bot-1", 1], ...behind]);
    assert.equal((await venue.list()).error, undefined);
  });
}

test("what own orders had of a recorded taker stays in the recorded order, and makes way for what comes across it", async (t) => {
  const venue = await ReplayVenue.open(t);
  const lines = [
    row(0, 1, 9, 1, 49, 1),
    row(2, 1, 1, 5, 50, 1),
    row(3, 4, 1, 3, 50, 1),
    row(4, 4, 1, 2, 50, 1),
    row(5, 1, 2, 1, 50, -1),
    row(6, 4, 2, 1, 50, -1),
  ];
  await played(venue, lines);
  await venue.advance(1000);
  await venue.order("BUY", 2, 50);
  await venue.advance(60_000);
  assert.deepEqual(
    venue.trades.map(({ maker, quantity }) => [maker, quantity]),
    [
      ["bot-1", 2],
      ["L1", 1],
      ["L1", 2],
      ["L2", 1],
    ],
  );
  const { state, error } = await venue.list();
  assert.deepEqual([state, error], ["ended", undefined]);
});

test("a recorded order that went without the file and without own orders ends the replay, with the line that misses it", async (t) => {
  for (const impact of IMPACTS) {
    const venue = await ReplayVenue.open(t);
    const lines = [row(0, 1, 1, 5, 50, 1), row(0, 1, 2, 5, 50, 1), row(2, 4, 2, 5, 50, 1), row(3, 4, 1, 5, 50, 1)];
    await played(venue, lines, { impact });
    await venue.advance(1000);
    const { engine } = venue.market;
    const { accountId } = engine.accountByEmail("replay-bids-btcusdt@bots.pricetime") ?? assert.fail();
    const [, { orderId, symbolId } = assert.fail()] = engine.openOrders(accountId);
    const names = { origClientOrderId: "", newClientOrderId: "operator" };
    await venue.market.run({ type: "cancelOrder", accountId, symbolId, orderId, ...names });
    await venue.advance(60_000);
    const { state, error } = await venue.list();
    assert.deepEqual([state, error], ["failed", `${NAME}, line 3: order 2 is executed by more than is left of it`]);
    assert.deepEqual([venue.trades, venue.book("bids")], [[], []]);
  }
});

test("what own takers had of a recorded order is gone (book), or is there again when it is hit (none)", async (t) => {
  for (const impact of IMPACTS) {
    const venue = await ReplayVenue.open(t);
    await played(venue, [row(0, 1, 1, 5, 51, -1), row(2, 4, 1, 3, 51, -1), row(3, 3, 1, 2, 51, -1)], { impact });
    await venue.order("BUY", 4);
    await venue.advance(60_000);
    const quantities = venue.trades.map(({ quantity }) => quantity);
    assert.deepEqual(quantities, impact === "book" ? [4, 1] : [4, 3]);
    assert.deepEqual([venue.book("asks"), (await venue.list()).error], [[], undefined]);
  }
});

test("a file of ours says its units beside it, and its day", async (t) => {
  const venue = await ReplayVenue.open(t);
  const meta = { venue: "pricetime", symbol: "BTCUSDT", epochDay: 20_467, priceScale: 2, sizeScale: 6, levels: 10 };
  venue.file("BTCUSDT_2026-01-14_meta.json", [JSON.stringify(meta)]);
  const file = venue.file("BTCUSDT_2026-01-14_message.csv", [
    "43200.000,1,5,250000,9500001,-1",
    "43200.250,4,5,1,9500001,-1",
  ]);
  const { layout } = await venue.play([file]);
  await venue.advance(1000);
  assert.equal(layout, "lobster");
  assert.deepEqual(prints(venue), [[0.25, 95_000.01, 0.000001, "BUY", true]]);
});

test("messages that cannot be so are refused with file and line", async (t) => {
  const venue = await ReplayVenue.open(t);
  const refused = async (name: string, lines: readonly string[]): Promise<string> =>
    (await venue.refusal([venue.file(name, lines)]))[1];
  assert.match(
    await refused("messages.csv", [row(0, 1, 1, 1, 50, 1)]),
    /messages\.csv: a file of messages is named SYMBOL_/,
  );
  assert.match(await refused(NAME, [row(0, 1, 1, 1, 50, 1), row(1, 9, 1, 1, 50, 1)]), /line 2: there is no type 9/);
  assert.match(await refused(NAME, [row(0, 1, 1, 1, 50.0001, 1)]), /line 1: the price 50\.0001 is off the tick/);
  assert.match(
    await refused(NAME, [row(0, 1, 1, 1, 50, 1), row(1, 1, 2, 5, 51, -1).slice(0, -1)]),
    /line 2: '-' is no direction/,
  );
  assert.match(await refused(NAME, [row(0, 1, 1, 1, 50, 1), "86400.1,1,2,1,500000,1"]), /line 2: 86400\.1 is no time/);
});

/** What is impossible after the previous rows. */
const IMPOSSIBLE: Readonly<Record<string, readonly [lines: readonly string[], message: RegExp]>> = {
  "an order that would trade": [
    [row(0, 1, 1, 1, 50, 1), row(1, 1, 2, 1, 49, -1)],
    /line 2: order 2 would trade with order 1, which stands in the book$/,
  ],
  "an order that would have traded with one from before the file": [
    [row(0, 1, 2, 1, 50, 1), row(1, 4, 1, 1, 49, -1)],
    /line 2: order 1 stands from before the file, and would have traded with order 2 of line 1$/,
  ],
  "two from before the file that would have traded": [
    [row(0, 3, 2, 1, 50, 1), row(1, 3, 1, 1, 50, -1)],
    /line 2: order 1 stands from before the file, and would have traded with order 2 of line 1$/,
  ],
  "an order twice": [[row(0, 1, 1, 1, 50, 1), row(1, 1, 1, 1, 49, 1)], /line 2: order 1 is in the book already$/],
  "a cut of more than there is": [
    [row(0, 1, 1, 5, 50, 1), row(1, 4, 1, 3, 50, 1), row(2, 2, 1, 3, 50, 1)],
    /line 3: order 1 is reduced by 3\.000000, and has 2\.000000$/,
  ],
  "an execution of more than there is": [
    [row(0, 1, 1, 5, 50, 1), row(1, 2, 1, 2, 50, 1), row(2, 4, 1, 4, 50, 1)],
    /line 3: order 1 is executed by 4\.000000, and has 3\.000000$/,
  ],
  "an execution of what was executed": [
    [row(0, 1, 1, 5, 50, 1), row(1, 4, 1, 5, 50, 1), row(2, 4, 1, 1, 50, 1)],
    /line 3: order 1 is not in the book any more$/,
  ],
  "an execution of what was deleted": [
    [row(0, 1, 1, 5, 50, 1), row(1, 3, 1, 5, 50, 1), row(2, 4, 1, 1, 50, 1)],
    /line 3: order 1 is not in the book any more$/,
  ],
  "a deletion twice, of an order from before the file": [
    [row(0, 3, 1, 5, 50, 1), row(1, 3, 1, 5, 50, 1)],
    /line 2: order 1 is not in the book any more$/,
  ],
  "a deletion of less than there is": [
    [row(0, 1, 1, 5, 50, 1), row(1, 3, 1, 4, 50, 1)],
    /line 2: order 1 is deleted by 4\.000000, and has 5\.000000$/,
  ],
  "an execution at another price": [
    [row(0, 1, 1, 5, 50, 1), row(1, 4, 1, 5, 49, 1)],
    /line 2: order 1 is a BUY at 50\.00, and here a BUY at 49\.00$/,
  ],
  "an execution on the other side, of an order from before the file": [
    [row(0, 4, 1, 5, 50, 1), row(1, 4, 1, 5, 50, -1)],
    /line 2: order 1 is a BUY at 50\.00, and here a SELL at 50\.00$/,
  ],
  "an order of nothing": [[row(0, 1, 1, 0, 50, 1)], /line 1: its size is 0$/],
};

test("messages that cannot be after those before them are refused before any of them is played", async (t) => {
  const venue = await ReplayVenue.open(t);
  const { seq } = venue.market.engine;
  for (const [name, [lines, message]] of Object.entries(IMPOSSIBLE)) {
    const [code, said] = await venue.refusal([venue.file(NAME, lines)]);
    assert.equal(code, "BAD_FILE", name);
    assert.match(said.replace(/; without AAPL_[^;]*_orderbook_10\.csv beside it, [^;]*$/, ""), message, name);
  }
  assert.deepEqual([venue.market.engine.seq, venue.stoodInFor.size], [seq, 0]);
  // An order from before the file is gone after its last message: later ones may cross it.
  const lines = [row(0, 4, 1, 2, 50, 1), row(1, 4, 1, 3, 50, 1), row(2, 1, 2, 1, 49, -1), row(3, 4, 2, 1, 49, -1)];
  await played(venue, lines);
  await venue.advance(60_000);
  assert.deepEqual(hits(venue), executions(lines));
});
