/** The commands that stop the venue, a coin or a network, and lift stops. */
import type { Command } from "commander";
import type { Row } from "../session/output.ts";
import { action, escape, said, wholeNumber } from "../session/session.ts";
import type { Terminal } from "../session/terminal.ts";

const COLUMNS = ["scope", "why", "by", "sinceMs", "untilMs"];

export function addStopCommands(program: Command, terminal: Terminal): void {
  const stop = program.command("stop").description("stop all trading, new orders, withdrawals, a coin or a network");
  action(stop.command("list").description("what is stopped now"), terminal, async ({ connection, output }) =>
    output.rows(await connection.call<Row[]>("GET", "/v1/stops"), COLUMNS),
  );
  const set = stop.command("set <scope> <why>");
  set.description("stop it now: trading, placing, withdrawals, coin:BTC or network:ETH");
  set.option("--until <ms>", "milliseconds since 1970 (until it is lifted)", wholeNumber);
  action(set, terminal, async ({ connection, output }, [scope = "", why], { until }) => {
    const body = said({ why, untilMs: until });
    output.one(await connection.call<Row>("PUT", `/v1/stops/${escape(scope)}`, body));
  });
  action(stop.command("lift <scope>").description("go on"), terminal, async ({ connection, output }, [scope = ""]) =>
    output.one(await connection.call<Row>("DELETE", `/v1/stops/${escape(scope)}`)),
  );
}
