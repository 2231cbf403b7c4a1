/** The commands by which an operator ends open orders, and delists a symbol. */
import { Argument, type Command } from "commander";
import { moment } from "../session/moment.ts";
import type { Row } from "../session/output.ts";
import { action, escape, said } from "../session/session.ts";
import type { Terminal } from "../session/terminal.ts";

const ENDED_COLUMNS = ["orderId", "symbol", "side", "type", "price", "quantity", "executed"];

export function addAccountOrderEnds(account: Command, terminal: Terminal): void {
  const all = account.command("end-orders <account> <why>");
  all.description("end all its open orders at once, whatever the status of the symbols");
  all.option("--symbol <symbol>", "those of one symbol only");
  action(all, terminal, async ({ connection, output }, [name = "", why], { symbol }) => {
    const path = `/v1/accounts/${escape(name)}/open-orders/end`;
    output.one(await connection.call<Row>("POST", path, said({ why, symbol })));
  });
  action(
    account.command("end-order <order> <why>").description("end one open order by its id, with the list it belongs to"),
    terminal,
    async ({ connection, output }, [order = "", why]) => {
      const { ended } = await connection.call<Row>("POST", `/v1/orders/${escape(order)}/end`, { why });
      output.rows(ended as Row[], ENDED_COLUMNS);
    },
  );
}

export function addSymbolEnds(symbol: Command, terminal: Terminal): void {
  action(
    symbol.command("end-orders <symbol> <why>").description("end all open orders of a symbol that is halted, in steps"),
    terminal,
    async ({ connection, output }, [name = "", why]) =>
      output.one(await connection.call<Row>("POST", `/v1/symbols/${escape(name)}/open-orders/end`, { why })),
  );
  const delist = symbol.command("delist <symbol>");
  delist.description("announce when a symbol stops trading for good; again with another time moves it");
  delist.addArgument(new Argument("<time>", "ISO 8601, or milliseconds since 1970").argParser(moment));
  delist.argument("<why>");
  action(delist, terminal, async ({ connection, output }, [name = "", atMs, why]) =>
    output.one(await connection.call<Row>("PUT", `/v1/symbols/${escape(name)}/delisting`, { atMs, why })),
  );
  action(
    symbol.command("withdraw-delisting <symbol> <why>").description("take back an announced delisting"),
    terminal,
    async ({ connection, output }, [name = "", why]) =>
      output.one(await connection.call<Row>("POST", `/v1/symbols/${escape(name)}/delisting/withdraw`, { why })),
  );
}
