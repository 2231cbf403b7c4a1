/**
 * Properties of `node:http` that we rely on: it reads and answers connections that it gets by the event
 * `connection`, although they are not sockets. `trials/lane` runs this on all supported Node versions.
 */
import assert from "node:assert/strict";
import { once } from "node:events";
import type { IncomingMessage, ServerOptions } from "node:http";
import { type AddressInfo, connect, Socket } from "node:net";
import { type TestContext, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { PacedServer, PacedSocket } from "../../../src/platform/transport/http.ts";
import { MACHINE } from "../../../src/platform/world/machine.ts";
import { converse } from "../../api/edge/raw-socket.ts";

const OPTIONS: ServerOptions = { maxHeaderSize: 4096 };
/** A short timeout for abandoned requests. Other tests need more time on a busy machine. */
const HASTY: ServerOptions = {
  ...OPTIONS,
  headersTimeout: 200,
  requestTimeout: 300,
  connectionsCheckingInterval: 30,
  keepAliveTimeout: 400,
};
/** Well above `keepAliveTimeout` plus the second that Node adds, and below Node's default of five seconds. */
const IDLE_GIVEN_UP_MS = 4800;

interface Running {
  readonly server: PacedServer;
  readonly port: number;
  /** The accepted sockets. */
  readonly accepted: Socket[];
  /** Codes of client errors. */
  readonly errors: (string | undefined)[];
}

const get = (path: string, more = ""): string => `GET ${path} HTTP/1.1\r\nHost: x\r\n${more}\r\n`;

/** A server that hands every connection to `node:http` and answers each request with its content. */
async function start(t: TestContext, options = OPTIONS): Promise<Running> {
  const accepted: Socket[] = [];
  const errors: (string | undefined)[] = [];
  const server: PacedServer = new PacedServer(options, (socket) => {
    accepted.push(socket);
    server.handOver(new PacedSocket(socket, { soon: MACHINE.soon, sliceBytes: 512 }));
  });
  server.timeout = 60_000;
  server.on("request", (request, response) => {
    const paced = request.socket as unknown as PacedSocket;
    assert.ok(paced instanceof PacedSocket && !(paced instanceof Socket), "node:http was given the socket itself");
    const answer = (body: string): void => {
      const json = JSON.stringify({ url: request.url, body });
      response.writeHead(200, ["Content-Length", String(json.length)]).end(json);
    };
    paced.inTurn(request, response, () => void text(request).then(answer, () => {}));
  });
  server.on("clientError", (error: Error & { code?: string }, socket) => {
    errors.push(error.code);
    socket.destroy();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return { server, port: (server.address() as AddressInfo).port, accepted, errors };
}

async function text(request: IncomingMessage): Promise<string> {
  let all = "";
  for await (const chunk of request) all += String(chunk);
  return all;
}

const bodies = (answers: readonly { readonly body: string }[]): unknown[] =>
  answers.map(({ body }) => JSON.parse(body));

test("accepted sockets come to our code only, and handed-over connections are read and answered in order", async (t) => {
  const { port, accepted } = await start(t);
  const form = "a".repeat(3000);
  const requests = [
    get("/1"),
    `POST /2 HTTP/1.1\r\nHost: x\r\nContent-Length: ${form.length}\r\n\r\n${form}`,
    "POST /3 HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n3\r\na=1\r\n0\r\n\r\n",
    get("/4"),
  ];
  const { answers } = await converse(port, requests.join(""), { answers: 4 });
  assert.deepEqual(bodies(answers), [
    { url: "/1", body: "" },
    { url: "/2", body: form },
    { url: "/3", body: "a=1" },
    { url: "/4", body: "" },
  ]);
  assert.ok(accepted.length === 1 && accepted[0] instanceof Socket);
});

test("its timeouts apply to headers, bodies and idle connections", async (t) => {
  const { port, errors } = await start(t, HASTY);
  // The default timeouts of Node are longer than `converse` waits.
  const late = ["GET / HTTP/1.1\r\nHost:", "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\na"];
  const ends = await Promise.all(late.map((bytes) => converse(port, bytes)));
  assert.deepEqual(
    ends.map(({ closed, answers }) => [closed, answers.length]),
    [
      [true, 0],
      [true, 0],
    ],
  );
  assert.deepEqual(errors, ["ERR_HTTP_REQUEST_TIMEOUT", "ERR_HTTP_REQUEST_TIMEOUT"]);
  const startMs = performance.now();
  const idle = await converse(port, get("/1"));
  assert.deepEqual([idle.closed, idle.answers.length], [true, 1]);
  assert.ok(performance.now() - startMs < IDLE_GIVEN_UP_MS);
});

test("its parser rejects invalid requests within its limits", async (t) => {
  const { port, errors } = await start(t);
  for (const [bytes, code] of [
    ["hello\r\n\r\n", "HPE_INVALID_METHOD"],
    [get("/", `X: ${"a".repeat(5000)}\r\n`), "HPE_HEADER_OVERFLOW"],
    ["POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", /^HPE_/],
  ] as const) {
    const { closed, answers } = await converse(port, bytes);
    assert.deepEqual([closed, answers.length], [true, 0]);
    const told = errors.pop() ?? "";
    if (typeof code === "string") assert.equal(told, code);
    else assert.match(told, code);
  }
});

test("an upgrade returns the connection with the data that followed", async (t) => {
  const { server, port } = await start(t);
  server.on("upgrade", (_request, duplex, head: Buffer) => {
    const paced = duplex as unknown as PacedSocket;
    paced.afterAnswers(() => {
      const { raw } = paced;
      raw.end(Buffer.concat([head, paced.detach()]));
      raw.resume();
    });
  });
  const socket = connect(port, "127.0.0.1");
  socket.write(`${get("/ws", "Connection: Upgrade\r\nUpgrade: websocket\r\n")}${"f".repeat(2000)}`);
  let received = "";
  for await (const chunk of socket) received += String(chunk);
  assert.equal(received, "f".repeat(2000));
});

test("it knows its idle connections and closes all", async (t) => {
  const { server, port, accepted } = await start(t);
  const busy = connect(port, "127.0.0.1").on("error", () => {});
  busy.write("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\na");
  const idle = connect(port, "127.0.0.1").on("error", () => {});
  idle.write(get("/1"));
  await once(idle, "data");
  await pause(50);
  server.closeIdleConnections();
  await pause(50);
  assert.deepEqual(accepted.map(({ remotePort, destroyed }) => [remotePort === idle.localPort, destroyed]).sort(), [
    [false, false],
    [true, true],
  ]);
  server.closeAllConnections();
  await pause(50);
  assert.ok(accepted.every(({ destroyed }) => destroyed));
});

test("it counts open connections and accepts no more than the limit", async (t) => {
  const { server, port, accepted } = await start(t);
  server.maxConnections = 1;
  const first = connect(port, "127.0.0.1").on("error", () => {});
  first.write(get("/1"));
  await once(first, "data");
  const { answers, closed } = await converse(port, get("/2"));
  assert.deepEqual([accepted.length, answers.length, closed], [1, 0, true]);
  first.destroy();
});
