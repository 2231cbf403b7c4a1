/** Rules of today's interface that are no name in a table: times, signatures, limits, sockets and subscriptions. */
import assert from "node:assert/strict";
import { generateKeyPairSync, sign } from "node:crypto";
import { once } from "node:events";
import { VENUE_INTERFACES } from "@pricetime/protocol";
import { Client, ed25519Key, encode, hmacKey, type Parameters, type SigningKey } from "@pricetime/testkit/client";
import { openAccount, operate, registerEd25519 } from "@pricetime/testkit/venue";
import { until } from "@pricetime/testkit/waiting";
import { ApiClient } from "@pricetime/testkit/ws-client";
import { WebSocket } from "ws";
import { order, SYMBOL, type Venue } from "./samples.ts";

export interface BehaviorRow {
  readonly rule: string;
  /** What this exchange does, if it differs. */
  readonly instead?: string;
  readonly check: (venue: Venue) => Promise<void> | void;
}

const symbol = SYMBOL;
const isMicros = (time: unknown): boolean => Number(time) > 1e15;

async function statusOf({ maker }: Venue, path: string, parameters: Record<string, string | number>): Promise<unknown> {
  const { status, json } = await maker.signed<{ code?: number }>("GET", `/api/v3/${path}`, parameters);
  return json.code ?? status;
}

async function openCode({ maker }: Venue, path: string, parameters: Record<string, string | number>): Promise<number> {
  const { status, json } = await maker.public<{ code?: number }>(`/api/v3/${path}`, parameters);
  return json.code ?? status;
}

/** The request weight of what is done. */
export async function weightOf(client: Client, what: () => Promise<unknown>): Promise<number> {
  const used = async (): Promise<number> =>
    Number((await client.public("/api/v3/ping")).headers["x-mbx-used-weight-1m"]);
  for (;;) {
    const before = await used();
    await what();
    const after = await used();
    // A minute that ends in between starts the count again.
    if (after > before) return after - before - 1;
  }
}

/** The orders that are counted for this day. */
async function countOf(client: Client): Promise<number> {
  const { json } = await client.signed<{ count: number; interval: string }[]>("GET", "/api/v3/rateLimit/order");
  return json.find(({ interval }) => interval === "DAY")?.count ?? -1;
}

async function onApi<T>({ exchange }: Venue, use: (api: ApiClient) => Promise<T>, query = ""): Promise<T> {
  const api = await ApiClient.open(exchange.ws, query);
  try {
    return await use(api);
  } finally {
    await api.close();
  }
}

/** The first message of a stream. */
async function firstOf({ exchange }: Venue, address: string): Promise<Record<string, unknown>> {
  const socket = new WebSocket(exchange.ws + address);
  const [text] = (await once(socket, "message")) as [Buffer];
  socket.close();
  return JSON.parse(String(text)) as Record<string, unknown>;
}

