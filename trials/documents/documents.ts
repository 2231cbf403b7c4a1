/**
 * Reads pages of documentation from top to bottom. Each fenced block is run as a reader would paste it, in a fresh
 * clone of the last commit, beside the node that README's first command starts. Blocks that cannot be run state why
 * (`page.ts`).
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

/** The ports that documents use: clients' and operators' port of the first node, of a second node, and of a cluster. */
const PORTS = [8080, 8081, 9000, 9001, 8090];
/** Long enough to install a fresh clone while other processes use the machine. */
const BLOCK_TIMEOUT_MS = 240_000;

const README = "README.md";

export interface Wanted {
  /** For other pages only README's first command is run, which starts a node for all of them, on other ports. */
  readonly wholeReadme: boolean;
  readonly page: (path: string) => boolean;
}

/** Adds the tests. Call it once in a file. Its options are read when the first test runs. */
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
    // README's `npm start` does not name its ports.
    const defaults = { PRICETIME_PORT: String(port), PRICETIME_ADMIN_PORT: String(adminPort) };
    first = new Reader({ ...options, env: { ...env, ...defaults } });
  });
  after(async () => {
    await first.close();
    rmSync(folder, { recursive: true, force: true });
    process.stdout.write(`${summary(verdicts)}\n`);
  });

  const blocksIn = (page: string): Block[] => blocksOf(page, readFileSync(join(folder, page), "utf8"));
  /** Adds a test for each block, in the order of the page. */
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

/** The ports that documents use if they are free, else others. */
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
