/**
 * `binance` (the client of tiagosiebler) with today's interface: every method for spot of its REST client and of its
 * WebSocket API client, of which only those in the table may be rejected.
 */
import { after, before, suite } from "node:test";
import { MainClient, WebsocketAPIClient } from "binance";
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
function timed(endpoint: string, parameters: object): object[] {
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
      ...{ wsUrl: rig.exchange.ws, attachEventListeners: false },
    });
    api = client as unknown as Methods;
  });
  after(() => client.disconnectAll());
  rig.testCalls({
    column: "sieblyioWs",
    methods: () => methodsOf(client).filter((name) => /spot/i.test(name)),
    call: async (method, parameters, { endpoint }) => {
      const answer = await api[method]!(...timed(endpoint, parameters));
      return (answer as { readonly result: unknown }).result;
    },
  });
});
