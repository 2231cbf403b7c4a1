/** Every page of the REST port: its links have targets, and nothing is loaded from another host. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { ASSET_FOLDERS } from "../../../src/api/web/assets.ts";
import { READERS, readTree } from "../../../src/api/web/documents.ts";
import type { Visitor, WebFile } from "../../../src/api/web/file.ts";
import { PageStore } from "../../../src/api/web/page-store.ts";
import { Site } from "../../../src/api/web/sites.ts";
import type { SiteFacts } from "../../../src/api/web/pages.ts";
import { importsOf, referencesOf, styleReferences } from "./links.ts";

const ACCOUNT = {
  name: "alice",
  email: "alice@demo.pricetime",
  password: "the-password-of-alice",
  apiKey: "the-key",
  secretKey: "the-secret",
};
const FACTS: SiteFacts = {
  version: "1.2.3",
  rest: "http://127.0.0.1:8080",
  symbols: ["BTCUSDT", "ETHBTC"],
  moreSymbols: 0,
  isDemo: true,
  demoAccounts: [ACCOUNT],
  ratesLimited: true,
  labToken: null,
};
/** The client of a page is recognized by its Accept header. */
const by = (accept: string | undefined, isOnOwnMachine = true): Visitor => ({ accept, isOnOwnMachine });
/** Without a terminal, everything is linked from the start page; terminal.test.ts has the other case. */
const NOT_BUILT = join(import.meta.dirname, "not-built");
const shelf = new PageStore(NOT_BUILT);
const site = new Site({ shelf, facts: () => FACTS });
const first = site.find("/docs", by("text/html"));
await first;
const HTML = "text/html,*/*;q=0.8";

/** The pages are rendered, so each is returned at once. */
function find(path: string, accept: string | undefined = HTML, from = site): WebFile | undefined {
  const file = from.find(path, by(accept));
  assert.ok(!(file instanceof Promise), path);
  return file;
}

const textOf = (path: string, from = site): string => {
  const file = find(path, HTML, from);
  assert.ok(file !== undefined, path);
  return file.bytes.toString();
};

/** Every page reachable from the start page, and every file that they load. */
function everything(): Map<string, string> {
  const found = new Map<string, string>();
  const waiting = ["/"];
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (found.has(path)) continue;
    const file = find(path);
    assert.equal(file?.status, 200, path);
    const text = file?.bytes.toString() ?? "";
    found.set(path, text);
    for (const to of leadsTo(path, file?.contentType ?? "", text)) waiting.push(to);
  }
  return found;
}

/** Paths of the gateway itself. */
const NOT_OURS = /^\/(?:openapi\.json|api\/)/;

