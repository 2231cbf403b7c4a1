/** Tests start the programs that the runner has built, otherwise the sources. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { test } from "node:test";
import { ROOT } from "@pricetime/testkit/venue";

/** The command line program that tests start. */
function startedFile(built: string | undefined): string {
  const code = 'import { PRICETIME } from "@pricetime/testkit/venue"; console.log(PRICETIME.at(-1));';
  const { TEST_PROGRAM_FOLDER: _, ...env } = process.env;
  const { stdout } = spawnSync(process.execPath, ["--input-type=module", "-e", code], {
    cwd: import.meta.dirname,
    encoding: "utf8",
    env: { ...env, ...(built !== undefined && { TEST_PROGRAM_FOLDER: built }) },
  });
  return stdout.trim();
}

test("programs are those that the runner built, otherwise the sources", () => {
  assert.equal(startedFile("/built"), join("/built", "lib", "pricetime.js"));
  assert.equal(startedFile(undefined), join(ROOT, "packages/server/src/program/cli/pricetime.ts"));
});
