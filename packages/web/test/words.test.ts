/** Texts of another language can be added in one place. */
import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

const SRC = join(import.meta.dirname, "../src");

test("only the index of words imports the files of a language, and it imports all of them", () => {
  const index = readFileSync(join(SRC, "words/words.ts"), "utf8");
  const files = globSync("words/*.ts", { cwd: SRC }).filter((name) => name !== "words/words.ts");
  assert.ok(files.length > 5);
  for (const name of files) assert.ok(index.includes(`export * from "./${name.slice("words/".length)}";`), name);
  for (const name of globSync("**/*.{ts,tsx}", { cwd: SRC, exclude: ["words"] })) {
    const text = readFileSync(join(SRC, name), "utf8");
    assert.doesNotMatch(text, /from "[./]*words\/(?!words\.ts")/, name);
  }
});

test("the panels contain no texts outside of the words", () => {
  for (const name of globSync("{panels,chart,pages,console/*,customer/*}/*.tsx", { cwd: SRC })) {
    const text = readFileSync(join(SRC, name), "utf8");
    for (const [said] of text.matchAll(/>\s*[A-Za-z][\w ,.'!?-]*\s*<\/[a-z]/g)) assert.fail(`${name}: ${said}`);
    assert.doesNotMatch(text, /(?:aria-label|title|placeholder)="[^"]+"/, name);
  }
});