function leadsTo(path: string, type: string, text: string): string[] {
  let to: readonly string[] = [];
  if (type.startsWith("text/html")) {
    const { links, loaded } = referencesOf(text);
    to = [...links, ...loaded];
  } else if (type.startsWith("text/javascript")) to = importsOf(text);
  return to
    .filter((address) => !/^(?:https?:|mailto:|#)/.test(address))
    .map((address) => new URL(address, `http://node${path}`).pathname)
    .filter((address) => !NOT_OURS.test(address));
}

const all = everything();

test("every document is reachable from the start page, and every link and file exists", () => {
  for (const { documents, path, name } of readTree(ASSET_FOLDERS.docs).sections) {
    if (name !== "") assert.ok(all.has(path), path);
    for (const document of documents) assert.ok(all.has(document.path), document.path);
  }
  assert.ok(all.size > 50, `only ${all.size} were found`);
});

test("links to a section of a page have a target", () => {
  const missing: string[] = [];
  for (const [path, text] of all) {
    if (!text.startsWith("<!doctype")) continue;
    for (const link of referencesOf(text).links) {
      const { origin, pathname, hash } = new URL(link, `http://node${path}`);
      // The reference generates its sections in the browser.
      if (origin !== "http://node" || hash === "" || pathname === "/docs/api") continue;
      const { ids } = referencesOf(all.get(pathname) ?? "");
      if (!ids.has(decodeURIComponent(hash.slice(1)))) missing.push(`${path}: ${link}`);
    }
  }
  assert.deepEqual(missing, []);
});

test("nothing is loaded from another host", () => {
  for (const [path, text] of all) {
    const fetched = text.startsWith("<!doctype")
      ? referencesOf(text).loaded
      : path.endsWith(".css")
        ? styleReferences(text)
        : [];
    for (const address of fetched) assert.match(address, /^(?:\/(?!\/)|data:)/, `${path} fetches ${address}`);
  }
});

test("pages have no inline script, style or event handler, so that the policy can forbid them", () => {
  for (const [path, text] of all) {
    if (!text.startsWith("<!doctype")) continue;
    assert.doesNotMatch(text, /<script(?![^>]*\bsrc=)|<style|\son[a-z]+="|\sstyle="|javascript:/, path);
    const policy = headerOf(path, "Content-Security-Policy");
    assert.match(policy, /default-src 'none'; script-src 'self';/, path);
    assert.doesNotMatch(policy.replace("style-src 'self' 'unsafe-inline'", ""), /unsafe|http|\*/, path);
    assert.match(policy, /connect-src 'self';/, `${path}: keys are typed there`);
  }
});

function headerOf(path: string, name: string): string {
  const headers = find(path)?.headers ?? [];
  return headers[headers.indexOf(name) + 1] ?? "";
}

test("the root is a page for people; programs that want JSON get the usual response", () => {
  for (const accept of [HTML, "*/*", "text/html"]) assert.equal(find("/", accept)?.status, 200, accept);
  for (const accept of ["application/json", "application/json, text/plain, */*", undefined]) {
    assert.equal(site.find("/", by(accept)), undefined, String(accept));
  }
  const text = textOf("/");
  for (const said of [
    "1.2.3",
    "http://127.0.0.1:8080",
    "ws://127.0.0.1:8080/ws-api/v3",
    "BTCUSDT",
    "ETHBTC",
    "openssl",
  ]) {
    assert.ok(text.includes(said), said);
  }
});

test("keys are only on the pages of a demo", () => {
  const plain = new Site({ shelf, facts: () => ({ ...FACTS, isDemo: false, demoAccounts: null }) });
  for (const path of ["/", "/start", "/docs/api"]) {
    assert.ok(textOf(path).includes(ACCOUNT.secretKey), path);
    for (const secret of Object.values(ACCOUNT)) assert.ok(!textOf(path, plain).includes(secret), `${path}: ${secret}`);
  }
});

test("the rules of the API reference are those of the venue's interface", () => {
  const ofToday = new Site({ shelf, facts: () => ({ ...FACTS, venueInterface: "today" }) });
  assert.match(textOf("/start", ofToday), /spot API of\s+today:/);
  const today = textOf("/docs/api", ofToday);
  assert.ok(textOf("/docs/api").includes("listen key") && !today.includes("listen key"));
});

test("the start page follows the listed symbols, and is the same file while nothing changes", () => {
  let facts = FACTS;
  const live = new Site({ shelf, facts: () => facts });
  assert.equal(live.find("/", by(HTML)), live.find("/", by(HTML)));
  facts = { ...FACTS, symbols: ["BTCUSDT", '<b onload="x">'], moreSymbols: 7 };
  const second = textOf("/", live);
  assert.ok(second.includes("&lt;b onload=&quot;x&quot;&gt;") && !second.includes("<b onload"), "escaped");
  assert.ok(second.includes("And 7 more"));
});

test("pages are rendered once, by a separate thread, when the first is requested", async () => {
  assert.ok(first instanceof Promise);
  const fresh = new Site({ shelf: new PageStore(NOT_BUILT), facts: () => FACTS });
  assert.equal(fresh.find("/api/v3/nothing", by(HTML)), undefined, "what is no page is told at once");
  const [one, other] = await Promise.all([
    fresh.find("/docs/concepts/streams", by(HTML)),
    fresh.find("/docs/concepts/streams/", by(HTML)),
  ]);
  assert.equal(one, other);
  assert.equal(fresh.find("/docs/concepts/streams", by(HTML)), one);
});

test("missing pages are 404 and not cached, and no path leads out of the folders", () => {
  const missing = find("/docs/none");
  assert.equal(missing?.status, 404);
  assert.equal(find("/docs/none-either"), missing, "one for all");
  for (const path of ["/docs/../package.json", "/docs/..%2fpackage.json", "/docs/guides/../../README.md", "/docs//"]) {
    assert.notEqual(find(path)?.status, 200, path);
  }
  for (const path of [
    "/assets/../site.ts",
    "/assets/site.ts",
    "/assets/",
    "/assets/__proto__",
    "/nothing",
    "/favicon",
  ]) {
    assert.equal(find(path), undefined, path);
  }
});

test("documents are sorted by number, and guides by reading order", () => {
  const { sections, readers } = readTree(ASSET_FOLDERS.docs);
  const filesOf = (name: string): readonly string[] =>
    sections.find((section) => section.name === name)?.documents.map(({ file }) => file) ?? [];
  assert.deepEqual(filesOf("interface").slice(0, 5), [
    ...["interface/1-general.md", "interface/2-records.md", "interface/3-states.md"],
    ...["interface/4-endpoints.md", "interface/4-1-market-data.md"],
  ]);
  const names = filesOf("interface");
  assert.ok(names.indexOf("interface/9-versions.md") < names.indexOf("interface/10-market-streams.md"));
  const read = readers.flatMap(({ documents }) => documents.map(({ file }) => file));
  assert.deepEqual(
    filesOf("guides"),
    read.filter((file) => file.startsWith("guides/")),
    "each guide is for one reader",
  );
  assert.equal(filesOf("guides")[0], "guides/first-bot-javascript.md");
  const wanted = READERS.map(([, , files]) => files.map((file) => `${file}.md`));
  assert.deepEqual(
    readers.map(({ documents }) => documents.map(({ file }) => file)),
    wanted,
    "each document that is listed exists",
  );
  const landing = textOf("/docs");
  for (const { title, documents } of readers) {
    const from = landing.indexOf(`<h3>${title}</h3>`);
    const list = landing.slice(from, landing.indexOf("</ol>", from));
    assert.deepEqual(
      [...list.matchAll(/href="([^"]+)"/g)].map(([, path]) => path),
      documents.map(({ path }) => path),
    );
  }
});

test("commands on the start page exist", () => {
  const venue = new Site({ shelf, facts: () => ({ ...FACTS, symbols: [], isDemo: false, demoAccounts: null }) });
  const named = [...textOf("/", venue).matchAll(/npx (pricetime [a-z ]+) --help/g)].map(([, command]) => command);
  assert.ok(named.length >= 3);
  const page = readFileSync(join(ASSET_FOLDERS.docs, "operate/command-line.md"), "utf8");
  for (const command of named) assert.match(page, new RegExp(`^${command} `, "m"));
});
