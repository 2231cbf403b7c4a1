/** The admin port serves the operators' console, and answers requests only from its own pages. */
import assert from "node:assert/strict";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { temporaryFolder } from "@pricetime/testkit/scratch";
import { AdminSite } from "../../../src/api/web/sites.ts";
import { PageStore } from "../../../src/api/web/page-store.ts";
import { converse, type RawAnswer } from "../../api/edge/raw-socket.ts";
import { type RunningAdmin, startAdmin, TOKEN } from "./running.ts";

const PAGE = '<!doctype html><title>Console</title><script type="module" src="./console/index-AbCd1234.js"></script>\n';
const SCRIPT = 'console.log("console");\n';

const built = temporaryFolder();
mkdirSync(join(built, "console/console"), { recursive: true });
writeFileSync(join(built, "console/index.html"), PAGE);
writeFileSync(join(built, "console/console/index-AbCd1234.js"), SCRIPT);

let admin: RunningAdmin;
let without: RunningAdmin;
before(async () => {
  admin = await startAdmin({ web: new AdminSite("1.2.3", new PageStore(built)), hosts: ["ops.example"] });
  without = await startAdmin({ web: new AdminSite("1.2.3", new PageStore(join(built, "none"))) });
});
after(async () => {
  await Promise.all([admin.close(), without.close()]);
  rmSync(built, { recursive: true });
});

const portOf = ({ url }: RunningAdmin): number => Number(new URL(url).port);

/** Sends a request with exactly these headers. */
async function send(line: string, headers: Readonly<Record<string, string>>, body = ""): Promise<RawAnswer> {
  const all = { Host: `127.0.0.1:${portOf(admin)}`, ...headers, "Content-Length": String(body.length) };
  const head = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  const { answers } = await converse(portOf(admin), `${line} HTTP/1.1\r\n${head.join("")}\r\n${body}`, { answers: 1 });
  const [answer] = answers;
  assert.ok(answer !== undefined, line);
  return answer;
}

const AUTHORIZED = { Authorization: `Bearer ${TOKEN}` };
const BROWSER = { Accept: "text/html,*/*;q=0.8" };
const own = (): string => `http://127.0.0.1:${portOf(admin)}`;

const openedAccounts = (): number => [...admin.engine.accounts()].filter(({ accountId }) => accountId >= 100).length;

test("browsers get the console at the root, and the API reference stays available", async () => {
  const page = await send("GET /", BROWSER);
  assert.equal(page.status, 200);
  assert.equal(page.body, PAGE);
  const script = await send("GET /console/index-AbCd1234.js", {});
  assert.deepEqual([script.status, script.body], [200, SCRIPT]);
  assert.equal(script.headers.get("cache-control"), "public, max-age=31536000, immutable");
  assert.equal(script.headers.get("content-type"), "text/javascript;charset=UTF-8");
  const packed = await fetch(`${own()}/console/index-AbCd1234.js`, { headers: { "Accept-Encoding": "gzip" } });
  assert.deepEqual([packed.headers.get("content-encoding"), await packed.text()], ["gzip", SCRIPT]);
  const reference = await send("GET /docs", BROWSER);
  assert.match(reference.body, /<h1>Admin API/);
  assert.match(reference.body, /<a href="\/">Console<\/a>/);
  assert.equal((await send("GET /openapi.json", {})).status, 200);
  assert.equal((await send("GET /", { Accept: "application/json" })).status, 401, "programs need the token");
  for (const path of ["/console/", "/console/index.html", "/console/../index.html", "/console/..%2findex.html"]) {
    assert.notEqual((await send(`GET ${path}`, BROWSER)).status, 200, path);
  }
});

test("without a built console the API reference is at the root and does not link to one", async () => {
  const page = await (await fetch(`${without.url}/`, { headers: { accept: "text/html" } })).text();
  assert.match(page, /<h1>Admin API/);
  assert.doesNotMatch(page, /Console/);
  assert.equal((await fetch(`${without.url}/console/index-AbCd1234.js`)).status, 404);
});

test("headers let the console load only from its node, forbid framing and forbid caching", async () => {
  const page = await send("GET /", BROWSER);
  assert.deepEqual((page.headers.get("content-security-policy") ?? "").split("; ").toSorted(), [
    "base-uri 'none'",
    "connect-src 'self'",
    "default-src 'none'",
    "font-src 'self'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "img-src 'self' data:",
    "require-trusted-types-for 'script'",
    "script-src 'self'",
    "style-src 'self'",
    "trusted-types 'none'",
  ]);
  assert.equal(page.headers.get("cross-origin-opener-policy"), "same-origin");
  const answers = [page, await send("GET /v1/accounts", AUTHORIZED), await send("GET /v1/accounts", {})];
  for (const { headers } of [...answers, await send("GET /docs", BROWSER)]) {
    assert.equal(headers.get("x-content-type-options"), "nosniff");
    assert.equal(headers.get("referrer-policy"), "no-referrer");
    assert.equal(headers.get("cross-origin-resource-policy"), "same-origin");
    assert.equal(headers.get("x-frame-options"), "DENY");
    assert.equal(headers.get("access-control-allow-origin"), undefined);
  }
  for (const { headers } of answers.slice(1)) assert.equal(headers.get("cache-control"), "no-store");
});

