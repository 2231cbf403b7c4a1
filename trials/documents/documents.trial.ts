/**
 * Tests README and all pages except the guides, which `guides.trial.ts` tests in parallel; and the reader of blocks
 * itself.
 */
import assert from "node:assert/strict";
import { after, before, suite, test } from "node:test";
import { readDocuments } from "./documents.ts";
import { blocksOf } from "./page.ts";
import { Reader, type Verdict } from "./reader.ts";

const { options } = readDocuments({ wholeReadme: true, page: (path) => !path.startsWith("docs/guides/") });

suite("failures that the reader of blocks must detect", () => {
  test("a fence that is not closed, a mark without a block, a block without a fence", () => {
    const faults = [
      "```sh\nfalse",
      "<!-- not run: why -->\n\ntext",
      "text\n\n    npm ci",
      "<!-- expect -->\n```sh\ntrue\n```",
    ];
    for (const fault of faults) assert.throws(() => blocksOf("made-up.md", fault), /made-up\.md/, fault);
    assert.deepEqual(blocksOf("made-up.md", "- a list\n\n    goes on"), []);
  });
  let reader: Reader;
  before(() => {
    reader = new Reader({ ...options(), timeoutMs: 1500 });
  });
  after(() => reader.close());
  const CASES: readonly (readonly [why: string, markdown: string, wanted: Verdict["kind"]])[] = [
    ["a command that fails", "```sh\nfalse\ntrue\n```", "failed"],
    ["a quote that is not closed", "```sh\necho 'a\n```", "failed"],
  ];
  const more: typeof CASES = [
    ["what is not printed", "<!-- expect: b -->\n```sh\necho a\n```", "failed"],
    ["what is printed", "<!-- expect: a -->\n```sh\necho a\n```", "passed"],
    ["a module that is missing", '```js\nimport "no-such-module";\n```', "failed"],
    ["require in a module", '```js\nconst { readFileSync } = require("node:fs");\n```', "failed"],
    ["a program without end", "<!-- until: b -->\n```sh\necho a; sleep 60\n```", "failed"],
    ["an unknown key", "```yaml\nprot: 8080\n```", "failed"],
    ["a command without a language", "```\nnpm ci\n```", "failed"],
    ["something to look at", "```\na -> b\n```", "output"],
    ["a language that nobody runs", "```nginx\nlisten 80;\n```", "failed"],
    ["a reason", "<!-- not run: for a machine of yours -->\n\n```sh\nfalse\n```", "not run"],
    ["a node that does not start", "<!-- serves -->\n```sh\nnode -e 'process.exit(1)'\n```", "failed"],
  ];
  for (const [why, markdown, wanted] of [...more, ...CASES]) {
    test(why, async () => {
      const [block] = blocksOf("made-up.md", markdown);
      assert.ok(block);
      assert.equal((await reader.read(block)).kind, wanted);
    });
  }
});
