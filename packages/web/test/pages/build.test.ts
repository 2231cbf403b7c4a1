/**
 * The builds of the console and of the account pages: they follow their content security policy, load nothing from
 * other hosts, and stay small.
 */
import assert from "node:assert/strict";
import { join } from "node:path";
import { before, suite, test } from "node:test";
import { gzipSync } from "node:zlib";
import { build } from "vite";

const MOST_GZIP_BYTES = 75_000;

/** `icons` are at the root of the port, one folder above the account pages. */
const PAGES = [
  { name: "console", config: "vite.console.config.ts", folder: "console", icons: "" },
  { name: "customers", config: "vite.account.config.ts", folder: "files", icons: "../" },
] as const;

for (const { name, config, folder, icons } of PAGES) {
  suite(name, () => {
    /** Text by path in the build's folder. */
    const files = new Map<string, string>();
    before(async () => {
      const configFile = join(import.meta.dirname, "../..", config);
      const made = await build({ configFile, logLevel: "silent", build: { write: false } });
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
      for (const address of named) {
        const isIcon = [`${icons}favicon.svg`, `${icons}favicon.ico`].includes(address);
        assert.ok(isIcon || (address.startsWith(`./${folder}/`) && files.has(address.slice(2))), address);
      }
    });

    test("all files are in one folder, and their names contain a hash of the content", () => {
      const loaded = [...files.keys()].filter((path) => path !== "index.html");
      assert.ok(loaded.length > 1);
      for (const path of loaded) assert.match(path, new RegExp(`^${folder}/[\\w.-]+-[\\w-]{8,}\\.(?:js|css)$`));
    });

    test("no file evaluates text as code, sets markup, or names another host", () => {
      for (const [path, text] of files) {
        assert.doesNotMatch(text, /\bnew Function\b|[^\w.]eval\(/, path);
        for (const [, host = ""] of text.matchAll(/(?:https?|wss?):\/\/([\w.-]+\.[a-z]{2,})/g)) {
          assert.equal(host, "www.w3.org", `${path} names ${host}`);
        }
        if (path.endsWith(".css")) assert.doesNotMatch(text, /@import|url\((?!["']?data:)/, path);
      }
    });

    test("a first visit transfers little, and nothing of the chart", (t) => {
      const bytes = [...files.values()].reduce((sum, text) => sum + gzipSync(text).length, 0);
      t.diagnostic(`${bytes} bytes, compressed`);
      assert.ok(bytes < MOST_GZIP_BYTES, `${bytes} bytes`);
      for (const [path, text] of files) assert.ok(!/createPriceLine|barSpacing/.test(text), path);
    });
  });
}
