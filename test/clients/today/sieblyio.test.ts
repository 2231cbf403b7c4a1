/**
 * `binance` (the client of tiagosiebler) with today's interface: every method for spot of its REST client and of its
 * WebSocket API client, of which only those in the table may be rejected; and its methods for the streams of spot.
 */
import assert from "node:assert/strict";
import { once } from "node:events";
import { after, before, suite, test } from "node:test";
import { MainClient, WebsocketAPIClient, WebsocketClient } from "binance";
import { until } from "@pricetime/testkit/waiting";
import { registerEd25519 } from "@pricetime/testkit/venue";
import { methodsOf } from "./ground.ts";
import { type Methods, Rig } from "./rig.ts";

const rig = new Rig();

/** Listen keys, which today's interface does not have. */
const LISTEN_KEYS = /SpotUserDataListenKey$/;

suite("REST", () => {
  let rest: Methods;
  before(() => {
    const { apiKey, secretKey } = rig.ground.account;
    const options = { api_key: apiKey, api_secret: secretKey, baseUrl: rig.exchange.rest };
    rest = new MainClient(options) as unknown as Methods;
  });
  const isOfSpot = (name: string): boolean =>
    name !== "constructor" && /["'`]\/?api\/v3\//.test(String(rest[name])) && !LISTEN_KEYS.test(name);
  rig.testCalls({
    column: "sieblyio",
    methods: () => methodsOf(rest).filter(isOfSpot),
    // Methods without parameters take something else in their place.
    call: (method, parameters) => rest[method]!(...(Object.keys(parameters).length === 0 ? [] : [parameters])),
  });
});

/** On a connection that is logged on, the caller of this client sends the timestamp. */
function timed(endpoint: string, parameters: object): unknown[] {
  if (endpoint.startsWith("userDataStream")) return ["mainWSAPI"];
  const takesNothing = ["GET ping", "GET time", "session.status"].includes(endpoint);
  return takesNothing ? [] : [{ ...parameters, timestamp: Date.now() }];
}

suite("WebSocket API", () => {
  let client: WebsocketAPIClient;
  let api: Methods;
  before(async () => {
    const { apiKey, privateKey } = await registerEd25519(rig.exchange, rig.ground.account.email);
    client = new WebsocketAPIClient({
      ...{ api_key: apiKey, api_secret: privateKey.export({ type: "pkcs8", format: "pem" }).toString() },
      ...{ wsUrl: rig.exchange.ws, attachEventListeners: false, beautify: true },
    });
    api = client as unknown as Methods;
  });
  after(() => client.disconnectAll());
  rig.testCalls({
    column: "sieblyioWs",
    methods: () => methodsOf(client).filter((name) => /spot|^(un)?subscribe/i.test(name)),
    call: async (method, parameters, { endpoint }) => {
      const answer = await api[method]!(...timed(endpoint, parameters));
      if (endpoint === "userDataStream.subscribe") {
        const event = once(client.getWSClient(), "formattedUserDataMessage");
        await rig.ground.trade();
        assert.equal((await event)[0].eventType, "executionReport");
      }
      return (answer as { readonly result: unknown }).result;
    },
  });
});

/** The methods for streams, their parameters, and the event of each; absent: the stream is missing or retired. */
const SYMBOL = "BTCUSDT";
const STREAMS: Readonly<Record<string, readonly [parameters: readonly unknown[], event?: string]>> = {
  subscribeSpotAggregateTrades: [[SYMBOL], "aggTrade"],
  subscribeSpotTrades: [[SYMBOL], "trade"],
  subscribeSpotBlockTrades: [[SYMBOL]],
  subscribeSpotKline: [[SYMBOL, "1s"], "kline"],
  subscribeSpotSymbolMini24hrTicker: [[SYMBOL], "24hrMiniTicker"],
  subscribeSpotAllMini24hrTickers: [[], "24hrMiniTicker all"],
  subscribeSpotSymbol24hrTicker: [[SYMBOL], "24hrTicker"],
  subscribeSpotAll24hrTickers: [[]],
  subscribeSpotSymbolBookTicker: [[SYMBOL], "bookTicker"],
  subscribeSpotPartialBookDepth: [[SYMBOL, 5, 100], "depth5@100ms"],
  subscribeSpotDiffBookDepth: [[SYMBOL, 100], "depthUpdate"],
  subscribeAllRollingWindowTickers: [["spot", "1h"], "1hTicker all"],
};

test("its stream of the account takes a listen key, which is rejected", async () => {
  const { apiKey: api_key, secretKey: api_secret } = rig.ground.account;
  const restOptions = { baseUrl: rig.exchange.rest };
  const streams = new WebsocketClient({ api_key, api_secret, wsUrl: rig.exchange.ws, restOptions });
  const thrown = once(streams, "exception");
  await streams.subscribeSpotUserDataStream();
  assert.equal((await thrown)[0].error.code, -1099);
});

test("every stream sends events, or is rejected", async () => {
  const streams = new WebsocketClient({ wsUrl: rig.exchange.ws });
  after(() => streams.closeAll(true));
  const events = new Set<string>();
  const answers: string[] = [];
  streams.on("message", (data: { e: string } | { e: string }[]) =>
    events.add(Array.isArray(data) ? `${data[0]?.e} all` : data.e),
  );
  streams.on("response", (data: { msg?: string }) => answers.push(data.msg ?? ""));
  const methods = streams as unknown as Methods;
  for (const [method, [parameters]] of Object.entries(STREAMS)) await methods[method]!(...parameters);
  await until("all answers", () => answers.length === Object.keys(STREAMS).length);
  await rig.ground.trade();
  for (const [, event] of Object.values(STREAMS)) {
    if (event !== undefined) await until(event, () => events.has(event));
  }
  const missing = ["btcusdt@blockTrade", "!ticker@arr"].map((name) => `Invalid request: no such stream: ${name}`);
  assert.deepEqual(answers.filter(Boolean), missing);
  const names = methodsOf(streams).filter((name) => /^subscribeSpot(?!User)/.test(name) && !(name in STREAMS));
  assert.deepEqual(names, []);
});
