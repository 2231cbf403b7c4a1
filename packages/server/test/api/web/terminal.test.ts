/** The terminal as served by a node: its page, files and data, and a node without it. */
import assert from "node:assert/strict";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { TestVenue } from "@pricetime/testkit/gateway-venue";
import { temporaryFolder } from "@pricetime/testkit/scratch";
import { PageStore } from "../../../src/api/web/page-store.ts";
import { openSites, Site } from "../../../src/api/web/sites.ts";
import { converse } from "../edge/raw-socket.ts";

const ALICE = {
  name: "alice",
  email: "alice@demo.pricetime",
  password: "the-password-of-alice",
  apiKey: "the-key-of-alice",
  secretKey: "the-secret-of-alice",
};
const FACTS = {
  version: "1.2.3",
  rest: "http://node",
  symbols: ["BTCUSDT"],
  moreSymbols: 0,
  isDemo: true,
  demoAccounts: [ALICE],
  ratesLimited: true,
  labToken: null,
};
const PAGE =
  '<!doctype html><title>Terminal</title><script type="module" src="./terminal/index-AbCd1234.js"></script>\n';
const SCRIPT = `console.log("${"a long script ".repeat(500)}");\n`;
const BROWSER = { accept: "text/html,application/xhtml+xml,*/*;q=0.8" };

const built = temporaryFolder();
mkdirSync(join(built, "terminal"));
writeFileSync(join(built, "index.html"), PAGE);
writeFileSync(join(built, "terminal/index-AbCd1234.js"), SCRIPT);
writeFileSync(join(built, "terminal/index-AbCd1234.css"), "body {}\n");
after(() => rmSync(built, { recursive: true }));

const SOURCES = {
  version: "1.2.3",
  publicUrl: () => "http://127.0.0.1:8080",
  symbols: () => ["BTCUSDT"],
  demoAccounts: [ALICE],
  isPublic: false,
  ratesLimited: true,
  labToken: null,
};

const venues: TestVenue[] = [];
after(() => Promise.all(venues.map(({ gateway }) => gateway.close())));

function listening(web: Site | ReturnType<typeof openSites>["main"]): Promise<number> {
  const venue = new TestVenue({ web });
  venues.push(venue);
  return venue.gateway.listen("127.0.0.1", 0);
}

let withTerminal: number;
let without: number;
before(async () => {
  withTerminal = await listening(new Site({ shelf: new PageStore(built), facts: () => FACTS }));
  without = await listening(new Site({ shelf: new PageStore(join(built, "none")), facts: () => FACTS }));
});