async function rsaKey({ exchange, accounts }: Venue): Promise<SigningKey> {
  const { publicKey, privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const body = { publicKey: publicKey.export({ format: "pem", type: "spki" }) };
  const path = `/v1/accounts/${accounts[0].email}/keys`;
  const { apiKey } = await operate<{ apiKey: string }>(exchange, "POST", path, body);
  return { apiKey, sign: (payload) => sign("sha256", Buffer.from(payload), privateKey).toString("base64") };
}

const WORKING = {
  ...{ symbol, workingType: "LIMIT", workingTimeInForce: "GTC", workingSide: "BUY", workingPrice: "30000" },
  ...{ workingQuantity: "0.01", pendingSide: "SELL" },
};
const PENDING = { pendingType: "LIMIT", pendingTimeInForce: "GTC", pendingPrice: "60000" };
const above = { aboveType: "LIMIT_MAKER", abovePrice: "60000", belowType: "STOP_LOSS", belowStopPrice: "45000" };
const PENDING_PAIR = Object.fromEntries(
  Object.entries(above).map(([name, value]) => [`pending${name[0]?.toUpperCase()}${name.slice(1)}`, value]),
);
/** Requests with the number of orders that they count; one that is amended is given. */
const countedRequests = (orderId: number): readonly (readonly [string, Parameters, number])[] => [
  ["POST order", order("BUY", { price: "40000", quantity: "0.01" }), 1],
  ["POST order/test", order("BUY"), 0],
  ["PUT order/amend/keepPriority", { symbol, orderId, newQty: "0.05" }, 0],
  ["POST orderList/oco", { symbol, side: "SELL", quantity: "0.01", ...above }, 2],
  ["POST orderList/oto", { ...WORKING, ...PENDING, pendingQuantity: "0.01" }, 2],
  ["POST orderList/otoco", { ...WORKING, ...PENDING_PAIR, pendingQuantity: "0.01" }, 3],
  ["POST orderList/opo", { ...WORKING, ...PENDING }, 2],
  ["POST orderList/opoco", { ...WORKING, ...PENDING_PAIR }, 3],
  ["POST order/cancelReplace", { ...order("BUY"), cancelOrderId: 999_999, cancelReplaceMode: "STOP_ON_FAILURE" }, 1],
];

export const BEHAVIOR_ROWS: readonly BehaviorRow[] = [
  {
    rule: "`timestamp`, `startTime` and `endTime` may be microseconds",
    check: async (venue) => {
      assert.equal(await statusOf(venue, "account", { timestamp: Date.now() * 1000 }), 200);
      type Trades = readonly { readonly T: number }[];
      const trades = async (times: Record<string, number>): Promise<Trades> =>
        (await venue.maker.public<Trades>("/api/v3/aggTrades", { symbol, ...times })).json;
      const { T: time = 0 } = (await trades({}))[0] ?? {};
      const inTime = await trades({ startTime: time * 1000, endTime: time * 1000 });
      assert.ok(inTime.length > 0 && inTime.every(({ T }) => T === time));
      assert.deepEqual(await trades({ startTime: time * 1000 + 1, endTime: time * 1000 + 999 }), []);
    },
  },
  {
    rule: "`recvWindow` has up to three decimals",
    check: async (venue) => assert.equal(await statusOf(venue, "account", { recvWindow: "5000.125" }), 200),
  },
  {
    rule: "`recvWindow` is checked again when the batch of a request begins",
    check: () => assert.ok(VENUE_INTERFACES.today.checksTimeTwice),
  },
  {
    rule: "`X-MBX-TIME-UNIT: MICROSECOND` returns times in microseconds",
    check: async ({ maker }) => {
      const headers = { "X-MBX-TIME-UNIT": "MICROSECOND" };
      const { json } = await maker.send<{ serverTime: number }>("GET", "/api/v3/time", { headers });
      assert.ok(isMicros(json.serverTime));
    },
  },
  {
    rule: "`timeUnit=MICROSECOND` in the address of the WebSocket API and of streams",
    check: async (venue) => {
      const { result } = await onApi(venue, (api) => api.call("time"), "?timeUnit=MICROSECOND");
      assert.ok(isMicros(result["serverTime"]));
      const event = await firstOf(venue, `/ws/btcusdt@kline_1s?timeUnit=MICROSECOND`);
      assert.ok(isMicros(event["E"]));
    },
  },
  {
    rule: "a method may have the prefix `v3/`",
    check: async (venue) => assert.equal((await onApi(venue, (api) => api.call("v3/ping"))).status, 200),
  },
  {
    rule: "keys are HMAC, RSA or Ed25519; Ed25519 keys can log on to the WebSocket API",
    check: async (venue) => {
      const { exchange, accounts } = venue;
      const [{ email }] = accounts;
      const ed25519 = await registerEd25519(exchange, email);
      const key = ed25519Key(ed25519.apiKey, ed25519.privateKey);
      assert.equal((await onApi(venue, (api) => api.signed("session.logon", key))).status, 200);
      const { apiKey, sign } = await rsaKey(venue);
      const payload = encode({ timestamp: Date.now() });
      const query = `${payload}&signature=${encodeURIComponent(sign(payload))}`;
      const answer = await venue.maker.send("GET", "/api/v3/account", { query, headers: { "X-MBX-APIKEY": apiKey } });
      assert.equal(answer.status, 200, answer.text);
    },
  },
  {
    rule: "the limits: weight 6000 a minute, 100 orders in 10 seconds and 200000 a day, 300000 requests in 5 minutes",
    check: async ({ maker }) => {
      const { json } = await maker.public<{ rateLimits: { limit: number }[] }>("/api/v3/exchangeInfo", { symbol });
      assert.deepEqual(
        json.rateLimits.map(({ limit }) => limit),
        [6000, 100, 200_000, 300_000],
      );
    },
  },
  {
    rule: "over the WebSocket API, `exchangeInfo` lists CONNECTIONS instead of RAW_REQUESTS",
    check: async (venue) => {
      const { result } = await onApi(venue, (api) =>
        api.call<{ rateLimits: { rateLimitType: string }[] }>("exchangeInfo", { symbol }),
      );
      const types = result.rateLimits.map(({ rateLimitType }) => rateLimitType);
      assert.ok(types.includes("CONNECTIONS") && !types.includes("RAW_REQUESTS"));
    },
  },
  {
    rule: "the first fill of a taker takes 1 off the unfilled orders, that of a resting order more; here 5",
    check: async (venue) => {
      const poor = await openAccount(venue.exchange, "unfilled@example.org", { USDT: "10000" });
      const client = new Client(venue.exchange.rest, poor);
      const place = (by: Client, side: string, price = "500"): Promise<unknown> =>
        by.signed("POST", "/api/v3/order", order(side, { symbol: "BNBUSDT", price, quantity: "0.1" }));
      for (const price of ["500", "490", "490", "490", "490", "490"]) await place(client, "BUY", price);
      assert.equal(await countOf(client), 6);
      await place(venue.maker, "SELL");
      assert.equal(await countOf(client), 1);
      // An order that is filled at once counts 1 and takes 1 off.
      await place(venue.maker, "SELL");
      await place(client, "BUY");
      assert.equal(await countOf(client), 1);
      client.close();
    },
  },
  {
    rule: "an order counts 1, OCO, OTO and OPO 2, OTOCO and OPOCO 3, `cancelReplace` 1 even if it fails, amendments and tests 0",
    check: async ({ exchange }) => {
      const rich = await openAccount(exchange, "counted@example.org", { USDT: "100000", BTC: "1" });
      const client = new Client(exchange.rest, rich);
      const { orderId } = (
        await client.signed<{ orderId: number }>("POST", "/api/v3/order", order("BUY", { price: "40000" }))
      ).json;
      for (const [request, parameters, counted] of countedRequests(orderId)) {
        const before = await countOf(client);
        const [method = "", path = ""] = request.split(" ");
        const { text } = await client.signed(method, `/api/v3/${path}`, parameters);
        assert.equal((await countOf(client)) - before, counted, `${request}: ${text}`);
      }
      client.close();
    },
  },
  {
    rule: "`orderId` is counted by symbol",
    instead: "only with the setting [`orderIds: symbol`](../operate/settings.md); by default across the exchange",
    check: async ({ maker }) => {
      const next = async (name: string): Promise<number> => {
        const parameters = order("BUY", { symbol: name, price: "100", quantity: "0.2", newOrderRespType: "ACK" });
        return (await maker.signed<{ orderId: number }>("POST", "/api/v3/order", parameters)).json.orderId;
      };
      const first = await next("ETHUSDT");
      await next("BNBUSDT");
      assert.equal(await next("ETHUSDT"), first + 1);
    },
  },
  {
    rule: "a successful order weighs 0",
    check: async ({ maker }) => {
      const place = () => maker.signed("POST", "/api/v3/order", order("BUY", { price: "30000" }));
      assert.equal(await weightOf(maker, place), 0);
    },
  },
  {
    rule: "a connection to the WebSocket API weighs 2",
    check: async (venue) => assert.equal(await weightOf(venue.maker, () => onApi(venue, async () => {})), 2),
  },
  {
    rule: "a ping every 20 seconds, and a pong within a minute",
    check: () => assert.deepEqual(VENUE_INTERFACES.today.pings, { pingEveryMs: 20_000, pongTimeoutMs: 60_000 }),
  },
  {
    rule: "`limit` of `depth` is any number; above 5000 it is reduced",
    check: async (venue) => {
      for (const limit of [7, 9999]) assert.equal(await openCode(venue, "depth", { symbol, limit }), 200);
    },
  },
  {
    rule: "`aggTrades` takes any span, and each bound alone",
    check: async (venue) => {
      for (const times of [{ startTime: 1, endTime: Date.now() }, { startTime: 1 }, { endTime: Date.now() }]) {
        assert.equal(await openCode(venue, "aggTrades", { symbol, ...times }), 200);
      }
    },
  },
  {
    rule: "`historicalTrades` ignores a key",
    check: async ({ maker }) => {
      const sent = { query: `symbol=${symbol}`, headers: { "X-MBX-APIKEY": "short" } };
      assert.equal((await maker.send("GET", "/api/v3/historicalTrades", sent)).status, 200);
    },
  },
  {
    rule: "`allOrders` and `myTrades` take at most 24 hours between two times: -1127",
    check: async (venue) => {
      for (const path of ["allOrders", "myTrades"]) {
        assert.equal(await statusOf(venue, path, { symbol, startTime: 1, endTime: Date.now() }), -1127, path);
      }
    },
  },
  {
    rule: "`myTrades` with `fromId` and times is -1128",
    check: async (venue) => assert.equal(await statusOf(venue, "myTrades", { symbol, fromId: 1, startTime: 1 }), -1128),
  },
  {
    rule: "names of streams in the address may be URL-encoded",
    check: async (venue) => {
      assert.equal((await firstOf(venue, "/ws/btcusdt%40kline_1s"))["e"], "kline");
    },
  },
  {
    rule: "`eventStreamTerminated` follows `userDataStream.unsubscribe` and `session.logout`",
    check: async (venue) => {
      const { apiKey, privateKey } = await registerEd25519(venue.exchange, venue.accounts[0].email);
      for (const end of ["userDataStream.unsubscribe", "session.logout"]) {
        await onApi(venue, async (api) => {
          await api.signed("session.logon", ed25519Key(apiKey, privateKey));
          await api.call("userDataStream.subscribe");
          await api.call(end);
          await until(end, () => api.events.some(({ event }) => event.e === "eventStreamTerminated"));
        });
      }
    },
  },
  {
    rule: "`userDataStream.subscribe.signature` takes any kind of key",
    check: async (venue) => {
      const [account] = venue.accounts;
      const ed25519 = await registerEd25519(venue.exchange, account.email);
      const keys = [hmacKey(account), ed25519Key(ed25519.apiKey, ed25519.privateKey), await rsaKey(venue)];
      for (const key of keys) {
        const { result } = await onApi(venue, (api) => api.signed("userDataStream.subscribe.signature", key));
        assert.deepEqual(result, { subscriptionId: 0 });
      }
    },
  },
  {
    rule: "a key that becomes invalid ends the session with -2015",
    check: async (venue) => {
      const { apiKey, privateKey } = await registerEd25519(venue.exchange, venue.accounts[0].email);
      await onApi(venue, async (api) => {
        await api.signed("session.logon", ed25519Key(apiKey, privateKey));
        await operate(venue.exchange, "DELETE", `/v1/keys/${apiKey}`);
        const { status, error } = await api.raw(
          JSON.stringify({ id: 7, method: "account.status", params: { timestamp: Date.now() } }),
          null,
        );
        assert.deepEqual([status, error.code], [401, -2015]);
        const { result } = await api.call("session.status");
        assert.equal(result["apiKey"], null);
      });
    },
  },
  {
    rule: "answers in SBE (`responseFormat=sbe`)",
    instead: "JSON",
    check: async (venue) => {
      assert.equal((await onApi(venue, (api) => api.call("ping"), "?responseFormat=sbe&sbeSchemaId=3")).status, 200);
    },
  },
];

/** The rule of a venue that stops, which the test checks last. */
export const SHUTDOWN_RULE =
  "before a node stops, every socket gets `serverShutdown` with only `e` and `E`, without a subscription";

/** Opens a socket of each kind. Resolves to a function that checks their events once the exchange has stopped. */
export async function watchShutdown({ exchange }: Venue): Promise<() => void> {
  const received = new Map<string, Record<string, unknown>[]>();
  for (const path of ["/ws/bnbusdt@trade", "/stream?streams=bnbusdt@trade", "/ws-api/v3"]) {
    const socket = new WebSocket(exchange.ws + path);
    const messages: Record<string, unknown>[] = [];
    received.set(path, messages);
    socket.on("error", () => {});
    socket.on("message", (text) => messages.push(JSON.parse(String(text)) as Record<string, unknown>));
    await once(socket, "open");
  }
  return () => {
    const [raw, combined, api] = [...received.values()].map((messages) => messages.at(-1));
    assert.deepEqual([combined?.["stream"], Object.keys(api ?? {})], ["!serverShutdown", ["event"]]);
    for (const event of [raw, combined?.["data"], api?.["event"]] as ({ E: number } | undefined)[]) {
      assert.deepEqual(event, { e: "serverShutdown", E: event?.E ?? 0 });
    }
  };
}
