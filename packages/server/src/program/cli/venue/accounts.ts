/** Commands for accounts, API keys, and invitations of customers. */
import { BOT_ADDRESSES } from "../../../lab/demo/port.ts";
import { command, group } from "../session/command-row.ts";
import type { Connection } from "../session/connection.ts";
import { CommandFailed, type Row } from "../session/terminal.ts";
import { count, escape, listed, number, onOff, readText } from "../session/values.ts";

export const ACCOUNT = group(
  "account",
  "Open, view, change, secure and lock accounts.",
  command("open", "POST /v1/accounts")
    .text("Open an account or a sub-account.")
    .required("--email <address>", "Email address, unique among accounts")
    .required("--name <name>", "Account name")
    .option("--maker-bps <bps>", "Maker fee rate in basis points (default: the node's)", number)
    .option("--taker-bps <bps>", "Taker fee rate in basis points (default: the node's)", number)
    .option("--master <account>", "Open a sub-account of this master account"),
  command("list")
    .text("List accounts, without the demo's bots.")
    .option("--all", "Include the demo's bots")
    .option("--after <account>", "Continue after this account number", count(0))
    .option("--limit <count>", "Maximum number of rows", count(100))
    .runs(async ({ connection, output }, asked: AskedAccounts) => {
      const { rows, hidden } = await listAccounts(connection, asked);
      output.rows(rows, [
        ...["accountId", "email", "name", "makerBps", "takerBps", "canTrade", "canWithdraw", "canDeposit"],
      ]);
      if (hidden > 0) output.note(`\n${hidden} bots of the demo are not shown. Use --all to include them.`);
    }),
  command("shared-emails", "GET /v1/shared-emails")
    .text("List accounts whose email addresses differ only in letter case. Change one of each.")
    .columns("sharedEmail", "accountId", "email", "name", "hasPassword"),
  command("show <account>", "GET /v1/accounts/:account").text(
    "Show an account and its balances, by number or email address.",
  ),
  command("sub-accounts <account>", "GET /v1/accounts/:account/sub-accounts")
    .text("List the sub-accounts of a master account.")
    .columns("accountId", "email", "name", "isEnabled", "canTrade"),
  command("change <account>", "PATCH /v1/accounts/:account")
    .text("Change an account's email address, fee rates and permissions.")
    .option("--email <address>", "Email address for notifications and sign-in")
    .option("--maker-bps <bps>", "Maker fee rate in basis points", number)
    .option("--taker-bps <bps>", "Taker fee rate in basis points", number)
    .option("--trade <on|off>", "Allow trading", onOff("canTrade"))
    .option(
      "--trade-group <on|off>",
      "Prevent trades among a master account and its sub-accounts, not only within one account",
      onOff("isTradeGroup"),
    )
    .option(
      "--discount <on|off>",
      "Pay trading fees in the discount asset where possible",
      onOff("paysInDiscountAsset"),
    )
    .option("--withdraw <on|off>", "Allow withdrawals", onOff("canWithdraw"))
    .option("--deposit <on|off>", "Allow deposits", onOff("canDeposit"))
    .option("--enabled <on|off>", "Enable a sub-account; a disabled one cannot trade", onOff("isEnabled"))
    .option(
      "--confirm-by-email <on|off>",
      "Require confirmation of withdrawals by an emailed link",
      onOff("confirmsByEmail"),
    )
    .option("--end-orders", "Also end its open orders; only with --trade off or --enabled off"),
  command("fee <account> <symbol>", "GET /v1/accounts/:account/fees/:symbol")
    .calls("PUT /v1/accounts/:account/fees/:symbol", "makerBps", "takerBps")
    .calls("DELETE /v1/accounts/:account/fees/:symbol", "remove")
    .text("Show, set or remove an account's fee rates on one symbol.")
    .option("--maker-bps <bps>", "Maker fee rate in basis points", number)
    .option("--taker-bps <bps>", "Taker fee rate in basis points", number)
    .option("--remove", "Remove the rates. The account's general rates apply again"),
  command("end-orders <account> <why>", "POST /v1/accounts/:account/open-orders/end")
    .text("End all open orders of an account, whatever the status of the symbols.")
    .option("--symbol <symbol>", "Only orders on this symbol"),
  command("end-order <order> <why>", "POST /v1/orders/:order/end")
    .text("End one open order by its ID, with the order list that it belongs to.")
    .option("--symbol <symbol>", "Symbol of the order; required if order IDs are counted by symbol")
    .answer(({ ended }: Row) => ended)
    .columns("orderId", "symbol", "side", "type", "price", "quantity", "executed"),
  command("two-factor <account>", "POST /v1/accounts/:account/totp")
    .calls("DELETE /v1/accounts/:account/totp", "remove")
    .text("Set up two-factor authentication. The secret is shown only once.")
    .option("--remove", "Turn off two-factor authentication"),
  command("addresses <account>", "GET /v1/accounts/:account/addresses")
    .calls("PUT /v1/accounts/:account/addresses", "enforce")
    .text("Show or enforce the withdrawal address allowlist.")
    .option("--enforce <on|off>", "Allow withdrawals only to addresses on the list", onOff("isEnforced")),
  command("add-address <account> <network> <address>", "POST /v1/accounts/:account/addresses")
    .text("Add an address to the withdrawal address allowlist.")
    .option("--tag <tag>", "Tag of the address")
    .option("--name <text>", "Label of the address"),
  command("remove-address <account> <network> <address>", "DELETE /v1/accounts/:account/addresses")
    .text("Remove an address from the withdrawal address allowlist.")
    .option("--tag <tag>", "Tag of the address"),
  command("status <account>", "PUT /v1/accounts/:account/status")
    .text("Set the message that accountStatus returns, or clear it (Normal).")
    .argument("[message]", "", { default: "" })
    .option("--objs <list>", "Objects returned with the message, separated by commas", listed),
  command("api-trading <account>", "GET /v1/accounts/:account/api-trading")
    .calls("DELETE /v1/accounts/:account/api-trading/lock", "unlock")
    .text("Show whether API trading is locked.")
    .option("--unlock", "End the lock"),
  command("note <account> <text>", "POST /v1/accounts/:account/notes").text(
    "Add a note to an account. Only operators see it.",
  ),
  command("notes <account>", "GET /v1/accounts/:account/notes")
    .text("List the notes on an account, newest first.")
    .columns("timeMs", "by", "text"),
  command("invite <account>")
    .text("Email an existing account a link to set a password. For new customers: invitation create.")
    .runs(async ({ connection, output }, { account }: { readonly account: string }) => {
      const invited = connection.call<Row>("POST", `/v1/accounts/${escape(account)}/invitation`);
      output.one(await invited.catch((error: unknown) => Promise.reject(withNextStep(error, account))));
    }),
  command("sessions <account>", "GET /v1/accounts/:account/sessions")
    .calls("DELETE /v1/accounts/:account/sessions", "end")
    .text("List the sessions of an account.")
    .option("--end", "End all sessions")
    .columns("sessionId", "openedMs", "renewedMs", "untilMs", "ip", "client"),
  command("lock <account>", "POST /v1/accounts/:account/lock").text(
    "Lock a compromised account: end sessions, API keys and open orders, disable trading and withdrawals.",
  ),
  command("timeline <account>", "GET /v1/accounts/:account/timeline")
    .text("List an account's events, newest first.")
    .option("--kind <kinds>", "Only these kinds: order, trade, money, key, access, action; separated by commas")
    .option("--before <position>", "Continue before this position, which the previous page printed")
    .option("--limit <count>", "Maximum number of rows", count(50))
    .table(({ rows }: { readonly rows: readonly Row[] }) => rows.map(readableRow))
    .columns("timeMs", "kind", "what", "id", "about")
    .note(({ before }: Row) => (before === null ? undefined : `Next page: --before ${String(before)}`)),
);

