/** `audit-log`: what operators did. */
import type { Command } from "commander";
import type { Row } from "../session/output.ts";
import { action, said, wholeNumber } from "../session/session.ts";
import type { Terminal } from "../session/terminal.ts";

export function addAuditLog(program: Command, terminal: Terminal): void {
  const log = program.command("audit-log").description("List operator actions, newest first.");
  log.option("--account <account>", "Only actions on this account (number or email address)");
  log.option("--withdrawal <id>", "Only actions on this withdrawal");
  log.option("--before <seq>", "Only actions before this journal entry", wholeNumber);
  log.option("--limit <count>", "Maximum number of rows", wholeNumber, 100);
  action(log, terminal, async ({ connection, output }, _, { account, withdrawal, before, limit, json }) => {
    const query = new URLSearchParams(said({ account, withdrawal, before, limit }) as Record<string, string>);
    const rows = await connection.call<Row[]>("GET", `/v1/audit-log?${query.toString()}`);
    output.rows(json === true ? rows : rows.map(readable), [
      "seq",
      "time",
      "by",
      "type",
      "accountId",
      "outcome",
      "about",
    ]);
  });
}

/** The row with a readable time, and with its details in words. */
function readable({ timeMs, details, ...row }: Row): Row {
  const words = Object.entries(details as Row).filter(
    ([key, value]) => key !== "accountId" && typeof value !== "object",
  );
  const about = words.map(([key, value]) => `${key} ${String(value)}`).join(", ");
  return { ...row, time: new Date(Number(timeMs)).toISOString(), about };
}
