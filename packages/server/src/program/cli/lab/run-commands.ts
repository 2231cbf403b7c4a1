/** The commands that run a bot or a scenario in a lab, and show the scenario and the events of accounts and symbols. */
import { type ChildProcess, spawn } from "node:child_process";
import { basename } from "node:path";
import type { Command } from "commander";
import { type Connection, dataFolder, type Environment } from "../session/connection.ts";
import { CommandFailed, type Row, type Terminal } from "../session/terminal.ts";
import { CLOCK } from "./clock-commands.ts";
import { action, duration, escape, wholeNumber, wordsOf } from "../session/session.ts";
import { readDemoFile, symbolName } from "../session/rest.ts";

// `lab run`: a bot in any language, in lock step. It is done with a moment when its connections have been idle.

const QUIET_MS = 25;
const STEP_MS = 1000;
/** Another client may delay the next instant for this long. */
const MOMENT_TIMEOUT_MS = 240_000;
/** Characters that a client's name must not contain. */
const NO_NAME = /[^A-Za-z0-9._-]/g;
const MAX_NAME = 64;
const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

interface Bot {
  /** The name under which the clock waits for the bot. */
  readonly name: string;
  readonly quietMs: number;
  readonly stepMs: number;
}

export function addLabRunCommand(lab: Command, terminal: Terminal): void {
  const run = lab
    .command("run <command...>")
    .description("Run a bot in lock step with the clock: `run -- python3 bot.py`.");
  run.option(
    "--quiet <time>",
    "Idle time of real time after which the bot is done with an instant (default: 25ms)",
    duration,
  );
  run.option("--step <time>", "Maximum step of the clock while no message is due (default: 1s)", duration);
  run.option("--name <name>", "Client name in lock step (default: the command's)");
  run.option("--account <name>", "Demo account whose keys the bot receives (default: the first)");
  action(run, terminal, async ({ connection }, [words], options) => {
    const [command = "", ...args] = words as unknown as string[];
    const { quiet, step, name, account, data } = options as Readonly<Record<string, string | undefined>>;
    const bot = {
      name: (name ?? basename(command)).replaceAll(NO_NAME, "-").slice(0, MAX_NAME),
      quietMs: Number(quiet ?? QUIET_MS),
      stepMs: Number(step ?? STEP_MS),
    };
    const env = { ...terminal.environment, ...environmentOf(dataFolder(data, terminal.environment), account) };
    await connection.call("POST", `${CLOCK}/clients`, { name: bot.name });
    try {
      await inLockStep(connection, bot, () => spawn(command, args, { stdio: "inherit", env }));
    } finally {
      await connection.call("DELETE", `${CLOCK}/clients/${escape(bot.name)}`);
    }
  });
}

/** Resolves when the bot has ended well. Throws `CommandFailed` with its exit code when it has not. */
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
    // The lab is gone.
    if (child.exitCode === null && child.signalCode === null) child.kill();
  }
}

/** The environment by which a bot finds the exchange, with the names that the command line and the examples use. */
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

/** The interface of the scenario runner in the lab package, which imports the server and is therefore loaded by its path. */
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

/** `end` is given the exit code. */
export function addLabRunScenario(lab: Command, terminal: Terminal, end: (code: number) => void): void {
  lab
    .command("run-scenario <scenario> <command...>")
    .description(
      "Run a scenario against a bot: `run-scenario flash-crash -- node bot.mjs`. Exits with 0 (passed) or 1.",
    )
    .option("--seed <number>", "Seed (default: the scenario's)", wholeNumber)
    .option("--report <folder>", "Write report.json, report.html and the bot's output to this folder")
    .action(async (scenario: string, command: readonly string[], options: { seed?: number; report?: string }) => {
      const runner = (await import(
        new URL("../../../../../lab/src/play/play.ts", import.meta.url).href
      )) as ScenarioRunner;
      const show = (text: string, isError: boolean): void => {
        if (isError) terminal.complain(text.trimEnd());
        else terminal.print(text.trimEnd());
      };
      try {
        end(await runner.play({ scenario, command, ...options, print: terminal.print, show }));
      } catch (error) {
        if (error instanceof RangeError || (error as Error).name === "ConfigError") {
          throw new CommandFailed((error as Error).message, { cause: error });
        }
        throw error;
      }
    });
}

export function addLabScenarioCommand(lab: Command, terminal: Terminal): void {
  const scenario = lab.command("scenario").description("Show the running scenario and its state.");
  action(scenario, terminal, async ({ connection, output }) => {
    const told = await connection.call<Row | null>("GET", "/v1/lab/scenario");
    if (told === null) {
      if (output.isJson) output.one({});
      else output.note("No scenario is running.");
      return;
    }
    output.one(told);
  });
}

const WATCH = "/v1/lab/watch";

interface Watched {
  readonly records: readonly Row[];
  readonly last: number;
  readonly lost: number;
}

export function addLabWatchCommand(lab: Command, terminal: Terminal): void {
  const watch = lab.command("watch [accounts...]");
  watch.description("Watch accounts and symbols; without any, show the recorded events.");
  watch.option("--symbols <symbols...>", "Watch prices and status of these symbols");
  watch.option("--after <number>", "Only events after this number (default: 0)", wholeNumber);
  watch.option("--off", "Stop watching");
  action(watch, terminal, async ({ connection, output }, [names = []], { symbols, after, off }) => {
    const accounts = names as unknown as readonly string[];
    const begins = accounts.length > 0 || symbols !== undefined;
    if ([begins, after !== undefined, off === true].filter(Boolean).length > 1) {
      throw new CommandFailed("Specify only one of: accounts or symbols to watch, --after, or --off.");
    }
    if (off === true) return output.one(await connection.call<Row>("DELETE", WATCH));
    if (begins) {
      const named = ((symbols ?? []) as readonly string[]).map(symbolName);
      return output.one(await connection.call<Row>("PUT", WATCH, { accounts, symbols: named }));
    }
    const { records, last, lost } = await connection.call<Watched>("GET", `${WATCH}?after=${String(after ?? 0)}`);
    output.rows(output.isJson ? records : records.map(rowOf), ["number", "atMs", "kind", "what"]);
    const shown = Number(records.at(-1)?.["number"] ?? last);
    if (shown < last) output.note(`Next page: --after ${shown}`);
    if (lost > 0) output.note(`${lost} older events are no longer stored.`);
  });
}

function rowOf({ number, atMs, seq: _seq, kind, ...what }: Row): Row {
  return { number, atMs, kind, what: wordsOf(what) };
}
