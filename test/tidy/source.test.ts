import assert from "node:assert/strict";
import { test } from "node:test";
import { readSource, resolveImport } from "./source.ts";

const specifiers = (text: string): string[] => readSource("a.ts", text).imports.map((found) => found.specifier);

test("every form of import is seen", () => {
  assert.deepEqual(specifiers('import a from "one";'), ["one"]);
  assert.deepEqual(specifiers('import type { A } from "one";'), ["one"]);
  assert.deepEqual(specifiers('import {\n  a,\n  b,\n} from "one";\nimport "two";'), ["one", "two"]);
  assert.deepEqual(specifiers('export * from "one";\nexport { b } from "./two.ts";'), ["one", "./two.ts"]);
  assert.deepEqual(specifiers(`const a = await import("one");`), ["one"]);
  assert.deepEqual(specifiers('type A = import("one").A;'), ["one"]);
  assert.deepEqual(specifiers(`new Worker(new URL("./writer.ts", import.meta.url));`), ["./writer.ts"]);
});

test("type imports are told from the others", () => {
  const { imports } = readSource("a.ts", 'import type { A } from "one";\nimport { type B } from "two";');
  assert.deepEqual(
    imports.map((found) => [found.line, found.typeOnly]),
    [
      [1, true],
      [2, false],
    ],
  );
});

test("what only looks like an import is not one", () => {
  assert.deepEqual(specifiers('// import a from "one";'), []);
  assert.deepEqual(specifiers('/*\nimport a from "one";\n*/'), []);
  assert.deepEqual(specifiers('const a = `\nimport a from "one";\n`;'), []);
  assert.deepEqual(specifiers('export const a = "one";\nexport function b(c = "two") {}'), []);
  assert.deepEqual(specifiers('export interface A {\n  readonly type: "a";\n  readonly from: "b";\n}'), []);
});

test("quotes and slashes do not lead the reader astray", () => {
  assert.deepEqual(specifiers('const a = /["/*]/;\nimport b from "one";'), ["one"]);
  assert.deepEqual(specifiers('const a = "// \\" /*";\nimport b from "one";'), ["one"]);
  assert.deepEqual(specifiers('const a = b / 2; // "\nimport c from "one";'), ["one"]);
});

test("comments are told from code", () => {
  const { prose } = readSource("a.ts", 'const a = "// no"; // one\n/** two */\nconst b = `three ${a} four`;');
  assert.deepEqual(prose, [" one", "* two ", "three ", " four"]);
});

test("what is no TypeScript is not read", () => {
  assert.throws(() => readSource("a.ts", "import {"), /^Error: a\.ts: /);
});

test("exported names are seen", () => {
  const text =
    'export const a = 1;\nexport async function b() {}\nexport class C {}\nexport type D = 1;\nexport interface E {}\nconst f = 1;\nexport { f as g };\nexport { h } from "./h.ts";\nexport default class I {}';
  assert.deepEqual(readSource("a.ts", text).exports, ["a", "b", "C", "D", "E", "g", "h", "I"]);
});

test("relative imports are followed", () => {
  assert.equal(
    resolveImport("packages/engine/src/order/place.ts", "../book/book.ts"),
    "packages/engine/src/book/book.ts",
  );
});
