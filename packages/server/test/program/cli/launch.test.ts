/** The file that npm links as `pricetime`. */
import assert from "node:assert/strict";
import { type SpawnSyncReturns, spawnSync } from "node:child_process";
import { accessSync, constants, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { runProgram } from "../../../src/program/cli/program.ts";
import { VERSION } from "../../../src/program/start/version.ts";

const SERVER = join(import.meta.dirname, "../../..");
const LAUNCHER = join(SERVER, "bin/pricetime.js");
const COMPILED = join(SERVER, "../../node_modules/.cache/compiled");

function launch(node: string, ...words: string[]): SpawnSyncReturns<string> {
  return spawnSync(node, [LAUNCHER, ...words], { encoding: "utf8", timeout: 30_000 });
}

/** A path on this machine; undefined: not installed. */
function olderNode(): string | undefined {
  const { stdout: found } = spawnSync("/bin/sh", ["-c", "ls /usr/bin/node /usr/local/bin/node"], { encoding: "utf8" });
  const others = found.split("\n").filter((path) => path !== "");
  return others.find(
    (path) => Number(spawnSync(path, ["-p", "process.versions.node"]).stdout.toString().split(".")[0]) < 24,
  );
}

test("npm can run it: an entry in the package, a shebang line, an executable file", () => {
  const { bin } = JSON.parse(readFileSync(join(SERVER, "package.json"), "utf8")) as { bin: Record<string, string> };
  assert.deepEqual(bin, { pricetime: "bin/pricetime.js" });
  assert.match(readFileSync(LAUNCHER, "utf8"), /^#!\/usr\/bin\/env node\n/);
  if (process.platform !== "win32") accessSync(LAUNCHER, constants.X_OK);
});

test("it prints its version and passes on the exit code", () => {
  const { stdout, stderr, status } = launch(process.execPath, "--version");
  assert.deepEqual([stdout, stderr, status], [`${VERSION}\n`, "", 0]);
  assert.equal(launch(process.execPath, "nothing").status, 1);
});

/** Node's compile cache log lines for the program's first file. */
function keptCode(node: string): string {
  const { NODE_COMPILE_CACHE: _, ...own } = process.env;
  const env = { ...own, NODE_DEBUG_NATIVE: "COMPILE_CACHE" };
  const { stdout, stderr } = spawnSync(node, [LAUNCHER, "--version"], { encoding: "utf8", timeout: 30_000, env });
  return `${stdout}${stderr}`.split("\n").find((line) => line.includes("src/program/cli/pricetime.ts")) ?? "";
}

test("it uses Node's compile cache", () => {
  assert.ok(keptCode(process.execPath).includes(COMPILED));
  const old = olderNode();
  if (old !== undefined) assert.ok(keptCode(old).includes(COMPILED));
});

test("an older Node runs the newer one that npm installed with the package", (t) => {
  const old = olderNode();
  if (old === undefined) return t.skip("no older Node on this machine");
  const { stdout, stderr, status } = launch(old, "--version");
  assert.deepEqual([stdout, stderr, status], [`${VERSION}\n`, "", 0]);
  assert.equal(launch(old, "nothing").status, 1);
});

test("flags only, or no arguments, run a node", async () => {
  const served: (readonly string[])[] = [];
  const terminal = {
    print: () => {},
    complain: () => {},
    environment: {},
    serve: async (argv: readonly string[]) => served.push(argv),
  };
  for (const words of [[], ["--port", "0", "--bots", "off"], ["serve", "--seed", "2"]]) {
    await runProgram(words, terminal);
  }
  assert.deepEqual(served, [[], ["--port", "0", "--bots", "off"], ["--seed", "2"]]);
});

test("`lab` alone or with flags runs a lab; with a subcommand or --help it does not", async () => {
  const served: (readonly string[])[] = [];
  const said: string[] = [];
  const terminal = {
    print: () => {},
    complain: (text: string) => void said.push(text),
    environment: { PRICETIME_DATA: "/nowhere" },
    serve: async (argv: readonly string[]) => served.push(argv),
  };
  for (const words of ["lab", "lab --clock manual", "lab --clock scaled --clock-speed 60 --data here"]) {
    await runProgram(words.split(" "), terminal);
  }
  assert.deepEqual(served, [
    ["--lab"],
    ["--lab", "--clock", "manual"],
    ["--lab", "--clock", "scaled", "--clock-speed", "60", "--data", "here"],
  ]);
  assert.deepEqual(said, []);
  for (const words of ["lab clock", "lab --help", "lab -h", "lab nothing"]) {
    await runProgram(words.split(" "), { ...terminal, print: () => {} });
  }
  assert.equal(served.length, 3);
});
