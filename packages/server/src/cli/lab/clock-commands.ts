/** The commands that hold the clock of a lab. */
import type { Command } from "commander";
import { CLOCK_MODES } from "../../config/lab-schema.ts";
import { CommandFailed } from "../session/failure.ts";
import { duration } from "./settings.ts";
import { moment } from "../session/moment.ts";
import type { Row } from "../session/output.ts";
import { action, said } from "../session/session.ts";
import type { Terminal } from "../session/terminal.ts";

/** The path of the clock's routes. */
export const CLOCK = "/v1/lab/clock";

export function addLabClockCommands(lab: Command, terminal: Terminal): void {
  const clock = lab.command("clock [mode]").description("show the clock, or set it to real, scaled or manual");
  clock.option("--speed <number>", "of a scaled clock", Number);
  clock.option("--at <time>", "leap to this moment: 2026-01-01T00:00:00Z, or milliseconds since 1970", moment);
  action(clock, terminal, async ({ connection, output }, [mode], { speed, at }) => {
    if (mode !== undefined && !CLOCK_MODES.some((one) => one === mode)) {
      throw new CommandFailed(`a clock is ${CLOCK_MODES.join(", ")}, not '${mode}'`);
    }
    if (mode === undefined && (speed ?? at) !== undefined)
      throw new CommandFailed("say the mode as well: clock manual");
    const body = mode === undefined ? undefined : said({ mode, speed, nowMs: at });
    output.one(await connection.call<Row>(body === undefined ? "GET" : "POST", CLOCK, body));
  });
  const advance = lab
    .command("advance [time]")
    .description("advance a manual clock: 250ms, 90s, 15m, 2h, 1d; Ctrl-C ends it on the way");
  advance.option("--to <time>", "to this moment", moment);
  advance.option("--until-fill <symbol>", "until a trade of the symbol");
  advance.option("--until-idle", "until nothing is under way");
  advance.option("--at-most <time>", "give up after so long (1d)", duration);
  action(advance, terminal, async ({ connection, output }, [time], { to, untilFill, untilIdle, atMost }) => {
    const ways = [
      time === undefined ? undefined : { ms: duration(time) },
      to === undefined ? undefined : { toMs: to },
      untilFill === undefined ? undefined : said({ untilEvent: { fill: { symbol: untilFill } }, maxMs: atMost }),
      untilIdle === undefined ? undefined : said({ untilIdle, maxMs: atMost }),
    ].filter((way) => way !== undefined);
    if (ways.length !== 1) throw new CommandFailed("say how far: a time, --to, --until-fill or --until-idle");
    const end = (): void => void connection.call("DELETE", `${CLOCK}/advance`).catch(() => {});
    const stop = terminal.onInterrupt?.(end);
    try {
      output.one(await connection.callPatiently<Row>("POST", `${CLOCK}/advance`, ways[0]));
    } finally {
      stop?.();
    }
  });
}
