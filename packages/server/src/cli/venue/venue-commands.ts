/** The commands that concern the whole venue: maintenance, dust, dividends, mails. */
import { randomUUID } from "node:crypto";
import { Argument, type Command } from "commander";
import type { Row } from "../session/output.ts";
import { action, escape, readDocument, wholeNumber } from "../session/session.ts";
import type { Terminal } from "../session/terminal.ts";

export function addVenueCommands(program: Command, terminal: Terminal): void {
  const maintenance = program.command("maintenance").description("nobody places orders or withdraws; show, on or off");
  maintenance.addArgument(new Argument("[on|off]").choices(["on", "off"]));
  action(maintenance, terminal, async ({ connection, output }, [wanted]) => {
    const shown =
      wanted === undefined
        ? connection.call<Row>("GET", "/v1/maintenance")
        : connection.call<Row>("PUT", "/v1/maintenance", { isOn: wanted === "on" });
    output.one(await shown);
  });
  action(
    program.command("dust [file]").description("the rules of dust conversion: show, or replace by a file (-: stdin)"),
    terminal,
    async ({ connection, output }, [path]) => {
      const shown =
        path === undefined
          ? connection.call<Row>("GET", "/v1/dust-rules")
          : connection.call<Row>("PUT", "/v1/dust-rules", readDocument(path));
      output.one(await shown);
    },
  );
  const dividend = program.command("dividend <heldAsset> <paidAsset> <amount>");
  dividend.description("pay the holders of an asset out of the treasury, pro rata");
  dividend.requiredOption("--info <text>", "what the holders are told");
  dividend.option("--reference <text>", "pays once, however often it is sent (a new one)");
  action(dividend, terminal, async ({ connection, output }, [heldAsset, paidAsset, amount], options) => {
    const { info, reference = `cli-${randomUUID()}` } = options;
    const body = { heldAsset, paidAsset, amount, info, reference };
    output.one(await connection.call<Row>("POST", "/v1/dividends", body));
  });
}

export function addMailCommands(program: Command, terminal: Terminal): void {
  const mail = program.command("mail").description("mails to customers: the outbox, and what could not be sent");
  const all = mail.command("list").description("the newest first");
  all.option("--limit <count>", "at most so many", wholeNumber, 100);
  action(all, terminal, async ({ connection, output }, _, { limit }) =>
    output.rows(await connection.call<Row[]>("GET", `/v1/mails?limit=${String(limit)}`), [
      ...["mailId", "to", "subject", "status", "attempts", "trouble"],
    ]),
  );
  action(
    mail.command("show <mail>").description("one of them, with its text"),
    terminal,
    async ({ connection, output }, [id = ""]) =>
      output.one(await connection.call<Row>("GET", `/v1/mails/${escape(id)}`)),
  );
  action(
    mail.command("send <mail>").description("again, one that failed or that nobody knows of: it may arrive twice"),
    terminal,
    async ({ connection, output }, [id = ""]) =>
      output.one(await connection.call<Row>("POST", `/v1/mails/${escape(id)}/send`)),
  );
}
