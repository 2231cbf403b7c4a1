/**
 * The builds of the terminal, the console and the account pages: they follow their content security policy, load
 * nothing from other hosts, and stay small.
 */
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { before, suite, test } from "node:test";
import { gzipSync } from "node:zlib";
import { build } from "vite";

const ROOT = join(import.meta.dirname, "..");

interface Page {
  readonly config: string;
  readonly folder: string;
  /** Addresses outside the build's folder that the page names: icons and pages of the same port. */
  readonly others: readonly string[];
  /**
   * Hosts that occur in texts but receive no requests: namespaces of SVG and MathML, and the link that the chart's
   * license requires.
   */
  readonly namedHosts: readonly string[];
  /** The most bytes of a first visit. */
  readonly mostGzipBytes: number;
}

const ICONS = ["favicon.svg", "favicon.ico"];
const PAGES: Readonly<Record<string, Page>> = {
  terminal: {
    ...{ config: "vite.config.ts", folder: "terminal", others: [...ICONS, "start", "api/v3/exchangeInfo"] },
    ...{ namedHosts: ["www.w3.org", "www.tradingview.com"], mostGzipBytes: 250_000 },
  },
  console: {
    ...{ config: "vite.console.config.ts", folder: "console", others: ICONS },
    ...{ namedHosts: ["www.w3.org"], mostGzipBytes: 75_000 },
  },
  customers: {
    ...{ config: "vite.account.config.ts", folder: "files", others: ICONS.map((icon) => `../${icon}`) },
    ...{ namedHosts: ["www.w3.org"], mostGzipBytes: 75_000 },
  },
};
/** A property of the chart library. */
const CHART = /createPriceLine|barSpacing/;

for (const [name, { config, folder, others, namedHosts, mostGzipBytes }] of Object.entries(PAGES)) {
  suite(name, () => {
    /** Text by path in the build's folder. */
    const files = new Map<string, string>();
    before(async () => {
      const made = await build({
        ...(name === "terminal" && { root: ROOT }),
        ...{ configFile: join(ROOT, config), logLevel: "silent", build: { write: false } },
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
      for (const address of named) {
        const isBuilt = address.startsWith(`./${folder}/`) && files.has(address.slice(2));
        assert.ok(isBuilt || others.includes(address), address);
      }
    });

    test("all files are in one folder, and their names contain a hash, so that they can be cached forever", () => {
      const loaded = [...files.keys()].filter((path) => path !== "index.html");
      assert.ok(loaded.length > 1);
      const types = name === "terminal" ? "js|css|svg|png|woff2" : "js|css";
      for (const path of loaded) assert.match(path, new RegExp(`^${folder}/[\\w.-]+-[\\w-]{8,}\\.(?:${types})$`));
    });

    test("no file evaluates text as code, and other hosts occur only in links", () => {
      const fetched =
        name === "terminal" ? /@import|url\((?!["']?data:|["']?\.{0,2}\/?[\w-])/ : /@import|url\((?!["']?data:)/;
      for (const [path, text] of files) {
        assert.doesNotMatch(text, /\bnew Function\b|[^\w.]eval\(/, path);
        for (const [, host = ""] of text.matchAll(/(?:https?|wss?):\/\/([\w.-]+\.[a-z]{2,})/g)) {
          assert.ok(namedHosts.includes(host), `${path} names ${host}`);
        }
        if (path.endsWith(".css")) assert.doesNotMatch(text, fetched, path);
      }
    });

    test("a first visit transfers little", (t) => {
      const bytes = [...files.values()].reduce((sum, text) => sum + gzipSync(text).length, 0);
      t.diagnostic(`${bytes} bytes, compressed`);
      assert.ok(bytes < mostGzipBytes, `${bytes} bytes`);
    });

    test("only the terminal contains the chart, which is preloaded and runs after the first script", () => {
      const scripts = [...files.keys()].filter((path) => path.endsWith(".js"));
      if (name !== "terminal") return assert.ok(scripts.every((path) => !CHART.test(files.get(path) ?? "")));
      assert.equal(scripts.length, 2);
      for (const path of scripts) {
        const isFirst = page().includes(`src="./${path}"`);
        assert.equal(CHART.test(files.get(path) ?? ""), !isFirst, path);
        if (!isFirst)
          assert.match(page(), new RegExp(`<link rel="modulepreload" [^>]*fetchpriority="low" [^>]*"./${path}"`));
      }
    });
  });
}

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
