/** The command that runs a test once more with the same seed. */
import { relative } from "node:path";
import { type Runner, typedArguments } from "./typed-arguments.ts";

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
export const isVitest = (env: Ran["env"] = process.env): boolean => env["VITEST"] !== undefined;
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
