/** Commands that run a bot or a scenario in a lab, or show the scenario and the events of accounts and symbols. */
import { type ChildProcess, spawn } from "node:child_process";
import { basename } from "node:path";
import { command, localCommand } from "../session/command-row.ts";
import { type Connection, dataFolder, type Environment } from "../session/connection.ts";
import { CommandFailed, type Row } from "../session/terminal.ts";
import { CLOCK } from "./clock.ts";
import { escape, number, span, wordsOf } from "../session/values.ts";
import { readDemoFile, symbolName } from "../session/rest.ts";

// `lab run`: runs a bot, written in any language, in lock step. The bot is considered done with an instant when its
// connections are idle.

const QUIET_MS = 25;
const STEP_MS = 1000;
/** How long another client may delay the next instant. */
const MOMENT_TIMEOUT_MS = 240_000;
/** Characters not allowed in a client's name. */
const NO_NAME = /[^A-Za-z0-9._-]/g;
const MAX_NAME = 64;
const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

interface Bot {
  /** The name under which the clock waits for the bot. */
  readonly name: string;
  readonly quietMs: number;
  readonly stepMs: number;
}

interface RunOptions {
  readonly command: readonly string[];
  readonly quiet?: number;
  readonly step?: number;
  readonly name?: string;
  readonly account?: string;
  readonly data?: string;
}

const RUN = command("run <command...>")
  .text("Run a bot in lock step with the clock: `run -- python3 bot.py`.")
  .option("--quiet <time>", "Idle time of real time after which the bot is done with an instant (default: 25ms)", span)
  .option("--step <time>", "Maximum step of the clock while no message is due (default: 1s)", span)
  .option("--name <name>", "Client name in lock step (default: the command's)")
  .option("--account <name>", "Demo account whose keys the bot receives (default: the first)")
  .runs(async ({ connection, terminal: { environment } }, { command: words, ...options }: RunOptions) => {
    const [program = "", ...args] = words;
    const { quiet = QUIET_MS, step = STEP_MS, name = basename(program), account, data } = options;
    const bot = { name: name.replaceAll(NO_NAME, "-").slice(0, MAX_NAME), quietMs: quiet, stepMs: step };
    const env = { ...environment, ...environmentOf(dataFolder(data, environment), account) };
    await connection.call("POST", `${CLOCK}/clients`, { name: bot.name });
    try {
      await inLockStep(connection, bot, () => spawn(program, args, { stdio: "inherit", env }));
    } finally {
      await connection.call("DELETE", `${CLOCK}/clients/${escape(bot.name)}`);
    }
  });

/**
 * Runs a bot in lock step. Resolves when it has succeeded. Throws `CommandFailed` with the bot's exit code if it fails.
 */
async function inLockStep(connection: Connection, bot: Bot, start: () => ChildProcess): Promise<void> {
  let { nowMs } = await connection.call<{ nowMs: number }>("GET", CLOCK);
  const child = start();
  const { promise: ended, resolve, reject } = Promise.withResolvers<CommandFailed | undefined>();
  child.once("error", reject);
  child.once("exit", (code, signal) => {
    const failure = new CommandFailed(`The bot exited with ${signal ?? `code ${code}`}.`, {}, code ?? 1);
    resolve(code === 0 ? undefined : failure);
  });
  const pass = (signal: NodeJS.Signals): void => void child.kill(signal);
  for (const signal of SIGNALS) process.on(signal, pass);
  const end = new AbortController();
  const lives = async (): Promise<void> => {
    while (!end.signal.aborted) {
      const done = { name: bot.name, quietMs: bot.quietMs, untilMs: nowMs + bot.stepMs };
      ({ nowMs } = await connection.call<{ nowMs: number }>("POST", `${CLOCK}/done`, done, MOMENT_TIMEOUT_MS));
    }
  };
  try {
    const failure = await Promise.race([ended, lives().then(() => ended)]);
    if (failure !== undefined) throw failure;
  } finally {
    end.abort();
    for (const signal of SIGNALS) process.off(signal, pass);
    // The connection to the lab was lost.
    if (child.exitCode === null && child.signalCode === null) child.kill();
  }
}

