/** The gateway over HTTP: an order by socket, and rejections of the edge with the headers of all responses. */
import assert from "node:assert/strict";
import { connect } from "node:net";
import { after, before, test } from "node:test";
import { DEFAULT_LIMITS } from "../../../src/api/edge/rate-limit-rules.ts";
import { converse } from "./raw-socket.ts";
import { encode, sign } from "@pricetime/testkit/client";
import { START_MS, TestVenue } from "@pricetime/testkit/gateway-venue";

let venue: TestVenue;
let base: string;
let port: number;
before(async () => {
  venue = new TestVenue({ limits: DEFAULT_LIMITS, trustedProxies: ["127.0.0.1"] });
  port = await venue.gateway.listen("127.0.0.1", 0);
  base = `http://127.0.0.1:${port}`;
});
after(() => venue.gateway.close());

function form(): { body: string; headers: Record<string, string> } {
  const order = { symbol: "BTCUSDT", side: "BUY", type: "LIMIT", timeInForce: "GTC", price: 10000, quantity: 1 };
  const text = encode({ ...order, timestamp: START_MS });
  const signature = sign(venue.trader.secretKey, text);
  const headers = { "X-MBX-APIKEY": venue.trader.apiKey, "Content-Type": "application/x-www-form-urlencoded" };
  return { body: `${text}&signature=${signature}`, headers };
}

test("an order by form over HTTP", async () => {
  const answer = await fetch(`${base}/api/v3/order`, { method: "POST", ...form() });
  assert.equal(answer.status, 200);
  assert.equal(answer.headers.get("content-type"), "application/json;charset=UTF-8");
  assert.equal(answer.headers.get("x-mbx-used-weight-1m"), "1");
  assert.equal(answer.headers.get("x-mbx-order-count-1s"), "1");
  assert.equal(((await answer.json()) as { status: string }).status, "NEW");
});

/** The names of the rate limit headers, as sent. */
function sentNames(bytes: string): Promise<string[]> {
  return new Promise((done) => {
    const socket = connect(port, "127.0.0.1", () => socket.write(bytes, "latin1"));
    let received = "";
    socket.on("data", (chunk: Buffer) => {
      received += chunk.toString("latin1");
      const end = received.indexOf("\r\n\r\n");
      if (end === -1) return;
      socket.destroy();
      done([...received.slice(0, end).matchAll(/^(x-mbx[^:]*):/gim)].map(([, name = ""]) => name));
    });
  });
}

test("rate limit headers have the original names, each once, on responses and rejections of both readers", async () => {
  const weights = ["x-mbx-used-weight", "x-mbx-used-weight-1m"];
  const { body, headers } = form();
  const lines = Object.entries({ ...headers, "Content-Length": String(body.length) }).map((pair) => pair.join(": "));
  for (const odd of [[], ["TE: x"]]) {
    const head = (first: string, more: readonly string[]) => [first, "Host: x", ...odd, ...more, "", ""].join("\r\n");
    assert.deepEqual(await sentNames(head("POST /api/v3/order HTTP/1.1", lines) + body), [
      ...weights,
      "x-mbx-order-count-1s",
      "x-mbx-order-count-1d",
    ]);
    assert.deepEqual(await sentNames(head("GET /nowhere HTTP/1.1", [])), weights);
    assert.deepEqual(await sentNames(head(`GET /?${"x".repeat(9000)} HTTP/1.1`, [])), weights);
  }
});

test("responses of the edge count and report the weight", async () => {
  const large = await fetch(`${base}/api/v3/order`, { method: "POST", body: "x".repeat(50_000) });
  assert.equal(large.status, 413);
  assert.ok(Number(large.headers.get("x-mbx-used-weight")) > 1);
  const wallet = await fetch(`${base}/wapi/v3/x?${"x".repeat(9000)}`);
  assert.equal(wallet.status, 403);
  assert.deepEqual(((await wallet.json()) as { success: boolean }).success, false);
});

test("the client behind a trusted proxy is counted", async () => {
  const asks = async (forwardedFor: string) => {
    const answer = await fetch(`${base}/api/v3/ping`, { headers: { "X-Forwarded-For": forwardedFor } });
    return answer.headers.get("x-mbx-used-weight");
  };
  assert.equal(await asks("9.9.9.9"), "1");
  assert.equal(await asks("9.9.9.9"), "2");
  assert.equal(await asks("8.8.8.8"), "1");
});

test("an order with an incomplete body changes nothing", async () => {
  const { seq } = venue.engine;
  const { body, headers } = form();
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const head = `POST /api/v3/order HTTP/1.1\r\nHost: x\r\n${lines.join("")}Content-Length: ${body.length + 1}\r\n\r\n`;
  const { answers } = await converse(port, head + body, { halfClose: true });
  assert.deepEqual(
    answers.map(({ status }) => status),
    [400],
  );
  assert.equal(venue.engine.seq, seq);
});

test("HEAD and preflight requests", async () => {
  const head = await fetch(`${base}/api/v3/exchangeInfo`, { method: "HEAD" });
  assert.equal(head.status, 200);
  assert.equal(await head.text(), "");
  const asked = await fetch(`${base}/api/v3/ping`, { headers: { Origin: "https://example.org" } });
  const exposed = asked.headers.get("access-control-expose-headers") ?? "";
  for (const name of ["x-mbx-used-weight", "x-mbx-used-weight-1m", "x-mbx-order-count-1s", "Retry-After"]) {
    assert.ok(exposed.includes(name), name);
  }
});
