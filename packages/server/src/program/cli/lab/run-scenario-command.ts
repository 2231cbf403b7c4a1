/** The command that runs a scenario. */
import type { Command } from "commander";
import { CommandFailed } from "../session/failure.ts";
import { wholeNumber } from "../session/session.ts";
import type { Terminal } from "../session/terminal.ts";

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
