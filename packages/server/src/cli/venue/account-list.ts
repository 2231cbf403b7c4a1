/** `account list`: people's accounts; a demo's bots when they are asked for. */
import { BOT_ADDRESSES } from "../../demo/port.ts";
import type { Command } from "commander";
import type { Connection } from "../session/connection.ts";
import type { Row } from "../session/output.ts";
import { action, wholeNumber } from "../session/session.ts";
import type { Terminal } from "../session/terminal.ts";

const COLUMNS = ["accountId", "email", "name", "makerBps", "takerBps", "canTrade", "canWithdraw", "canDeposit"];
const ROWS_A_CALL = 1000;

export function addAccountList(account: Command, terminal: Terminal): void {
  const all = account.command("list").description("list accounts, without the demo's bots");
  all.option("--all", "the demo's bots, too");
  all.option("--after <account>", "from the one after this number", wholeNumber, 0);
  all.option("--limit <count>", "at most so many", wholeNumber, 100);
  action(all, terminal, async ({ connection, output }, _, { after, limit, all: withBots }) => {
    const { rows, hidden } = await listAccounts(connection, Number(after), Number(limit), withBots === true);
    output.rows(rows, COLUMNS);
    if (hidden > 0) output.note(`\nand ${hidden} of the demo's bots, which --all shows`);
  });
}

/** Accounts whose addresses differ in upper and lower case alone: an operator decides which one is moved. */
export function addSharedEmails(account: Command, terminal: Terminal): void {
  const shared = account.command("shared-emails");
  shared.description("accounts whose email addresses differ in upper and lower case alone: change one of each");
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
