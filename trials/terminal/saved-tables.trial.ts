/** Each table as a file, compared with the node's data. */
import assert from "node:assert/strict";
import { before, test } from "node:test";
import { until } from "@pricetime/testkit/waiting";
import { savedBy } from "../pages/opened.ts";
import { rigOf, skip } from "../pages/rig.ts";
import { openTerminal, rowsOf, showTab, signInAs, type Terminal } from "./terminal.ts";
import { openVenue, place, placeOco, SYMBOL } from "./venue.ts";

/** More than a page of the history, which has 500 rows. */
const OVER = 520;

const { venue, browser } = await rigOf(openVenue);
let terminal: Terminal;
before(async () => {
  if (skip !== false) return;
  const { alice, bob } = venue;
  const limit = { type: "LIMIT", quantity: "0.001" };
  for (let batch = 0; batch < OVER; batch += 20)
    await Promise.all(
      Array.from({ length: 20 }, () => place(alice, { ...limit, side: "BUY", timeInForce: "IOC", price: "19000.00" })),
    );
  // Two fills of one order whose average price has no finite decimal: (3 × 19995 + 4 × 19996) / 7.
  for (const [price, quantity] of [
    ["19995.00", "0.003"],
    ["19996.00", "0.004"],
  ] as const)
    await place(bob, { ...limit, side: "SELL", timeInForce: "GTC", price, quantity });
  await place(alice, { side: "BUY", type: "MARKET", quantity: "0.007" });
  await place(alice, { ...limit, side: "BUY", timeInForce: "GTC", price: "19500.00" });
  await placeOco(alice, { price: "21000.00", stopPrice: "19200.00", stopLimitPrice: "19150.00" });
  terminal = await openTerminal(browser, venue.exchange.rest);
  await signInAs(terminal, "alice");
});

interface Saved {
  readonly file: string;
  /** Cells by column name. */
  readonly rows: readonly Readonly<Record<string, string>>[];
}

async function save(tab: string): Promise<Saved> {
  const { tables } = terminal;
  await showTab(terminal, tab);
  await until("rows are shown", async () => (await rowsOf(terminal)).length > 0, { withinMs: 20_000 });
  const { name: file, text } = await savedBy(tables.getByRole("button", { name: "Export CSV" }));
  const [head = [], ...lines] = text
    .split("\r\n")
    .filter((line) => line !== "")
    .map((line) => line.split(","));
  const rows = lines.map((cells) => Object.fromEntries(head.map((name, at) => [name, cells[at] ?? ""])));
  return { file, rows };
}

/** The node's data, requested in one page. */
async function asked(path: string): Promise<readonly Readonly<Record<string, string | number>>[]> {
  const { json } = await venue.alice.signed<Record<string, string>[]>("GET", path, { symbol: SYMBOL, limit: 1000 });
  return json;
}

test("open orders and lists, each with its prices", { skip }, async () => {
  const open = await save("Open orders");
  assert.equal(open.file, "open.csv");
  assert.deepEqual(open.rows.map((row) => [row["Type"], row["Price"], row["Trigger"]]).toSorted(), [
    ["LIMIT", "19500.00000000", "0.00000000"],
    ["LIMIT_MAKER", "21000.00000000", "0.00000000"],
    ["STOP_LOSS_LIMIT", "19150.00000000", "19200.00000000"],
  ]);
  const lists = await save("Order lists");
  assert.equal(lists.file, "lists.csv");
  assert.deepEqual(
    lists.rows.map((row) => [row["Limit price"], row["Stop price"], row["Stop limit price"], row["Quantity"]]),
    [["21000.00000000", "19200.00000000", "19150.00000000", "0.02000000"]],
  );
});

test("the order history is complete, beyond the shown page, with the average price", {
  skip,
}, async () => {
  const { file, rows } = await save("Order history");
  assert.equal(file, `history-${SYMBOL}.csv`);
  const theirs = await asked("/api/v3/allOrders");
  assert.ok(theirs.length > OVER);
  const columns = { Status: "status", Price: "price", Quantity: "origQty", Filled: "executedQty" } as const;
  assert.deepEqual(
    rows.map((row) => Object.keys(columns).map((name) => row[name])),
    theirs.toReversed().map((order) => Object.values(columns).map((name) => order[name])),
  );
  const averages = rows.filter((row) => row["Average"] !== "").map((row) => [row["Type"], row["Average"]]);
  assert.deepEqual(averages, [["MARKET", "19995.57142857"]]);
  await terminal.page.getByRole("log").getByText(`Saved ${theirs.length} rows to history-${SYMBOL}.csv`).waitFor();
});

test("trades have their fee and its asset in separate columns", { skip }, async () => {
  const { file, rows } = await save("Trades");
  assert.equal(file, `trades-${SYMBOL}.csv`);
  const theirs = (await asked("/api/v3/myTrades")).toReversed();
  assert.equal(theirs.length, 2);
  assert.deepEqual(
    rows.map((row) => [row["Price"], row["Quantity"], row["Fee"], row["Fee asset"]]),
    theirs.map(({ price, qty, commission, commissionAsset }) => [price, qty, commission, commissionAsset]),
  );
  assert.deepEqual((await rowsOf(terminal))[0]?.length, Object.keys(rows[0] ?? {}).length - 1, "one cell on the page");
});

test("balances equal the node's", { skip }, async () => {
  const { file, rows } = await save("Balances");
  assert.equal(file, "balances.csv");
  const { json } = await venue.alice.signed<{ balances: Record<string, string>[] }>("GET", "/api/v3/account");
  const has = json.balances.filter(({ free, locked }) => Number(free) + Number(locked) > 0);
  assert.deepEqual(
    rows.map((row) => [row["Asset"], row["Available"], row["In orders"]]).toSorted(),
    has.map(({ asset, free, locked }) => [asset, free, locked]).toSorted(),
  );
});

test("the browser's console has no messages", { skip }, () => {
  assert.deepEqual([terminal.complaints, terminal.outside], [[], []]);
});
