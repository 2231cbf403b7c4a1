/**
 * The venue of the guide: its own files and lines, in a folder where the package is installed, as an operator follows
 * docs/guides/running-a-venue.md. The pages of a venue that sets few of its bounds are tried on it.
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
/** The ports that the guide writes: for clients and for operators. */
const [PORT, ADMIN_PORT] = [9000, 9001] as const;
const BLOCK_TIMEOUT_MS = 120_000;

export interface GuideVenue {
  /** As the trials of account pages and console take it. */
  readonly exchange: AdminPort & { readonly rest: string };
  /** Runs a line in the operator's folder, as the guide's own lines run. Fails where the line does. */
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
