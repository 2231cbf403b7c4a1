/**
 * The node is killed under an open page, lives elsewhere for a while, and comes back changed: the page says so while it
 * lasts, and has the node's book and orders afterwards.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { inTheEnd, temporaryFolder } from "@pricetime/testkit/scratch";
import type { Client } from "@pricetime/testkit/client";
import type { Exchange } from "@pricetime/testkit/venue";
import { until, untilAnswer } from "@pricetime/testkit/waiting";
import { rigOf, skip } from "../pages/rig.ts";
import { openTerminal, rowsOf, type ShownLevel, shownBook, signInAs, type Terminal } from "./terminal.ts";
import { cancelEverything, openOrders, openVenue, type Order, peopleOf, place, startQuiet, SYMBOL } from "./venue.ts";

const SOON = { withinMs: 30_000, everyMs: 50 } as const;

const dataFolder = temporaryFolder();
const { venue, browser } = await rigOf(() => openVenue(dataFolder));

interface Depth {
  readonly bids: readonly (readonly [string, string])[];
  readonly asks: readonly (readonly [string, string])[];
}

const plain = (text: string): string => text.replace(/(\.\d*?)0+$/, "$1").replace(/\.$/, "");

/** Both sides as the node has them, as many levels as the page shows. */
async function nodesBook(client: Client, bids: number, asks: number): Promise<readonly (readonly ShownLevel[])[]> {
  const { json } = await client.public<Depth>("/api/v3/depth", { symbol: SYMBOL, limit: 1000 });
  const levels = (side: Depth["bids"], count: number): ShownLevel[] =>
    side.slice(0, count).map(([price, quantity]) => ({ price: plain(price), quantity: plain(quantity) }));
  return [levels(json.bids, bids), levels(json.asks, asks)];
}

async function untilBookIsTheNodes(terminal: Terminal, client: Client): Promise<void> {
  const look = async (): Promise<{ shown: unknown; there: unknown; isStale: boolean; rows: number }> => {
    const { bids, asks, isStale } = await shownBook(terminal);
    const there = await nodesBook(client, bids.length, asks.length);
    return { shown: [bids, asks], there, isStale, rows: Math.min(bids.length, asks.length) };
  };
  const { shown, there } = await untilAnswer(
    "the page's book is the node's",
    look,
    (one) => !one.isStale && one.rows > 5 && JSON.stringify(one.shown) === JSON.stringify(one.there),
    SOON,
  );
  assert.deepEqual(shown, there);
}

/** Open orders, an order a line: as the table has them, and as the chart does, which knows them by their ids. */
interface Orders {
  readonly table: readonly string[];
  readonly chart: readonly string[];
}

async function shownOrders(terminal: Terminal): Promise<Orders> {
  const rows = (await rowsOf(terminal)).map((cells) => cells.map((cell) => cell.replaceAll(",", "")));
  const lines = await terminal.page.evaluate<readonly string[]>(`[...document.querySelectorAll(".chart-line")].map(
    (line) => line.dataset.line + ": " + line.querySelector("[role=slider]").ariaLabel)`);
  const table = rows.map(([, market, type, side, price = "", , filled = "", quantity = ""]) =>
    [market, type, side, plain(price), plain(filled), plain(quantity)].join(" "),
  );
  return { table: table.toSorted(), chart: lines.toSorted() };
}

/** The same of what the node has: limit orders alone. */
async function nodesOrders(client: Client): Promise<Orders> {
  const orders = await openOrders(client);
  const sideOf = ({ side }: Order): string => (side === "BUY" ? "Buy" : "Sell");
  const table = orders.map((one) =>
    [one.symbol, "Limit", sideOf(one), plain(one.price), plain(one.executedQty), plain(one.origQty)].join(" "),
  );
  const chart = orders.map((one) => {
    const left = plain((Number(one.origQty) - Number(one.executedQty)).toFixed(8));
    return `${one.orderId} price: ${sideOf(one)} limit ${left}, price ${Number(one.price).toFixed(2)}`;
  });
  return { table: table.toSorted(), chart: chart.toSorted() };
}

