/** Requests of the account pages to a real server: their headers, and the errors of both APIs. */
import assert from "node:assert/strict";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { after, before, beforeEach, test } from "node:test";
import { Wire } from "../../src/customer/client.ts";
import { Denied } from "../../src/pages/request.ts";
import { MACHINE } from "../../src/wire/world.ts";

interface Got extends Pick<IncomingMessage, "method" | "url" | "headers"> {
  readonly body: string;
}

let got: Got[] = [];
let answer: readonly [status: number, body: string] = [200, "{}"];
let sessionId: string | null = null;
let strangers = 0;
let wire: Wire;

const server = createServer((request, response) => {
  let body = "";
  request.on("data", (chunk: Buffer) => (body += chunk.toString()));
  request.on("end", () => {
    const { method, url, headers } = request;
    got.push({ ...{ method, url, headers, body } });
    response.writeHead(answer[0], { "content-type": "application/json" }).end(answer[1]);
  });
});
before(async () => {
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const { port } = server.address() as AddressInfo;
  const base = `http://127.0.0.1:${port}`;
  wire = new Wire({ base, world: MACHINE, sessionId: () => sessionId, onUnauthenticated: () => strangers++ });
});
after(() => server.close());
beforeEach(() => {
  got = [];
  strangers = 0;
  answer = [200, "{}"];
});

const deniedBy = (status: number, body: string, ask = () => wire.account("POST", "sign-in", { body: {} })) => {
  answer = [status, body];
  return ask().then(
    () => assert.fail("it was not refused"),
    (error: unknown) => {
      assert.ok(error instanceof Denied, String(error));
      return error;
    },
  );
};

test("every request has the header of the account pages; bodies are JSON for one API and forms for the other", async () => {
  await wire.account("POST", "sign-in", { body: { email: "a@b", password: "p&q" } });
  await wire.account("GET", "keys", { query: { account: 7, other: undefined } });
  await wire.exchange("GET", "/api/v3/myTrades", { symbol: "BTCUSDT", limit: 5 });
  await wire.exchange("POST", "/sapi/v1/capital/withdraw/apply", { coin: "BTC", address: "a b&c" });
  assert.deepEqual(
    got.map(({ method, url, headers, body }) => [method, url, headers["content-type"], body]),
    [
      ["POST", "/account/v1/sign-in", "application/json", '{"email":"a@b","password":"p&q"}'],
      ["GET", "/account/v1/keys?account=7", undefined, ""],
      ["GET", "/api/v3/myTrades?symbol=BTCUSDT&limit=5", undefined, ""],
      ["POST", "/sapi/v1/capital/withdraw/apply", "application/x-www-form-urlencoded", "coin=BTC&address=a%20b%26c"],
    ],
  );
  for (const { headers } of got) assert.equal(headers["x-pricetime-page"], "account");
});

test("requests name the session that the page shows, except the request that finds out which one it is", async () => {
  sessionId = "0123";
  await wire.account("POST", "sign-out");
  await wire.exchange("POST", "/sapi/v1/capital/withdraw/apply", {});
  await wire.account("GET", "session");
  sessionId = null;
  await wire.account("GET", "keys");
  assert.deepEqual(
    got.map(({ headers }) => headers["x-pricetime-session"]),
    ["0123", "0123", undefined, undefined],
  );
});

test("errors of both APIs have a message and a code, and only status 401 causes a request of the session", async () => {
  const failed = await deniedBy(401, '{"error":"SIGN_IN_FAILED","message":"No."}');
  assert.deepEqual(
    [failed.code, failed.message, failed.status, failed.isUnknown],
    ["SIGN_IN_FAILED", "No.", 401, false],
  );
  assert.equal(strangers, 1);
  const refused = await deniedBy(400, '{"code":-4026,"msg":"Not enough."}', () => wire.exchange("POST", "/sapi/v1/x"));
  assert.deepEqual([refused.code, refused.message], ["-4026", "Not enough."]);
  assert.equal(strangers, 1);
});

test("a response that leaves the outcome unknown says so, except for requests that change nothing", async () => {
  assert.equal((await deniedBy(500, "oops")).isUnknown, true);
  assert.equal((await deniedBy(502, "<html>")).isUnknown, true);
  assert.equal((await deniedBy(503, '{"error":"SERVER_BUSY","message":"Later."}')).isUnknown, false);
  assert.equal((await deniedBy(500, "oops", () => wire.account("GET", "session"))).isUnknown, false);
  assert.equal((await deniedBy(200, "<html>")).isUnknown, true);
  const parts = { world: MACHINE, sessionId: () => null, onUnauthenticated: () => strangers++ };
  const nowhere = new Wire({ base: "http://127.0.0.1:1", ...parts });
  const lost = await deniedBy(200, "", () => nowhere.account("POST", "sign-out"));
  assert.deepEqual([lost.status, lost.isUnknown], [null, true]);
});
