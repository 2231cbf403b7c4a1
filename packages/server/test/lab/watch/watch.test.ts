/** What a lab reports about watched accounts, at a node. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { MAX_RECORDS, MAX_TOLD, Records } from "../../../src/lab/watch.ts";
import { assertNoComposedId } from "@pricetime/testkit/client";
import { startLab } from "../checkpoints/running-lab.ts";

interface Told {
  readonly last: number;
  readonly lost: number;
  readonly records: readonly Readonly<Record<string, unknown>>[];
}

const limit = { symbol: "BTCUSDT", type: "LIMIT", timeInForce: "GTC" };

test("orders, trades, money from elsewhere and refusals, each once and in their order; others' are not told", async (t) => {
  const lab = await startLab(t);
  const [alice, bob] = lab.accounts.map(({ email }) => email);
  const trade = async (client: number, order: object): Promise<number> => {
    const timestamp = (await lab.ask<{ nowMs: number }>("GET", "/v1/lab/clock")).nowMs;
    const answer = await lab.clients[client]?.signed("POST", "/api/v3/order", { ...limit, ...order, timestamp });
    return answer?.status ?? 0;
  };
  const watched = { accounts: [alice], symbols: ["BTCUSDT"] };
  const { last } = await lab.ask<Told>("PUT", "/v1/lab/watch", watched);
  const after = async (number: number): Promise<Told> => lab.ask<Told>("GET", `/v1/lab/watch?after=${number}`);
  assert.ok((await after(0)).records.some(({ kind, asset }) => kind === "balance" && asset === "USDT"));

  assert.equal(await trade(1, { side: "SELL", quantity: "0.01", price: "50000" }), 200);
  const [asks, ...others] = (await after(last)).records;
  assert.deepEqual([asks?.["kind"], others], ["book", []], "nobody watches bob");
  assert.equal(await trade(0, { side: "BUY", quantity: "0.03", price: "50000" }), 200);
  const bought = (await after(last)).records;
  assert.deepEqual(
    bought.map(({ kind, asset, status, quantity, count, isEmpty }) =>
      [kind, asset ?? status ?? quantity ?? count ?? isEmpty].flat(),
    ),
    [
      ["book", false],
      ["order", "NEW"],
      ["fill", "0.01000000"],
      ["order", "PARTIALLY_FILLED"],
      ["balance", "USDT"],
      ["balance", "BTC"],
      ["openOrders", { BTCUSDT: 1 }],
      ["price", undefined],
      ["book", false],
      ["book", true],
    ],
  );
  const fill = bought.find(({ kind }) => kind === "fill");
  assert.deepEqual([fill?.["baseAsset"], fill?.["quote"], fill?.["isMaker"]], ["BTC", "500.00000000", false]);

  const before = bought.at(-1)?.["number"] as number;
  const deposit = { account: alice, asset: "USDT", amount: "7", reference: "seven" };
  await lab.ask("POST", "/v1/deposits", deposit);
  await lab.ask("POST", "/v1/deposits", { ...deposit, account: bob, reference: "another" });
  assert.equal(await trade(0, { side: "BUY", quantity: "0.03", price: "0.001" }), 400);
  const rest = (await after(before)).records;
  assert.deepEqual(
    rest.map(({ kind, amount, code, endpoint }) => [kind, amount ?? code, endpoint]),
    [
      ["moved", "7.00000000", undefined],
      ["balance", undefined, undefined],
      ["refused", -1013, "order.place"],
    ],
  );
  await lab.ask("DELETE", "/v1/lab/watch");
  await lab.ask("POST", "/v1/deposits", { ...deposit, reference: "eight" });
  assert.deepEqual((await after(0)).records, []);
  await lab.ask("PUT", "/v1/lab/watch", { symbols: ["BTCUSD"] }, 400);
  await lab.ask("PUT", "/v1/lab/watch", { accounts: ["nobody@lab"] }, 404);

  const told = { name: "one", hash: "0123456789ab", startMs: 1, endMs: 2, timeline: [], asserts: [] };
  assert.equal(await lab.ask("GET", "/v1/lab/scenario"), null);
  await lab.ask("PUT", "/v1/lab/scenario", told);
  assert.deepEqual(await lab.ask("GET", "/v1/lab/scenario"), told);
  await lab.ask("PUT", "/v1/lab/scenario", { ...told, hash: "none" }, 400);
  await lab.ask("DELETE", "/v1/lab/scenario");
  assert.equal(await lab.ask("GET", "/v1/lab/scenario"), null);
});

test("orders that are numbered by symbol are told with these numbers", async (t) => {
  const lab = await startLab(t, { orderIds: "symbol" });
  const [alice] = lab.accounts.map(({ email }) => email);
  const { last } = await lab.ask<Told>("PUT", "/v1/lab/watch", { accounts: [alice] });
  const trade = async (symbol: string, price: string): Promise<void> => {
    for (const [client, side] of [[1, "SELL"] as const, [0, "BUY"] as const]) {
      const timestamp = (await lab.ask<{ nowMs: number }>("GET", "/v1/lab/clock")).nowMs;
      const order = { ...limit, symbol, side, price, quantity: "0.1", timestamp };
      assert.equal((await lab.clients[client]?.signed("POST", "/api/v3/order", order))?.status, 200);
    }
  };
  await trade("BTCUSDT", "50000");
  await trade("ETHUSDT", "2500");
  const { records } = await lab.ask<Told>("GET", `/v1/lab/watch?after=${last}`);
  const ids = records.flatMap(({ symbol, orderId }) => (orderId === undefined ? [] : [`${String(symbol)} ${orderId}`]));
  assert.deepEqual([...new Set(ids)].toSorted(), ["BTCUSDT 2", "ETHUSDT 2"]);
  assertNoComposedId(JSON.stringify(records), "the records");
});

test("a side of a book is told when its last order goes and when one comes, whoever's it is", async (t) => {
  const lab = await startLab(t);
  const [, bob] = lab.clients;
  const send = async (method: "POST" | "DELETE", path: string, fields: object): Promise<void> => {
    const timestamp = (await lab.ask<{ nowMs: number }>("GET", "/v1/lab/clock")).nowMs;
    assert.equal((await bob?.signed(method, path, { symbol: "BTCUSDT", ...fields, timestamp }))?.status, 200);
  };
  const { last } = await lab.ask<Told>("PUT", "/v1/lab/watch", { symbols: ["BTCUSDT"] });
  const sidesAfter = async (number: number): Promise<unknown> =>
    (await lab.ask<Told>("GET", `/v1/lab/watch?after=${number}`)).records
      .filter(({ kind }) => kind === "book")
      .map(({ side, isEmpty }) => [side, isEmpty]);
  assert.deepEqual(await sidesAfter(0), [
    ["BUY", true],
    ["SELL", true],
  ]);
  const sell = { ...limit, side: "SELL", quantity: "0.01" };
  await send("POST", "/api/v3/order", { ...sell, price: "50000" });
  await send("POST", "/api/v3/order", { ...sell, price: "51000" });
  assert.deepEqual(await sidesAfter(last), [["SELL", false]], "the second changes nothing");
  await send("DELETE", "/api/v3/openOrders", {});
  assert.deepEqual(await sidesAfter(last), [
    ["SELL", false],
    ["SELL", true],
  ]);
});

test("records come in pages; who asks too late is told what was lost", () => {
  const records = new Records();
  const seen = { kind: "price", symbol: "BTCUSDT", price: "1" } as const;
  for (let count = 0; count < 2 * MAX_RECORDS; count++) records.add(1, 1, seen);
  const { lost, last, records: page } = records.after(MAX_RECORDS - 10);
  assert.deepEqual([lost, last, page.length], [10, 2 * MAX_RECORDS, MAX_TOLD]);
  assert.equal(page[0]?.number, MAX_RECORDS + 1);
  assert.equal(records.after(last).records.length, 0);
});
