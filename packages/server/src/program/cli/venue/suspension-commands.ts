/** The commands that suspend trading or withdrawals of the venue, an asset or a network, and lift suspensions. */
import type { Command } from "commander";
import type { Row } from "../session/output.ts";
import { moment } from "../session/moment.ts";
import { action, escape, said } from "../session/session.ts";
import type { Terminal } from "../session/terminal.ts";

const COLUMNS = ["scope", "why", "by", "sinceMs", "untilMs"];

const SCOPE =
  "trading; placing (new orders; cancels are accepted); withdrawals (of all assets); asset:BTC (withdrawals and " +
  "crediting of deposits of one asset; its trading continues); network:ETH (the same for all assets on one network)";

export function addSuspensionCommands(program: Command, terminal: Terminal): void {
  const suspension = program.command("suspension");
  suspension.description(
    "Suspend and resume trading, new orders, or withdrawals of all assets, one asset or one network.",
  );
  const list = suspension.command("list").description("List current suspensions.");
  action(list, terminal, async ({ connection, output }) =>
    output.rows(await connection.call<Row[]>("GET", "/v1/suspensions"), COLUMNS),
  );
  const set = suspension
    .command("set")
    .description("Suspend trading, new orders or withdrawals. Repeat it to change the reason or the end.");
  set.argument("<scope>", SCOPE).argument("<why>", "Reason, shown to operators");
  set.option("--until <time>", "End: ISO 8601, or milliseconds since 1970 (default: until it is lifted)", moment);
  action(set, terminal, async ({ connection, output }, [scope = "", why], { until }) => {
    const body = said({ why, untilMs: until });
    output.one(await connection.call<Row>("PUT", `/v1/suspensions/${escape(scope)}`, body));
  });
  const lift = suspension.command("lift").argument("<scope>", SCOPE).description("Lift a suspension.");
  action(lift, terminal, async ({ connection, output }, [scope = ""]) =>
    output.one(await connection.call<Row>("DELETE", `/v1/suspensions/${escape(scope)}`)),
  );
}
