/** The commands for withdrawal limits over 24 and 72 hours: of assets, and of single accounts. */
import type { Command } from "commander";
import type { Row } from "../session/output.ts";
import { action, escape, type Options } from "../session/session.ts";
import type { Terminal } from "../session/terminal.ts";

type Limits = Readonly<Record<string, string>>;

export function addWithdrawalLimitCommands(program: Command, terminal: Terminal): void {
  const limit = program.command("withdrawal-limit");
  limit.description("Show and set withdrawal limits over 24 and 72 hours.");
  addList(limit, terminal);
  addSet(limit, terminal);
  addSetAccount(limit, terminal);
  const reset = limit.command("reset-account <account> <asset>");
  reset.description("Remove an account's own limits. The asset's limits apply again.");
  action(reset, terminal, async ({ connection, output }, [account = "", asset = ""]) =>
    output.one(await connection.call<Row>("DELETE", accountPath(account, asset))),
  );
}

function accountPath(account: string, asset: string): string {
  return `/v1/accounts/${escape(account)}/withdrawal-limits/${escape(asset)}`;
}

function addList(limit: Command, terminal: Terminal): void {
  const list = limit
    .command("list")
    .description("List the limits that all customers share, with the amounts used and left.");
  list.option("--account <account>", "Show one account instead (number or email address)");
  action(list, terminal, async ({ connection, output }, _, { account }) => {
    const ofAccount = account === undefined ? "" : `/accounts/${escape(String(account))}`;
    const rows = await connection.call<Row[]>("GET", `/v1${ofAccount}/withdrawal-limits`);
    output.rows(rows, Object.keys(rows[0] ?? { asset: "" }));
  });
}

function addSet(limit: Command, terminal: Terminal): void {
  const set = limit.command("set <asset>");
  set.description("Set an asset's limits; omitted ones stay. Withdrawals above a limit need approval.");
  set.option("--account-24h <amount>", "Limit over 24 hours of each account with its sub-accounts, or none");
  set.option("--account-72h <amount>", "The same over 72 hours");
  set.option(
    "--all-24h <amount>",
    "Limit over 24 hours of all customers together (a budget of the hot wallet), or none",
  );
  set.option("--all-72h <amount>", "The same over 72 hours");
  action(set, terminal, async ({ connection, output }, [asset = ""], options) => {
    const path = `/v1/assets/${escape(asset)}`;
    const { withdrawalLimits = {} } = await connection.call<{ withdrawalLimits?: Record<string, Limits> }>("GET", path);
    const body = {
      account: changed(withdrawalLimits["account"], options["account24h"], options["account72h"]),
      allCustomers: changed(withdrawalLimits["allCustomers"], options["all24h"], options["all72h"]),
    };
    output.one(await connection.call<Row>("PUT", `${path}/withdrawal-limits`, body));
  });
}

function addSetAccount(limit: Command, terminal: Terminal): void {
  const set = limit.command("set-account <account> <asset>");
  set.description("Set limits of one account, in place of the asset's limits.");
  set.option("--per-24h <amount>", "Limit over 24 hours (default: no limit)");
  set.option("--per-72h <amount>", "Limit over 72 hours (default: no limit)");
  action(set, terminal, async ({ connection, output }, [account = "", asset = ""], options) => {
    const body = changed({}, options["per24h"], options["per72h"]);
    output.one(await connection.call<Row>("PUT", accountPath(account, asset), body));
  });
}

/** The limits with those that were named: an amount, or `none`. */
function changed(limits: Limits = {}, per24h: Options[string], per72h: Options[string]): Limits {
  const named = Object.entries({ per24h, per72h }).filter(([, limit]) => limit !== undefined);
  const all = { ...limits, ...Object.fromEntries(named) } as Limits;
  return Object.fromEntries(Object.entries(all).filter(([, limit]) => limit !== "none"));
}
