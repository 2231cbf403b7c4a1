/**
 * Pages of documents, read top to bottom: each fenced block is run as it would be pasted, in a fresh clone of the last
 * commit, beside the node that README's first command starts. What cannot be run says why (`page.ts`).
 */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { globSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { after, before, suite, test } from "node:test";
import { temporaryFolder } from "@pricetime/testkit/scratch";
import { ROOT } from "@pricetime/testkit/venue";
import { type Block, blocksOf } from "./page.ts";
import { Reader, type ReaderOptions, userEnvironment, type Verdict } from "./reader.ts";
import { otherPorts, takePort } from "../tools.ts";

/** What documents write: clients' and operators' port of the first node and of a second one, and that of a cluster. */
const PORTS = [8080, 8081, 9000, 9001, 8090];
/** A fresh clone is installed in one of them, beside whatever else runs. */
const BLOCK_TIMEOUT_MS = 240_000;

const README = "README.md";

export interface Wanted {
  /** Otherwise README's first command alone is run, which serves all pages, and on other ports than it says. */
  readonly wholeReadme: boolean;
  readonly page: (path: string) => boolean;
}

/** Adds the tests; call it once in a file. Its options are there when the first test runs. */
export function readDocuments(wanted: Wanted): { readonly options: () => ReaderOptions } {
  const folder = freshClone();
  const verdicts: [Block, Verdict][] = [];
  let options: ReaderOptions;
  let first: Reader;

  before(async () => {
    const [port, adminPort, ...more] = await (wanted.wholeReadme ? freePorts() : otherPorts(PORTS.length));
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
    process.stdout.write(`${summary(verdicts)}\n`);
  });

  const blocksIn = (page: string): Block[] => blocksOf(page, readFileSync(join(folder, page), "utf8"));
  /** A test for each block, in the order of the page. */
  const read = (page: string, blocks: readonly Block[], reader: () => Reader): void => {
    for (const block of blocks) {
      test(`line ${block.line}`, async (t) => {
        const verdict = await reader().read(block);
        verdicts.push([block, verdict]);
        if (verdict.kind === "failed") assert.fail(`${page}:${block.line}: ${verdict.why}\n\n${block.text}`);
        if ("why" in verdict) t.skip(verdict.why);
      });
    }
  };

  suite(README, () => {
    const blocks = blocksIn(README);
    read(README, wanted.wholeReadme ? blocks : blocks.filter(({ serves }) => serves).slice(0, 1), () => first);
  });
  const pages = globSync(["docs/**/*.md", "examples/**/*.md"], { cwd: folder }).filter(wanted.page).sort();
  for (const page of pages) {
    const blocks = blocksIn(page);
    if (blocks.length === 0) continue;
    suite(page, () => {
      let reader: Reader;
      before(() => {
        reader = new Reader(options);
      });
      after(() => reader.close());
      read(page, blocks, () => reader);
    });
  }
  return { options: () => options };
}

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
  const asWritten = await Promise.all(PORTS.map(takePort));
  return asWritten.every((port) => port !== undefined) ? PORTS : otherPorts(PORTS.length);
}

function summary(verdicts: readonly (readonly [Block, Verdict])[]): string {
  const lines = ["", `${verdicts.length} blocks:`];
  for (const kind of ["passed", "written", "output", "not run", "skipped", "failed"]) {
    const found = verdicts.filter(([, verdict]) => verdict.kind === kind);
    if (found.length > 0) lines.push(`  ${String(found.length).padStart(4)} ${kind}`);
    for (const [{ page, line }, verdict] of found)
      if ("why" in verdict) lines.push(`         ${page}:${line}: ${verdict.why.split("\n")[0]}`);
  }
  return lines.join("\n");
}
