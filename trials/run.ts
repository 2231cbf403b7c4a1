/** `npm run trials [-- FOLDER_OR_FILE...]`: runs what ends in `.trial.ts`, one file at a time; the exit code is node's. */
import { spawnSync } from "node:child_process";
import { globSync, statSync } from "node:fs";
import { join, resolve } from "node:path";

const ROOT = resolve(import.meta.dirname, "..");

const asked = process.argv.slice(2);
const files = (asked.length === 0 ? ["trials"] : asked).flatMap(trialsIn).sort();
if (files.length === 0) {
  process.stderr.write(`trials: there is no *.trial.ts in ${asked.join(", ") || "trials"}\n`);
  process.exit(1);
}
const runner = ["--disable-warning=ExperimentalWarning", "--test", "--test-concurrency=1", ...files];
process.exit(spawnSync(process.execPath, runner, { cwd: ROOT, stdio: "inherit" }).status ?? 1);

function trialsIn(path: string): string[] {
  if (!statSync(resolve(ROOT, path)).isDirectory()) return [path];
  return globSync("**/*.trial.ts", { cwd: resolve(ROOT, path) }).map((file) => join(path, file));
}
