/** The commands by which an operator ends open orders, or delists a symbol. */
import { Argument, type Command } from "commander";
import { moment } from "../session/moment.ts";
import type { Row } from "../session/output.ts";
import { action, escape, said } from "../session/session.ts";
import type { Terminal } from "../session/terminal.ts";

const ENDED_COLUMNS = ["orderId", "symbol", "side", "type", "price", "quantity", "executed"];

export function addAccountOrderEnds(account: Command, terminal: Terminal): void {
  const all = account.command("end-orders <account> <why>");
  all.description("End all open orders of an account, whatever the status of the symbols.");
  all.option("--symbol <symbol>", "Only orders on this symbol");
  action(all, terminal, async ({ connection, output }, [name = "", why], { symbol }) => {
    const path = `/v1/accounts/${escape(name)}/open-orders/end`;
    output.one(await connection.call<Row>("POST", path, said({ why, symbol })));
  });
  action(
    account
      .command("end-order <order> <why>")
      .description("End one open order by its ID, with the order list that it belongs to."),
    terminal,
    async ({ connection, output }, [order = "", why]) => {
      const { ended } = await connection.call<Row>("POST", `/v1/orders/${escape(order)}/end`, { why });
      output.rows(ended as Row[], ENDED_COLUMNS);
    },
  );
}

export function addSymbolEnds(symbol: Command, terminal: Terminal): void {
  action(
    symbol.command("end-orders <symbol> <why>").description("End all open orders of a halted symbol, in steps."),
    terminal,
    async ({ connection, output }, [name = "", why]) =>
      output.one(await connection.call<Row>("POST", `/v1/symbols/${escape(name)}/open-orders/end`, { why })),
  );
  const delist = symbol.command("delist <symbol>");
  delist.description("Schedule the delisting of a symbol, or move it to another time.");
  delist.addArgument(
    new Argument("<time>", "Time of the delisting: ISO 8601, or milliseconds since 1970").argParser(moment),
  );
  delist.argument("<why>");
  action(delist, terminal, async ({ connection, output }, [name = "", atMs, why]) =>
    output.one(await connection.call<Row>("PUT", `/v1/symbols/${escape(name)}/delisting`, { atMs, why })),
  );
  action(
    symbol.command("withdraw-delisting <symbol> <why>").description("Cancel a scheduled delisting."),
    terminal,
    async ({ connection, output }, [name = "", why]) =>
      output.one(await connection.call<Row>("POST", `/v1/symbols/${escape(name)}/delisting/withdraw`, { why })),
  );
}
