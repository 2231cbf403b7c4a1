/** Events of accounts and markets, as a test receives them. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { startExchange, type WatchRecord } from "@pricetime/lab";

const SYMBOL = "BTCUSDT";
const limit = (side: string, quantity: string, price: string) => ({
  ...{ symbol: SYMBOL, side, type: "LIMIT", timeInForce: "GTC" },
  ...{ quantity, price },
});

const ofKind = <Kind extends WatchRecord["kind"]>(records: readonly WatchRecord[], kind: Kind) =>
  records.filter((record): record is Extract<WatchRecord, { readonly kind: Kind }> => record.kind === kind);

test("a watch tells a fill, a refusal and a price of those that were named, once, and ends with a restore", async (t) => {
  const exchange = await startExchange({ symbols: [SYMBOL] });
  t.after(() => exchange.stop());
  const { watch } = exchange;
  await exchange.checkpoint("before");
  const { last } = await watch.begin({ accounts: ["alice"], symbols: [SYMBOL] });
  const first = await watch.look();
  assert.equal(first.records.length, last);
  assert.ok(ofKind(first.records, "balance").some(({ asset }) => asset === "USDT"));

  await exchange.send("bob", "POST /api/v3/order", limit("SELL", "1", "20000"));
  await exchange.clock.advance(1000);
  await exchange.send("alice", "POST /api/v3/order", limit("BUY", "0.5", "20000"));
  await assert.rejects(exchange.send("alice", "POST /api/v3/order", limit("BUY", "0.5", "0")), { code: "-1013" });
  const told = await watch.look(last);
  const [fill, ...otherFills] = ofKind(told.records, "fill");
  assert.deepEqual(otherFills, [], "nobody watches bob");
  assert.ok(fill !== undefined);
  assert.deepEqual(
    [fill.account, fill.side, fill.isMaker, Number(fill.price), Number(fill.quantity), Number(fill.quote)],
    [exchange.account("alice").email, "BUY", false, 20_000, 0.5, 10_000],
  );
  assert.equal(fill.atMs, await exchange.clock.now());
  assert.deepEqual(
    ofKind(told.records, "refused").map(({ endpoint, code }) => [endpoint, code]),
    [["order.place", -1013]],
  );
  assert.deepEqual(
    ofKind(told.records, "price").map(({ price }) => Number(price)),
    [20_000],
  );
  assert.equal(told.records.at(-1)?.number, told.last);
  assert.deepEqual(await watch.look(told.last), { records: [], last: told.last, lost: 0 });

  await exchange.restore("before");
  assert.deepEqual(await watch.look(), { records: [], last: 0, lost: 0 });
  await watch.begin({ symbols: [SYMBOL] });
  assert.notDeepEqual((await watch.look()).records, []);
  await watch.end();
  assert.deepEqual(await watch.look(), { records: [], last: 0, lost: 0 });
  await assert.rejects(watch.begin({ accounts: ["mallory"] }), { status: 404, code: "UNKNOWN_ACCOUNT" });
});

/** Some of the makers of the demo, which have many events. */
const MAKERS = ["bids", "bids2", "bids3", "bids4", "asks", "asks2", "asks3", "asks4"].map(
  (name) => `${name}-btcusdt@bots.pricetime`,
);

test("a look tells everything, however many answers of the node it takes", async (t) => {
  const exchange = await startExchange({ symbols: [SYMBOL], bots: "on", history: "off" });
  t.after(() => exchange.stop());
  await exchange.watch.begin({ accounts: MAKERS });
  await exchange.clock.advance(5 * 60_000);
  const { records, last, lost } = await exchange.watch.look();
  t.diagnostic(`${records.length} records`);
  assert.ok(records.length > 10_000, "more than one answer holds");
  assert.equal(lost, 0);
  assert.ok(records.every(({ number }, index) => number === index + 1));
  assert.equal(records.length, last);
});
