/**
 * An exchange whose orders are numbered by symbol, on the real program: orders of two symbols have the same ids, and
 * clients, operators and files find and show each by its symbol and number, never by the id inside the exchange.
 */
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { once } from "node:events";
import { after, before, suite, test } from "node:test";
import { assertNoComposedId, Client, hmacKey, type Parameters } from "@pricetime/testkit/client";
import { scratchFolder } from "@pricetime/testkit/scratch";
import {
  type Exchange,
  failToStart,
  isOnTwoNodes,
  pricetime,
  startExchange,
  tryToOperate,
} from "@pricetime/testkit/venue";
import { until } from "@pricetime/testkit/waiting";
import { ApiClient } from "@pricetime/testkit/ws-client";
import { WebSocket } from "ws";

const SYMBOLS = ["BTCUSDT", "ETHUSDT"] as const;
const ARGS = ["--bots", "off", "--limits", "off", "--order-ids", "symbol"];

type Row = Readonly<Record<string, unknown>>;

let exchange: Exchange;
let maker: Client;
let taker: Client;
const events: string[] = [];
let api: ApiClient;
let trades: WebSocket;

before(async () => {
  exchange = await startExchange({ args: ARGS });
  [maker, taker] = exchange.accounts.map((account) => new Client(exchange.rest, account)) as [Client, Client];
  api = await ApiClient.open(exchange.ws);
  api.socket.on("message", (text) => events.push(String(text)));
  await api.signed("userDataStream.subscribe.signature", hmacKey(exchange.accounts[0]!));
  trades = new WebSocket(`${exchange.ws}/stream?streams=btcusdt@trade/ethusdt@trade`);
  trades.on("message", (text) => events.push(String(text)));
  await once(trades, "open");
  for (const symbol of SYMBOLS) await trade(symbol);
});
after(async () => {
  trades.close();
  await api.close();
  for (const client of [maker, taker]) client.close();
  await exchange.stop();
});

/** Sends a signed request, which must succeed, and checks that the answer has no id inside the exchange. */
async function ask<T = Row>(client: Client, request: string, parameters: Parameters = {}): Promise<T> {
  const [method = "", path = ""] = request.split(" ");
  const { status, text, json } = await client.signed<T>(method, `/api/v3/${path}`, parameters);
  assert.equal(status, 200, `${request}: ${text}`);
  assertNoComposedId(text, request);
  return json;
}

async function codeOf(client: Client, request: string, parameters: Parameters): Promise<number | undefined> {
  const [method = "", path = ""] = request.split(" ");
  return (await client.signed<{ code?: number }>(method, `/api/v3/${path}`, parameters)).json.code;
}

const order = (symbol: string, side: string, price: string, more: Parameters = {}): Parameters => ({
  ...{ symbol, side, type: "LIMIT", timeInForce: "GTC", quantity: "0.1", price },
  ...more,
});
const LEGS = { aboveType: "LIMIT_MAKER", abovePrice: "2600", belowType: "STOP_LOSS", belowStopPrice: "2400" };

/** The orders 1 to 7 of the maker: filled, filled in part, canceled, replaced, the legs of a list, and open. */
async function trade(symbol: string): Promise<void> {
  const place = (side: string, price: string, more = {}): Promise<Row> =>
    ask(maker, "POST order", order(symbol, side, price, more));
  await place("SELL", "2500");
  await place("SELL", "2501");
  await ask(taker, "POST order", order(symbol, "BUY", "2501", { quantity: "0.15" }));
  const { orderId } = await place("BUY", "2300");
  await ask(maker, "DELETE order", { symbol, orderId: orderId as number });
  const replaced = await place("BUY", "2310");
  await ask(maker, "POST order/cancelReplace", {
    ...order(symbol, "BUY", "2320"),
    ...{ cancelReplaceMode: "STOP_ON_FAILURE", cancelOrderId: replaced["orderId"] as number },
  });
  await ask(maker, "POST orderList/oco", { symbol, side: "SELL", quantity: "0.1", ...LEGS });
}

