/**
 * No regular expression of ours may be slow on any text. Each is read from the source, so that a new one is tried
 * too: no repetition within a repetition (that is how they become exponential), and each is run on long hostile
 * texts in a thread that is ended when it does not come back.
 */
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { Worker } from "node:worker_threads";
import { ROOT } from "@pricetime/testkit/venue";

interface Pattern {
  readonly where: string;
  readonly source: string;
  readonly flags: string;
}

const LITERAL =
  /(?<=[=(,:[!&|?{};\n]\s*|return\s+)\/(?![*/])(?<source>(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\[\n])+)\/(?<flags>[dgimsuvy]*)/g;

/** Checks a field in the operator's own browser by the patterns of the node's own document, which are literals here. */
const OF_THE_NODE = join(ROOT, "packages/web/src/console/forms/schema.ts");

function patterns(): Pattern[] {
  const found: Pattern[] = [];
  for (const workspace of readdirSync(join(ROOT, "packages"))) {
    if (workspace === "testkit") continue;
    const folder = join(ROOT, "packages", workspace, "src");
    for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
      if (!entry.isFile() || !entry.name.endsWith(".ts")) continue;
      const path = join(entry.parentPath, entry.name);
      // Comments may hold slashes, never a pattern that runs.
      const text = readFileSync(path, "utf8")
        .replace(/\/\*[\s\S]*?\*\//g, "")
        .replace(/^\s*\/\/.*$/gm, "");
      if (path !== OF_THE_NODE)
        assert.doesNotMatch(text, /new RegExp\(|\bRegExp\(/, `${path} makes a pattern out of a text`);
      for (const { groups } of text.matchAll(LITERAL)) {
        found.push({
          where: path.slice(ROOT.length + 1),
          source: groups?.["source"] ?? "",
          flags: groups?.["flags"] ?? "",
        });
      }
    }
  }
  return found;
}

/** How deep repetitions without a small bound stand within one another. */
function starHeight(source: string): number {
  const plain = source.replace(/\\p\{[^}]*\}|\\P\{[^}]*\}|\\u[0-9a-fA-F]{4}|\\./g, "x").replace(/\[[^\]]*\]/g, "x");
  const heights = [0];
  let last = 0;
  for (let at = 0; at < plain.length; at++) {
    const rest = plain.slice(at);
    const bound = /^\{(?<least>\d*)(?<comma>,?)(?<most>\d*)\}/.exec(rest);
    if (rest.startsWith("(")) {
      heights.push(0);
      at += /^\((?:\?(?:[:=!]|<[=!]|<\w+>))?/.exec(rest)![0].length - 1;
    } else if (rest.startsWith(")")) {
      last = heights.pop() ?? 0;
      heights[heights.length - 1] = Math.max(heights.at(-1) ?? 0, last);
    } else if (
      rest.startsWith("*") ||
      rest.startsWith("+") ||
      (bound?.groups?.["comma"] === "," && bound.groups["most"] === "")
    ) {
      heights[heights.length - 1] = Math.max(heights.at(-1) ?? 0, last + 1);
      at += (bound?.[0].length ?? 1) - 1;
    } else if (bound !== null) {
      at += bound[0].length - 1;
    } else if (!rest.startsWith("?")) {
      last = 0;
    }
  }
  return heights[0] ?? 0;
}

const ALL = patterns();

test("patterns are found", () => {
  assert.ok(ALL.length >= 30, `only ${ALL.length}`);
  assert.ok(ALL.some(({ source }) => source === "^[0-9a-fA-F]{64}$"));
});

test("the measure of repetitions knows them", () => {
  for (const [source, height] of [
    ["a", 0],
    ["a+b*", 1],
    ["(a+)+", 2],
    ["(?:a|b)*", 1],
    ["([a+]*)x", 1],
    ["((a*)b)*", 2],
    ["(a{2,})*", 2],
    ["(a{2})*", 1],
    ["\\(a+\\)+", 1],
  ] as const) {
    assert.equal(starHeight(source), height, source);
  }
});

for (const { where, source } of ALL) {
  test(`/${source}/ of ${where} repeats no repetition`, () => {
    assert.ok(starHeight(source) <= 1);
  });
}

const LENGTH = 50_000;
/** For all texts on one pattern: many times what the slowest needs, a small part of what one of quadratic cost does. */
const PATIENCE_MS = 8_000;

/** Written twice, it is tried once. */
const DISTINCT = [...new Map(ALL.map((pattern) => [`/${pattern.source}/${pattern.flags}`, pattern])).values()];

test("long hostile texts come back", { timeout: 120_000 }, async () => {
  const letters = [..."aA0-_.:/ \t,;=%\"\\'[{(<+*$^\u0000\u00e9\ud800"];
  const units = [...letters, "a.", "a ", " ,", "0.", "\\u", '\\"', "gzip;q=", "/a", "aA", "10", "::"];
  const job = `
    const { parentPort, workerData } = require("node:worker_threads");
    const texts = workerData.units.flatMap((unit) => ["", "!", "\\n"].flatMap((end) =>
      ["", '"', "[", "0."].map((start) => start + unit.repeat(workerData.length / unit.length) + end)));
    for (const { source, flags } of workerData.patterns) {
      parentPort.postMessage(source);
      for (const text of texts) new RegExp(source, flags).exec(text);
    }
    parentPort.postMessage(null);`;
  const worker = new Worker(job, { eval: true, workerData: { patterns: DISTINCT, units, length: LENGTH } });
  await new Promise<void>((done, failed) => {
    let late: NodeJS.Timeout | undefined;
    worker.on("error", failed).on("message", (source: string | null) => {
      clearTimeout(late);
      if (source === null) return done();
      const isLate = (): void => failed(new Error(`/${source}/ does not come back`));
      late = setTimeout(() => void worker.terminate().then(isLate), PATIENCE_MS);
    });
  });
});
