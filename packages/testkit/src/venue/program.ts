/**
 * The real program in a separate process, started as a user starts it. Tests access it only from outside: over HTTP,
 * and through its documented files and output lines.
 */
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { join, resolve } from "node:path";
import { randomBytes } from "node:crypto";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { Dice } from "../dice.ts";
import { startEtcd } from "../etcd/cluster.ts";
import { MovingProxy } from "./moving-proxy.ts";
import assert from "node:assert/strict";
import { createInterface } from "node:readline";
import type { Credentials } from "../client/client.ts";
import { temporaryFolder } from "../scratch.ts";
import { once } from "node:events";

// The program's files and command line.

/** The root folder of the repository. */
export const ROOT = resolve(import.meta.dirname, "../../../..");
/**
 * The folder with the bundled program that `scripts/run-tests.ts --built` creates, as in the package. It starts in half
 * the time.
 */
const BUILT = process.env["TEST_PROGRAM_FOLDER"];
/** The timeout of a command. Verifying a long journal takes minutes on a busy machine. */
const COMMAND_TIMEOUT_MS = 600_000;
const QUIET = "--disable-warning=ExperimentalWarning";

/** The arguments with which Node runs a program from its sources. */
const ofSources = (source: string, root = ROOT): readonly string[] => [QUIET, join(root, source)];

/** The arguments with which Node runs the bundled program, or the source if the test runner has not built it. */
const programOf = (source: string, built: string): readonly string[] =>
  BUILT === undefined ? ofSources(source) : [QUIET, join(BUILT, "lib", `${built}.js`)];

/** The command line without the command and its arguments. */
export const PRICETIME: readonly string[] = programOf("packages/server/src/program/cli/pricetime.ts", "pricetime");

