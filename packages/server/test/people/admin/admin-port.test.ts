/** The admin port stays available to operators and probes under connection floods, and rejects other web pages. */
import assert from "node:assert/strict";
import { connect, type Socket } from "node:net";
import { request } from "node:http";
import { afterEach, beforeEach, test, type TestContext } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { until } from "@pricetime/testkit/waiting";
import { OwnHosts } from "../../../src/people/admin/http.ts";
import { type RunningAdmin, startAdmin, TOKEN } from "./running.ts";

let admin: RunningAdmin;
beforeEach(async () => {
  admin = await startAdmin({ hosts: ["Ops.example", "fd00::7"] });
});
afterEach(() => admin.close());

const HALF = "GET /healthz HTTP/1.1\r\nHost: localhost\r\nX-Half: ";

interface Held {
  readonly socket: Socket;
  received: string;
  isClosed: boolean;
}

function hold(t: TestContext, bytes: string): Held {
  const socket = connect(Number(new URL(admin.url).port), "127.0.0.1");
  const held: Held = { socket, received: "", isClosed: false };
  socket.on("error", () => {}).on("close", () => (held.isClosed = true));
  socket.on("data", (chunk: Buffer) => (held.received += chunk.toString("latin1")));
  socket.on("connect", () => socket.write(bytes, "latin1"));
  t.after(() => socket.destroy());
  return held;
}

/** The status of one answer on a new connection. */
function ask(path: string, headers: Record<string, string> = {}): Promise<number> {
  return new Promise((done, failed) => {
    const outgoing = request(admin.url + path, { headers, agent: false }, (incoming) => {
      incoming.resume().on("end", () => done(incoming.statusCode ?? 0));
    });
    outgoing.on("error", failed);
    outgoing.end();
  });
}

test("500 incomplete requests do not block health, readiness and metrics", async (t) => {
  let held: Held[] = [];
  const renew = (): void => {
    held = held.filter(({ isClosed }) => !isClosed);
    while (held.length < 500) held.push(hold(t, HALF));
  };
  renew();
  const renewing = setInterval(renew, 20);
  t.after(() => clearInterval(renewing));
  await pause(300);
  for (let n = 0; n < 15; n++) {
    for (const path of ["/healthz", "/readyz", "/metrics"]) assert.equal(await ask(path), 200, `${path}, time ${n}`);
    await pause(10);
  }
  assert.equal((await admin.call("GET", "/v1/accounts")).status, 200, "and an operator's work goes on");
});

test("an incomplete request and a silent connection are closed after 5 s", async (t) => {
  const startMs = performance.now();
  const held = [hold(t, HALF), hold(t, ""), hold(t, "G")];
  const trickle = setInterval(() => held[0]?.socket.write("a"), 200);
  t.after(() => clearInterval(trickle));
  await until("all are given up", () => held.every(({ isClosed }) => isClosed));
  const tookMs = performance.now() - startMs;
  assert.ok(tookMs > 4_000 && tookMs < 12_000, `${tookMs} ms`);
});

test("a request without the token gets one answer, and the connection closes", async (t) => {
  const get = "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n";
  const one = hold(t, get.repeat(1000));
  await until("it is over", () => one.isClosed);
  assert.equal(one.received.split("HTTP/1.1 200 OK").length - 1, 1);
  assert.match(one.received, /\r\nConnection: close\r\n/);
  const refused = hold(t, "POST /v1/accounts HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100000\r\n\r\n{");
  await until("it is over", () => refused.isClosed);
  assert.match(refused.received, /^HTTP\/1\.1 401 /);
});

test("an operator's connection is kept alive, and pipelined requests are answered in order", async (t) => {
  const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${TOKEN}\r\n\r\n`;
  const held = hold(t, get("/v1/accounts") + get("/healthz") + get("/v1/accounts"));
  await until("three answers", () => held.received.split("HTTP/1.1 200 OK").length === 4);
  assert.ok(!held.isClosed);
  assert.equal(held.received.split('{"alive":true,').length, 2);
});

test("every admin route rejects an unknown host name", async () => {
  const { port } = new URL(admin.url);
  const token = { authorization: `Bearer ${TOKEN}` };
  for (const path of ["/healthz", "/readyz", "/metrics", "/v1/accounts", "/nowhere"]) {
    for (const host of [
      "evil.example",
      `evil.example:${port}`,
      "127.evil.example",
      "127.0.0.1.evil.example",
      "0.0.0.0",
      "ops.example.evil",
    ]) {
      assert.equal(await ask(path, { ...token, host }), 403, `${path} as ${host}`);
    }
    const status = path === "/nowhere" ? 404 : 200;
    for (const host of [
      "localhost",
      `localhost:${port}`,
      "127.0.0.1",
      "[::1]:99",
      "LOCALHOST",
      "ops.example",
      "OPS.example.:1",
      "[fd00::7]",
    ]) {
      assert.equal(await ask(path, { ...token, host }), status, `${path} as ${host}`);
    }
  }
});

test("own host names and similar ones", () => {
  const hosts = new OwnHosts(["Ops.example", "10.0.0.7"]);
  for (const host of ["localhost", "127.0.0.1:1", "127.9.9.9", "[::1]", "ops.example", "10.0.0.7:80", undefined]) {
    assert.ok(hosts.has(host), host);
  }
  for (const host of [
    "",
    ":80",
    "localhost.evil",
    "127.1",
    "127.0.0.1@evil",
    "a b",
    "[::1",
    "::1]",
    "[]",
    "10.0.0.70",
    "ops",
  ]) {
    assert.ok(!hosts.has(host), host);
  }
});
