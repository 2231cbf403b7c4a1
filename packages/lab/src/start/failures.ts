/** Prints how to repeat a failed test: its seed, and the command that runs the test again. */
import { readFileSync } from "node:fs";
import { relative } from "node:path";
import { type Origin, originLine } from "../client/admin.ts";

// Finds the arguments of a test runner as the user typed them. Its worker processes do not receive them, but the
// operating system may provide them.

type Runner = "jest" | "vitest";

/** Matches the path of each runner's script, which npm and npx run. */
const SCRIPTS: Readonly<Record<Runner, RegExp>> = {
  jest: /(?:^|[\\/])jest(?:\.js)?$/,
  vitest: /(?:^|[\\/])vitest(?:\.mjs)?$/,
};

/** Returns an empty list if the runner is neither this process nor its parent, or the system has no `/proc`. */
function typedArguments(runner: Runner, argv: readonly string[]): readonly string[] {
  for (const words of [argv, commandLine(process.pid), commandLine(process.ppid)]) {
    const at = words.findIndex((word) => SCRIPTS[runner].test(word));
    if (at !== -1) return words.slice(at + 1);
  }
  return [];
}

function commandLine(pid: number): readonly string[] {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0").slice(0, -1);
  } catch {
    return [];
  }
}

// The command that runs a test again with the same seed.

/** The environment variable with the seed of exchanges that are started without one. */
export const SEED_VARIABLE = "PRICETIME_LAB_SEED";

export interface Invocation {
  readonly argv: readonly string[];
  readonly execArgv: readonly string[];
  readonly execPath: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly folder: string;
  /** The test file that vitest or Jest runs in this process. */
  readonly testFile: string | undefined;
}

/** Returns the command for a POSIX shell in the folder where the program ran. */
export function repeatCommand(seed: number, invocation: Invocation = here()): string {
  return `${SEED_VARIABLE}=${seed} ${program(invocation).map(quoted).join(" ")}`;
}

/** Whether vitest runs this program. vitest also sets the variables of Jest. */
const isVitest = (env: Invocation["env"] = process.env): boolean => env["VITEST"] !== undefined;
export const isJest = (env: Invocation["env"] = process.env): boolean =>
  env["JEST_WORKER_ID"] !== undefined && !isVitest(env);

/** The objects that the runners define in the global scope of their workers. */
interface RunnerGlobals {
  readonly __vitest_worker__?: { readonly filepath?: string };
  readonly expect?: { readonly getState?: () => { readonly testPath?: string } };
}

function here(): Invocation {
  const { __vitest_worker__: worker, expect } = globalThis as RunnerGlobals;
  const testFile = isVitest() ? worker?.filepath : isJest() ? expect?.getState?.().testPath : undefined;
  const { argv, execArgv, execPath, env } = process;
  return { argv, execArgv, execPath, env, folder: process.cwd(), testFile };
}

function program({ argv, execArgv, execPath, env, folder, testFile = "" }: Invocation): string[] {
  const [, script = "", ...args] = argv;
  const file = relativeTo(folder, script);
  const tests = relativeTo(folder, testFile);
  // Test runners start a separate process per file, with arguments that no user would type.
  if (isVitest(env)) return runner("npx vitest run", tests, typedFor("vitest", argv));
  if (isJest(env)) return runner("npx jest", tests, typedFor("jest", argv));
  // A Node that npm has installed is not the one that a shell finds.
  const node = execPath.includes("node_modules") ? ["npx", "node"] : ["node"];
  if (env["NODE_TEST_CONTEXT"] !== undefined) return [...node, ...loaders(execArgv), "--test", file];
  return [...node, ...execArgv, file, ...args].filter((part) => part !== "");
}

const relativeTo = (folder: string, file: string): string => (file === "" ? "" : relative(folder, file) || file);

/** Puts the file first, because an option such as `--testRegex` takes all following words. */
function runner(command: string, file: string, typed: readonly string[]): string[] {
  // After an option, the same word is that option's value.
  const others = typed.filter((word, at) => word !== file || typed[at - 1]?.startsWith("-") === true);
  return [...command.split(" "), file, ...others].filter((part) => part !== "");
}

/** Options with which a runner watches files. The repeated command must exit instead. */
const WATCHING: Readonly<Record<Runner, ReadonlySet<string>>> = {
  jest: new Set(["--watch", "--watchAll"]),
  vitest: new Set(["--watch", "-w"]),
};

