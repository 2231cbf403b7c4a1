/** `pricetime lab run-scenario`: runs a scenario against a bot, prints its result, and writes the report. */
import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { readScenario, type Scenario } from "@pricetime/server/scenarios";
import { keepSymbols, type NodeFlags, openAccount, RunningLab } from "../start/exchange.ts";
import { startInProcess } from "../start/in-process.ts";
import { DEMO_MARKETS } from "@pricetime/server/demo";
import { clockText } from "./course.ts";
import type { Verdict } from "./judge.ts";
import { reportOf } from "./report.ts";
import { pageOf } from "./page.ts";
import { type Played, Run } from "./run.ts";

/** The folder of the scenarios in the package. The trailing slash marks the path as a folder. */
const FOLDER = fileURLToPath(new URL("../../../../examples/scenarios/", import.meta.url));
const ENDS = ".yaml";

/** Returns the path of a scenario file. Throws `RangeError` if it does not exist. */
function findScenario(name: string): string {
  if (existsSync(name)) return name;
  const path = join(FOLDER, `${name}${ENDS}`);
  if (/^[a-z0-9-]+$/.test(name) && existsSync(path)) return path;
  throw new RangeError(`There is no scenario ${name}. Specify a file, or one of ${scenarioNames().join(", ")}.`);
}

/** Returns the names of the scenarios in the package. */
function scenarioNames(): readonly string[] {
  const files = readdirSync(FOLDER).filter((name) => name.endsWith(ENDS));
  return files.map((name) => name.slice(0, -ENDS.length)).sort();
}

/** Warnings are not printed: a scenario causes problems on purpose, and its report lists them. */
const LOG_LEVEL = "error";

/** Starts the lab of a scenario. `repeat` is the command that runs the scenario again. */
async function openLab(scenario: Scenario, repeat: string): Promise<RunningLab> {
  const { seed, symbols, accounts, limits, market, start, timing, clock, latency, agents, replays } = scenario;
  const flags: NodeFlags = {
    // A bot starts while the clock stands still, in every clock mode.
    clock: "manual",
    seed,
    limits,
    bots: market === "bots" ? "on" : "off",
    // With a scaled clock, a bot can find out the current time only by a request, so timestamps are not checked.
    timing: timing ?? (clock.mode === "scaled" ? "off" : "server"),
    ...(start !== undefined && { clockStart: start }),
  };
  const lab = new RunningLab(await startInProcess(flags, LOG_LEVEL), { seed, repeat });
  try {
    if (symbols !== undefined) await keepSymbols(lab.api, symbols);
    const opened = new Map(lab.accounts.map((account) => [account.name, account]));
    for (const wanted of accounts) opened.set(wanted.name, await openAccount(lab.api, wanted, []));
    lab.accounts = [...opened.values()];
    if (latency !== undefined) await lab.latency.set(latency);
    for (const agent of agents) await lab.agents.add(agent);
    for (const replay of replays) await lab.replays.play(replay);
    return lab;
  } catch (error) {
    await lab.stop();
    throw error;
  }
}

export interface PlayOptions {
  /** The path of a scenario file, or the name of a scenario in the package. */
  readonly scenario: string;
  /** The bot's command with its arguments. */
  readonly command: readonly string[];
  /** The seed, which overrides the one in the file. */
  readonly seed?: number;
  /** The folder in which the report is written. */
  readonly report?: string;
  readonly print: (text: string) => void;
  /** Receives the output of the bot as it is written. */
  readonly show: (text: string, isError: boolean) => void;
}

/**
 * Runs a scenario. Resolves to the exit code: 0, or 1 if something failed. If the file is invalid, throws an error that
 * describes the mistake.
 */
