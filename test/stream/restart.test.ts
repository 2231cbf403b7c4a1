/** After a restart a subscriber that comes back finds numbers that go on. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { rmSync } from "node:fs";
import { after, test } from "node:test";
import { until } from "@pricetime/testkit/waiting";
import { WebSocket } from "ws";
import { Client } from "@pricetime/testkit/client";
import { temporaryFolder } from "@pricetime/testkit/scratch";
import { type Exchange, startExchange } from "@pricetime/testkit/venue";

const ORDER = { symbol: "BTCUSDT", type: "LIMIT", timeInForce: "GTC", quantity: "0.001000" };
const NAMES = ["btcusdt@trade", "btcusdt@aggTrade", "btcusdt@depth@100ms", "btcusdt@kline_1M"];

const folder = temporaryFolder();
after(() => rmSync(folder, { recursive: true, force: true }));

interface Heard {
  readonly trades: number[];
  readonly aggregates: number[];
  readonly firstUpdate: number;
  readonly lastUpdate: number;
  /** First and last trade, and their number. */
  readonly month: readonly number[];
}

// Messages are of every shape.
// oxlint-disable-next-line typescript/no-explicit-any
type Message = Record<string, any>;

/** Two trades, and what a subscriber hears of them. */
async function hear(exchange: Exchange): Promise<Heard> {
  const socket = new WebSocket(`${exchange.ws}/stream?streams=${NAMES.join("/")}`);
  const heard: Message[] = [];
  socket.on("error", () => {});
  socket.on("message", (text) => heard.push((JSON.parse(String(text)) as Message)["data"] as Message));
  await once(socket, "open");
  const clients = exchange.accounts.slice(0, 2).map((account) => new Client(exchange.rest, account, 1));
  for (let trade = 0; trade < 2; trade++) {
    for (const [n, side] of ["SELL", "BUY"].entries()) {
      const answer = await clients[n]?.signed("POST", "/api/v3/order", { ...ORDER, side, price: "50000.00" });
      assert.equal(answer?.status, 200);
    }
  }
  // One that stays, so that the book tells something at last.
  await clients[0]?.signed("POST", "/api/v3/order", { ...ORDER, side: "BUY", price: "40000.00" });
  const of = (event: string): Message[] => heard.filter(({ e }) => e === event);
  const { json: depth } = await (clients[0] as Client).public<{ lastUpdateId: number }>("/api/v3/depth", {
    symbol: "BTCUSDT",
  });
  const lastTrade = (): number => of("trade").at(-1)?.["t"] as number;
  const hasAll = (): boolean =>
    of("depthUpdate").at(-1)?.["u"] === depth.lastUpdateId && of("kline").at(-1)?.["k"].L === lastTrade();
  await until("all is heard", hasAll);
  socket.terminate();
  for (const client of clients) client.close();
  const month = of("kline").at(-1)?.["k"] as Message;
  return {
    trades: of("trade").map(({ t }) => t as number),
    aggregates: of("aggTrade").map(({ a }) => a as number),
    firstUpdate: of("depthUpdate")[0]?.["U"] as number,
    lastUpdate: depth.lastUpdateId,
    month: [month["f"], month["L"], month["n"]],
  };
}

test("trades, updates and candles go on after a stop and after a kill", async () => {
  const lives: Heard[] = [];
  for (const end of ["stop", "kill", "stop"] as const) {
    const exchange = await startExchange({ args: ["--bots", "off"], dataFolder: folder });
    lives.push(await hear(exchange));
    await exchange[end]();
  }
  assert.deepEqual(
    lives.flatMap(({ trades }) => trades),
    [1, 2, 3, 4, 5, 6],
  );
  assert.deepEqual(
    lives.flatMap(({ aggregates }) => aggregates),
    [1, 2, 3, 4, 5, 6],
  );
  assert.deepEqual(
    lives.map(({ month }) => month),
    [
      [1, 2, 2],
      [1, 4, 4],
      [1, 6, 6],
    ],
  );
  for (const [n, { firstUpdate }] of lives.entries()) assert.equal(firstUpdate, (lives[n - 1]?.lastUpdate ?? 0) + 1);
});
