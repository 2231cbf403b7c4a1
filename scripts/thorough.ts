/** `npm run thorough`: the engine by brute force, random histories and kills under load, more of each than the tests have time for. */
import { spawnSync } from "node:child_process";
import { resolve } from "node:path";

const FILES = [
  "packages/engine/test/brute-force.test.ts",
  "packages/engine/test/random-histories.test.ts",
  "test/crash/crash.test.ts",
];
/** No names of settings: the program would refuse them. */
const MORE = { BRUTE_COMMANDS: "5", HISTORIES: "300", CRASH_KILLS: "30" };

const { status } = spawnSync(process.execPath, ["--disable-warning=ExperimentalWarning", "--test", ...FILES], {
  cwd: resolve(import.meta.dirname, ".."),
  // What was asked for by hand is stronger.
  env: { ...MORE, ...process.env },
  stdio: "inherit",
});
process.exit(status ?? 1);
