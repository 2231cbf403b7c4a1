/**
 * The real program, started as a user starts it, in a process of its own. Tests talk to it only from outside:
 * over HTTP, and through the files and lines that it promises.
 */
import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { Credentials } from "../client/client.ts";
import { temporaryFolder } from "../scratch.ts";
import { ofSources, programOf, ROOT } from "./command.ts";
import { isOnTwoNodes, startTwoNodes } from "./two-nodes.ts";

const MAIN = "packages/server/src/main.ts";
/** The arguments that `npm start` runs. */
const START = programOf(MAIN, "pricetime");
const READY_TIMEOUT_MS = 60_000;
/** A slow disk takes its time to write what was still in memory. */
const STOP_TIMEOUT_MS = 60_000;

/** The `nodeArgs` that let clock and disk follow the file named by `TEST_STEERING_FILE`: see `steered.ts`. */
export const STEERED: readonly string[] = ["--import", new URL("./steered.ts", import.meta.url).href];

export interface DemoAccount extends Credentials {
  readonly name: string;
  readonly email: string;
}

/** The content of `<data>/demo.json`. */
export interface DemoFile {
  readonly rest: string;
  readonly ws: string;
  readonly admin: string;
  readonly adminToken: string;
  readonly accounts: readonly DemoAccount[];
}

export interface Exchange extends DemoFile {
  readonly dataFolder: string;
  readonly pid: number;
  /** Every node: more than one where TEST_NODES says so. */
  readonly nodes: readonly { readonly pid: number; readonly admin: string }[];
  /** The time from the start of the process to its ready line. */
  readonly readyMs: number;
  /** Returns what it has written to stdout and stderr so far. */
  output(): string;
  /** Sends SIGTERM; resolves to the exit code when the process is gone. */
  stop(): Promise<number | null>;
  /** Sends SIGKILL; resolves when the process is gone. */
  kill(): Promise<void>;
}

export interface StartOptions {
  /** Arguments besides the ports and the data folder, which the harness chooses. */
  readonly args?: readonly string[];
  /** The data folder, which is kept; without it a new one is made, and removed in the end. */
  readonly dataFolder?: string;
  /** A lab without a data folder, as users start one: it makes its own, and removes it in the end. */
  readonly isTemporary?: boolean;
  /** A program that runs it, with its arguments, such as `prlimit --nofile=60`. */
  readonly under?: readonly string[];
  /** Arguments for Node, before the program. */
  readonly nodeArgs?: readonly string[];
  /** The sources of another release, to start in place of these. */
  readonly root?: string;
  /** The longest wait for the ready line. Default: a minute. */
  readonly readyWithinMs?: number;
}

export function exchangeArguments(dataFolder: string, args: readonly string[] = []): string[] {
  return [...START, ...argumentsIn(["--data", dataFolder], args)];
}

const argumentsIn = (place: readonly string[], args: readonly string[]): string[] => [
  ...["--port", "0", "--admin-port", "0"],
  ...place,
  ...args,
];

/** Starts the program and waits for its ready line; rejects with its output when the line does not come. */
export function startExchange(options: StartOptions = {}): Promise<Exchange> {
  const isOfCluster = options.args?.includes("--cluster") === true;
  return isOnTwoNodes && !isOfCluster ? startTwoNodes(options, startNode) : startNode(options);
}

async function startNode(options: StartOptions): Promise<Exchange> {
  const { args = [], dataFolder, isTemporary = false, under = [], nodeArgs = [], root = ROOT } = options;
  const { readyWithinMs = READY_TIMEOUT_MS } = options;
  const given = isTemporary ? undefined : (dataFolder ?? temporaryFolder());
  const started = performance.now();
  const all = argumentsIn(given === undefined ? [] : ["--data", given], args);
  const start = nodeArgs.length > 0 || root !== ROOT ? ofSources(MAIN, root) : START;
  const [program = "", ...rest] = [...under, process.execPath, ...nodeArgs, ...start, ...all];
  const child = spawn(program, rest, { cwd: root, stdio: ["ignore", "pipe", "pipe"] });
  const output = outputOf(child);
  const killWithUs = (): void => void child.kill("SIGKILL");
  process.once("exit", killWithUs);
  child.once("exit", (code, signal) => {
    if (!child.killed) process.stderr.write(endedByItself(code, signal, output()));
  });
  // 'close', not 'exit': at its exit the last output may still be on its way.
  const exited = new Promise<number | null>((done) => child.once("close", (code) => done(code)));
  void exited.then(() => {
    process.off("exit", killWithUs);
    if (dataFolder === undefined && given !== undefined) rmSync(given, { recursive: true, force: true });
  });
  const address = await readyLine(child, output, readyWithinMs);
  const readyMs = performance.now() - started;
  const folder = given ?? folderIn(output());
  const file = args.includes("--no-demo") ? plainFile(folder, address) : demoFile(folder);
  const { pid = 0 } = child;
  return {
    ...{ ...file, pid, nodes: [{ pid, admin: file.admin }] },
    dataFolder: folder,
    readyMs,
    output,
    stop: () => stopped(child, exited),
    kill: async () => {
      child.kill("SIGKILL");
      await exited;
    },
  };
}

