/**
 * Clients in JavaScript, each used as its manual describes: `javascript.ts NAME`, with a task as JSON on standard input.
 * Fails if a response is not 200.
 */
import assert from "node:assert/strict";
import { Agent, type AgentOptions } from "node:http";
import { createRequire } from "node:module";
import { json } from "node:stream/consumers";
import { ccxt, ccxt1x, type Ccxt, connectCcxt } from "@pricetime/testkit/ccxt";
import type { PlainRequest, Task } from "../task.ts";

const require = createRequire(import.meta.url);
type Options = Readonly<Record<string, unknown>>;
type Send = (request: PlainRequest) => Promise<unknown>;

const task = (await json(process.stdin)) as Task;
const { rest, apiKey, method, keepsAlive } = task;
const headers = {
  "X-MBX-APIKEY": apiKey,
  ...(method === "POST" && { "Content-Type": "application/x-www-form-urlencoded" }),
};
const agentOptions: AgentOptions = { keepAlive: keepsAlive };

function byFetch(): Send {
  return async ({ target, body }) => {
    const answer = await fetch(rest + target, { method, headers, ...(body !== undefined && { body }) });
    assert.equal(answer.status, 200, await answer.text());
  };
}

/** The version that ccxt depends on. */
function undici(): Send {
  const { request } = createRequire(require.resolve("ccxt"))("undici") as {
    request(url: string, options: Options): Promise<{ statusCode: number; body: { text(): Promise<string> } }>;
  };
  return async ({ target, body }) => {
    const answer = await request(rest + target, { method, headers, body, reset: !keepsAlive });
    assert.equal(answer.statusCode, 200, await answer.body.text());
  };
}

/** The version that Binance's connector depends on. */
function axios(): Send {
  const { request } = createRequire(require.resolve("@binance/connector"))("axios") as {
    request(options: Options): Promise<unknown>;
  };
  const httpAgent = new Agent(agentOptions);
  return ({ target, body }) => request({ url: rest + target, method, headers, data: body, httpAgent, proxy: false });
}

function connector(): Send {
  type Call = (...input: unknown[]) => Promise<unknown>;
  const { Spot } = require("@binance/connector") as {
    Spot: new (apiKey: string, secretKey: string, options: Options) => Record<string, Call>;
  };
  const client = new Spot(apiKey, task.secretKey, { baseURL: rest });
  const { symbol, side, type, ...terms } = task.order;
  return async ({ orderId }) => {
    if (method === "GET") await client["account"]?.();
    else if (method === "POST") await client["newOrderTest"]?.(symbol, side, type, terms);
    else await client["cancelOrder"]?.(symbol, { origClientOrderId: orderId });
  };
}

function binanceApiNode(): Send {
  const { default: connect } = require("binance-api-node-0.9") as {
    default(options: Options): Record<"accountInfo" | "orderTest" | "cancelOrder", (o?: Options) => Promise<unknown>>;
  };
  const client = connect({ apiKey, apiSecret: task.secretKey, httpBase: rest });
  const { symbol } = task.order;
  return async ({ orderId }) => {
    if (method === "GET") await client.accountInfo();
    else if (method === "POST") await client.orderTest(task.order);
    else await client.cancelOrder({ symbol, origClientOrderId: orderId });
  };
}

/** Uses ccxt's implicit methods, which do not load the markets first. */
function byCcxt(library: Ccxt): Send {
  const connected = connectCcxt(library, rest, { apiKey, secretKey: task.secretKey });
  // Otherwise it pauses between requests.
  connected.enableRateLimit = false;
  const client = connected as unknown as Record<
    "privateGetAccount" | "privatePostOrderTest" | "privateDeleteOrder",
    (parameters?: Options) => Promise<unknown>
  >;
  const { symbol } = task.order;
  return async ({ orderId }) => {
    if (method === "GET") await client.privateGetAccount();
    else if (method === "POST") await client.privatePostOrderTest(task.order);
    else await client.privateDeleteOrder({ symbol, origClientOrderId: orderId });
  };
}

const CLIENTS: Readonly<Record<string, () => Send>> = {
  fetch: byFetch,
  undici,
  axios,
  connector,
  "binance-api-node": binanceApiNode,
  ccxt: () => byCcxt(ccxt),
  "ccxt-1x": () => byCcxt(ccxt1x),
};

const send = CLIENTS[process.argv[2] ?? ""]?.();
assert.ok(send, `no such client: ${process.argv[2]}`);
for (const request of task.requests) await send(request);
process.exit(0);
