/**
 * A bot that works a large order over the API moves the price of the default market as large orders do in reality: with
 * the square root of the quantity sent. Checkpoints contain this impact.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { type LabExchange, startExchange } from "@pricetime/lab";

/** Active enough, and fast. */
const SYMBOL = "LTCUSDT";
const SECOND_MS = 1000;
const QUARTER_MS = 15 * 60_000;
/** An hour of slices, one every ten seconds. */
const SLICE_S = 10;
/** The price is measured after so many seconds: 1, 6 and 36 parts of the order. */
const SPANS_S = [100, 600, 3600] as const;
/** About a tenth of the usual volume of that hour. */
const SLICE_QUOTE = 500;
/** A price is the mean of the mid prices of so many seconds. */
const MEAN_S = 10;

const openMarket = (seed: number): Promise<LabExchange> =>
  startExchange({ bots: "on", symbols: [SYMBOL], seed, limits: "off", clockStart: "2026-01-14T12:00:00Z" });

test("an order worked over the interface for an hour moves the price with the square root of its size; some is left a quarter of an hour later, also from a checkpoint", async (t) => {
  const sums = SPANS_S.map(() => 0);
  let afterwards = 0;
  for (const [seed, side] of [
    [1, "BUY"],
    [2, "SELL"],
  ] as const) {
    const [worked, without] = [await openMarket(seed), await openMarket(seed)];
    t.after(() => Promise.all([worked.stop(), without.stop()]));
    await worked.setBalances("alice", { USDT: "100000000", LTC: "1000000" });
    const sign = side === "BUY" ? 1 : -1;
    const moved = async (): Promise<number> => sign * Math.log((await meanPrice(worked)) / (await meanPrice(without)));
    let doneS = 0;
    for (const [index, spanS] of SPANS_S.entries()) {
      // The last slices are sent after the last measurement.
      for (; doneS < spanS - MEAN_S; doneS += SLICE_S) {
        await worked.send("alice", "POST /api/v3/order", {
          ...{ symbol: SYMBOL, side, type: "MARKET", quoteOrderQty: SLICE_QUOTE },
        });
        for (const market of [worked, without]) await market.clock.advance(SLICE_S * SECOND_MS);
      }
      sums[index] = (sums[index] ?? 0) + (await moved());
      doneS += MEAN_S;
    }
    await worked.checkpoint("worked");
    for (const market of [worked, without]) await market.clock.advance(QUARTER_MS - MEAN_S * SECOND_MS);
    const before = await mid(worked);
    afterwards += await moved();
    await worked.restore("worked");
    await worked.clock.advance(QUARTER_MS - MEAN_S * SECOND_MS);
    assert.equal(await mid(worked), before);
  }
  const [small = 0, medium = 0, large = 0] = sums;
  const slope = Math.log(large / small) / Math.log(36);
  t.diagnostic(`slope ${slope}, moved ${sums.join(" ")}, a quarter of an hour later ${afterwards}`);
  assert.ok(small > 0 && medium > small && large > medium, sums.join(" "));
  assert.ok(slope > 0.4 && slope < 0.6, `${slope} of ${sums.join(" ")}`);
  assert.ok(afterwards < large * 0.9 && afterwards > large * 0.1, `${afterwards} of ${large}`);
});

async function meanPrice(market: LabExchange): Promise<number> {
  let sum = 0;
  for (let second = 0; second < MEAN_S; second++) {
    await market.clock.advance(SECOND_MS);
    sum += (await mid(market)) / MEAN_S;
  }
  return sum;
}

async function mid(market: LabExchange): Promise<number> {
  const { bidPrice, askPrice } = await market.send<{ readonly bidPrice: string; readonly askPrice: string }>(
    null,
    "GET /api/v3/ticker/bookTicker",
    { symbol: SYMBOL },
  );
  return (Number(bidPrice) + Number(askPrice)) / 2;
}
