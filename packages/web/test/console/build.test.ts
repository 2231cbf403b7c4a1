/** What the build makes of the console: nothing that its policy forbids, nothing from elsewhere, and not too much of it. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { before, test } from "node:test";
import { gzipSync } from "node:zlib";
import { build } from "vite";

const CONFIG = join(import.meta.dirname, "../../vite.console.config.ts");
const MOST_GZIP_BYTES = 70_000;

/** Text by path in the build's folder. */
const files = new Map<string, string>();
before(async () => {
  const made = await build({ configFile: CONFIG, logLevel: "silent", build: { write: false } });
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
  for (const address of named) assert.match(address, /^(?:\.\/console\/[\w.-]+|favicon\.(?:svg|ico))$/, address);
  for (const address of named.filter((one) => one.startsWith("./"))) assert.ok(files.has(address.slice(2)), address);
});

test("files lie in one folder, named by what is in them", () => {
  const loaded = [...files.keys()].filter((name) => name !== "index.html");
  assert.ok(loaded.length > 1);
  for (const name of loaded) assert.match(name, /^console\/[\w.-]+-[\w-]{8,}\.(?:js|css)$/);
});

test("no file makes code of text or sets markup, or names another host", () => {
  for (const [name, text] of files) {
    assert.doesNotMatch(text, /\bnew Function\b|[^\w.]eval\(/, name);
    for (const [, host = ""] of text.matchAll(/(?:https?|wss?):\/\/([\w.-]+\.[a-z]{2,})/g)) {
      assert.equal(host, "www.w3.org", `${name} names ${host}`);
    }
    if (name.endsWith(".css")) assert.doesNotMatch(text, /@import|url\((?!["']?data:)/, name);
  }
});

test("a first visit transfers little, and nothing of the chart", (t) => {
  const bytes = [...files.values()].reduce((sum, text) => sum + gzipSync(text).length, 0);
  t.diagnostic(`${bytes} bytes, compressed`);
  assert.ok(bytes < MOST_GZIP_BYTES, `${bytes} bytes`);
  for (const [name, text] of files) assert.ok(!/createPriceLine|barSpacing/.test(text), name);
});
