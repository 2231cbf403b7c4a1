/** The command line with a running demo: status, an order, a deposit, and the files on disk. */
import assert from "node:assert/strict";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { doneIn, jsonIn, runIn, type Said } from "./command-line.ts";
import { temporaryFolder } from "@pricetime/testkit/scratch";
import { type Exchange, startExchange } from "@pricetime/testkit/venue";

const dataFolder = temporaryFolder();
let exchange: Exchange;
before(async () => {
  exchange = await startExchange({ dataFolder });
});
after(async () => {
  assert.equal(await exchange.stop(), 0);
  rmSync(dataFolder, { recursive: true });
});

const run = (line: string, more: Record<string, string> = {}): Promise<Said> =>
  runIn(dataFolder, line, { environment: { PRICETIME_DATA: dataFolder, ...more } });
const done = (line: string): Promise<string> => doneIn(dataFolder, line);
const json = <T>(line: string): Promise<T> => jsonIn<T>(dataFolder, line);

test("a limit order rests, is shown and cancelled; a market order is filled", async () => {
  const placed = await done("order BTCUSDT buy 0.01 at 20000");
  const id = /^order id +(\d+)$/m.exec(placed)?.[1];
  assert.match(placed, /^type +LIMIT$[^]*^price +20000\.00000000$[^]*^status +NEW$/m);
  assert.match(
    await done("orders"),
    new RegExp(`^ *${id}  \\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d(\\.\\d+)?Z  BTCUSDT  BUY `, "m"),
  );
  assert.match(await done(`cancel btc/usdt ${id}`), /^status +CANCELED$/m);
  assert.match(await done("orders BTCUSDT"), /^order id .*\n\(none\)$/);
  assert.match(await done("order BTCUSDT sell 0.01"), /^status +FILLED$[^]*^fills\n +price +quantity +fee\n/m);
  assert.match(await done("orders BTCUSDT --all"), /CANCELED\n.*MARKET .*FILLED/);
  assert.match(await done("trades BTCUSDT --mine"), /SELL .* USDT +\d+$/m);
  await done("order BTCUSDT buy 0.01 @ 20000 --client-id mine-1 --account bob");
  assert.equal((await json<{ clientOrderId: string }[]>("orders --account bob"))[0]?.clientOrderId, "mine-1");
  assert.match(await done("cancel BTCUSDT --all --account bob"), /BTCUSDT .* CANCELED$/);
  assert.match(await done("order BTCUSDT buy 1000 --quote --test"), /The order is valid/);
});

test("book, trades and balances as tables and as JSON", async () => {
  const book = (await done("book BTCUSDT --levels 3")).split("\n");
  assert.deepEqual(
    book.map((line) => line.split(" ")[0]),
    ["side", "ask", "ask", "ask", "bid", "bid", "bid"],
  );
  assert.equal((await json<{ bids: unknown[] }>("book BTCUSDT --levels 5")).bids.length, 5);
  assert.match(
    await done("trades BTCUSDT --limit 1"),
    /^time +side +price +quantity\n\S+ \S+Z +(BUY|SELL) +[\d.]+ +[\d.]+$/,
  );
  assert.match(await done("balances"), /^asset +free +locked\nUSDT +\d+\.\d{8} +\d+\.\d{8}$/m);
});

test("an error is the exchange's own message, and missing arguments are named", async () => {
  const refusals = [
    ["order NOPE buy 1", "Invalid symbol. (-1121)"],
    ["order BTCUSDT buy 9999 at 100000", "Account has insufficient balance for requested action. (-2010)"],
    ["order BTCUSDT hold 1", "order: side: one of buy, sell, not 'hold'"],
    ["order BTCUSDT buy 1 2 3", "order: specify one price, such as `at 20000`, not '2 3'"],
    ["cancel BTCUSDT", "cancel: specify an order ID, a client order ID, or --all"],
    ["orders --all", "--all needs a symbol, for example: orders BTCUSDT --all."],
    ["balances --account mallory", "The demo has no account mallory. Use one of alice, bob, carol, dave."],
    [
      "balances --key abc",
      "An API key needs its secret. Use --key and --secret, or PRICETIME_API_KEY and PRICETIME_API_SECRET.",
    ],
  ] as const;
  for (const [line, why] of refusals) {
    const { code, err } = await run(line);
    assert.deepEqual([code, err], [1, `pricetime: ${why}`]);
  }
  const [, bob] = exchange.accounts;
  const keys = { PRICETIME_API_KEY: bob?.apiKey ?? "", PRICETIME_API_SECRET: "wrong" };
  assert.match((await run("balances", keys)).err, /Signature for this request is not valid\. \(-1022\)$/);
});

test("accounts are listed without bots by default", async () => {
  const shown = await done("account list");
  assert.match(shown, /alice@demo\.pricetime[^]*\n\d+ bots of the demo are not shown\. Use --all to include them\.$/);
  assert.doesNotMatch(shown, /@bots/);
  assert.match(await done("account list --all --limit 5"), /@bots\.pricetime/);
  assert.equal((await json<unknown[]>("account list --limit 2")).length, 2);
});

test("a faucet deposit is credited when the command returns", async () => {
  const free = async (): Promise<number> => {
    const owned = await json<{ asset: string; free: string }[]>("balances");
    return Number(owned.find(({ asset }) => asset === "BTC")?.free);
  };
  const before = await free();
  assert.match(
    await done("sandbox faucet BTC BTC 1 --account alice@demo.pricetime --wait"),
    /BTC +1\.00000000 +(?:credited|success) /,
  );
  assert.equal(await free(), before + 1);
});

test("the journal is listed from the newest entry back", async () => {
  const [, before = ""] = /^Older entries: --before (\d+)$/m.exec(await done("journal entries --limit 2")) ?? [];
  const page = await json<{ entries: { seq: number }[] }>(`journal entries --before ${before} --limit 2`);
  assert.deepEqual(
    page.entries.map(({ seq }) => seq),
    [Number(before) - 2, Number(before) - 1],
  );
  assert.doesNotMatch(await done("journal entries --before 3"), /^Older/m);
  assert.match((await run("journal entries --from 2 --before 3")).err, /either from or before, not both/);
});

test("journal and history are verified while the node runs", async () => {
  assert.match(await done("journal verify"), /^verdict +sound$/m);
  assert.match(await done("history verify"), /^Verified \d+ rows, up to command \d+\.$/);
});

test("a file in exchangeInfo's form lists a symbol", async () => {
  const file = join(dataFolder, "symbol.yaml");
  const filters =
    "- { filterType: LOT_SIZE, minQty: '1', maxQty: '9', stepSize: '1' }\n- { filterType: MAX_NUM_ORDERS, maxNumOrders: 9 }";
  writeFileSync(file, `symbol: DOGEUSDT\nbaseAsset: DOGE\nquoteAsset: USDT\nfilters:\n${filters}\n`);
  assert.match(await done(`symbol add ${file}`), /^max num orders +limit 9$/m);
  writeFileSync(file, "- { filterType: T_PLUS_SELL }");
  assert.equal((await run(`symbol filters DOGEUSDT ${file}`)).err, "pricetime: unknown key T_PLUS_SELL");
  await done("symbol status DOGEUSDT HALT");
});