const ask = (port: number, path: string, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(`http://127.0.0.1:${port}${path}`, { headers });

test("browsers get the terminal at the root; people with curl the start page, programs the usual response", async () => {
  const page = await ask(withTerminal, "/", BROWSER);
  assert.equal(page.status, 200);
  assert.equal(page.headers.get("content-type"), "text/html;charset=UTF-8");
  assert.match(page.headers.get("vary") ?? "", /Accept/);
  assert.equal(page.headers.get("cache-control"), "no-cache");
  assert.equal(await page.text(), PAGE);
  const curl = await (await ask(withTerminal, "/", { accept: "*/*" })).text();
  assert.match(curl, /openssl/);
  assert.match(curl, /Open the terminal/);
  assert.equal((await ask(withTerminal, "/", { accept: "application/json" })).status, 404);
  assert.match(await (await ask(withTerminal, "/start", BROWSER)).text(), /<a href="\/start" aria-current="page">/);
});

test("a market's page is the terminal with its addresses one level up, and the folder leads to the root", async () => {
  for (const symbol of ["BTCUSDT", "NOSUCH", "a-b_c.d"]) {
    const page = await ask(withTerminal, `/trade/${symbol}`, BROWSER);
    assert.equal(page.status, 200);
    assert.match(page.headers.get("content-security-policy") ?? "", /^default-src 'none'/);
    assert.equal(await page.text(), PAGE.replaceAll("./terminal/", "../terminal/"));
  }
  for (const [path, to] of [
    ["/trade", "./"],
    ["/trade/", "../"],
  ] as const) {
    const { status, headers } = await fetch(`http://127.0.0.1:${withTerminal}${path}`, { redirect: "manual" });
    assert.deepEqual([status, headers.get("location")], [308, to]);
  }
  for (const path of ["/trade/BTCUSDT/", "/trade/BTCUSDT/x", "/trading"]) {
    assert.notEqual((await ask(withTerminal, path, BROWSER)).status, 200, path);
  }
  assert.equal((await ask(without, "/trade/BTCUSDT", BROWSER)).status, 404);
});

test("the terminal loads only its node's files, and cannot be framed", async () => {
  const { headers } = await ask(withTerminal, "/", BROWSER);
  assert.deepEqual((headers.get("content-security-policy") ?? "").split("; "), [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
    "form-action 'none'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ]);
  assert.equal(headers.get("cross-origin-opener-policy"), "same-origin");
  assert.equal(headers.get("cross-origin-resource-policy"), "same-origin");
  assert.equal(headers.get("referrer-policy"), "no-referrer");
  assert.equal(headers.get("x-content-type-options"), "nosniff");
  assert.equal(headers.get("x-frame-options"), "DENY");
  assert.equal(headers.get("access-control-allow-origin"), null);
});

test("files of the terminal are cached forever, the page until it changes, and long files are compressed", async () => {
  const path = "/terminal/index-AbCd1234.js";
  const script = await ask(withTerminal, path, { "accept-encoding": "gzip" });
  assert.equal(script.headers.get("cache-control"), "public, max-age=31536000, immutable");
  assert.equal(script.headers.get("content-type"), "text/javascript;charset=UTF-8");
  assert.equal(script.headers.get("content-encoding"), "gzip");
  assert.equal(await script.text(), SCRIPT);
  const style = await ask(withTerminal, "/terminal/index-AbCd1234.css");
  assert.equal(style.headers.get("content-type"), "text/css;charset=UTF-8");
  const tag = (await ask(withTerminal, "/", BROWSER)).headers.get("etag") ?? "";
  assert.equal((await ask(withTerminal, "/", { ...BROWSER, "if-none-match": tag })).status, 304);
  // With `TE`, the request is read by node:http.
  const sent = `GET ${path} HTTP/1.1\r\nHost: a\r\nTE: gzip\r\nConnection: close\r\n\r\n`;
  const [other] = (await converse(withTerminal, sent)).answers;
  assert.equal(other?.headers.get("cache-control"), "public, max-age=31536000, immutable");
});

test("no path leads out of the terminal's folder", async () => {
  for (const path of ["/terminal/index.html", "/terminal/../index.html", "/terminal/..%2findex.html", "/terminal/"]) {
    assert.notEqual((await ask(withTerminal, path, BROWSER)).status, 200, path);
  }
  assert.equal((await ask(without, "/terminal/index-AbCd1234.js")).status, 404);
});

test("without a built terminal, the start page replaces it, and says how to build it", async () => {
  const page = await ask(without, "/", BROWSER);
  assert.equal(page.status, 200);
  assert.match(await page.text(), /The terminal has not been built.*npm run build:web/);
});

/** The raw head of a request. */
const told = async (port: number, path: string, ...lines: readonly string[]): Promise<string> => {
  const head = [`GET ${path} HTTP/1.1`, "Accept: text/html", "Connection: close", ...lines, "", ""].join("\r\n");
  const [answer] = (await converse(port, head)).answers;
  assert.equal(answer?.status, 200);
  return answer?.body ?? "";
};

test("a demo's secrets are sent only to direct requests from its own machine, by its own name", async () => {
  const port = await listening(openSites(SOURCES).main);
  const elsewhere = [
    ["Host: exchange.example.com"],
    ["Host: 127.0.0.1.example.com"],
    ["Host: evil.example.com:8080"],
    ["Host: 10.0.0.1"],
    [],
    ["Host: 127.0.0.1", "X-Forwarded-For: 203.0.113.9"],
    ["Host: 127.0.0.1", "X-Forwarded-For: 127.0.0.1"],
    ["Host: localhost", "Forwarded: for=203.0.113.9"],
    ["Host: localhost", "X-Real-IP: 203.0.113.9"],
    ["Host: localhost", "X-Forwarded-Host: exchange.example.com"],
    ["Host: localhost", "X-Forwarded-Proto: https"],
    ["Host: localhost", "Via: 1.1 proxy"],
    ["Host: localhost", "TE: gzip", "Via: 1.1 proxy"],
  ];
  for (const path of ["/terminal.json", "/start", "/docs/api"]) {
    for (const name of [`127.0.0.1:${port}`, "127.9.9.9", `localhost:${port}`, "LOCALHOST", `[::1]:${port}`]) {
      const text = await told(port, path, `Host: ${name}`);
      assert.ok(text.includes(ALICE.secretKey), `${path} at ${name}`);
      assert.ok((await told(port, path, `Host: ${name}`, "TE: gzip")).includes(ALICE.secretKey), "by node:http");
    }
    for (const lines of elsewhere) {
      const text = await told(port, path, ...lines);
      for (const secret of [ALICE.apiKey, ALICE.secretKey, ALICE.password])
        assert.ok(!text.includes(secret), `${path}: ${lines.join()}`);
    }
  }
  assert.match(
    await told(port, "/start", "Host: 10.0.0.1"),
    /Demo API keys<\/h2><p>To see the keys here, open this page on the node's own machine/,
  );
  assert.match(await told(port, "/start", "Host: 10.0.0.1"), /class="tag demo"/);
});

test("a demo's secrets are not sent to another machine", async () => {
  const { main } = openSites(SOURCES);
  const venue = new TestVenue({ web: main });
  const headers = { ...BROWSER, host: "127.0.0.1" };
  for (const peer of ["10.0.0.1", "fe80::1", "", undefined]) {
    const asked = { method: "GET", query: "", body: "", headers, ip: "10.0.0.1", ...(peer !== undefined && { peer }) };
    for (const path of ["/terminal.json", "/start", "/docs/api"]) {
      assert.ok(!(await venue.gateway.handle({ ...asked, path })).body.includes(ALICE.secretKey), `${path} ${peer}`);
    }
  }
});

test("a demo with a public URL, and a node that is not a demo, send no keys", async () => {
  const host = "Host: 127.0.0.1";
  const shown = await listening(openSites({ ...SOURCES, isPublic: true }).main);
  assert.deepEqual(JSON.parse(await told(shown, "/terminal.json", host)), {
    version: "1.2.3",
    demo: true,
    accounts: [],
    ratesLimited: true,
  });
  const venue = await listening(openSites({ ...SOURCES, demoAccounts: null, ratesLimited: false }).main);
  assert.deepEqual(JSON.parse(await told(venue, "/terminal.json", host)), {
    version: "1.2.3",
    demo: false,
    accounts: [],
    ratesLimited: false,
  });
});

test("the terminal's data is not cached, and cannot be read by other sites", async () => {
  const { headers, status } = await ask(withTerminal, "/terminal.json", { origin: "http://elsewhere" });
  assert.equal(status, 200);
  assert.equal(headers.get("cache-control"), "no-store");
  assert.equal(headers.get("content-type"), "application/json;charset=UTF-8");
  assert.equal(headers.get("access-control-allow-origin"), null);
  assert.equal(headers.get("cross-origin-resource-policy"), "same-origin");
  assert.equal(headers.get("etag"), null);
});