function typedFor(name: Runner, argv: readonly string[]): readonly string[] {
  const typed = typedArguments(name, argv);
  const isMode = name === "vitest" && ["run", "watch", "dev"].includes(typed[0] ?? "");
  return typed.slice(isMode ? 1 : 0).filter((word) => !WATCHING[name].has(word));
}

/** Node options that a test file may need in order to load. */
const LOADER = /^(?:--(?:import|require|loader|experimental-loader|conditions|env-file)|-[rC])(=|$)/;

function loaders(execArgv: readonly string[]): string[] {
  return execArgv.filter(
    (word, at) => LOADER.test(word) || (LOADER.exec(execArgv[at - 1] ?? "")?.[1] === "" && !word.startsWith("-")),
  );
}

const quoted = (part: string): string => (/^[\w@%+=:,./-]+$/.test(part) ? part : `'${part.replaceAll("'", "'\\''")}'`);

interface Begun {
  readonly seed: number;
  readonly version?: string;
}

/** Exchanges that this process has started, by seed. */
const origins = new Map<number, Omit<Origin, "repeat">>();

/** Adds this exchange to the report of every later failure. `version` is known only after the exchange has started. */
export function reportOnFailure({ seed, version = origins.get(seed)?.version ?? "?" }: Begun): void {
  origins.set(seed, { seed, version });
  observeFailures();
}

/** Observes failed tests. Each test runner reports them in a different way; a plain program only exits with a code. */
export function observeFailures(): void {
  if (isVitest()) observeVitest();
  else if (isJest()) observeJest();
  else observeExit();
}

function printOrigins(): void {
  for (const { seed, version } of origins.values()) {
    // The command is built for each report, because a vitest worker may have started another file.
    const line = originLine({ seed, version, repeat: repeatCommand(seed) });
    process.stderr.write(`pricetime lab: failed ${line}\n`);
  }
}

let isObserving = false;

/**
 * Reports failures at the exit of the process. Also covers `node --test`, which runs each file in a separate process.
 */
function observeExit(): void {
  if (isObserving) return;
  isObserving = true;
  process.once("exit", (code) => {
    if (code !== 0) printOrigins();
  });
}

interface JestEvent {
  readonly name: string;
  readonly test?: { readonly errors: readonly unknown[] };
}

/**
 * Reports failures of Jest. Its default runner, circus, stores its event handlers under a symbol that all its copies
 * share.
 */
function observeJest(): void {
  const handlers = (globalThis as { [name: symbol]: unknown })[Symbol.for("EVENT_HANDLERS")];
  if (isObserving || !Array.isArray(handlers)) return;
  isObserving = true;
  handlers.push(({ name, test }: JestEvent) => {
    if (name === "test_done" && test !== undefined && test.errors.length > 0) printOrigins();
  });
}

/** A test or a suite of vitest. */
interface VitestTask {
  readonly tasks?: readonly VitestTask[];
  readonly file?: VitestTask;
  /** The callbacks that `onTestFailed` adds. */
  onFailed?: (() => void)[] | undefined;
}

interface VitestContext {
  readonly onTestFailed: (callback: () => void) => void;
}

interface VitestGlobals {
  readonly __vitest_worker__?: { readonly current?: VitestTask };
  readonly __vitest_index__?: {
    readonly beforeEach: (hook: (context: VitestContext) => void) => void;
  };
}

const observedFiles = new WeakSet<VitestTask>();

/**
 * Reports failures of vitest. Hooks can be added only while a file is loading; later, a callback is added to each of
 * its tests.
 */
function observeVitest(): void {
  const { __vitest_worker__: worker, __vitest_index__: vitest } = globalThis as VitestGlobals;
  const file = worker?.current?.file;
  if (file === undefined || observedFiles.has(file)) return;
  observedFiles.add(file);
  const tests = testsOf(file);
  if (tests.length === 0) vitest?.beforeEach(({ onTestFailed }) => onTestFailed(printOrigins));
  for (const test of tests) (test.onFailed ??= []).push(printOrigins);
}

const testsOf = (task: VitestTask): VitestTask[] => (task.tasks === undefined ? [task] : task.tasks.flatMap(testsOf));
