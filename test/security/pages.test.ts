/** What a real node tells browsers: a demo's secrets, and whose pages may open sockets that carry an account's data. */
import assert from "node:assert/strict";
import { once } from "node:events";
import type { IncomingMessage } from "node:http";
import { test, type TestContext } from "node:test";
import type { Exchange } from "@pricetime/testkit/venue";
import { WebSocket } from "ws";
import { exchangeBytes, start } from "./rig.ts";

interface Told {
  readonly version: string;
  readonly demo: boolean;
  readonly accounts: readonly { readonly name: string; readonly apiKey: string; readonly secretKey: string }[];
  readonly ratesLimited: boolean;
}

/** The first page waits until all pages are rendered, which takes a busy machine seconds. */
const PATIENCE_MS = 60_000;

const SECRETS = ["/terminal.json", "/start", "/docs/api"];

/** Asks with these headers alone. */
async function page(exchange: Exchange, path: string, ...headers: readonly string[]): Promise<string> {
  const head = [`GET ${path} HTTP/1.1`, "Accept: text/html", "Connection: close", ...headers, "", ""].join("\r\n");
  const text = await exchangeBytes(exchange.rest, [head], PATIENCE_MS);
  assert.match(text, /^HTTP\/1\.1 200 /, path);
  return text;
}

async function told(exchange: Exchange): Promise<Told> {
  return (await (await fetch(`${exchange.rest}/terminal.json`)).json()) as Told;
}

/** 101, or the status of the refusal. */
async function handshake(t: TestContext, exchange: Exchange, path: string, origin?: string): Promise<number> {
  const ws = new WebSocket(exchange.rest.replace("http", "ws") + path, origin === undefined ? {} : { origin });
  t.after(() => ws.terminate());
  ws.on("error", () => {});
  const refused = once(ws, "unexpected-response").then(([, answer]) => (answer as IncomingMessage).statusCode ?? 0);
  return Promise.race([once(ws, "open").then(() => 101), refused]);
}

test("a demo", async (t) => {
  const exchange = await start(t, 'http: { allowedOrigins: ["https://listed.example.com"] }\n');

  await t.test("tells its keys to its own machine, and to no client that comes from beyond it", async () => {
    const { demo, accounts } = await told(exchange);
    assert.equal(demo, true);
    assert.deepEqual(
      accounts.map(({ apiKey, secretKey }) => ({ apiKey, secretKey })),
      exchange.accounts.map(({ apiKey, secretKey }) => ({ apiKey, secretKey })),
    );
    const [alice] = accounts;
    assert.ok(alice !== undefined && alice.secretKey.length > 20);
    for (const path of SECRETS) {
      assert.ok((await page(exchange, path, "Host: localhost")).includes(alice.secretKey), path);
      for (const headers of [
        ["Host: rebound.example.com"],
        ["Host: localhost", "X-Forwarded-For: 203.0.113.9"],
        ["Host: localhost", "Via: 1.1 proxy"],
      ]) {
        assert.ok(!(await page(exchange, path, ...headers)).includes(alice.secretKey), `${path}: ${headers.join()}`);
      }
    }
  });

  await t.test("lets pages of other sites open sockets with an account's data only if they are listed", async () => {
    const key = "k".repeat(64);
    const { host } = new URL(exchange.rest);
    for (const path of ["/ws-api/v3", `/ws/${key}`, `/stream?streams=${key}`]) {
      assert.equal(await handshake(t, exchange, path, "https://other.example.com"), 403, path);
      for (const origin of [undefined, `http://${host}`, "https://listed.example.com", "http://localhost:5173"]) {
        assert.equal(await handshake(t, exchange, path, origin), 101, `${path} from ${origin}`);
      }
    }
    assert.equal(await handshake(t, exchange, "/ws/btcusdt@trade", "https://other.example.com"), 101);
  });
});

test("a demo with an address for others, and a node that is no demo, tell no keys", async (t) => {
  const open = await start(t, "publicUrl: https://demo.example.com\n");
  const secret = open.accounts[0]?.secretKey ?? "?";
  assert.deepEqual((await told(open)).accounts, []);
  for (const path of SECRETS) assert.ok(!(await page(open, path, "Host: localhost")).includes(secret), path);
  const venue = await start(t, "limits: { enabled: false }\n", { args: ["--no-demo"] });
  const { version, ...others } = await told(venue);
  assert.match(version, /^\d+\.\d+\.\d+/);
  assert.deepEqual(others, { demo: false, accounts: [], ratesLimited: false, interface: "2019" });
});
