/** The page of `examples/study`: its figures for a market computed by hand, and for an extract of ours. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { ROOT } from "@pricetime/testkit/venue";
import { scratchFolder } from "@pricetime/testkit/scratch";
import { skipUnless } from "@pricetime/testkit/skip";
import { extractInto } from "./extracting.ts";
import { randomJournal } from "./random-journal.ts";

const SCRIPT = join(ROOT, "examples/study/market_page.py");
const skip = skipUnless(spawnSync("python3", ["--version"]).status === 0, "there is no python3");

function study(folder: string): { readonly figures: Readonly<Record<string, string>>; readonly page: string } {
  const page = join(folder, "page.html");
  const { stdout, stderr, status } = spawnSync("python3", [SCRIPT, folder, "BTCUSDT", page], { encoding: "utf8" });
  assert.equal(status, 0, stderr);
  const figures = Object.fromEntries(
    stdout
      .trimEnd()
      .split("\n")
      .map((line) => line.split(": ") as [string, string]),
  );
  return { figures, page: readFileSync(page, "utf8") };
}

test("spread, depth and impact of a market of three orders", { skip }, (t) => {
  const folder = scratchFolder(t);
  const book = [
    "time,seq,isSnapshot,side,price,qty",
    "0,1,true,BUY,99.95,10",
    "0,1,true,SELL,100.05,20",
    "0,1,true,SELL,102.05,5",
    // An order buys everything at the best price; six seconds later it is offered again.
    "1000,2,false,SELL,100.05,0",
    "6001,3,false,SELL,100.05,20",
    "70000,4,false,SELL,200,1",
  ];
  const trades = [
    "time,seq,id,aggId,price,qty,quoteQty,isBuyerMaker,takerOrderId",
    "1000,2,1,1,100.05,8,800.4,false,7",
    "1000,2,2,1,100.05,12,1200.6,false,7",
  ];
  writeFileSync(join(folder, "BTCUSDT-book-by-level.csv"), `${book.join("\n")}\n`);
  writeFileSync(join(folder, "BTCUSDT-trades.csv"), `${trades.join("\n")}\n`);
  const { figures, page } = study(folder);
  assert.deepEqual(figures, {
    "entries that changed the book": "4",
    "orders that took": "1",
    "median spread, bps": "10.0000",
    "95 % of the time below, bps": "207.9208",
    "median depth to 10 bps, bids": "999.5000",
    "median depth to 10 bps, asks": "2001.0000",
    "mean impact after 0 s, bps": "100.0000",
    "mean impact after 1 s, bps": "100.0000",
    "mean impact after 5 s, bps": "100.0000",
    "mean impact after 10 s, bps": "0.0000",
    "mean impact after 30 s, bps": "0.0000",
    "mean impact after 60 s, bps": "0.0000",
  });
  assert.equal(page.match(/<svg/g)?.length, 5);
});

test("an extract is read as it is written", { skip }, async (t) => {
  const journal = await randomJournal(4, 1200);
  const { folder, rows } = extractInto(t, journal, { subject: "trades", symbols: ["BTCUSDT"] });
  const book = extractInto(t, journal, { subject: "book", symbols: ["BTCUSDT"] });
  writeFileSync(join(folder, "BTCUSDT-book-by-level.csv"), book.text("BTCUSDT-book-by-level.csv"));
  const { figures } = study(folder);
  const takers = new Set(rows("BTCUSDT-trades.csv").map(({ seq, takerOrderId }) => `${seq} ${takerOrderId}`));
  assert.equal(figures["orders that took"], String(takers.size));
  assert.ok(Number(figures["median spread, bps"]) > 0);
});