suite("clients", () => {
  test("the same requests on two symbols give the same ids", async () => {
    const [first, second] = await Promise.all(SYMBOLS.map((symbol) => ask<Row[]>(maker, "GET allOrders", { symbol })));
    const ids = first!.map(({ orderId }) => orderId);
    assert.deepEqual(ids, [1, 2, 4, 5, 6, 7, 8]);
    assert.deepEqual(
      second!.map(({ orderId }) => orderId),
      ids,
    );
  });

  test("an order is found and canceled by its symbol and id", async () => {
    const [symbol, other] = SYMBOLS;
    const { orderId, clientOrderId } = await ask(maker, "POST order", order(other, "BUY", "2290"));
    const id = { orderId: orderId as number };
    assert.equal((await ask(maker, "GET order", { symbol: other, ...id }))["clientOrderId"], clientOrderId);
    assert.equal(await codeOf(maker, "GET order", { symbol, ...id }), -2013);
    assert.equal(await codeOf(maker, "DELETE order", { symbol, ...id }), -2011);
    const inside = 2 * 2 ** 38 + id.orderId;
    for (const request of ["GET order", "DELETE order"]) {
      const code = await codeOf(maker, request, { symbol: other, orderId: inside });
      assert.equal(code, request === "GET order" ? -2013 : -2011, "an id inside the exchange names no order");
    }
    assert.equal((await ask(maker, "DELETE order", { symbol: other, ...id }))["orderId"], orderId);
  });

  test("lists of orders and trades begin at an id, or at a time", async () => {
    for (const symbol of SYMBOLS) {
      const all = await ask<Row[]>(maker, "GET allOrders", { symbol });
      const from = await ask<Row[]>(maker, "GET allOrders", { symbol, orderId: 5 });
      assert.deepEqual(
        from,
        all.filter((row) => Number(row["orderId"]) >= 5),
      );
      assert.deepEqual(await ask(maker, "GET allOrders", { symbol, orderId: 2 ** 40 }), []);
      const startTime = Number(all[0]!["time"]);
      assert.deepEqual(await ask(maker, "GET allOrders", { symbol, startTime }), all);
      assert.deepEqual(await ask(maker, "GET allOrders", { symbol, startTime: Number(all.at(-1)!["time"]) + 1 }), []);
      assert.deepEqual(await ask(maker, "GET allOrders", { symbol, endTime: startTime - 1 }), []);
      const trades = await ask<Row[]>(maker, "GET myTrades", { symbol, orderId: 2 });
      assert.deepEqual(
        trades.map(({ orderId, qty }) => [orderId, qty]),
        [[2, "0.05000000"]],
      );
    }
  });

  test("open orders of two symbols and order lists show the ids of each symbol", async () => {
    const open = await ask<Row[]>(maker, "GET openOrders");
    const ids = (symbol: string) => open.filter((row) => row["symbol"] === symbol).map(({ orderId }) => orderId);
    for (const symbol of SYMBOLS) assert.deepEqual(ids(symbol), [2, 6, 7, 8]);
    for (const request of ["GET openOrderList", "GET allOrderList"]) {
      const lists = await ask<{ orders: Row[] }[]>(maker, request);
      for (const { orders } of lists)
        assert.deepEqual(
          orders.map(({ orderId }) => orderId),
          [7, 8],
        );
      assert.equal(lists.length, 2);
    }
  });

  test("events and answers over a socket show no other id", async () => {
    for (const symbol of SYMBOLS) {
      const { result } = await api.signed("order.status", hmacKey(exchange.accounts[0]!), { symbol, orderId: 6 });
      assert.equal((result as Row)["orderId"], 6);
    }
    const kinds = ['"e":"executionReport"', '"e":"listStatus"', '"b":3,"a":1'];
    for (const kind of kinds) await until(kind, () => events.some((text) => text.includes(kind)));
    for (const text of events) assertNoComposedId(text, "an event");
  });
});

/** The text of an answer of the admin API, which shows no id inside the exchange. */
async function look(path: string): Promise<string> {
  const { status, text } = await tryToOperate(exchange, "GET", path);
  assert.equal(status, 200, `${path}: ${text}`);
  assertNoComposedId(text, path);
  return text;
}

