/**
 * README and every page of docs, read top to bottom: each fenced block is run as it would be pasted, in a fresh clone of
 * the last commit, beside the node that README's first command starts. What cannot be run says why (`page.ts`).
 */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { globSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { after, before, suite, test } from "node:test";
import { temporaryFolder } from "@pricetime/testkit/scratch";
import { ROOT } from "@pricetime/testkit/venue";
import { type Block, blocksOf } from "./page.ts";
import { Reader, type ReaderOptions, userEnvironment, type Verdict } from "./reader.ts";

/** What documents write: clients' and operators' port of the first node and of a second one, and that of a cluster. */
const PORTS = [8080, 8081, 9000, 9001, 8090];
/** A fresh clone is installed in one of them, beside whatever else runs. */
const BLOCK_TIMEOUT_MS = 240_000;

const folder = freshClone();
const README = "README.md";
const blocksIn = (page: string): Block[] => blocksOf(page, readFileSync(join(folder, page), "utf8"));
const PAGES = globSync(["docs/**/*.md", "examples/**/*.md"], { cwd: folder })
  .sort()
  .filter((page) => blocksIn(page).length > 0);

const verdicts: [Block, Verdict][] = [];
let options: ReaderOptions;
let first: Reader;

before(async () => {
  const [port, adminPort, ...more] = await freePorts();
  const env = userEnvironment();
  const ports = new Map(PORTS.map((written, at) => [written, [port, adminPort, ...more][at] ?? written]));
  options = { folder, env, ports, timeoutMs: BLOCK_TIMEOUT_MS };
  // What `npm start` does not say.
  const defaults = { PRICETIME_PORT: String(port), PRICETIME_ADMIN_PORT: String(adminPort) };
  first = new Reader({ ...options, env: { ...env, ...defaults } });
});
after(async () => {
  await first.close();
  rmSync(folder, { recursive: true, force: true });
  process.stdout.write(`${summary()}\n`);
});

function freshClone(): string {
  const clone = temporaryFolder();
  const { status, stderr } = spawnSync("git", ["clone", "--quiet", ROOT, clone], { encoding: "utf8" });
  assert.equal(status, 0, stderr);
  const changed = spawnSync("git", ["status", "--porcelain"], { cwd: ROOT, encoding: "utf8" }).stdout;
  if (changed !== "") process.stdout.write("a clone has what is committed: changes that are not are not tried\n");
  return clone;
}

/** Those that documents write, if nobody has them; else others. */
async function freePorts(): Promise<number[]> {
  const asWritten = await Promise.all(PORTS.map(take));
  if (asWritten.every((port) => port !== undefined)) return PORTS;
  const others = await Promise.all(PORTS.map(() => take(0)));
  return others.map((port) => port ?? assert.fail("no port is free"));
}

/** The port, given back; undefined: somebody has it. */
function take(port: number): Promise<number | undefined> {
  const server = createServer();
  return new Promise((done) => {
    server.once("error", () => done(undefined));
    server.listen(port, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => done(typeof address === "object" ? address?.port : undefined));
    });
  });
}

function summary(): string {
  const lines = ["", `${verdicts.length} blocks:`];
  for (const kind of ["passed", "written", "output", "not run", "skipped", "failed"]) {
    const found = verdicts.filter(([, verdict]) => verdict.kind === kind);
    if (found.length > 0) lines.push(`  ${String(found.length).padStart(4)} ${kind}`);
    for (const [{ page, line }, verdict] of found)
      if ("why" in verdict) lines.push(`         ${page}:${line}: ${verdict.why.split("\n")[0]}`);
  }
  return lines.join("\n");
}

/** A test for each block, in the order of the page. */
function readPage(page: string, reader: () => Reader): void {
  for (const block of blocksIn(page)) {
    test(`line ${block.line}`, async (t) => {
      const verdict = await reader().read(block);
      verdicts.push([block, verdict]);
      if (verdict.kind === "failed") assert.fail(`${page}:${block.line}: ${verdict.why}\n\n${block.text}`);
      if ("why" in verdict) t.skip(verdict.why);
    });
  }
}

suite(README, () => readPage(README, () => first));

for (const page of PAGES) {
  suite(page, () => {
    let reader: Reader;
    before(() => {
      reader = new Reader(options);
    });
    after(() => reader.close());
    readPage(page, () => reader);
  });
}

suite("what the trial must notice", () => {
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
    reader = new Reader({ ...options, timeoutMs: 1500 });
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
