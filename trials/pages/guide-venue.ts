/**
 * The exchange of the guide: its files and commands, in a folder where the package is installed, as an operator follows
 * docs/guides/running-a-venue.md. Trials use it to test pages of an exchange that sets few limits.
 */
import assert from "node:assert/strict";
import { readFileSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "@pricetime/testkit/scratch";
import { type AdminPort, ROOT } from "@pricetime/testkit/venue";
import { blocksOf } from "../documents/page.ts";
import { Reader, userEnvironment } from "../documents/reader.ts";
import { otherPorts } from "../tools.ts";

const GUIDE = "docs/guides/running-a-venue.md";
/** The guide's ports for clients and for operators. */
const [PORT, ADMIN_PORT] = [9000, 9001] as const;
const BLOCK_TIMEOUT_MS = 120_000;

export interface GuideVenue {
  /** The type that the trials of account pages and console expect. */
  readonly exchange: AdminPort & { readonly rest: string };
  /** Runs a command of the guide in the operator's folder. Throws if it fails. */
  run(line: string): Promise<void>;
  stop(): Promise<void>;
}

/** Follows the guide from its top to the block that starts the node. */
export async function openGuideVenue(): Promise<GuideVenue> {
  const folder = temporaryFolder();
  symlinkSync(join(ROOT, "node_modules"), join(folder, "node_modules"));
  const [port, adminPort] = await otherPorts(2);
  const ports = new Map([PORT, ADMIN_PORT].map((written, at) => [written, [port, adminPort][at] ?? written]));
  const reader = new Reader({ folder, env: userEnvironment(), ports, timeoutMs: BLOCK_TIMEOUT_MS });
  const stop = async (): Promise<void> => {
    await reader.close();
    rmSync(folder, { recursive: true, force: true });
  };
  const blocks = blocksOf(GUIDE, readFileSync(join(ROOT, GUIDE), "utf8"));
  const start = blocks.findIndex(({ serves }) => serves);
  assert.ok(start >= 0, `${GUIDE} starts no node`);
  try {
    for (const block of blocks.slice(0, start + 1)) {
      // An operator who has no logo leaves its block out.
      if (block.notRun !== undefined) continue;
      const verdict = await reader.read(block);
      assert.ok(verdict.kind === "passed" || verdict.kind === "written", `${GUIDE}:${block.line}: ${verdict.kind}`);
    }
  } catch (error) {
    await stop();
    throw error;
  }
  const { admin, adminToken } = JSON.parse(readFileSync(join(folder, "venue-data/admin.json"), "utf8")) as AdminPort;
  const run = async (line: string): Promise<void> => {
    const verdict = await reader.read({ ...(blocksOf("a line", `\`\`\`sh\n${line}\n\`\`\``)[0] ?? assert.fail()) });
    assert.equal(verdict.kind, "passed", JSON.stringify(verdict));
  };
  return { exchange: { admin, adminToken, rest: `http://127.0.0.1:${port}` }, run, stop };
}
