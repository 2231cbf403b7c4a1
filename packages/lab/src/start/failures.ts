/** Reports how to repeat a failure where a test fails: its seed, and the command that runs the test again. */
import { readFileSync } from "node:fs";
import { relative } from "node:path";
import { type Origin, originLine } from "../client/admin.ts";

// The arguments of a test runner as they were typed. Its workers do not get them, but the system may show them.

type Runner = "jest" | "vitest";

/** The scripts by which npm and npx start them. */
const SCRIPTS: Readonly<Record<Runner, RegExp>> = {
  jest: /(?:^|[\\/])jest(?:\.js)?$/,
  vitest: /(?:^|[\\/])vitest(?:\.mjs)?$/,
};

/** Empty where the runner is neither this process nor its parent, or the system has no `/proc`. */
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

// The command that runs a test once more with the same seed.

/** The environment's word for the seed of exchanges that are started without one. */
export const SEED_VARIABLE = "PRICETIME_LAB_SEED";

export interface Ran {
  readonly argv: readonly string[];
  readonly execArgv: readonly string[];
  readonly execPath: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly folder: string;
  /** The file of tests that vitest or Jest runs in this process. */
  readonly testFile: string | undefined;
}

/** The command as a user can paste it into a POSIX shell in the folder where the program ran. */
export function repeatCommand(seed: number, ran: Ran = here()): string {
  return `${SEED_VARIABLE}=${seed} ${program(ran).map(quoted).join(" ")}`;
}

/** Whether vitest runs this program. It sets the variables of Jest as well. */
const isVitest = (env: Ran["env"] = process.env): boolean => env["VITEST"] !== undefined;
export const isJest = (env: Ran["env"] = process.env): boolean => env["JEST_WORKER_ID"] !== undefined && !isVitest(env);

/** What the runners have in their workers' global scope. */
interface RunnerGlobals {
  readonly __vitest_worker__?: { readonly filepath?: string };
  readonly expect?: { readonly getState?: () => { readonly testPath?: string } };
}

function here(): Ran {
  const { __vitest_worker__: worker, expect } = globalThis as RunnerGlobals;
  const testFile = isVitest() ? worker?.filepath : isJest() ? expect?.getState?.().testPath : undefined;
  const { argv, execArgv, execPath, env } = process;
  return { argv, execArgv, execPath, env, folder: process.cwd(), testFile };
}

function program({ argv, execArgv, execPath, env, folder, testFile = "" }: Ran): string[] {
  const [, script = "", ...args] = argv;
  const file = relativeTo(folder, script);
  const tests = relativeTo(folder, testFile);
  // Test runners start a process of their own for a file, with arguments that nobody would type.
  if (isVitest(env)) return runner("npx vitest run", tests, typedFor("vitest", argv));
  if (isJest(env)) return runner("npx jest", tests, typedFor("jest", argv));
  // The Node that npm has installed is not the one that a shell finds.
  const node = execPath.includes("node_modules") ? ["npx", "node"] : ["node"];
  if (env["NODE_TEST_CONTEXT"] !== undefined) return [...node, ...loaders(execArgv), "--test", file];
  return [...node, ...execArgv, file, ...args].filter((part) => part !== "");
}

const relativeTo = (folder: string, file: string): string => (file === "" ? "" : relative(folder, file) || file);

/** The file stands first, because an option such as `--testRegex` takes all words behind it. */
function runner(command: string, file: string, typed: readonly string[]): string[] {
  // The same word behind an option is its value.
  const kept = typed.filter((word, at) => word !== file || typed[at - 1]?.startsWith("-") === true);
  return [...command.split(" "), file, ...kept].filter((part) => part !== "");
}

/** Words by which a runner goes on and on: the command is to end. */
const WATCHING: Readonly<Record<Runner, ReadonlySet<string>>> = {
  jest: new Set(["--watch", "--watchAll"]),
  vitest: new Set(["--watch", "-w"]),
};

function typedFor(name: Runner, argv: readonly string[]): readonly string[] {
  const typed = typedArguments(name, argv);
  const isMode = name === "vitest" && ["run", "watch", "dev"].includes(typed[0] ?? "");
  return typed.slice(isMode ? 1 : 0).filter((word) => !WATCHING[name].has(word));
}

/** Options of Node without which a file of tests may not even load. */
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

/** From now on a failure tells of this exchange as well. `version`: once it has started. */
export function tellAtFailure({ seed, version = origins.get(seed)?.version ?? "?" }: Begun): void {
  origins.set(seed, { seed, version });
  hearFailures();
}

/** Each runner of tests says in another way that one has failed; a plain program ends with a code. */
export function hearFailures(): void {
  if (isVitest()) hearVitest();
  else if (isJest()) hearJest();
  else hearEnd();
}

function tell(): void {
  for (const { seed, version } of origins.values()) {
    // The command is made anew: a worker of vitest may have gone on to another file.
    const line = originLine({ seed, version, repeat: repeatCommand(seed) });
    process.stderr.write(`pricetime lab: failed ${line}\n`);
  }
}

let isHearing = false;

/** Also `node --test`, which gives each file a process. */
function hearEnd(): void {
  if (isHearing) return;
  isHearing = true;
  process.once("exit", (code) => {
    if (code !== 0) tell();
  });
}

interface JestEvent {
  readonly name: string;
  readonly test?: { readonly errors: readonly unknown[] };
}

/** Jest's circus, its usual runner, keeps whom it tells of its events under a symbol that all its copies share. */
function hearJest(): void {
  const handlers = (globalThis as { [name: symbol]: unknown })[Symbol.for("EVENT_HANDLERS")];
  if (isHearing || !Array.isArray(handlers)) return;
  isHearing = true;
  handlers.push(({ name, test }: JestEvent) => {
    if (name === "test_done" && test !== undefined && test.errors.length > 0) tell();
  });
}

/** A test or a suite of vitest. */
interface VitestTask {
  readonly tasks?: readonly VitestTask[];
  readonly file?: VitestTask;
  /** What its `onTestFailed` fills. */
  onFailed?: (() => void)[] | undefined;
}

interface VitestContext {
  readonly onTestFailed: (heard: () => void) => void;
}

interface VitestGlobals {
  readonly __vitest_worker__?: { readonly current?: VitestTask };
  readonly __vitest_index__?: {
    readonly beforeEach: (hook: (context: VitestContext) => void) => void;
  };
}

const heardFiles = new WeakSet<VitestTask>();

/** Hooks can be set while a file is read; later its tests are known, and each is asked to say that it has failed. */
function hearVitest(): void {
  const { __vitest_worker__: worker, __vitest_index__: vitest } = globalThis as VitestGlobals;
  const file = worker?.current?.file;
  if (file === undefined || heardFiles.has(file)) return;
  heardFiles.add(file);
  const tests = testsOf(file);
  if (tests.length === 0) vitest?.beforeEach(({ onTestFailed }) => onTestFailed(tell));
  for (const test of tests) (test.onFailed ??= []).push(tell);
}

const testsOf = (task: VitestTask): VitestTask[] => (task.tasks === undefined ? [task] : task.tasks.flatMap(testsOf));
