/** What the build makes of the terminal: nothing that its policy forbids, nothing from elsewhere, and not too much of it. */
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { before, test } from "node:test";
import { gzipSync } from "node:zlib";
import { build } from "vite";

const ROOT = join(import.meta.dirname, "..");
/** What a first visit transfers. */
const MOST_GZIP_BYTES = 250_000;
/** Hosts that texts name and nothing asks: namespaces of SVG and MathML, and the authors of the chart, who want a link. */
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

test("the page has no script, style or event in it, and names its files beside itself", () => {
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

test("what the page needs first is without the chart, which it fetches meanwhile and runs later", () => {
  const scripts = [...files.keys()].filter((name) => name.endsWith(".js"));
  assert.equal(scripts.length, 2);
  for (const name of scripts) {
    const isFirst = page().includes(`src="./${name}"`);
    assert.equal(/createPriceLine|barSpacing/.test(files.get(name) ?? ""), !isFirst, name);
    if (!isFirst)
      assert.match(page(), new RegExp(`<link rel="modulepreload" [^>]*fetchpriority="low" [^>]*"./${name}"`));
  }
});

test("files are named by what is in them, so that they can be kept for good", () => {
  const loaded = [...files.keys()].filter((name) => name !== "index.html");
  assert.ok(loaded.length > 0);
  for (const name of loaded) assert.match(name, /^terminal\/[\w.-]+-[\w-]{8,}\.(?:js|css|svg|png|woff2)$/);
});

test("no file makes code of text, or names another host but to link to it", () => {
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

test("nothing of the sources is set as markup", () => {
  const sources = readdirSync(join(ROOT, "src"), { recursive: true, encoding: "utf8" }).filter((name) =>
    /\.tsx?$/.test(name),
  );
  assert.ok(sources.length > 0);
  for (const name of sources) {
    const text = readFileSync(join(ROOT, "src", name), "utf8");
    assert.doesNotMatch(text, /innerHTML|outerHTML|insertAdjacentHTML|dangerouslySet|document\.write|srcdoc/, name);
  }
});
