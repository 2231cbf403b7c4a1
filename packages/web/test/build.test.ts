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
  /** The most bytes of a first visit, with the font. */
  readonly mostGzipBytes: number;
}

/** The most bytes of the bundled font, which is compressed already. */
const MOST_FONT_BYTES = 25_000;

const ICONS = ["favicon.svg", "favicon.ico"];
const PAGES: Readonly<Record<string, Page>> = {
  terminal: {
    ...{ config: "vite.config.ts", folder: "terminal", others: [...ICONS, "start", "api/v3/exchangeInfo"] },
    ...{ namedHosts: ["www.w3.org", "www.tradingview.com"], mostGzipBytes: 250_000 },
  },
  console: {
    ...{ config: "vite.console.config.ts", folder: "console", others: ICONS },
    ...{ namedHosts: ["www.w3.org"], mostGzipBytes: 89_000 + MOST_FONT_BYTES },
  },
  customers: {
    ...{ config: "vite.account.config.ts", folder: "files", others: ICONS.map((icon) => `../${icon}`) },
    ...{ namedHosts: ["www.w3.org"], mostGzipBytes: 75_000 + MOST_FONT_BYTES },
  },
};
/** A property of the chart library. */
const CHART = /createPriceLine|barSpacing/;

for (const [name, { config, folder, others, namedHosts, mostGzipBytes }] of Object.entries(PAGES)) {
  suite(name, () => {
    /** Text by path in the build's folder. */
    const files = new Map<string, string>();
    /** Compressed sizes by path of the files that a first visit loads. */
    const sizes = new Map<string, number>();
    before(async () => {
      const made = await build({
        ...(name === "terminal" && { root: ROOT }),
        ...{ configFile: join(ROOT, config), logLevel: "silent", build: { write: false } },
      });
      assert.ok(!Array.isArray(made) && "output" in made);
      for (const file of made.output) {
        const bytes = Buffer.from(file.type === "chunk" ? file.code : file.source);
        files.set(file.fileName, bytes.toString());
        // The terminal preloads all its scripts; other pages load theirs when they are needed.
        const isLater = name !== "terminal" && file.type === "chunk" && file.isDynamicEntry;
        if (!isLater) sizes.set(file.fileName, gzipSync(bytes).length);
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
      for (const path of loaded) assert.match(path, new RegExp(`^${folder}/[\\w.-]+-[\\w-]{8,}\\.(?:js|css|woff2)$`));
    });

    test("no file evaluates text as code, and other hosts occur only in links", () => {
      const fetched = /@import|url\((?!["']?data:|["']?\.{0,2}\/?[\w-])/;
      for (const [path, text] of files) {
        assert.doesNotMatch(text, /\bnew Function\b|[^\w.]eval\(/, path);
        for (const [, host = ""] of text.matchAll(/(?:https?|wss?):\/\/([\w.-]+\.[a-z]{2,})/g)) {
          assert.ok(namedHosts.includes(host), `${path} names ${host}`);
        }
        if (path.endsWith(".css")) assert.doesNotMatch(text, fetched, path);
      }
    });

    test("the page preloads its only font, so that the first text is drawn in it", () => {
      const fonts = [...files.keys()].filter((path) => path.endsWith(".woff2"));
      const [font = ""] = fonts;
      assert.equal(fonts.length, 1);
      assert.ok((sizes.get(font) ?? 0) < MOST_FONT_BYTES);
      assert.match(page(), new RegExp(`<link rel="preload" as="font" [^>]*crossorigin[^>]*"./${font}"`));
      const sheet = [...files].find(([path]) => path.endsWith(".css"))?.[1] ?? "";
      assert.match(sheet, /@font-face\{[^}]*font-display:optional/);
    });

    test("a first visit transfers little", (t) => {
      const bytes = [...sizes.values()].reduce((sum, one) => sum + one, 0);
      t.diagnostic(`${bytes} bytes, compressed; ${files.size - sizes.size} scripts are loaded later`);
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
