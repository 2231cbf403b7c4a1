/**
 * `@binance/spot` with today's interface: every method of its REST API, its WebSocket API and its streams, of which
 * only those in the table may be rejected.
 */
import assert from "node:assert/strict";
import { after, before, suite, test } from "node:test";
import { Spot } from "@binance/spot";
import { registerEd25519 } from "@pricetime/testkit/venue";
import { CLIENT_STREAMS } from "./calls.ts";
import { methodsOf } from "./ground.ts";
import { Rig } from "./rig.ts";

// The client logs each event that no listener of the test takes.
process.env.LOG_LEVEL = "error";

const rig = new Rig();

type Method = (parameters: object) => Promise<{ data(): unknown }>;
type Methods = Readonly<Record<string, Method>>;

/** Methods that are no requests. */
const OTHERS =
  /^(constructor|on|off|disconnect|isConnected|pingServer|send(Signed)?(Request|Message)|subscribe|unsubscribe|isSubscribed)$/;

const requestsOf = (found: object): string[] => methodsOf(found).filter((name) => !OTHERS.test(name));

suite("REST", () => {
  let rest: Methods;
  before(() => {
    const { apiKey, secretKey: apiSecret } = rig.ground.account;
    const configurationRestAPI = { apiKey, apiSecret, basePath: rig.exchange.rest, retries: 0, timeout: 30_000 };
    rest = new Spot({ configurationRestAPI }).restAPI as unknown as Methods;
  });
  rig.testCalls({
    column: "spot",
    methods: () => requestsOf(rest),
    call: (method, parameters) => rest[method]!(parameters).then((answer) => answer.data()),
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
  const { websocketStreams } = new Spot({ configurationWebsocketStreams: { wsURL: rig.exchange.ws } });
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
  await rig.ground.trade();
  await Promise.all(messages);
  assert.deepEqual(silent, [], "streams that are left out");
  const names = CLIENT_STREAMS.map(({ method }) => method);
  // `userData` takes a listen key, which today's interface does not have.
  const found = requestsOf(connections[0]!).filter((name) => name !== "userData");
  assert.deepEqual(found.sort(), names.sort());
  for (const connection of connections) await connection.disconnect();
});

suite("WebSocket API", () => {
  type Answer = { readonly data: unknown } | { readonly stream: Stream };
  let api: Readonly<Record<string, (parameters: object) => Promise<Answer>>> & { disconnect(): Promise<void> };
  before(async () => {
    const { apiKey, privateKey } = await registerEd25519(rig.exchange, rig.ground.account.email);
    const configurationWebsocketAPI = {
      apiKey,
      privateKey: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
      wsURL: `${rig.exchange.ws}/ws-api/v3`,
    };
    const client = new Spot({ configurationWebsocketAPI });
    api = (await client.websocketAPI.connect()) as unknown as typeof api;
  });
  after(() => api.disconnect());
  rig.testCalls({
    column: "spotWs",
    methods: () => requestsOf(api),
    call: async (method, parameters) => {
      const answer = await api[method]!(parameters);
      if (!("stream" in answer)) return answer.data;
      const event = first(answer.stream);
      await rig.ground.trade();
      return event;
    },
  });
});
