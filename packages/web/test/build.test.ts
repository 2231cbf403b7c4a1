/**
 * The build of the terminal: it follows its content security policy, loads nothing from other hosts, and stays small.
 */
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { before, test } from "node:test";
import { gzipSync } from "node:zlib";
import { build } from "vite";

const ROOT = join(import.meta.dirname, "..");
/** The most bytes of a first visit. */
const MOST_GZIP_BYTES = 250_000;
/**
 * Hosts that occur in texts but receive no requests: namespaces of SVG and MathML, and the link that the chart's
 * license requires.
 */
const NAMED_HOSTS = new Set(["www.w3.org", "www.tradingview.com"]);

/** Text by path in the build's folder. */
const files = new Map<string, string>();
before(async () => {
  const made = await build({
    root: ROOT,
    configFile: join(ROOT, "vite.config.ts"),
    logLevel: "silent",
    build: { write: false },
  });
  assert.ok(!Array.isArray(made) && "output" in made);
  for (const file of made.output) {
    files.set(file.fileName, file.type === "chunk" ? file.code : Buffer.from(file.source).toString());
  }
});

const page = (): string => files.get("index.html") ?? "";

test("the page has no inline script, style or event handler, and its files are beside it", () => {
  assert.match(page(), /<script type="module"/);
  assert.doesNotMatch(
    page(),
    /<script(?![^>]*\bsrc=)|<style|\son[a-z]+="|\sstyle="|javascript:|<base\b|<meta http-equiv/,
  );
  const named = [...page().matchAll(/\b(?:src|href)="([^"]*)"/g)].map(([, address = ""]) => address);
  assert.ok(named.length > 2);
  for (const address of named)
    assert.match(address, /^(?:\.\/terminal\/[\w.-]+|favicon\.(?:svg|ico)|start|api\/v3\/exchangeInfo)$/, address);
  for (const address of named.filter((one) => one.startsWith("./"))) assert.ok(files.has(address.slice(2)), address);
});

test("the first script does not contain the chart, which is preloaded and runs later", () => {
  const scripts = [...files.keys()].filter((name) => name.endsWith(".js"));
  assert.equal(scripts.length, 2);
  for (const name of scripts) {
    const isFirst = page().includes(`src="./${name}"`);
    assert.equal(/createPriceLine|barSpacing/.test(files.get(name) ?? ""), !isFirst, name);
    if (!isFirst)
      assert.match(page(), new RegExp(`<link rel="modulepreload" [^>]*fetchpriority="low" [^>]*"./${name}"`));
  }
});

test("file names contain a hash of the content, so that they can be cached forever", () => {
  const loaded = [...files.keys()].filter((name) => name !== "index.html");
  assert.ok(loaded.length > 0);
  for (const name of loaded) assert.match(name, /^terminal\/[\w.-]+-[\w-]{8,}\.(?:js|css|svg|png|woff2)$/);
});

test("no file evaluates text as code, and other hosts occur only in links", () => {
  for (const [name, text] of files) {
    assert.doesNotMatch(text, /\bnew Function\b|[^\w.]eval\(/, name);
    for (const [, host = ""] of text.matchAll(/(?:https?|wss?):\/\/([\w.-]+\.[a-z]{2,})/g)) {
      assert.ok(NAMED_HOSTS.has(host), `${name} names ${host}`);
    }
    if (name.endsWith(".css")) assert.doesNotMatch(text, /@import|url\((?!["']?data:|["']?\.{0,2}\/?[\w-])/, name);
  }
});

test("a first visit transfers little", (t) => {
  const bytes = [...files.values()].reduce((sum, text) => sum + gzipSync(text).length, 0);
  t.diagnostic(`${bytes} bytes, compressed`);
  assert.ok(bytes < MOST_GZIP_BYTES, `${bytes} bytes`);
});

test("the sources set no text as markup", () => {
  const sources = readdirSync(join(ROOT, "src"), { recursive: true, encoding: "utf8" }).filter((name) =>
    /\.tsx?$/.test(name),
  );
  assert.ok(sources.length > 0);
  for (const name of sources) {
    const text = readFileSync(join(ROOT, "src", name), "utf8");
    assert.doesNotMatch(text, /innerHTML|outerHTML|insertAdjacentHTML|dangerouslySet|document\.write|srcdoc/, name);
  }
});