test("only its own page can send commands, not a page of another site or port", async () => {
  const account = (email: string): string => JSON.stringify({ email, name: "N" });
  const post = (headers: Readonly<Record<string, string>>, body: string): Promise<RawAnswer> =>
    send("POST /v1/accounts", { ...AUTHORIZED, ...headers }, body);
  assert.equal((await post({ Origin: own(), "Sec-Fetch-Site": "same-origin" }, account("a@x.example"))).status, 201);
  assert.equal((await post({}, account("b@x.example"))).status, 201, "a program names no page");
  const others: Readonly<Record<string, string>>[] = [
    { Origin: "https://evil.example", "Sec-Fetch-Site": "cross-site" },
    { Origin: "https://evil.example" },
    // Requests that need no preflight: a form, or a text body.
    { Origin: "https://evil.example", "Content-Type": "text/plain" },
    { Origin: "null" },
    { Origin: "" },
    { Origin: "http://127.0.0.1:8080", "Sec-Fetch-Site": "same-site" },
    { Origin: "http://127.0.0.1" },
    { Origin: `http://localhost:${portOf(admin)}` },
    { Origin: `${own()}.evil.example` },
    { Origin: `http://evil.example/${own()}` },
    { Origin: `http://evil@127.0.0.1:${portOf(admin)}` },
    { Origin: `ftp://127.0.0.1:${portOf(admin)}` },
    { "Sec-Fetch-Site": "cross-site" },
    { "Sec-Fetch-Site": "same-site" },
    { "Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document" },
    { Origin: "null", "Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document" },
  ];
  for (const [n, headers] of others.entries()) {
    const answer = await post(headers, account(`c${n}@x.example`));
    assert.equal(answer.status, 403, JSON.stringify(headers));
    assert.match(answer.body, /"FOREIGN_ORIGIN"/);
  }
  assert.equal(openedAccounts(), 2, "nothing was carried out");
});

test("a foreign name that resolves to loopback is rejected (DNS rebinding)", async () => {
  const rebound = { Host: `evil.example:${portOf(admin)}`, Origin: `http://evil.example:${portOf(admin)}` };
  for (const line of ["GET /", "GET /v1/accounts", "POST /v1/accounts", "GET /healthz", "GET /metrics", "GET /docs"]) {
    const answer = await send(line, { ...BROWSER, ...AUTHORIZED, ...rebound, "Sec-Fetch-Site": "same-origin" });
    assert.equal(answer.status, 403, line);
    assert.match(answer.body, /"UNKNOWN_HOST"/);
  }
  // A configured name is accepted, and so are its pages.
  const tunnel = { Host: "ops.example", Origin: "https://ops.example", "Sec-Fetch-Site": "same-origin" };
  assert.equal((await send("GET /v1/accounts", { ...AUTHORIZED, ...tunnel })).status, 200);
  const mixed = { ...tunnel, Origin: "https://evil.example" };
  assert.equal((await send("GET /v1/accounts", { ...AUTHORIZED, ...mixed })).status, 403);
});

test("a link on another page opens the console but not an API answer", async () => {
  const visit = { ...BROWSER, "Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate" };
  const inTab = { ...visit, "Sec-Fetch-Dest": "document" };
  assert.equal((await send("GET /", inTab)).status, 200);
  assert.equal((await send("GET /docs", inTab)).status, 200);
  assert.equal((await send("GET /v1/accounts", { ...AUTHORIZED, ...inTab })).status, 403);
  assert.equal((await send("GET /", { ...visit, "Sec-Fetch-Dest": "iframe" })).status, 403);
  assert.equal((await send("GET /docs", { "Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "no-cors" })).status, 403);
});

test("a cookie is never accepted as a token", async () => {
  for (const name of ["token", "__Host-session", "__Host-console", "Authorization", "authorization"]) {
    for (const value of [TOKEN, `Bearer ${TOKEN}`, `Bearer%20${TOKEN}`]) {
      const answer = await send("GET /v1/accounts", { Cookie: `${name}=${value}` });
      assert.equal(answer.status, 401, `${name}=${value}`);
    }
  }
  const both = await send("GET /v1/accounts", { ...AUTHORIZED, Cookie: "__Host-session=of-the-terminal" });
  assert.equal(both.status, 200);
  assert.equal(both.headers.get("set-cookie"), undefined);
  assert.equal((await send("GET /", BROWSER)).headers.get("set-cookie"), undefined);
});
