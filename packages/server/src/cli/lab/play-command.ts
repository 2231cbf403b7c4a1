/** The command that plays a scenario. */
import type { Command } from "commander";
import { CommandFailed } from "../session/failure.ts";
import { wholeNumber } from "../session/session.ts";
import type { Terminal } from "../session/terminal.ts";

/** The player's interface. The player is in the package for tests, which imports the server; here it has a path only. */
interface Player {
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
export function addLabPlayCommand(lab: Command, terminal: Terminal, end: (code: number) => void): void {
  lab
    .command("play <scenario> <command...>")
    .description("play a scenario against a bot: play flash-crash -- node bot.mjs; ends with 0 or 1")
    .option("--seed <number>", "in place of the scenario's", wholeNumber)
    .option("--report <folder>", "write report.json, report.html and what the bot said")
    .action(async (scenario: string, command: readonly string[], options: { seed?: number; report?: string }) => {
      const player = (await import(new URL("../../../../lab/src/play/play.ts", import.meta.url).href)) as Player;
      const show = (text: string, isError: boolean): void => {
        if (isError) terminal.complain(text.trimEnd());
        else terminal.print(text.trimEnd());
      };
      try {
        end(await player.play({ scenario, command, ...options, print: terminal.print, show }));
      } catch (error) {
        if (error instanceof RangeError || (error as Error).name === "ConfigError") {
          throw new CommandFailed((error as Error).message, { cause: error });
        }
        throw error;
      }
    });
}
