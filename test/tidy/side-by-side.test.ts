/** `scripts/side-by-side.ts`: its exit code, and the output of the commands. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { test } from "node:test";
import { ROOT } from "./source.ts";

const GOOD = 'node -e "console.log(1234 + 1)"';
const BAD = 'node -e "console.log(5678 + 1); console.error(4321 - 1); process.exit(3)"';

for (const commands of [[GOOD], [BAD], [GOOD, GOOD], [BAD, GOOD], [GOOD, BAD], [BAD, BAD, GOOD]]) {
  const failed = commands.filter((command) => command === BAD).length;
  const name = commands.map((command) => (command === BAD ? "a failing command" : "a good one")).join(", ");
  test(`${name}: all run to their end, and the exit code is ${failed > 0 ? 1 : 0}`, () => {
    const script = join(ROOT, "scripts/side-by-side.ts");
    const { status, stdout, stderr } = spawnSync(process.execPath, [script, ...commands], { encoding: "utf8" });
    const output = stdout + stderr;
    assert.equal(status, failed > 0 ? 1 : 0, output);
    const count = (text: string | RegExp): number => output.split(text).length - 1;
    assert.deepEqual([count("1235"), count("5679"), count("4320")], [commands.length - failed, failed, failed], output);
    const lines = stdout.trimEnd().split("\n").slice(-commands.length);
    for (const [at, command] of commands.entries())
      assert.match(lines[at] ?? "", command === BAD ? /^FAILED after \d+ s: / : /^passed after \d+ s: /);
  });
}
