/** The commands for withdrawals that wait for an operator's decision. */
import type { Command } from "commander";
import type { Row } from "../session/output.ts";
import { action, escape } from "../session/session.ts";
import type { Terminal } from "../session/terminal.ts";

const COLUMNS = [
  "withdrawalId",
  "accountId",
  "asset",
  "amount",
  "fee",
  "network",
  "address",
  "tag",
  "status",
  "txId",
  "by",
];

/** Each decision's verb, the field that it needs, and what it does. */
const STEPS: readonly (readonly [verb: string, field: string | undefined, what: string])[] = [
  ["approve", undefined, "it is paid"],
  ["reject", "why", "it is not paid, and its money is free again"],
  ["cancel", undefined, "for the customer, before it is approved"],
  ["raise-fee", undefined, "its payment is stuck: sign it again for a higher fee"],
  ["fail", "why", "it can never arrive: its money is free again"],
  ["done", "txId", "on a manual network: it was paid by this transaction"],
];

export function addWithdrawalCommands(program: Command, terminal: Terminal): void {
  const withdrawal = program.command("withdrawal").description("withdrawals that are open");
  action(withdrawal.command("list").description("all that are not over"), terminal, async ({ connection, output }) =>
    output.rows(await connection.call<Row[]>("GET", "/v1/withdrawals"), COLUMNS),
  );
  action(
    withdrawal.command("show <id>").description("one of them, whole"),
    terminal,
    async ({ connection, output }, [id = ""]) =>
      output.one(await connection.call<Row>("GET", `/v1/withdrawals/${escape(id)}`)),
  );
  for (const [verb, field, what] of STEPS) {
    const words = field === undefined ? `${verb} <id>` : `${verb} <id> <${field}>`;
    action(withdrawal.command(words).description(what), terminal, async ({ connection, output }, [id = "", value]) => {
      const body = field === undefined ? undefined : { [field]: value };
      output.one(await connection.call<Row>("POST", `/v1/withdrawals/${escape(id)}/${verb}`, body));
    });
  }
}
