/**
 * `@binance/spot` with today's interface: every method of its REST API, its WebSocket API and its streams, of which
 * only those in the table may be rejected.
 */
import assert from "node:assert/strict";
import { after, before, suite, test } from "node:test";
import { Spot } from "@binance/spot";
import { type Exchange, registerEd25519, startExchange } from "@pricetime/testkit/venue";
import { CLIENT_CALLS, CLIENT_STREAMS, refusalOf } from "./calls.ts";
import { Ground, methodsOf } from "./ground.ts";

// The client logs each event that no listener of the test takes.
process.env.LOG_LEVEL = "error";

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

type Method = (parameters: object) => Promise<{ data(): unknown }>;
type Methods = Readonly<Record<string, Method>>;

/** Methods that are no requests. */
const OTHERS =
  /^(constructor|on|off|disconnect|isConnected|pingServer|send(Signed)?(Request|Message)|subscribe|unsubscribe|isSubscribed)$/;

const called = (found: object): string[] => methodsOf(found).filter((name) => !OTHERS.test(name));

suite("REST", () => {
  let rest: Methods;
  before(() => {
    const { apiKey, secretKey: apiSecret } = ground.account;
    const configurationRestAPI = { apiKey, apiSecret, basePath: exchange.rest, retries: 0, timeout: 30_000 };
    rest = new Spot({ configurationRestAPI }).restAPI as unknown as Methods;
  });
  for (const call of CLIENT_CALLS) {
    const { spot, endpoint, parameters } = call;
    if (spot === undefined) continue;
    test(`${spot} (${endpoint})`, async () => {
      const own = await ground.prepare();
      await ground.expects(refusalOf(call), () => rest[spot]!(parameters(own)).then((answer) => answer.data()));
    });
  }
  test("every method is called", () => {
    const names = CLIENT_CALLS.flatMap(({ spot }) => spot ?? []);
    assert.deepEqual(called(rest).sort(), names.sort());
  });
});

/** A stream as the client hands it out. */
interface Stream {
  on(event: "message", listener: (data: unknown) => void): void;
}

/** The first message of a stream. */
const first = (stream: Stream): Promise<unknown> => new Promise((arrived) => stream.on("message", arrived));

/** A connection may send five messages in a second, and the client sends one for each stream. */
const STREAMS_OF_A_CONNECTION = 4;

type Streams = Readonly<Record<string, (parameters?: object) => Stream>> & { disconnect(): Promise<void> };

test("every stream sends a message", async () => {
  const { websocketStreams } = new Spot({ configurationWebsocketStreams: { wsURL: exchange.ws } });
  const connections: Streams[] = [];
  const silent: string[] = [];
  const messages: Promise<unknown>[] = [];
  for (const [i, { method, parameters, isMissing }] of CLIENT_STREAMS.entries()) {
    if (i % STREAMS_OF_A_CONNECTION === 0) {
      connections.unshift((await websocketStreams.connect()) as unknown as Streams);
    }
    const stream = connections[0]![method]!(parameters);
    if (isMissing === undefined) messages.push(first(stream));
    else stream.on("message", () => silent.push(method));
  }
  await ground.trade();
  await Promise.all(messages);
  assert.deepEqual(silent, [], "streams that are left out");
  const names = CLIENT_STREAMS.map(({ method }) => method);
  // `userData` takes a listen key, which today's interface does not have.
  const found = called(connections[0]!).filter((name) => name !== "userData");
  assert.deepEqual(found.sort(), names.sort());
  for (const connection of connections) await connection.disconnect();
});

suite("WebSocket API", () => {
  let api: Methods & { disconnect(): Promise<void> };
  before(async () => {
    const { apiKey, privateKey } = await registerEd25519(exchange, ground.account.email);
    const configurationWebsocketAPI = {
      apiKey,
      privateKey: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
      wsURL: `${exchange.ws}/ws-api/v3`,
    };
    const client = new Spot({ configurationWebsocketAPI });
    api = (await client.websocketAPI.connect()) as unknown as typeof api;
  });
  after(() => api.disconnect());
  for (const call of CLIENT_CALLS) {
    const { spotWs, endpoint, parameters } = call;
    if (spotWs === undefined) continue;
    test(`${spotWs} (${endpoint})`, async () => {
      const own = await ground.prepare();
      await ground.expects(refusalOf(call), async () => {
        const answer = await api[spotWs]!(parameters(own));
        if (!("stream" in answer)) return;
        const event = first(answer.stream as Stream);
        await ground.trade();
        await event;
      });
    });
  }
  test("every method is called", () => {
    const names = CLIENT_CALLS.flatMap(({ spotWs }) => spotWs ?? []);
    assert.deepEqual(called(api).sort(), names.sort());
  });
});
