/** `lab run`: a bot in any language, in lock step. It is done with an instant when its connections have been idle. */
import { type ChildProcess, spawn } from "node:child_process";
import { basename } from "node:path";
import type { Command } from "commander";
import type { Connection, Environment } from "../session/connection.ts";
import { dataFolder } from "../session/connection.ts";
import { CommandFailed } from "../session/failure.ts";
import { CLOCK } from "./clock-commands.ts";
import { duration } from "./settings.ts";
import { readDemoFile } from "../session/rest.ts";
import { action, escape } from "../session/session.ts";
import type { Terminal } from "../session/terminal.ts";

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
