/** Pages over HTTP: headers, revalidation, compression, and request weight. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { inspect } from "node:util";
import { WebPages } from "../../../src/api/pages.ts";
import { PageStore } from "../../../src/api/web/page-store.ts";
import { Site } from "../../../src/api/web/sites.ts";
import { converse } from "../edge/raw-socket.ts";
import { TestVenue } from "@pricetime/testkit/gateway-venue";

const FACTS = {
  version: "1.2.3",
  rest: "http://node",
  symbols: ["BTCUSDT"],
  moreSymbols: 0,
  isDemo: false,
  demoAccounts: null,
  ratesLimited: true,
  labToken: null,
};
let venue: TestVenue;
let port: number;
before(async () => {
  venue = new TestVenue({ web: new Site({ shelf: new PageStore(), facts: () => FACTS }) });
  port = await venue.gateway.listen("127.0.0.1", 0);
});
after(() => venue.gateway.close());

const BROWSER = { accept: "text/html,application/xhtml+xml,*/*;q=0.8" };
const ask = (path: string, headers: Record<string, string> = {}, method = "GET"): Promise<Response> =>
  fetch(`http://127.0.0.1:${port}${path}`, { method, headers: { ...BROWSER, ...headers } });

test("a page is cached by the browser, cannot be framed, and cannot be read by other sites", async () => {
  for (const path of ["/", "/docs", "/docs/api", "/docs/concepts/streams", "/assets/style.css", "/favicon.svg"]) {
    const { status, headers } = await ask(path, { origin: "http://elsewhere" });
    assert.equal(status, 200, path);
    assert.equal(headers.get("cache-control"), "no-cache", path);
    assert.equal(headers.get("x-content-type-options"), "nosniff", path);
    assert.equal(headers.get("x-frame-options"), "DENY", path);
    assert.equal(headers.get("access-control-allow-origin"), null, path);
    assert.equal(headers.get("cross-origin-resource-policy"), "same-origin", path);
  }
  assert.match((await ask("/favicon.ico")).headers.get("content-type") ?? "", /^image\/x-icon/);
});

test("a client with a current page gets 304, with both readers", async () => {
  for (const path of ["/", "/docs/api", "/assets/swagger-ui-bundle.js"]) {
    const first = await ask(path);
    await first.arrayBuffer();
    const tag = first.headers.get("etag") ?? "";
    assert.match(tag, /^W\/".{22}"$/, path);
    const again = await ask(path, { "if-none-match": tag });
    assert.deepEqual([again.status, await again.text()], [304, ""], path);
    // With `TE`, the request is read by node:http.
    const sent = `GET ${path} HTTP/1.1\r\nHost: a\r\nAccept: text/html\r\nTE: gzip\r\nIf-None-Match: ${tag}\r\nConnection: close\r\n\r\n`;
    assert.equal((await converse(port, sent)).answers[0]?.status, 304, path);
  }
});

test("HEAD reports the length of a page", async () => {
  const whole = await ask("/docs", { "accept-encoding": "identity" });
  const head = await ask("/docs", { "accept-encoding": "identity" }, "HEAD");
  assert.deepEqual([head.status, await head.text()], [200, ""]);
  assert.equal(head.headers.get("content-length"), String((await whole.arrayBuffer()).byteLength));
});

test("long pages are compressed, and unchanged after decompression", async () => {
  const path = "/assets/swagger-ui-bundle.js";
  const plain = await (await ask(path, { "accept-encoding": "identity" })).text();
  const packed = await ask(path, { "accept-encoding": "gzip" });
  assert.equal(packed.headers.get("content-encoding"), "gzip");
  assert.ok(Number(packed.headers.get("content-length")) < plain.length / 3);
  assert.equal(await packed.text(), plain);
});

test("the root answers programs as before, and other methods as everywhere", async () => {
  const program = await ask("/", { accept: "application/json" });
  assert.equal(program.status, 404);
  assert.match(program.headers.get("content-type") ?? "", /^application\/json/);
  assert.equal((await ask("/", {}, "POST")).status, 404);
  assert.equal((await ask("/docs/nothing-here")).status, 404);
  assert.match((await ask("/", {})).headers.get("vary") ?? "", /Accept(?:,|$)/);
});

test("each page has a weight of one", async () => {
  const used = async (path: string): Promise<number> => Number((await ask(path)).headers.get("x-mbx-used-weight-1m"));
  const before = await used("/");
  assert.equal(await used("/docs"), before + 1);
  assert.equal(await used("/assets/swagger-ui-bundle.js"), before + 2);
  assert.equal(await used("/docs/nothing-here"), before + 3);
});

test("the OpenAPI document has the version of the program", async () => {
  const { info } = (await (await ask("/openapi.json")).json()) as { info: { version: string } };
  assert.equal(info.version, "1.2.3");
});

test("pages that cannot be rendered are reported as our fault, and the exchange continues", async () => {
  const broken = new TestVenue({ web: { version: "1", find: () => Promise.reject(new Error("the disk is gone")) } });
  const answer = await broken.gateway.handle({
    method: "GET",
    path: "/nothing",
    query: "",
    body: "",
    headers: BROWSER,
    ip: "10.0.0.1",
  });
  assert.equal(answer.status, 500);
  assert.match(inspect(broken.bugs[0]), /the disk is gone/);
  assert.equal((await broken.public("/api/v3/ping")).status, 200);
});

test("all clients get the same bytes, which are in memory once", async () => {
  const shelf = new PageStore();
  const pages = new WebPages(new Site({ shelf, facts: () => FACTS }));
  const request = { path: "/assets/swagger-ui-bundle.js", headers: BROWSER };
  const first = await pages.find(request);
  const second = pages.find(request);
  assert.ok(!(second instanceof Promise), "made once");
  assert.equal(first?.body, second?.body);
});
