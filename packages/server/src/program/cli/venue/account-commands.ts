/** The commands for single accounts: the list of accounts, notes on them, and their protection. */
import { BOT_ADDRESSES } from "../../../lab/demo/port.ts";
import type { Command } from "commander";
import type { Connection } from "../session/connection.ts";
import type { Row, Terminal } from "../session/terminal.ts";
import { action, escape, list, onOff, said, wholeNumber } from "../session/session.ts";

// `account list`: accounts, without a demo's bots unless they are requested.

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

// Notes on accounts, which operators write for each other.

export function addAccountNotes(account: Command, terminal: Terminal): void {
  const note = account.command("note <account> <text>").description("Add a note to an account. Only operators see it.");
  action(note, terminal, async ({ connection, output }, [name = "", text]) =>
    output.one(await connection.call<Row>("POST", `/v1/accounts/${escape(name)}/notes`, { text })),
  );
  const notes = account.command("notes <account>").description("List the notes on an account, newest first.");
  action(notes, terminal, async ({ connection, output }, [name = ""]) =>
    output.rows(await connection.call<Row[]>("GET", `/v1/accounts/${escape(name)}/notes`), ["timeMs", "by", "text"]),
  );
}

// Two-factor authentication, address allowlist, status, and API trading locks.

export function addAccountSafety(account: Command, terminal: Terminal): void {
  addTotp(account, terminal);
  addAddresses(account, terminal);
  addStatus(account, terminal);
}

function addTotp(account: Command, terminal: Terminal): void {
  const command = account
    .command("two-factor <account>")
    .description("Set up two-factor authentication. The secret is shown only once.");
  command.option("--remove", "Turn off two-factor authentication");
  action(command, terminal, async ({ connection, output }, [name = ""], { remove }) => {
    const method = remove === true ? "DELETE" : "POST";
    output.one(await connection.call<Row>(method, `/v1/accounts/${escape(name)}/totp`));
  });
}

function addAddresses(account: Command, terminal: Terminal): void {
  const addresses = account
    .command("addresses <account>")
    .description("Show or enforce the withdrawal address allowlist.");
  addresses.addOption(onOff("--enforce <on|off>", "Allow withdrawals only to addresses on the list"));
  action(addresses, terminal, async ({ connection, output }, [name = ""], { enforce }) => {
    const path = `/v1/accounts/${escape(name)}/addresses`;
    const shown =
      enforce === undefined
        ? connection.call<Row>("GET", path)
        : connection.call<Row>("PUT", path, { isEnforced: enforce === "on" });
    output.one(await shown);
  });
  for (const [verb, method, description] of [
    ["add-address", "POST", "Add an address to the withdrawal address allowlist."],
    ["remove-address", "DELETE", "Remove an address from the withdrawal address allowlist."],
  ] as const) {
    const command = account.command(`${verb} <account> <network> <address>`);
    command.description(description).option("--tag <tag>", "Tag of the address");
    if (method === "POST") command.option("--name <text>", "Label of the address");
    action(command, terminal, async ({ connection, output }, [owner = "", network, address], { tag, name }) => {
      const body = said({ network, address, tag, name });
      output.one(await connection.call<Row>(method, `/v1/accounts/${escape(owner)}/addresses`, body));
    });
  }
}

function addStatus(account: Command, terminal: Terminal): void {
  const status = account
    .command("status <account> [message]")
    .description("Set the message that accountStatus returns, or clear it (Normal).");
  status.option("--objs <list>", "Objects returned with the message, separated by commas", list);
  action(status, terminal, async ({ connection, output }, [name = "", message = ""], { objs }) => {
    const body = said({ message, objs });
    output.one(await connection.call<Row>("PUT", `/v1/accounts/${escape(name)}/status`, body));
  });
  const trading = account.command("api-trading <account>").description("Show whether API trading is locked.");
  trading.option("--unlock", "End the lock");
  action(trading, terminal, async ({ connection, output }, [name = ""], { unlock }) => {
    const path = `/v1/accounts/${escape(name)}/api-trading`;
    const shown = unlock === true ? connection.call<Row>("DELETE", `${path}/lock`) : connection.call<Row>("GET", path);
    output.one(await shown);
  });
}
