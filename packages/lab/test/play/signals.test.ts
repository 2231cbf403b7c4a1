/** A held bot receives a signal if it listens for it; otherwise the signal ends it as usual. */
import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import type { Readable } from "node:stream";
import { test } from "node:test";

const SIGNALS = new URL("../../src/hold/lock-step.ts", import.meta.url).href;
const LISTENS = 'process.once("SIGTERM", () => setTimeout(() => process.exit(7), 10));';

/** What it wrote to file descriptor 4, and how it ended. */
async function told(program: string): Promise<readonly [string, number | null, string | null]> {
  const code = `const { reportSignals } = await import(${JSON.stringify(SIGNALS)});
    reportSignals(3); ${program} setInterval(() => {}, 1000); console.log("ready");`;
  const args = ["--disable-warning=ExperimentalWarning", "--input-type=module", "--eval", code];
  const child: ChildProcess = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit", "pipe"] });
  let said = "";
  (child.stdio[3] as Readable).on("data", (chunk: Buffer) => (said += chunk.toString()));
  await once(child.stdout as Readable, "data");
  child.kill("SIGTERM");
  const [exitCode, signal] = (await once(child, "close")) as [number | null, string | null];
  return [said, exitCode, signal];
}

test("a signal is told once to who listens, and ends who does not, or no longer", async () => {
  assert.deepEqual(await told(LISTENS), ["SIGTERM\n", 7, null]);
  assert.deepEqual(await told(""), ["", null, "SIGTERM"]);
  const noLonger = 'const hear = () => {}; process.on("SIGTERM", hear); process.off("SIGTERM", hear);';
  assert.deepEqual(await told(noLonger), ["", null, "SIGTERM"]);
});
