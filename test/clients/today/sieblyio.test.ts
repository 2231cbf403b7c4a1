/**
 * `binance` (the client of tiagosiebler) with today's interface: every method for spot of its REST client and of its
 * WebSocket API client, of which only those in the table may be rejected.
 */
import assert from "node:assert/strict";
import { after, before, suite, test } from "node:test";
import { MainClient, WebsocketAPIClient } from "binance";
import { type Exchange, registerEd25519, startExchange } from "@pricetime/testkit/venue";
import { CLIENT_CALLS, refusalOf } from "./calls.ts";
import { Ground, methodsOf } from "./ground.ts";

let exchange: Exchange;
let ground: Ground;
before(async () => {
  exchange = await startExchange({ args: ["--bots", "off", "--limits", "off", "--interface", "today"] });
  ground = await Ground.open(exchange);
});
after(async () => {
  ground.close();
  await exchange.stop();
});

type Methods = Readonly<Record<string, (...parameters: object[]) => Promise<unknown>>>;

/** Methods without parameters take something else in their place. */
const given = (parameters: object): object[] => (Object.keys(parameters).length === 0 ? [] : [parameters]);

/** Listen keys, which today's interface does not have. */
const LISTEN_KEYS = /SpotUserDataListenKey$/;

suite("REST", () => {
  let rest: Methods;
  before(() => {
    const { apiKey, secretKey } = ground.account;
    const options = { api_key: apiKey, api_secret: secretKey, baseUrl: exchange.rest };
    rest = new MainClient(options) as unknown as Methods;
  });
  for (const call of CLIENT_CALLS) {
    const { sieblyio, endpoint, parameters } = call;
    if (sieblyio === undefined) continue;
    test(`${sieblyio} (${endpoint})`, async () => {
      const own = await ground.prepare();
      await ground.expects(refusalOf(call), () => rest[sieblyio]!(...given(parameters(own))));
    });
  }
  test("every method for spot is called", () => {
    const isOfSpot = (name: string): boolean => /["'`]\/?api\/v3\//.test(String(rest[name]));
    const found = methodsOf(rest).filter((name) => name !== "constructor" && isOfSpot(name) && !LISTEN_KEYS.test(name));
    const names = CLIENT_CALLS.flatMap(({ sieblyio }) => sieblyio ?? []);
    assert.deepEqual(
      found.filter((name) => !names.includes(name)),
      [],
    );
  });
});

/** On a connection that is logged on, the caller of this client sends the timestamp. */
function timed(endpoint: string, parameters: object): object[] {
  const takesNothing = ["GET ping", "GET time", "session.status"].includes(endpoint);
  return takesNothing ? [] : [{ ...parameters, timestamp: Date.now() }];
}

suite("WebSocket API", () => {
  let client: WebsocketAPIClient;
  let api: Methods;
  before(async () => {
    const { apiKey, privateKey } = await registerEd25519(exchange, ground.account.email);
    client = new WebsocketAPIClient({
      ...{ api_key: apiKey, api_secret: privateKey.export({ type: "pkcs8", format: "pem" }).toString() },
      ...{ wsUrl: exchange.ws, attachEventListeners: false },
    });
    api = client as unknown as Methods;
  });
  after(() => client.disconnectAll());
  for (const call of CLIENT_CALLS) {
    const { sieblyioWs, endpoint, parameters } = call;
    if (sieblyioWs === undefined) continue;
    test(`${sieblyioWs} (${endpoint})`, async () => {
      const own = await ground.prepare();
      await ground.expects(refusalOf(call), () => api[sieblyioWs]!(...timed(endpoint, parameters(own))));
    });
  }
  test("every method for spot is called", () => {
    const names = CLIENT_CALLS.flatMap(({ sieblyioWs }) => sieblyioWs ?? []);
    const found = methodsOf(client).filter((name) => /spot/i.test(name));
    assert.deepEqual(found.sort(), names.sort());
  });
});
