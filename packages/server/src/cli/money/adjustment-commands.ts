/** The commands for adjustments: money between a customer and an account of the venue, by two persons. */
import { ADJUSTMENT_CATEGORIES, HOUSE_ACCOUNTS } from "@pricetime/engine";
import { Argument, type Command, Option } from "commander";
import type { Row } from "../session/output.ts";
import { action, escape, said } from "../session/session.ts";
import type { Terminal } from "../session/terminal.ts";

const COLUMNS = ["seq", "timeMs", "accountId", "asset", "amount", "house", "category", "why", "reference", "by"];

export function addAdjustmentCommands(program: Command, terminal: Terminal): void {
  const adjustment = program.command("adjustment").description("corrections of balances, each by two persons");
  action(
    adjustment.command("list [account]").description("of an account, or all; newest first"),
    terminal,
    async ({ connection, output }, [name]) => {
      const query = name === undefined ? "" : `?account=${escape(name)}`;
      output.rows(await connection.call<Row[]>("GET", `/v1/adjustments${query}`), COLUMNS);
    },
  );
  const propose = adjustment.command("propose <account>");
  propose.description("propose one; it is carried out when another operator approves the proposal");
  propose.addArgument(new Argument("<direction>", "credit: to the customer").choices(["credit", "debit"]));
  propose.argument("<asset>").argument("<amount>");
  propose.requiredOption("--why <text>", "the reason, in a sentence");
  propose.requiredOption("--reference <text>", "moves money once");
  propose.addOption(
    new Option("--house <account>", "the venue's account on the other side")
      .choices([...HOUSE_ACCOUNTS])
      .default("treasury"),
  );
  propose.addOption(
    new Option("--category <word>", "what kind of correction")
      .choices([...ADJUSTMENT_CATEGORIES])
      .default("correction"),
  );
  action(propose, terminal, async ({ connection, output }, [name = "", direction, asset, amount], options) => {
    const { why, reference, house, category } = options;
    const body = said({ direction, asset, amount, why, reference, house, category });
    output.one(await connection.call<Row>("POST", `/v1/accounts/${escape(name)}/adjustments`, body));
  });
}