/** The environment variables of a bot, with the names that the command line and the examples use. */
function environmentOf(folder: string, account: string | undefined): Environment {
  const demo = readDemoFile(folder);
  if (demo === undefined) return {};
  const { rest, ws, accounts } = demo;
  const found = account === undefined ? accounts[0] : accounts.find((one) => one.name === account);
  if (found === undefined) {
    throw new CommandFailed(
      `The demo has no account ${account}. Use one of ${accounts.map((one) => one.name).join(", ")}.`,
    );
  }
  const { apiKey, secretKey } = found;
  return {
    ...{ PRICETIME_REST: rest, PRICETIME_WS: ws, PRICETIME_API_KEY: apiKey, PRICETIME_API_SECRET: secretKey },
    ...{ EXCHANGE: rest, EXCHANGE_WS: ws, API_KEY: apiKey, SECRET_KEY: secretKey },
  };
}

/**
 * The interface of the scenario runner. The runner is in the lab package, which imports the server, so it is loaded by
 * its path.
 */
interface ScenarioRunner {
  readonly play: (options: {
    readonly scenario: string;
    readonly command: readonly string[];
    readonly seed?: number;
    readonly report?: string;
    readonly print: (text: string) => void;
    readonly show: (text: string, isError: boolean) => void;
  }) => Promise<number>;
}

interface ScenarioOptions {
  readonly scenario: string;
  readonly command: readonly string[];
  readonly seed?: number;
  readonly report?: string;
}

const RUN_SCENARIO = localCommand("run-scenario <scenario> <command...>")
  .text("Run a scenario against a bot: `run-scenario flash-crash -- node bot.mjs`. Exits with 0 (passed) or 1.")
  .option("--seed <number>", "Seed (default: the scenario's)", number)
  .option("--report <folder>", "Write report.json, report.html and the bot's output to this folder")
  .runs(async (session, options: ScenarioOptions) => {
    const { terminal } = session;
    const runner = (await import(
      new URL("../../../../../lab/src/play/play.ts", import.meta.url).href
    )) as ScenarioRunner;
    const show = (text: string, isError: boolean): void => {
      if (isError) terminal.complain(text.trimEnd());
      else terminal.print(text.trimEnd());
    };
    try {
      session.exitCode = await runner.play({ ...options, print: terminal.print, show });
    } catch (error) {
      if (error instanceof RangeError || (error as Error).name === "ConfigError") {
        throw new CommandFailed((error as Error).message, { cause: error });
      }
      throw error;
    }
  });

const SCENARIO = command("scenario")
  .text("Show the running scenario and its state.")
  .runs(async ({ connection, output }) => {
    const scenario = await connection.call<Row | null>("GET", "/v1/lab/scenario");
    if (scenario !== null) output.one(scenario);
    else if (output.isJson) output.one({});
    else output.note("No scenario is running.");
  });

const WATCH = "/v1/lab/watch";

interface WatchOptions {
  readonly accounts?: readonly string[];
  readonly symbols?: readonly string[];
  readonly after?: number;
  readonly off?: true;
}

interface Watched {
  readonly records: readonly Row[];
  readonly last: number;
  readonly lost: number;
}

const WATCH_COMMAND = command("watch [accounts...]")
  .text("Watch accounts and symbols; without any, show the recorded events.")
  .option("--symbols <symbols...>", "Watch prices and status of these symbols")
  .option("--after <number>", "Only events after this number (default: 0)", number)
  .option("--off", "Stop watching")
  .runs(async ({ connection, output }, { accounts = [], symbols, after, off }: WatchOptions) => {
    const begins = accounts.length > 0 || symbols !== undefined;
    if ([begins, after !== undefined, off === true].filter(Boolean).length > 1) {
      throw new CommandFailed("Specify only one of: accounts or symbols to watch, --after, or --off.");
    }
    if (off === true) return output.one(await connection.call<Row>("DELETE", WATCH));
    if (begins) {
      const body = { accounts, symbols: (symbols ?? []).map(symbolName) };
      return output.one(await connection.call<Row>("PUT", WATCH, body));
    }
    const { records, last, lost } = await connection.call<Watched>("GET", `${WATCH}?after=${after ?? 0}`);
    output.rows(output.isJson ? records : records.map(rowOf), ["number", "atMs", "kind", "what"]);
    const shown = Number(records.at(-1)?.["number"] ?? last);
    if (shown < last) output.note(`Next page: --after ${shown}`);
    if (lost > 0) output.note(`${lost} older events are no longer stored.`);
  });

function rowOf({ number: at, atMs, seq: _seq, kind, ...what }: Row): Row {
  return { number: at, atMs, kind, what: wordsOf(what) };
}

export const LAB_BOTS = [RUN, RUN_SCENARIO, SCENARIO, WATCH_COMMAND];