export const KEY = group(
  "key",
  "Create, list and delete API keys.",
  command("create <account>", "POST /v1/accounts/:account/keys")
    .text("Create an API key. Its secret is shown only once.")
    .option(
      "--permissions <list>",
      "MARKET_DATA,USER_STREAM,TRADE,USER_DATA,WITHDRAW (default: all but WITHDRAW)",
      listed,
    )
    .option("--ip <list>", "IP addresses that may use the key (default: all)", { ...listed, field: "ipAllowList" })
    .option("--label <text>", "Label")
    .option("--public-key <file>", "Ed25519 or RSA public key in PEM (- for stdin). The key then has no secret", {
      convert: readText,
    }),
  command("list <account>", "GET /v1/accounts/:account/keys")
    .text("List an account's API keys, without secrets.")
    .columns("apiKey", "permissions", "ipAllowList", "label"),
  command("delete <key>", "DELETE /v1/keys/:key").text("Delete an API key."),
);

export const INVITATION = group(
  "invitation",
  "Invite customers, and list or revoke invitations.",
  command("list", "GET /v1/invitations")
    .text("List invitations that are not accepted yet.")
    .columns("invitationId", "email", "holder", "by", "untilMs"),
  command("create", "POST /v1/invitations")
    .text("Invite a new customer. The account opens when the customer sets a password.")
    .required("--email <address>", "Email address")
    .required("--name <name>", "Account name")
    .option("--maker-bps <bps>", "Maker fee rate in basis points (default: the node's)", number)
    .option("--taker-bps <bps>", "Taker fee rate in basis points (default: the node's)", number),
  command("revoke <invitation>", "DELETE /v1/invitations/:invitation").text("Revoke an invitation."),
);

