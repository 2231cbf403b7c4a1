/** The account pages as served by a node: paths, security policy, and no caching. */
import assert from "node:assert/strict";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { TestVenue } from "@pricetime/testkit/gateway-venue";
import { temporaryFolder } from "@pricetime/testkit/scratch";
import { PageStore } from "../../../src/api/web/page-store.ts";
import { Site } from "../../../src/api/web/sites.ts";

const FACTS = {
  ...{ version: "1.2.3", rest: "http://node", symbols: ["BTCUSDT"], moreSymbols: 0 },
  ...{ isDemo: false, demoAccounts: null, ratesLimited: true, labToken: null },
};
const PAGE = '<!doctype html><title>Account</title><script type="module" src="./files/index-AbCd1234.js"></script>\n';
const BROWSER = { accept: "text/html,application/xhtml+xml,*/*;q=0.8" };

const built = temporaryFolder();
mkdirSync(join(built, "account/files"), { recursive: true });
writeFileSync(join(built, "account/index.html"), PAGE);
writeFileSync(join(built, "account/files/index-AbCd1234.js"), 'console.log("x");\n');
after(() => rmSync(built, { recursive: true }));

const venues: TestVenue[] = [];
after(() => Promise.all(venues.map(({ gateway }) => gateway.close())));

let withPages: number;
let without: number;
before(async () => {
  const listening = (folder: string): Promise<number> => {
    const venue = new TestVenue({ web: new Site({ shelf: new PageStore(folder), facts: () => FACTS }) });
    venues.push(venue);
    return venue.gateway.listen("127.0.0.1", 0);
  };
  [withPages, without] = await Promise.all([listening(built), listening(join(built, "none"))]);
});

const ask = (port: number, path: string, headers: Record<string, string> = BROWSER): Promise<Response> =>
  fetch(`http://127.0.0.1:${port}${path}`, { headers, redirect: "manual" });

test("the page loads only its node's files, cannot be framed, and is not cached", async () => {
  const page = await ask(withPages, "/account/");
  assert.equal(page.status, 200);
  assert.equal(await page.text(), PAGE);
  const { headers } = page;
  assert.equal(headers.get("cache-control"), "no-store");
  assert.equal(headers.get("etag"), null);
  const policy = headers.get("content-security-policy") ?? "";
  for (const rule of [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "connect-src 'self'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ]) {
    assert.ok(policy.split("; ").includes(rule), rule);
  }
  assert.doesNotMatch(policy, /unsafe|\*/);
  assert.equal(headers.get("x-frame-options"), "DENY");
  assert.equal(headers.get("referrer-policy"), "no-referrer");
  assert.equal(headers.get("cross-origin-opener-policy"), "same-origin");
  assert.equal(headers.get("access-control-allow-origin"), null);
});

test("its files are cached forever; the path without a slash redirects, under any path of a proxy", async () => {
  const script = await ask(withPages, "/account/files/index-AbCd1234.js");
  assert.equal(script.headers.get("cache-control"), "public, max-age=31536000, immutable");
  assert.equal(script.headers.get("content-type"), "text/javascript;charset=UTF-8");
  const bare = await ask(withPages, "/account");
  assert.equal(bare.status, 308);
  assert.equal(bare.headers.get("location"), "account/");
});

test("no path leads out of its folder, and a node without it responds 404", async () => {
  for (const path of ["/account/index.html", "/account/files/", "/account/files/..%2findex.html", "/account/x"]) {
    assert.notEqual((await ask(withPages, path)).status, 200, path);
  }
  assert.equal((await ask(without, "/account/")).status, 404);
  assert.equal((await ask(without, "/account/files/index-AbCd1234.js")).status, 404);
});
