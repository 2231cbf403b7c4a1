/**
 * The commands for the whole venue: maintenance, suspensions, ends of open orders, delisting, dust conversion,
 * dividends, emails.
 */
import { randomUUID } from "node:crypto";
import { Argument, type Command } from "commander";
import type { Row, Terminal } from "../session/terminal.ts";
import { action, escape, momentOf, readDocument, said, wholeNumber } from "../session/session.ts";

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

// Suspensions of trading or withdrawals of the venue, an asset or a network.

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
  set.option("--until <time>", "End: ISO 8601, or milliseconds since 1970 (default: until it is lifted)", momentOf);
  action(set, terminal, async ({ connection, output }, [scope = "", why], { until }) => {
    const body = said({ why, untilMs: until });
    output.one(await connection.call<Row>("PUT", `/v1/suspensions/${escape(scope)}`, body));
  });
  const lift = suspension.command("lift").argument("<scope>", SCOPE).description("Lift a suspension.");
  action(lift, terminal, async ({ connection, output }, [scope = ""]) =>
    output.one(await connection.call<Row>("DELETE", `/v1/suspensions/${escape(scope)}`)),
  );
}

// An operator ends open orders, or delists a symbol.

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
    new Argument("<time>", "Time of the delisting: ISO 8601, or milliseconds since 1970").argParser(momentOf),
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