export interface RanCommand {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a command of the command line and waits for its end. */
export function pricetime(...args: readonly string[]): RanCommand {
  const options = { encoding: "utf8", timeout: COMMAND_TIMEOUT_MS, maxBuffer: 64 << 20 } as const;
  const { status, stdout, stderr } = spawnSync(process.execPath, [...PRICETIME, ...args], options);
  return { code: status, stdout, stderr };
}

// If TEST_NODES is 2, a test's exchange consists of two nodes with an etcd member. Its clients move between the nodes
// at random; the operator uses the first one. The tests are the same for both setups.

export const isOnTwoNodes = process.env["TEST_NODES"] === "2";

/** Longer timeouts for nodes in a cluster, so that a busy machine is not mistaken for a failed network. */
const PATIENT = { cutOffAfterMs: 20_000, submitTimeoutMs: 30_000, readTimeoutMs: 30_000, maxStaleMs: 60_000 };

/**
 * An interrupted test runner sends SIGTERM to its tests. Nodes and members must end with the process that started them.
 */
function endWhenTerminated(): void {
  if (!process.listeners("SIGTERM").includes(endNow)) process.on("SIGTERM", endNow);
}

const endNow = (): void => process.exit(143);

/**
 * The test's own configuration file, which must not be JSON. If a setting occurs several times, the last one counts.
 */
function ownConfig({ args = [] }: StartOptions): string {
  const at = args.indexOf("--config");
  return at < 0 ? "" : readFileSync(args[at + 1] as string, "utf8");
}

/** Starts two nodes and an etcd member. `start` starts one node. */
async function startTwoNodes(
  options: StartOptions,
  start: (options: StartOptions) => Promise<Exchange>,
): Promise<Exchange> {
  if (options.dataFolder !== undefined) throw new Error("a test that keeps its data folder runs on one node only");
  const seed = Number(process.env["TEST_SEED"] ?? Math.floor(Math.random() * 1_000_000));
  endWhenTerminated();
  const etcd = await startEtcd();
  const masterKey = randomBytes(32).toString("hex");
  const folder = mkdtempSync(join(tmpdir(), "pricetime-sandboxes-"));
  const config = join(folder, "config.yaml");
  writeFileSync(config, `${ownConfig(options)}cluster: ${JSON.stringify(PATIENT)}\n`);
  const release = async (): Promise<void> => {
    await etcd.stop();
    rmSync(folder, { recursive: true, force: true });
  };
  const nodeAt = (name: string): Promise<Exchange> =>
    start({
      ...options,
      args: [...(options.args ?? []), "--config", config, "--node", name, "--cluster", etcd.endpoints.join(",")],
      under: [
        ...(options.under ?? []),
        "env",
        `PRICETIME_MASTER_KEY=${masterKey}`,
        `PRICETIME_SANDBOX_FOLDER=${folder}`,
      ],
    });
  const started: Exchange[] = [];
  try {
    for (const name of ["n1", "n2"]) started.push(await nodeAt(name));
  } catch (error) {
    for (const node of started) await node.kill();
    await release();
    throw error;
  }
  const [first, second] = started as [Exchange, Exchange];
  const ports = [first, second].map(({ rest }) => Number(new URL(rest).port));
  const proxy = new MovingProxy(ports, new Dice(seed));
  const port = await proxy.listen();
  process.stderr.write(`on two nodes; clients move by TEST_SEED=${seed}\n`);
  const end = async (ending: (node: Exchange) => Promise<number | null | void>): Promise<number | null> => {
    await proxy.close();
    const codes = await Promise.all([first, second].map(ending));
    await release();
    return codes.find((code) => code !== 0) ?? 0;
  };
  return {
    ...first,
    rest: `http://127.0.0.1:${port}`,
    ws: `ws://127.0.0.1:${port}`,
    nodes: [...first.nodes, ...second.nodes],
    output: () => `${first.output()}\n${second.output()}`,
    stop: () => end((node) => node.stop()),
    kill: async () => void (await end((node) => node.kill())),
  };
}

const MAIN = "packages/server/src/main.ts";
/** The arguments that `npm start` uses. */
const START = programOf(MAIN, "pricetime");
const READY_TIMEOUT_MS = 60_000;
/** The timeout of a stop. A slow disk needs time to write data that was still in memory. */
const STOP_TIMEOUT_MS = 60_000;

/**
 * The `nodeArgs` that let the file named by `TEST_STEERING_FILE` control the node's clock and disk: see `steered.ts`.
 */
export const STEERED: readonly string[] = ["--import", new URL("./steered.ts", import.meta.url).href];

export interface DemoAccount extends Credentials {
  readonly name: string;
  readonly email: string;
  /** The password for the account pages; absent if the test uses only the key. */
  readonly password?: string;
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
  /** All nodes of the exchange: two if TEST_NODES is 2. */
  readonly nodes: readonly { readonly pid: number; readonly admin: string }[];
  /** The time from the start of the process to its ready line. */
  readonly readyMs: number;
  /** Returns the output to stdout and stderr so far. */
  output(): string;
  /** Sends SIGTERM. Resolves to the exit code when the process has ended. */
  stop(): Promise<number | null>;
  /** Sends SIGKILL. Resolves when the process has ended. */
  kill(): Promise<void>;
}

export interface StartOptions {
  /** Arguments besides the ports and the data folder, which this module chooses. */
  readonly args?: readonly string[];
  /** The data folder, which is not deleted at the end. Default: a temporary folder. */
  readonly dataFolder?: string;
  /**
   * Whether to start a lab without a data folder, as users do: the program creates its own folder and deletes it at the
   * end.
   */
  readonly isTemporary?: boolean;
  /** A program that runs the exchange, with its arguments, such as `prlimit --nofile=60`. */
  readonly under?: readonly string[];
  /** Arguments for Node, before the program. */
  readonly nodeArgs?: readonly string[];
  /** The root folder of another release, whose sources are started instead of the current ones. */
  readonly root?: string;
  /** How long to wait for the ready line. Default: a minute. */
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

/** Starts the program and waits for its ready line. Rejects with its output if the line does not appear. */
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
  // 'close' instead of 'exit', because output may still arrive after the exit.
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

/** Describes an unexpected exit. A test that fails because of it otherwise sees only that its connections are reset. */
function endedByItself(code: number | null, signal: string | null, output: string): string {
  return `the program ended by itself, with ${signal ?? `code ${code}`}, and had said:\n${output.slice(-4000)}\n`;
}

/** Returns the data folder that the program prints. */
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

/** Returns the description of a node without a demo, which has no accounts. */
function plainFile(folder: string, rest: string): DemoFile {
  const file = JSON.parse(readFileSync(join(folder, "admin.json"), "utf8")) as Pick<DemoFile, "admin" | "adminToken">;
  return { ...file, rest, ws: rest.replace("http", "ws"), accounts: [] };
}

export interface FailedStart {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the program with arguments that it must reject, and waits for its exit. */
export async function failToStart(args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<FailedStart> {
  const options = { cwd: ROOT, env: { ...process.env, ...env } };
  const child = spawn(process.execPath, [...START, ...args], { ...options, stdio: ["ignore", "pipe", "pipe"] });
  const late = setTimeout(() => child.kill("SIGKILL"), READY_TIMEOUT_MS);
  const output = { stdout: "", stderr: "" };
  child.stdout.on("data", (chunk: Buffer) => (output.stdout += chunk.toString()));
  child.stderr.on("data", (chunk: Buffer) => (output.stderr += chunk.toString()));
  const code = await new Promise<number | null>((done) => child.once("close", done));
  clearTimeout(late);
  return { code, ...output };
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
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on("data", (chunk: Buffer) => {
      if (output.length < MOST_KEPT_OUTPUT) output += chunk.toString();
    });
  }
  return () => output;
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
    // 'close' instead of 'exit', because output may still arrive after the exit.
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

// A lab in a separate process, with a folder that is deleted at its end, as `pricetime lab` starts one.

const PROGRAM = programOf("packages/lab/src/start/lab-process.ts", "lab-process");

export interface LabProcess {
  readonly admin: string;
  readonly adminToken: string;
  readonly pid: number;
  stop(): Promise<void>;
}

export interface LabProcessOptions {
  /**
   * The maximum size of the heap's old generation. The young generation has a fixed size of another 16 MiB, which V8
   * would otherwise reduce.
   */
  readonly heapMiB?: number;
}

/** Starts a lab with a manual clock and without bots. Rejects if it exits before it serves. */
export async function startLabProcess(
  history: "on" | "candles" | "off",
  { heapMiB }: LabProcessOptions = {},
): Promise<LabProcess> {
  const heap = heapMiB === undefined ? [] : [`--max-old-space-size=${heapMiB}`, "--max-semi-space-size=16"];
  const child = spawn(process.execPath, [...heap, ...PROGRAM, JSON.stringify({ history })], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  const closed = once(child, "close");
  const lines = createInterface({ input: child.stdout });
  const line = await Promise.race([once(lines, "line"), closed.then(() => undefined)]);
  assert.ok(line !== undefined && child.pid !== undefined, "the lab ended before it served");
  const { admin, adminToken } = JSON.parse(String(line[0])) as Pick<LabProcess, "admin" | "adminToken">;
  return {
    ...{ admin, adminToken, pid: child.pid },
    // The process exits when its input closes.
    stop: async () => {
      child.stdin.end();
      await closed;
    },
  };
}
