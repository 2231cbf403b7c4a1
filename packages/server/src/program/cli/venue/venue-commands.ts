/** The commands for the whole venue: maintenance, dust conversion, dividends, emails. */
import { randomUUID } from "node:crypto";
import { Argument, type Command } from "commander";
import type { Row } from "../session/output.ts";
import { action, escape, readDocument, wholeNumber } from "../session/session.ts";
import type { Terminal } from "../session/terminal.ts";

export function addMaintenance(program: Command, terminal: Terminal): void {
  const maintenance = program.command("maintenance");
  maintenance.description("Show, start or end maintenance: no new orders and no withdrawals.");
  maintenance.addArgument(
    new Argument("[on|off]", "New state; without it, show the current state").choices(["on", "off"]),
  );
  action(maintenance, terminal, async ({ connection, output }, [wanted]) => {
    const shown =
      wanted === undefined
        ? connection.call<Row>("GET", "/v1/maintenance")
        : connection.call<Row>("PUT", "/v1/maintenance", { isOn: wanted === "on" });
    output.one(await shown);
  });
}

export function addDust(program: Command, terminal: Terminal): void {
  action(
    program
      .command("dust [file]")
      .description("Show the dust conversion rules, or replace them by a file (- for stdin)."),
    terminal,
    async ({ connection, output }, [path]) => {
      const shown =
        path === undefined
          ? connection.call<Row>("GET", "/v1/dust-rules")
          : connection.call<Row>("PUT", "/v1/dust-rules", readDocument(path));
      output.one(await shown);
    },
  );
}

export function addDividend(program: Command, terminal: Terminal): void {
  const dividend = program.command("dividend <heldAsset> <paidAsset> <amount>");
  dividend.description("Pay a dividend from the treasury to the holders of an asset, pro rata.");
  dividend.requiredOption("--info <text>", "Description, shown to the holders");
  dividend.option("--reference <text>", "Unique reference: a repeated request with it pays once (default: a new one)");
  action(dividend, terminal, async ({ connection, output }, [heldAsset, paidAsset, amount], options) => {
    const { info, reference = `cli-${randomUUID()}` } = options;
    const body = { heldAsset, paidAsset, amount, info, reference };
    output.one(await connection.call<Row>("POST", "/v1/dividends", body));
  });
}

export function addEmailCommands(program: Command, terminal: Terminal): void {
  const email = program.command("email").description("List, show and resend emails to customers and operators.");
  const all = email.command("list").description("List sent, queued and failed emails, newest first.");
  all.option("--limit <count>", "Maximum number of rows", wholeNumber, 100);
  action(all, terminal, async ({ connection, output }, _, { limit }) =>
    output.rows(await connection.call<Row[]>("GET", `/v1/emails?limit=${String(limit)}`), [
      ...["emailId", "to", "subject", "status", "attempts", "error"],
    ]),
  );
  action(
    email.command("show <email>").description("Show an email with its text."),
    terminal,
    async ({ connection, output }, [id = ""]) =>
      output.one(await connection.call<Row>("GET", `/v1/emails/${escape(id)}`)),
  );
  action(
    email
      .command("resend <email>")
      .description("Resend an email that failed or whose delivery is unknown. It may arrive twice."),
    terminal,
    async ({ connection, output }, [id = ""]) =>
      output.one(await connection.call<Row>("POST", `/v1/emails/${escape(id)}/resend`)),
  );
}
