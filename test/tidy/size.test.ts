/** Limits the size of the repository, which `npm run size` shows. Lower a number when a change allows it. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { codeLines, SOURCES, sizeOf, TESTS } from "../../scripts/size.ts";

const MOST = {
  files: 998,
  codeLinesShipped: 130_700,
  codeLinesOfTestkit: 11_800,
  codeLinesOfTests: 137_600,
};
const LEAST_MEDIAN_LINES = 110;

test("the sources stay small, in modules of a readable size", () => {
  const all = sizeOf(SOURCES);
  assert.ok(all.files <= MOST.files, `${all.files} files`);
  assert.ok(all.medianLines >= LEAST_MEDIAN_LINES, `a median of ${all.medianLines} lines`);
  const testkit = sizeOf(["packages/testkit/src"]).codeLines;
  assert.ok(testkit <= MOST.codeLinesOfTestkit, `${testkit} code lines of the test kit`);
  assert.ok(all.codeLines - testkit <= MOST.codeLinesShipped, `${all.codeLines - testkit} code lines`);
  const tests = sizeOf(TESTS).codeLines;
  assert.ok(tests <= MOST.codeLinesOfTests, `${tests} code lines of tests and campaigns`);
});

test("blank lines and comments are no code lines", () => {
  assert.equal(codeLines("a.ts", '/** Doc. */\n\nconst a = 1; // why\n// more\nconst b = "// text";\n'), 2);
  assert.equal(codeLines("a.css", "/* one\n two */\na {\n}\n"), 2);
  assert.equal(codeLines("a.py", '"""Doc\nmore"""\n# comment\na = 1\n'), 1);
});