suite("operators", () => {
  const account = (): string => `/v1/accounts/${encodeURIComponent(exchange.accounts[0]!.email)}`;

  test("the way of counting is named by /readyz and the overview", async () => {
    assert.equal((JSON.parse(await look("/readyz")) as Row)["orderIds"], "symbol");
    assert.equal((JSON.parse(await look("/v1/overview")) as Row)["orderIds"], "symbol");
  });

  test("open orders are listed in pages, symbol by symbol, and as a file", async () => {
    const whole = JSON.parse(await look(`${account()}/open-orders`)) as Row[];
    assert.equal(whole.length, 8);
    const paged: Row[] = [];
    for (let path: string | undefined = `${account()}/open-orders?limit=3`; path !== undefined; ) {
      const response = await fetch(exchange.admin + path, {
        headers: { authorization: `Bearer ${exchange.adminToken}` },
      });
      paged.push(...((await response.json()) as Row[]));
      const link: string = response.headers.get("link") ?? "";
      assertNoComposedId(link, "the link to the next page");
      path = /<([^>]+)>/.exec(link)?.[1];
    }
    assert.deepEqual(paged, whole);
    const later = JSON.parse(await look(`${account()}/open-orders?symbol=ETHUSDT&after=6`)) as Row[];
    assert.deepEqual(
      later.map(({ symbol, orderId }) => [symbol, orderId]),
      [
        ["ETHUSDT", 7],
        ["ETHUSDT", 8],
      ],
    );
    assert.equal((await tryToOperate(exchange, "GET", `${account()}/open-orders?after=6`)).status, 400);
    assert.equal((await look(`${account()}/open-orders?format=csv`)).trim().split("\n").length, 9);
  });

  test("a search for a number finds the orders of all symbols", async () => {
    const { hits } = JSON.parse(await look("/v1/search?text=5")) as { hits: Row[] };
    const orders = hits.filter(({ kind }) => kind === "order");
    assert.deepEqual(
      orders.map(({ id, symbol }) => [id, symbol]),
      [
        ["5", "BTCUSDT"],
        ["5", "ETHUSDT"],
      ],
    );
    const inside = JSON.parse(await look(`/v1/search?text=${2 ** 38 + 5}`).catch(() => '{"hits":[]}')) as {
      hits: Row[];
    };
    assert.deepEqual(inside.hits, []);
  });

  test("the timeline has each order and trade once, newest first, in pages of any length and as a file", async () => {
    const path = `${account()}/timeline?kind=order,trade`;
    const { rows } = JSON.parse(await look(`${path}&limit=200`)) as { rows: Row[] };
    const orders = rows.filter(({ kind }) => kind === "order").map(({ symbol, id }) => `${symbol} ${id}`);
    assert.equal(new Set(orders).size, orders.length);
    const times = rows.map(({ timeMs }) => Number(timeMs));
    assert.deepEqual(
      times,
      times.toSorted((a, b) => b - a),
    );
    const paged: Row[] = [];
    for (let before: string | null = ""; before !== null; ) {
      const more: string = before === "" ? "" : `&before=${before}`;
      const page = JSON.parse(await look(`${path}&limit=2${more}`)) as { rows: Row[]; before: string | null };
      paged.push(...page.rows);
      before = page.before;
    }
    assert.deepEqual(paged, rows);
    assert.equal((await look(`${path}&format=csv`)).trim().split("\n").length, rows.length + 1);
  });

  test("an order is ended by its symbol and id, as the audit log and the journal show", async () => {
    const why = "a test";
    const end = (orderId: unknown, body: object): Promise<{ status: number; text: string }> =>
      tryToOperate(exchange, "POST", `/v1/orders/${orderId}/end`, body);
    const { orderId } = await ask(maker, "POST order", order("ETHUSDT", "BUY", "2280"));
    assert.equal((await end(orderId, { why })).status, 400);
    assert.equal((await end(orderId, { why, symbol: "BTCUSDT" })).status, 404);
    assert.equal((await end(2 * 2 ** 38 + Number(orderId), { why, symbol: "ETHUSDT" })).status, 404);
    const { status, text } = await end(orderId, { why, symbol: "ETHUSDT" });
    assert.equal(status, 200, text);
    assertNoComposedId(text, "the end of an order");
    const [act] = JSON.parse(await look("/v1/audit-log?limit=1")) as { details: Row }[];
    assert.deepEqual([act?.details["orderId"], act?.details["symbol"]], [orderId, "ETHUSDT"]);
    await look("/v1/journal/entries?limit=500");
    await look("/v1/journal/entries?limit=500&format=csv");
  });
});

const onOneNode = { skip: isOnTwoNodes && "the data folder is of one node" };

test("exports show the ids of the symbol", onOneNode, (t) => {
  for (const subject of ["orders", "trades", "book"]) {
    const views =
      subject === "book"
        ? [
            ["--by", "order"],
            ["--format", "lobster"],
          ]
        : [[]];
    for (const view of views) {
      const folder = scratchFolder(t);
      const asked = ["--symbol", "ETHUSDT", "--data", exchange.dataFolder, "--to-folder", folder, ...view];
      const ran = pricetime("export", subject, ...asked);
      assert.equal(ran.code, 0, ran.stderr);
      const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((file) => file.isFile());
      assert.notEqual(files.length, 0);
      for (const { parentPath, name } of files) {
        assertNoComposedId(readFileSync(join(parentPath, name), "utf8"), `${subject} ${view.join(" ")} ${name}`);
      }
    }
  }
});

test("a data folder keeps its way of counting", onOneNode, async (t) => {
  const folder = scratchFolder(t);
  const start = (...args: readonly string[]): Promise<Exchange> =>
    startExchange({ args: ["--bots", "off", ...args], dataFolder: folder });
  const place = async (node: Exchange): Promise<unknown> => {
    const client = new Client(node.rest, node.accounts[0]);
    const { orderId } = await ask(client, "POST order", order("ETHUSDT", "BUY", "2290"));
    client.close();
    return orderId;
  };
  const first = await start("--order-ids", "symbol");
  assert.deepEqual([await place(first), await place(first)], [1, 2]);
  await first.stop();
  const refused = await failToStart(["--port", "0", "--admin-port", "0", "--data", folder, "--bots", "off"]);
  assert.notEqual(refused.code, 0);
  assert.match(refused.stderr + refused.stdout, /orderIds is exchange on this node, but symbol in the journal/);
  const second = await start("--order-ids", "symbol");
  assert.equal(await place(second), 3);
  await second.stop();
});