/** Describes an unexpected end, since a test that fails because of it sees only that its connections are reset. */
function endedByItself(code: number | null, signal: string | null, output: string): string {
  return `the program ended by itself, with ${signal ?? `code ${code}`}, and had said:\n${output.slice(-4000)}\n`;
}

/** The folder that the program says it has. */
function folderIn(output: string): string {
  const folder = /^ +data +(\S+)$/m.exec(output)?.[1];
  assert.ok(folder !== undefined, `the program does not say where its data are:\n${output.slice(-4000)}`);
  return folder;
}

function demoFile(folder: string): DemoFile {
  const path = join(folder, "demo.json");
  assert.ok(existsSync(path), "demo.json was not written before the ready line");
  return JSON.parse(readFileSync(path, "utf8")) as DemoFile;
}

/** Describes a node without a demo, which has no accounts to give. */
function plainFile(folder: string, rest: string): DemoFile {
  const file = JSON.parse(readFileSync(join(folder, "admin.json"), "utf8")) as Pick<DemoFile, "admin" | "adminToken">;
  return { ...file, rest, ws: rest.replace("http", "ws"), accounts: [] };
}

export interface FailedStart {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the program with arguments that it must refuse, and waits for its end. */
export async function failToStart(args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<FailedStart> {
  const options = { cwd: ROOT, env: { ...process.env, ...env } };
  const child = spawn(process.execPath, [...START, ...args], { ...options, stdio: ["ignore", "pipe", "pipe"] });
  const late = setTimeout(() => child.kill("SIGKILL"), READY_TIMEOUT_MS);
  const said = { stdout: "", stderr: "" };
  child.stdout.on("data", (chunk: Buffer) => (said.stdout += chunk.toString()));
  child.stderr.on("data", (chunk: Buffer) => (said.stderr += chunk.toString()));
  const code = await new Promise<number | null>((done) => child.once("close", done));
  clearTimeout(late);
  return { code, ...said };
}

async function stopped(child: ChildProcess, exited: Promise<number | null>): Promise<number | null> {
  child.kill("SIGTERM");
  const late = setTimeout(() => child.kill("SIGKILL"), STOP_TIMEOUT_MS);
  const code = await exited;
  clearTimeout(late);
  return code;
}

const MOST_KEPT_OUTPUT = 10_000_000;

function outputOf(child: ChildProcess): () => string {
  let said = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on("data", (chunk: Buffer) => {
      if (said.length < MOST_KEPT_OUTPUT) said += chunk.toString();
    });
  }
  return () => said;
}

/** Resolves to the address in `ready http://HOST:PORT`. */
function readyLine(child: ChildProcess, output: () => string, withinMs: number): Promise<string> {
  return new Promise((done, failed) => {
    const fail = (why: string): void => {
      clearTimeout(late);
      child.kill("SIGKILL");
      failed(new Error(`the exchange ${why}; it said:\n${output().slice(-4000)}`));
    };
    const late = setTimeout(() => fail("was not ready in time"), withinMs);
    child.once("error", (error) => fail(`could not be started: ${error.message}`));
    const endedEarly = (code: number | null): void => fail(`ended with code ${code} before it was ready`);
    // 'close', not 'exit': at its exit the last output may still be on its way.
    child.once("close", endedEarly);
    assert.ok(child.stdout !== null);
    createInterface({ input: child.stdout }).on("line", (line) => {
      const address = /^ready (https?:\/\/\S+)$/.exec(line)?.[1];
      if (address === undefined) return;
      clearTimeout(late);
      child.off("close", endedEarly);
      done(address);
    });
  });
}
