/** `account list`: accounts, without a demo's bots unless they are requested. */
import { BOT_ADDRESSES } from "../../../lab/demo/port.ts";
import type { Command } from "commander";
import type { Connection } from "../session/connection.ts";
import type { Row } from "../session/output.ts";
import { action, wholeNumber } from "../session/session.ts";
import type { Terminal } from "../session/terminal.ts";

const COLUMNS = ["accountId", "email", "name", "makerBps", "takerBps", "canTrade", "canWithdraw", "canDeposit"];
const ROWS_A_CALL = 1000;

export function addAccountList(account: Command, terminal: Terminal): void {
  const all = account.command("list").description("List accounts, without the demo's bots.");
  all.option("--all", "Include the demo's bots");
  all.option("--after <account>", "Continue after this account number", wholeNumber, 0);
  all.option("--limit <count>", "Maximum number of rows", wholeNumber, 100);
  action(all, terminal, async ({ connection, output }, _, { after, limit, all: withBots }) => {
    const { rows, hidden } = await listAccounts(connection, Number(after), Number(limit), withBots === true);
    output.rows(rows, COLUMNS);
    if (hidden > 0) output.note(`\n${hidden} bots of the demo are not shown. Use --all to include them.`);
  });
}

/** Accounts whose email addresses differ only in letter case: an operator decides which address changes. */
export function addSharedEmails(account: Command, terminal: Terminal): void {
  const shared = account.command("shared-emails");
  shared.description("List accounts whose email addresses differ only in letter case. Change one of each.");
  action(shared, terminal, async ({ connection, output }) => {
    const columns = ["sharedEmail", "accountId", "email", "name", "hasPassword"];
    output.rows(await connection.call<Row[]>("GET", "/v1/shared-emails"), columns);
  });
}

async function listAccounts(
  connection: Connection,
  after: number,
  limit: number,
  withBots: boolean,
): Promise<{ rows: Row[]; hidden: number }> {
  const rows: Row[] = [];
  let hidden = 0;
  for (let last = after; rows.length < limit; ) {
    const asked = withBots ? Math.min(limit - rows.length, ROWS_A_CALL) : ROWS_A_CALL;
    const page = await connection.call<Row[]>("GET", `/v1/accounts?after=${last}&limit=${asked}`);
    for (const row of page) {
      if (rows.length === limit) break;
      if (!withBots && String(row["email"]).endsWith(BOT_ADDRESSES)) hidden++;
      else rows.push(row);
    }
    if (page.length < asked) break;
    last = Number(page.at(-1)?.["accountId"]);
  }
  return { rows, hidden };
}
