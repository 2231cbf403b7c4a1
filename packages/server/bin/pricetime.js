#!/usr/bin/env node
// What npm links as `pricetime`. It is JavaScript of any age: the Node that a shell finds may be another than the one
// that the program runs on, which npm has installed beside it. That one goes on then, and this one waits for its end.
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** The Node that the tests run on, as `node` in the dependencies says, or a later one of its line. */
const NEEDED = [24, 21];

const program = fileURLToPath(new URL("../src/program/cli/pricetime.ts", import.meta.url));
/** For the Node that the program runs on: an older one may not know what it asks for. */
const keepCompiled = new URL("./keep-compiled.js", import.meta.url).href;

function isTested(version) {
  const [major, minor] = version.split(".").map(Number);
  return major === NEEDED[0] && minor >= NEEDED[1];
}

/** The Node of the package `node`; undefined when it is not installed. */
function installedNode() {
  let folder;
  try {
    folder = dirname(createRequire(import.meta.url).resolve("node/package.json"));
  } catch {
    return undefined;
  }
  return ["node", "node.exe"].map((name) => join(folder, "bin", name)).find((path) => existsSync(path));
}

/** Runs the program on another Node; what this process is told, that one is told. */
function goOnWith(node) {
  const flags = ["--disable-warning=ExperimentalWarning", "--import", keepCompiled];
  const child = spawn(node, [...flags, program, ...process.argv.slice(2)], { stdio: "inherit" });
  const signals = ["SIGINT", "SIGTERM", "SIGHUP"];
  for (const signal of signals) process.on(signal, () => child.kill(signal));
  child.once("error", (error) => {
    process.stderr.write(`pricetime: ${node} cannot be run: ${error.message}\n`);
    process.exitCode = 1;
  });
  child.once("exit", (code, signal) => {
    if (signal === null) {
      process.exitCode = code;
      return;
    }
    for (const each of signals) process.removeAllListeners(each);
    process.kill(process.pid, signal);
  });
}

const beside = isTested(process.versions.node) ? undefined : installedNode();
if (isTested(process.versions.node)) {
  process.argv[1] = program;
  await import(keepCompiled);
  await import(new URL("../src/program/cli/pricetime.ts", import.meta.url).href);
} else if (beside === undefined) {
  process.stderr.write(`pricetime: needs Node ${NEEDED.join(".")} or a later ${NEEDED[0]}; this is ${process.versions.node}\n`);
  process.exitCode = 1;
} else {
  goOnWith(beside);
}