async function untilOrdersAreTheNodes(terminal: Terminal, alice: Client): Promise<void> {
  const there = await nodesOrders(alice);
  assert.ok(there.table.length > 0);
  const shown = await untilAnswer(
    `the open orders are the node's: ${JSON.stringify(there)}`,
    () => shownOrders(terminal),
    (orders) => JSON.stringify(orders) === JSON.stringify(there),
    SOON,
  );
  assert.deepEqual(shown, there);
}

const RESTING = { side: "BUY", type: "LIMIT", timeInForce: "GTC", quantity: "0.1" } as const;

/** What happens while the page cannot see it. */
async function change(elsewhere: Exchange): Promise<void> {
  const { alice, bob, carol } = peopleOf(elsewhere);
  const [first] = await openOrders(alice);
  await alice.signed("DELETE", "/api/v3/order", { symbol: SYMBOL, orderId: first?.orderId ?? 0 });
  await place(alice, { ...RESTING, price: "19877.00", quantity: "0.07" });
  await place(alice, { ...RESTING, side: "SELL", price: "20500.00", quantity: "0.03" });
  // Bob's whole side goes: levels that survived in the page would be ghosts.
  await cancelEverything(bob);
  for (let level = 0; level < 20; level++) {
    await place(carol, { ...RESTING, quantity: `0.2${level}`, price: `${19985 - level * 7}.00` });
    await place(carol, { ...RESTING, side: "SELL", quantity: `0.3${level}`, price: `${19995 + level * 7}.00` });
  }
  for (const one of [alice, bob, carol]) one.close();
}

test("killed and started again: disconnected, then the node's book and orders", { skip }, async (t) => {
  const { rest } = venue.exchange;
  for (const price of ["19800.00", "19810.00"]) await place(venue.alice, { ...RESTING, price });
  const terminal = await openTerminal(browser, rest);
  const { page, book, form } = terminal;
  await signInAs(terminal, "alice");
  await untilBookIsTheNodes(terminal, venue.alice);
  await untilOrdersAreTheNodes(terminal, venue.alice);

  await venue.exchange.kill();
  await page.getByRole("banner").getByText("Disconnected", { exact: true }).waitFor();
  await page.getByText(/^Disconnected for .* What is shown is no longer live/).waitFor();
  await book.getByText(/^Not live: .* old$/).waitFor();
  assert.equal((await shownBook(terminal)).isStale, true);
  await until("orders are dimmed", async () => (await page.locator("#tables-body.stale").count()) === 1, SOON);
  assert.equal(await page.getByRole("banner").getByText("Live", { exact: true }).count(), 0);
  // Sent to nobody: not known to have failed, and told so.
  await form.getByRole("textbox", { name: "Price" }).fill("19700");
  await form.getByRole("textbox", { name: "Quantity" }).fill("0.01");
  await form.locator("button[type=submit]").click();
  await until(
    "it is unknown or refused",
    async () => (await rowsOf(terminal)).some((cells) => /Unknown|Refused/.test(cells.join(" "))),
    SOON,
  );

  const elsewhere = await startQuiet(dataFolder);
  inTheEnd(t, () => elsewhere.kill());
  await change(elsewhere);
  await elsewhere.stop();
  const again = await startQuiet(dataFolder, new URL(rest).port);
  inTheEnd(t, () => again.kill());
  const { alice } = peopleOf(again);
  await page.getByRole("banner").getByText("Live", { exact: true }).waitFor({ timeout: 40_000 });
  await untilBookIsTheNodes(terminal, alice);
  await until("orders are live", async () => (await page.locator("#tables-body.stale").count()) === 0, SOON);
  // The node never had it: once it can be asked, that is what is said.
  await terminal.tables.getByRole("button", { name: "Dismiss" }).click();
  await untilOrdersAreTheNodes(terminal, alice);
  assert.equal(await page.getByText(/^Disconnected for/).count(), 0);

  // And it goes on from there.
  await place(alice, { ...RESTING, price: "19990.00" });
  await untilBookIsTheNodes(terminal, alice);
  await untilOrdersAreTheNodes(terminal, alice);
  await terminal.close();
});
