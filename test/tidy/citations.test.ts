/**
 * Checks that everything that comments and documents cite exists: sections of the interface, decisions, files, and link
 * targets.
 */
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import {
  anchorsOf,
  citedDecisions,
  citedSections,
  decisionNumber,
  filesOf,
  linksOf,
  linkTarget,
  proseOf,
  sectionsOf,
  strayCitations,
  type TextFile,
} from "./documents.ts";
import { absentPaths, countPaths } from "./cited-paths.ts";
import { ROOT } from "./source.ts";

const documents = filesOf(".md");

interface Prose {
  readonly path: string;
  readonly prose: string;
}
const read = (file: TextFile): Prose => ({ path: file.path, prose: proseOf(file) });

const citing = [...documents, ...filesOf(".ts", ".tsx", ".js", ".mjs", ".py", ".go", ".yaml", ".yml", ".sh")].map(read);
const sections = sectionsOf(documents.filter(({ path }) => path.startsWith("docs/interface/")));
const decisions = new Set(
  documents.flatMap(({ path }) => (path.startsWith("docs/decisions/") ? [decisionNumber(path)] : [])),
);

function unresolved(files: readonly Prose[]): string[] {
  return files.flatMap(({ path, prose }) =>
    [
      ...citedSections(prose).flatMap((section) => (sections.has(section) ? [] : [`Interface ${section}`])),
      ...citedDecisions(prose).flatMap((number) => (decisions.has(number) ? [] : [`decision ${number}`])),
      ...strayCitations(prose),
    ].map((citation) => `${path}: ${citation}`),
  );
}

test("every citation of the interface and of a decision has its heading or its page", () => {
  const cited = citing.flatMap(({ prose }) => citedSections(prose));
  assert.ok(cited.length > 250, `only ${cited.length} citations were found`);
  assert.ok(sections.size > 80, `only ${sections.size} numbered headings were found`);
  assert.deepEqual(unresolved(citing), []);
});

test("the check of citations finds what it looks for", () => {
  const bad = (text: string, path = "a.ts"): number => unresolved([read({ path, text })]).length;
  assert.equal(bad("/** Interface 4.2, 2.8 and S.14; Interface 6.1 to 6.3. Interface 8: limits. */"), 0);
  assert.equal(bad("/** Interface 4.99. */"), 1);
  assert.equal(bad("/** Interface 4.2, 4.99 and S.99. */"), 2);
  assert.equal(bad("// Interface 99"), 1);
  assert.equal(bad("/**\n * Interface\n * 4.99: on two lines.\n */"), 1);
  assert.equal(bad("/** Decision 13 and decisions 1, 2. */"), 0);
  assert.equal(bad("/** Decision 999. */"), 1);
  assert.equal(bad("/** interface 4.2 */"), 1);
  assert.equal(bad("/** Interface section 4 */"), 1);
  for (const absent of ["FACTS 0.3", "INTERFACE.md", "CLIENTS.", "TODAY.md"]) assert.equal(bad(`// ${absent}`), 1);
  assert.equal(bad('const text = "interface 4.2"; const CLIENTS = [];'), 0, "code is no citation");
  assert.equal(bad("An interface 4.2 and Interface 4.99.", "a.md"), 2);
});

function absentFiles(files: readonly Prose[]): string[] {
  return files.flatMap(({ path, prose }) => absentPaths(path, prose).map((cited) => `${path}: ${cited}`));
}

test("every file that is named by its path is there", () => {
  const named = citing.reduce((sum, { prose }) => sum + countPaths(prose), 0);
  assert.ok(named > 50, `only ${named} files were named`);
  assert.deepEqual(absentFiles(citing), []);
});

test("the check of named files finds what it looks for", () => {
  const bad = (text: string, path = "a.ts"): number => absentFiles([read({ path, text })]).length;
  assert.equal(bad("/** `test/tidy/source.ts` and `packages/engine/src/index.ts`. */"), 0);
  assert.equal(bad("/** `test/tidy/nowhere.ts` and `packages/engine/src/nowhere.ts`. */"), 2);
  assert.equal(bad("/** A package's own tests: `test/journal/journal-contract.ts`. */"), 1);
  assert.equal(bad("`node failover/nowhere.ts --seed 1`", "a.md"), 1, "in a command");
  assert.equal(bad("[`nowhere`](README.md) and `docs/nowhere.md`.", "a.md"), 1);
  assert.equal(bad("`journal/port.ts`, `room.ts`, `a/b.d.ts`", "a.md"), 0, "of a package");
  assert.equal(bad("/** `edge/nowhere.ts` and `entry/event.ts`. */"), 1, "of no package");
  assert.equal(bad("/** `tidy/source.ts` */", "test/crash/a.ts"), 0, "seen from a folder around the file");
  assert.equal(bad("`test/tidy/*.ts`, `docs/`, `https://example.org/docs/nowhere.md`", "a.md"), 0);
  assert.equal(bad("```\ntest/nowhere.ts\n```", "a.md"), 0, "a block is no citation");
  assert.equal(bad('const file = "test/nowhere.ts";'), 0, "code is no citation");
});

function brokenLinks(files: readonly TextFile[]): string[] {
  return files.flatMap(({ path, text }) =>
    linksOf(text).flatMap((link) => {
      const target = linkTarget(path, link);
      if (target === undefined) return [];
      const file = join(ROOT, target.path);
      if (target.path !== path && !existsSync(file)) return [`${path}: ${link}`];
      if (target.anchor === "" || !target.path.endsWith(".md")) return [];
      const there = target.path === path ? text : readFileSync(file, "utf8");
      return anchorsOf(there).has(target.anchor) ? [] : [`${path}: ${link}`];
    }),
  );
}

test("every link between documents leads somewhere", () => {
  const links = documents.flatMap(({ text }) => linksOf(text));
  assert.ok(links.length > 200, `only ${links.length} links were found`);
  assert.deepEqual(brokenLinks(documents), []);
});

test("the check of links finds what it looks for", () => {
  const bad = (text: string): number => brokenLinks([{ path: "docs/a.md", text }]).length;
  assert.equal(bad("[a](../README.md) [b](interface/README.md#the-interface) [c](https://example.org/x)"), 0);
  assert.equal(bad("# One `two`, three\n[a](#one-two-three) ![b](../docs)"), 0);
  assert.equal(bad("[a](nowhere.md)"), 1);
  assert.equal(bad("[a](../README.md#nowhere)"), 1);
  assert.equal(bad("[a](#nowhere)"), 1);
  assert.equal(bad("```\n[a](nowhere.md)\n```\n`[b](nowhere.md)`"), 0, "code is no link");
});

test("the architecture page leads through the paths of an order, a deposit and an operator's action in ten files each", () => {
  const page = readFileSync(join(ROOT, "ARCHITECTURE.md"), "utf8");
  const tables = page
    .split(/^## /m)
    .filter((section) => section.startsWith("The path of"))
    .map((section) => [...section.matchAll(/^\| `([^`]+\.tsx?)` \|/gm)].map(([, path]) => path));
  assert.equal(tables.length, 3);
  for (const files of tables) assert.ok(files.length > 5 && files.length <= 10, files.join(" "));
});
