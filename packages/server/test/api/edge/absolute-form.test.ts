/**
 * Request targets in absolute form: accepted only for the API, with the target's host in every host check. RFC 9112,
 * 3.2.2.
 */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { EchoSink, startEdge } from "@pricetime/testkit/echo-edge";
import { encodeSigned } from "@pricetime/testkit/client";
import { TestVenue } from "@pricetime/testkit/gateway-venue";
import { inOriginForm } from "../../../src/api/edge/http/read-request.ts";
import { TrustedProxies } from "../../../src/api/edge/client-address.ts";
import type { HttpEdge } from "../../../src/api/edge/http/edge.ts";
import { DEFAULT_HTTP_LIMITS } from "../../../src/api/edge/limits.ts";
import { isFromOwnMachine, isFromOwnPage, OwnPageGuard } from "../../../src/api/edge/http/own-page.ts";
import { Origins } from "../../../src/api/edge/sockets/sockets.ts";
import { startAdmin } from "../../people/admin/running.ts";
import { converse } from "./raw-socket.ts";

const isApi = (path: string): boolean => path.startsWith("/api/");

test("which targets are accepted, and their host", () => {
  const headers = { host: "127.0.0.1:8080", accept: "*/*" };
  const table: readonly (readonly [target: string, url: string, host: string])[] = [
    ["http://example.com/api/v3/time", "/api/v3/time", "example.com"],
    [
      "HTTP://Example.com:8080/api/v3/depth?symbol=A&x=http://b/c",
      "/api/v3/depth?symbol=A&x=http://b/c",
      "Example.com:8080",
    ],
    ["https://[::1]:9000/api/", "/api/", "[::1]:9000"],
    ...[
      ...["/api/v3/time", "//example.com/api/v3/time", "", "*", "example.com:80", "http:///api/v3/time"],
      ...["http://example.com", "http://example.com/", "http://example.com?/api/", "http://example.com/account/v1/me"],
      ...[
        "http://user@example.com/api/v3/time",
        "http://user:secret@example.com/api/",
        "ftp://example.com/api/v3/time",
      ],
      ...[
        "http://exa mple.com/api/",
        "http://example.com\\@evil/api/",
        "http://example.com/api/#part",
        "http:/api/v3/time",
      ],
    ].map((target) => [target, target, headers.host] as const),
  ];
  for (const [target, url, host] of table) {
    const read = inOriginForm({ url: target, headers }, isApi);
    assert.deepEqual([read.url, read.headers["host"], read.headers["accept"]], [url, host, "*/*"], target);
  }
});

test("every host check uses the target's host: a name that resolves to loopback opens nothing", () => {
  const peer = "127.0.0.1";
  const asked = (authority: string, host: string) => {
    const sent = { host, origin: `http://${host}`, "x-pricetime-page": "account" };
    const { headers } = inOriginForm({ url: `http://${authority}/api/v3/account`, headers: sent }, isApi);
    return { headers, peer, method: "GET" };
  };
  const proxies = new TrustedProxies([]);
  const guard = new OwnPageGuard(proxies, false);
  const origins = new Origins({ allowedOrigins: [], publicUrl: null, isDemo: false }, proxies);
  for (const [authority, host, isOwn] of [
    ["localhost:8080", "localhost:8080", true],
    ["evil.example", "localhost:8080", false],
    ["localhost:8080", "evil.example", false],
    ["evil.example", "evil.example", false],
  ] as const) {
    const request = asked(authority, host);
    const what = `${authority} ${host}`;
    assert.equal(isFromOwnMachine(request), authority.startsWith("localhost"), what);
    assert.equal(isFromOwnPage(request), isOwn, what);
    assert.equal(guard.refusalOf(request) === null, isOwn, what);
    assert.equal(guard.mayOpenSocket(request), isOwn, what);
    assert.equal(origins.isForeign(request), authority !== host, what);
  }
});

const sink = new EchoSink();
const venue = new TestVenue();
let echo: HttpEdge;
let [echoPort, port] = [0, 0];
before(async () => {
  echo = startEdge(sink, DEFAULT_HTTP_LIMITS, { acceptsAbsoluteForm: isApi });
  echoPort = await echo.listen("127.0.0.1", 0);
  port = await venue.gateway.listen("127.0.0.1", 0);
});
after(async () => {
  await echo.close();
  await venue.gateway.close();
});

/** Sends each target on one connection. The direct reader reads the first; `node:http` reads the others. */
async function statuses(of: number, ...targets: readonly string[]): Promise<number[]> {
  const lines = targets.map((target) => `GET ${target} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`);
  const { answers } = await converse(of, lines.join(""), { answers: lines.length });
  return answers.map(({ status }) => status);
}

test("both readers pass on the same request", async () => {
  const body = "a=1&b=2";
  for (const first of ["", "GET /api/first HTTP/1.1\r\nHost: x\r\n\r\n"]) {
    const post = `POST http://example.com:81/api/p?c=3 HTTP/1.1\r\nHost: x\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
    await converse(echoPort, first + post, { answers: first === "" ? 1 : 2 });
    const seen = sink.seen.at(-1);
    assert.deepEqual(
      [seen?.method, seen?.path, seen?.query, seen?.body, seen?.headers["host"]],
      ["POST", "/api/p", "c=3", body, "example.com:81"],
    );
  }
});

test("the API is served, including signed requests; pages, accounts, the lab and sockets are not", async () => {
  const host = `http://exchange.example:${port}`;
  assert.deepEqual(await statuses(port, `${host}/api/v3/time`, `${host}/api/v3/depth?symbol=BTCUSDT`), [200, 200]);
  assert.deepEqual(await statuses(port, `${host}/sapi/v1/system/status`, `${host}/api/v3/nothing`), [200, 404]);
  const signed = encodeSigned({ timestamp: venue.nowMs }, venue.trader.secretKey);
  const request = `GET ${host}/api/v3/account?${signed} HTTP/1.1\r\nHost: x\r\nX-MBX-APIKEY: ${venue.trader.apiKey}\r\n\r\n`;
  assert.equal((await converse(port, request, { answers: 1 })).answers[0]?.status, 200);
  for (const path of ["", "/", "/docs", "/account/v1/me", "/lab/clock", "/openapi.json", "/withdraw/confirm"]) {
    assert.deepEqual(await statuses(port, host + path), [403], path);
  }
  const upgrade =
    `GET ${host}/ws/btcusdt@trade HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n` +
    `Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n`;
  assert.equal((await converse(port, upgrade, { answers: 1 })).answers[0]?.status, 404);
});

test("the admin port rejects targets with an authority, because its host checks use the Host header", async () => {
  const admin = await startAdmin();
  try {
    const adminPort = Number(new URL(admin.url).port);
    assert.deepEqual(await statuses(adminPort, "/healthz"), [200]);
    for (const target of ["http://evil.example/healthz", "http://127.0.0.1/healthz", "//evil.example/healthz"]) {
      assert.deepEqual(await statuses(adminPort, target), [400], target);
    }
  } finally {
    await admin.close();
  }
});