interface AskedAccounts {
  readonly after: number;
  readonly limit: number;
  readonly all?: boolean;
}

const ROWS_A_CALL = 1000;

/** Lists accounts. By default, omits the bots of a demo. */
async function listAccounts(
  connection: Connection,
  { after, limit, all = false }: AskedAccounts,
): Promise<{ rows: Row[]; hidden: number }> {
  const rows: Row[] = [];
  let hidden = 0;
  for (let last = after; rows.length < limit; ) {
    const asked = all ? Math.min(limit - rows.length, ROWS_A_CALL) : ROWS_A_CALL;
    const page = await connection.call<Row[]>("GET", `/v1/accounts?after=${last}&limit=${asked}`);
    for (const row of page) {
      if (rows.length === limit) break;
      if (!all && String(row["email"]).endsWith(BOT_ADDRESSES)) hidden++;
      else rows.push(row);
    }
    if (page.length < asked) break;
    last = Number(page.at(-1)?.["accountId"]);
  }
  return { rows, hidden };
}

/** If the account is an unknown email address, adds the command that invites new customers to the error. */
function withNextStep(error: unknown, name: string): unknown {
  const isUnknown = error instanceof CommandFailed && error.message.startsWith(`There is no account ${name}`);
  if (!isUnknown || !name.includes("@")) return error;
  const next = `To invite a new customer, run \`pricetime invitation create --email ${name} --name NAME\`.`;
  return new CommandFailed(`${error.message.replace(/\.$/, "")}. ${next}`, { cause: error });
}

/** A row of the timeline. All other fields are joined into one text. */
function readableRow({ timeMs, kind, what, id, details, ...fields }: Row): Row {
  const all = { ...fields, ...(details as Row | undefined) };
  const words = Object.entries(all).filter(([, value]) => value !== null && typeof value !== "object");
  return { timeMs, kind, what, id, about: words.map(([key, value]) => `${key} ${String(value)}`).join(", ") };
}
