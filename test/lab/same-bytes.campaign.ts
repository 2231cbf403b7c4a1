/** The same seed and the same requests in the same order give the same journal, to the byte, however busy the machine is. */
import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { availableParallelism } from "node:os";
import { test } from "node:test";
import { runScript } from "./thousand-requests.ts";

/** Processes that take every core. */
function hogs(): ChildProcess[] {
  return Array.from({ length: availableParallelism() * 2 }, () => spawn(process.execPath, ["-e", "for (;;);"]));
}

test("two processes, and one beside processes that take every core, write the same journal and give the same answers", async () => {
  const first = await runScript(11);
  assert.ok(first.lastSeq > 2_000, "the market did trade");
  assert.deepEqual(await runScript(11), first);
  const beside = hogs();
  try {
    assert.deepEqual(await runScript(11), first);
  } finally {
    for (const hog of beside) hog.kill("SIGKILL");
  }
  assert.notEqual((await runScript(12)).chainHash, first.chainHash);
});
