/**
 * A graceful stop under load: whoever was answered that an order was placed was told of it by the
 * account's stream as well, before that was closed with 1001; over REST and over the WebSocket API.
 */
import assert from "node:assert/strict";
import { once } from "node:events";
import { test } from "node:test";
import { WebSocket } from "ws";
import { Client, encode, sign } from "@pricetime/testkit/client";
import { type DemoAccount, type Exchange, startExchange } from "@pricetime/testkit/venue";
import { hearUser } from "./user-ear.ts";

const REST_CONNECTIONS = 8;
const SOCKET_CONNECTIONS = 2;
const BEFORE_THE_STOP = 200;
/** Never stays on the book, which takes so many of an account and no more. */
const ORDER = {
  symbol: "BTCUSDT",
  side: "BUY",
  type: "LIMIT",
  timeInForce: "IOC",
  price: "40000.00",
  quantity: "0.001",
};
/** That the node takes none any more. */
const SHUTTING_DOWN = 503;

/** Places orders one after the other until none is taken any more. `answered`: NaN is one that was refused. */
async function placeByRest(exchange: Exchange, account: DemoAccount, answered: number[]): Promise<void> {
  const client = new Client(exchange.rest, account, 1);
  try {
    for (;;) {
      const { status, json } = await client.signed<{ orderId: number }>("POST", "/api/v3/order", ORDER);
      if (status === SHUTTING_DOWN) return;
      if (status !== 200) answered.push(Number.NaN);
      else answered.push(json.orderId);
    }
  } catch {
    // The node is gone, or takes no connections any more.
  } finally {
    client.close();
  }
}

interface Answer {
  readonly id: number;
  readonly status: number;
  readonly result: { readonly orderId: number };
}

/** Places orders in the same way over one socket. Resolves to how the socket was closed. */
async function placeBySocket(exchange: Exchange, account: DemoAccount, answered: number[]): Promise<string> {
  const socket = new WebSocket(`${exchange.ws}/ws-api/v3`);
  socket.on("error", () => {});
  const place = (): void => {
    const named = Object.entries({ ...ORDER, apiKey: account.apiKey, timestamp: Date.now() });
    const params = Object.fromEntries(named.sort(([one], [other]) => (one < other ? -1 : 1)));
    const signature = sign(account.secretKey, encode(params));
    socket.send(JSON.stringify({ id: answered.length, method: "order.place", params: { ...params, signature } }));
  };
  socket.on("open", place);
  socket.on("message", (text) => {
    const { id, status, result } = JSON.parse(String(text)) as Partial<Answer>;
    // The last message, without an id, says that the exchange is stopping.
    if (id === undefined || status === SHUTTING_DOWN) return;
    answered.push(result?.orderId ?? Number.NaN);
    place();
  });
  const [code, reason] = (await once(socket, "close")) as [number, Buffer];
  return `${code} ${String(reason)}`;
}

/** Lives in which nobody was answered in the stop are repeated: they show nothing. */
const MOST_LIVES = 5;

test("every order that was answered was told before the streams were closed", { timeout: 240_000 }, async (t) => {
  let answeredInStop = 0;
  for (let life = 0; life < MOST_LIVES && answeredInStop === 0; life++) answeredInStop = await stopUnderLoad();
  t.diagnostic(`${answeredInStop} orders were answered in the stop`);
});

/** How many orders were answered after the stop began. */
async function stopUnderLoad(): Promise<number> {
  const exchange = await startExchange({ args: ["--bots", "off", "--limits", "off"] });
  const [account] = exchange.accounts;
  assert.ok(account !== undefined);
  const ear = await hearUser(exchange, account);
  const [byRest, bySocket]: [number[], number[]] = [[], []];
  const rest = Array.from({ length: REST_CONNECTIONS }, () => placeByRest(exchange, account, byRest));
  const sockets = Array.from({ length: SOCKET_CONNECTIONS }, () => placeBySocket(exchange, account, bySocket));
  while (byRest.length < BEFORE_THE_STOP || bySocket.length < BEFORE_THE_STOP) await ear.count(ear.messages.length + 1);
  const answeredBefore = byRest.length + bySocket.length;
  assert.equal(await exchange.stop(), 0);
  await Promise.all(rest);
  const { code, reason } = await ear.ended;
  const closed = [`${code} ${reason}`, ...(await Promise.all(sockets))];
  assert.deepEqual(closed, Array(1 + SOCKET_CONNECTIONS).fill("1001 the exchange is stopping"));
  const told = new Set(ear.messages.filter(({ x }) => x === "NEW").map(({ i }) => i as number));
  const answered = [...byRest, ...bySocket];
  assert.deepEqual(
    answered.filter((orderId) => !told.has(orderId)),
    [],
  );
  return answered.length - answeredBefore;
}
