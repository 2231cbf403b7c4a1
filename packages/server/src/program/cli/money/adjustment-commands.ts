/** The commands for adjustments: transfers between a customer and a house account, which need dual approval. */
import { ADJUSTMENT_CATEGORIES, HOUSE_ACCOUNTS } from "@pricetime/engine";
import { Argument, type Command, Option } from "commander";
import type { Row } from "../session/output.ts";
import { action, escape, said } from "../session/session.ts";
import type { Terminal } from "../session/terminal.ts";

const COLUMNS = ["seq", "timeMs", "accountId", "asset", "amount", "house", "category", "why", "reference", "by"];

export function addAdjustmentCommands(program: Command, terminal: Terminal): void {
  const adjustment = program
    .command("adjustment")
    .description("List and request balance adjustments, which need a second operator's approval.");
  action(
    adjustment.command("list [account]").description("List adjustments of one account or of all, newest first."),
    terminal,
    async ({ connection, output }, [name]) => {
      const query = name === undefined ? "" : `?account=${escape(name)}`;
      output.rows(await connection.call<Row[]>("GET", `/v1/adjustments${query}`), COLUMNS);
    },
  );
  const request = adjustment.command("request <account>");
  request.description("Request an adjustment. It is booked when another operator approves the request.");
  request.addArgument(
    new Argument("<direction>", "Credit the customer, or debit the customer").choices(["credit", "debit"]),
  );
  request.argument("<asset>").argument("<amount>");
  request.requiredOption("--why <text>", "Reason, in one sentence");
  request.requiredOption("--reference <text>", "Unique reference: a repeated request with it moves no more funds");
  request.addOption(
    new Option("--house <account>", "House account on the other side").choices([...HOUSE_ACCOUNTS]).default("treasury"),
  );
  request.addOption(
    new Option("--category <category>", "Kind of adjustment").choices([...ADJUSTMENT_CATEGORIES]).default("correction"),
  );
  action(request, terminal, async ({ connection, output }, [name = "", direction, asset, amount], options) => {
    const { why, reference, house, category } = options;
    const body = said({ direction, asset, amount, why, reference, house, category });
    output.one(await connection.call<Row>("POST", `/v1/accounts/${escape(name)}/adjustments`, body));
  });
}