export async function play(options: PlayOptions): Promise<number> {
  const { command, print, show } = options;
  const path = findScenario(options.scenario);
  const read = readScenario(path, path === options.scenario ? path : options.scenario, known());
  const scenario = options.seed === undefined ? read : { ...read, seed: options.seed };
  const repeat = repeatOf(scenario, options);
  const lab = await openLab(scenario, repeat).catch((error: Error) => error);
  if (lab instanceof Error) {
    print(`${scenario.name}: FAILED: the lab did not start: ${lab.message.split("\n")[0]}. Repeat with: ${repeat}`);
    return 1;
  }
  const run = new Run({ scenario, lab, command, print, onOutput: show });
  const stop = (): void => run.stop();
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, stop);
  try {
    print(`${scenario.name}: seed ${scenario.seed}, scenario ${shortHash(scenario)}, pricetime ${lab.version}`);
    const played = await run.play();
    const failed = failuresOf(played);
    for (const line of summaryOf(played, failed)) print(line);
    const report = reportOf({ scenario, played, failed, repeat, version: lab.version, command });
    if (options.report !== undefined) writeReport(options.report, report, played.bot.said);
    if (failed.length > 0) print(`${scenario.name}: FAILED. Repeat with: ${repeat}`);
    else print(`${scenario.name}: passed`);
    return failed.length > 0 ? 1 : 0;
  } catch (error) {
    print(`${scenario.name}: FAILED: ${(error as Error).message.split("\n")[0]}. Repeat with: ${repeat}`);
    return 1;
  } finally {
    for (const signal of ["SIGINT", "SIGTERM"] as const) process.off(signal, stop);
    await lab.stop();
  }
}

/** Returns the names of a lab's symbols and assets, which are those of the demo. */
function known(): { readonly symbols: readonly string[]; readonly assets: readonly string[] } {
  const specs = DEMO_MARKETS.map(({ spec }) => spec);
  const assets = new Set(specs.flatMap(({ baseAsset, quoteAsset }) => [baseAsset, quoteAsset]));
  return { symbols: specs.map(({ symbol }) => symbol), assets: [...assets] };
}

/** Marks printed before each assertion. An assertion is open if it was not decided when the scenario ended. */
const MARKS: Readonly<Record<Verdict["state"], string>> = { holds: "ok    ", failed: "FAILED", waiting: "open  " };

/** Returns one line for each failure. */
function failuresOf({ verdicts, failures }: Played): readonly string[] {
  const failed = verdicts.filter(({ state }) => state === "failed");
  return [...failures, ...failed.map(({ kind, name, text }) => `${kind} ${name}: ${text}`)];
}

function summaryOf({ verdicts, startMs, bot }: Played, failed: readonly string[]): readonly string[] {
  const line = ({ kind, name, state, text, atMs, failures }: Verdict): string => {
    const when = atMs === undefined ? "" : ` at ${clockText(atMs - startMs)}`;
    const more = failures > 1 ? `, and ${failures - 1} more times` : "";
    return `${MARKS[state]} ${kind} ${name}: ${text}${when}${more}`;
  };
  const asserted = verdicts.map(line);
  const others = failed.filter((why) => !verdicts.some(({ kind, name }) => why.startsWith(`${kind} ${name}`)));
  const { end } = bot;
  return [
    ...asserted,
    ...others.map((why) => `FAILED ${why}`),
    `The bot exited with ${end.failure ?? end.signal ?? `code ${end.code}`}.`,
  ];
}

function writeReport(folder: string, report: ReturnType<typeof reportOf>, output: string): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "report.json"), `${JSON.stringify(report, null, 2)}\n`);
  writeFileSync(join(folder, "report.html"), pageOf(report));
  writeFileSync(join(folder, "bot.log"), output);
}

const shortHash = ({ hash }: Scenario): string => hash.slice(0, 12);

/** Returns the command for a POSIX shell in the folder where the scenario ran. */
function repeatOf({ seed }: Scenario, { scenario, command }: PlayOptions): string {
  const words = ["pricetime", "lab", "run-scenario", scenario, "--seed", String(seed), "--", ...command];
  return words.map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`)).join(" ");
}
