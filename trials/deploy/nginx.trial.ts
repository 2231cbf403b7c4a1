/** deploy/nginx in front of a real node: REST, signed orders, streams, and limits by the address of each client. */
import assert from "node:assert/strict";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import type { IncomingMessage } from "node:http";
import { Agent, request } from "node:https";
import { join } from "node:path";
import { after, before, suite, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { WebSocket } from "ws";
import { encodeSigned } from "@pricetime/testkit/client";
import { temporaryFolder } from "@pricetime/testkit/scratch";
import { type Exchange, ROOT, startExchange } from "@pricetime/testkit/venue";
import { until } from "@pricetime/testkit/waiting";
import { background, type Background, freePort, lacks, run } from "./tools.ts";

const SAMPLE = readFileSync(join(ROOT, "deploy/nginx/pricetime.conf"), "utf8");
const USED = "x-mbx-used-weight-1m";
const ORDER = { symbol: "BTCUSDT", side: "BUY", type: "LIMIT", timeInForce: "GTC", quantity: "0.01", price: "20000" };

interface Answer {
  readonly status: number;
  readonly headers: IncomingMessage["headers"];
  readonly text: string;
}

suite("nginx", { skip: lacks("nginx", "openssl") }, () => {
  let exchange: Exchange;
  let nginx: Background;
  let port: number;
  let plainPort: number;
  let certificate: Buffer;
  before(async () => {
    const folder = temporaryFolder();
    const config = join(folder, "pricetime.yaml");
    writeFileSync(config, 'http: { trustedProxies: ["127.0.0.1"] }\n');
    exchange = await startExchange({ args: ["--config", config, "--bots", "off"] });
    [port, plainPort] = [await freePort(), await freePort()];
    ({ nginx, certificate } = await startNginx(folder, { port, plainPort, node: new URL(exchange.rest).host }));
  });
  after(async () => {
    await nginx?.stop();
    await exchange?.stop();
  });

  /** Sends a request from a loopback address, as from a separate machine. */
  function ask(
    method: string,
    path: string,
    headers: Record<string, string> = {},
    from = "127.0.0.1",
    body = "",
  ): Promise<Answer> {
    const options = { host: "127.0.0.1", port, method, path, ca: certificate, servername: "exchange.example.com" };
    return new Promise((done, failed) => {
      const outgoing = request({ ...options, headers, localAddress: from, agent: false }, (answer) => {
        let text = "";
        answer.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
        answer.on("end", () => done({ status: answer.statusCode ?? 0, headers: answer.headers, text }));
      });
      outgoing.on("error", failed).end(body);
    });
  }

  test("serves REST and redirects plain HTTP to TLS", async () => {
    const { status, text } = await ask("GET", "/api/v3/time");
    assert.equal(status, 200);
    assert.ok(JSON.parse(text).serverTime > 0);
    const plain = await fetch(`http://127.0.0.1:${plainPort}/api/v3/time?a=1`, { redirect: "manual" });
    assert.equal(plain.status, 301);
    assert.match(plain.headers.get("location") ?? "", /^https:\/\/127\.0\.0\.1\/api\/v3\/time\?a=1$/);
  });

  test("accepts a signed order in the query and in the body, and rejects a body that is too large", async () => {
    const [alice] = exchange.accounts;
    assert.ok(alice);
    const signed = encodeSigned({ ...ORDER, timestamp: Date.now() }, alice.secretKey);
    const key = { "X-MBX-APIKEY": alice.apiKey };
    const form = { ...key, "Content-Type": "application/x-www-form-urlencoded" };
    const byQuery = await ask("POST", `/api/v3/order?${signed}`, key);
    assert.equal(byQuery.status, 200, byQuery.text);
    const body = encodeSigned({ ...ORDER, timestamp: Date.now() + 1 }, alice.secretKey);
    const length = { "Content-Length": String(body.length) };
    const byBody = await ask("POST", "/api/v3/order", { ...form, ...length }, "127.0.0.1", body);
    assert.equal(byBody.status, 200, byBody.text);
    const large = "x".repeat(20_000);
    assert.equal(
      (await ask("POST", "/api/v3/order", { ...form, "Content-Length": "20000" }, "127.0.0.1", large)).status,
      413,
    );
  });

  test("limits count the real address of a client, whatever address it claims", async () => {
    const used = async (from: string, claim?: string): Promise<number> => {
      const headers: Record<string, string> = claim === undefined ? {} : { "X-Forwarded-For": claim };
      const answer = await ask("GET", "/api/v3/ping", headers, from);
      assert.equal(answer.status, 200, answer.text);
      return Number(answer.headers[USED] ?? answer.headers["x-mbx-used-weight"]);
    };
    // The limits count calendar minutes, so all requests must be in the same one.
    const leftMs = 60_000 - (Date.now() % 60_000);
    if (leftMs < 10_000) await sleep(leftMs + 50);
    const first = await used("127.0.0.2");
    assert.equal(await used("127.0.0.2", "10.1.2.3"), first + 1);
    assert.equal(await used("127.0.0.3"), 1);
    assert.equal(await used("127.0.0.3", "127.0.0.2"), 2);
    assert.equal(await used("127.0.0.2"), first + 2);
  });

  test("an order appears on a stream at once", async () => {
    const agent = new Agent({ ca: certificate, servername: "exchange.example.com" });
    const socket = new WebSocket(`wss://127.0.0.1:${port}/ws/btcusdt@bookTicker`, { agent });
    const received: string[] = [];
    socket.on("message", (data) => received.push(String(data)));
    await new Promise((done, failed) => socket.once("open", done).once("error", failed));
    const [, bob] = exchange.accounts;
    assert.ok(bob);
    const order = { ...ORDER, side: "SELL", price: "90000", timestamp: Date.now() };
    const signed = encodeSigned(order, bob.secretKey);
    assert.equal((await ask("POST", `/api/v3/order?${signed}`, { "X-MBX-APIKEY": bob.apiKey })).status, 200);
    await until(
      () => `the order is received; received: ${received.join()}`,
      () => received.some((text) => /"a":"90000/.test(text)),
    );
    socket.close();
    await new Promise((done) => socket.once("close", done));
  });

  test("serves the terminal with its policy, and no API key of the demo", async () => {
    const page = await ask("GET", "/", { Accept: "text/html" });
    assert.equal(page.status, 200);
    assert.match(String(page.headers["content-security-policy"]), /trusted-types 'none'/);
    const [script = ""] = /terminal\/[\w.-]+\.js/.exec(page.text) ?? [];
    const file = await ask("GET", `/${script}`);
    assert.equal(file.status, 200);
    assert.match(String(file.headers["cache-control"]), /immutable/);
    const secret = exchange.accounts[0]?.secretKey ?? "?";
    for (const path of ["/terminal.json", "/start", "/docs/api"]) {
      for (const host of ["exchange.example.com", "127.0.0.1", "localhost"]) {
        const answer = await ask("GET", path, { Accept: "text/html", Host: host });
        assert.equal(answer.status, 200, path);
        assert.ok(!answer.text.includes(secret), `${path} at ${host}`);
      }
    }
  });

  test("only its own pages can open WebSockets for accounts", async () => {
    const agent = new Agent({ ca: certificate, servername: "exchange.example.com" });
    const opened = (origin: string): Promise<boolean> =>
      new Promise((done) => {
        const socket = new WebSocket(`wss://127.0.0.1:${port}/ws-api/v3`, { agent, origin });
        socket
          .on("error", () => done(false))
          .once("open", () => {
            socket.terminate();
            done(true);
          });
      });
    assert.equal(await opened(`https://127.0.0.1:${port}`), true);
    assert.equal(await opened("https://elsewhere.example.com"), false);
  });

  test("passes a gzip response on unchanged", async () => {
    const { status, headers } = await ask("GET", "/api/v3/exchangeInfo", { "Accept-Encoding": "gzip" });
    assert.equal(status, 200);
    assert.equal(headers["content-encoding"], "gzip");
  });
});

/** The sample with other ports, certificate and node address. */
async function startNginx(
  folder: string,
  { port, plainPort, node }: { port: number; plainPort: number; node: string },
): Promise<{ nginx: Background; certificate: Buffer }> {
  const [cert, key, site] = [join(folder, "cert.pem"), join(folder, "key.pem"), join(folder, "site.conf")];
  const names = "subjectAltName=DNS:exchange.example.com,IP:127.0.0.1";
  const fresh = ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=exchange.example.com"];
  run("openssl", [...fresh, "-addext", names, "-keyout", key, "-out", cert]);
  const changes: readonly (readonly [RegExp, string])[] = [
    [/listen 80;\n\s*listen \[::\]:80;/, `listen 127.0.0.1:${plainPort};`],
    [/listen 443 ssl http2;\n\s*listen \[::\]:443 ssl http2;/, `listen 127.0.0.1:${port} ssl http2;`],
    [/\/etc\/ssl\/certs\/\S+\.pem/, cert],
    [/\/etc\/ssl\/private\/\S+\.key/, key],
    [/server 127\.0\.0\.1:8080;/, `server ${node};`],
  ];
  let text = SAMPLE;
  for (const [what, by] of changes) {
    assert.match(text, what);
    text = text.replace(what, by);
  }
  writeFileSync(site, text);
  mkdirSync(join(folder, "temp"));
  const temps = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"];
  const main = `daemon off; pid ${folder}/nginx.pid; error_log ${folder}/error.log;
${process.getuid?.() === 0 ? "user root;" : ""}
events { worker_connections 1024; }
http { access_log off; ${temps.map((name) => `${name}_temp_path ${folder}/temp/${name};`).join(" ")} include ${site}; }
`;
  writeFileSync(join(folder, "nginx.conf"), main);
  const args = ["-p", folder, "-e", join(folder, "error.log"), "-c", join(folder, "nginx.conf")];
  run("nginx", ["-t", ...args]);
  const nginx = background("nginx", args);
  for (let tries = 0; ; tries++) {
    const isUp = await fetch(`http://127.0.0.1:${plainPort}/`, { redirect: "manual" }).then(
      () => true,
      () => false,
    );
    if (isUp) return { nginx, certificate: readFileSync(cert) };
    assert.ok(tries < 100 && nginx.isRunning(), `nginx does not respond: ${nginx.output()}`);
    await sleep(50);
  }
}
