/**
 * Checks that comments name their subject: none begins with "Of", "By", "In which", "Likewise" or a bare "The same".
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { filesOf } from "./documents.ts";

/** The beginning of a block, or of the first in a run of line comments, with a word that refers to something else. */
const RIDDLE =
  /(?:\/\*\*?\s+(?:\* )?|(?:\/\/|(?<=^\s*)#) (?<!^\s*(?:\/\/|#).*\n\s*(?:\/\/|#) ))(?:Of |(?:By|(?:In|With|To|From|For) which) |Likewise\b|The same(?:[.,:;]| \*\/|$)).*/gm;

const COMMENTED = [".ts", ".tsx", ".js", ".mjs", ".cjs", ".css", ".py", ".go", ".sh", ".yaml", ".yml"];

function riddlesIn(text: string): string[] {
  return [...text.matchAll(RIDDLE)].map(([found]) => found);
}

test("no comment begins with a reference to what is not named", () => {
  const sources = filesOf(...COMMENTED).filter(({ path }) => path !== "test/tidy/prose.test.ts");
  for (const folder of ["packages/engine/src/", "packages/web/test/", "bench/", "deploy/", "sim/", "test/", "trials/"])
    assert.ok(
      sources.some(({ path }) => path.startsWith(folder)),
      `no source of ${folder} was found`,
    );
  assert.deepEqual(
    sources.flatMap(({ path, text }) => riddlesIn(text).map((found) => `${path}: ${found}`)),
    [],
  );
});

test("the check of comments finds what it looks for", () => {
  const bad = (text: string): number => riddlesIn(text).length;
  assert.equal(bad("/** Of the last entry. */\nseq: number;"), 1);
  assert.equal(bad("  /**\n   * Of the last entry,\n   * or 0.\n   */"), 1);
  assert.equal(bad("a(); // Of both legs\n// Of one leg\n"), 2);
  assert.equal(bad('/** Likewise; "": none. */\n/** The same. */\n// The same\n'), 3);
  assert.equal(bad("# Of both legs\n# Of one leg\nlegs: 2\n  # The same.\n"), 2);
  assert.equal(
    bad("/** By symbol. */\n/** In which a round ends. */\n/**\n * For which it waits.\n */\n// By hand\n"),
    4,
  );
  assert.equal(bad("/** In the order of time. */\n/** For tests. */\n/** Bytes by symbol. */\n"), 0);
  assert.equal(
    bad("/** Number of the last\n * Of all entries. */\n// The kind\n// Of thing\n# The kind\n# Of thing\n"),
    0,
  );
  assert.equal(bad("/** Offers an order. The same. */\n/** The same bytes, in pieces. */\n"), 0);
});
