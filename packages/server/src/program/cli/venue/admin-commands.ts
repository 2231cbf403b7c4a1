/** The commands for accounts, API keys, assets, symbols, manual bookings, and the journal. */
import { randomUUID } from "node:crypto";
import { SYMBOL_STATUSES } from "@pricetime/engine";
import { Argument, type Command } from "commander";
import { filtersOf } from "../../../platform/config/interface-filters.ts";
import { addAccountList, addAccountNotes, addAccountSafety, addSharedEmails } from "./account-commands.ts";
import type { Row, Terminal } from "../session/terminal.ts";
import { action, escape, isOn, list, onOff, readDocument, readText, said, wholeNumber } from "../session/session.ts";
import { addAccountTimeline, addFilterPreview } from "./console-commands.ts";
import { addSymbolImport } from "./symbol-import.ts";
import { addAccountOrderEnds, addSymbolEnds } from "./venue-commands.ts";
import { addAccountAccess, RATES } from "./operator-commands.ts";

const ACCEPT_ROUNDING = "Accept that rounding to one unit of the quote asset is a large part of the smallest trade";

export function addAccountCommands(program: Command, terminal: Terminal): void {
  const account = program.command("account").description("Open, view, change, secure and lock accounts.");
  const open = account.command("open").description("Open an account or a sub-account.");
  open.requiredOption("--email <address>", "Email address, unique among accounts");
  open.requiredOption("--name <name>", "Account name");
  for (const [rate, what] of RATES) open.option(rate, `${what} (default: the node's)`, wholeNumber);
  open.option("--master <account>", "Open a sub-account of this master account");
  action(open, terminal, async ({ connection, output }, _, { email, name, makerBps, takerBps, master }) => {
    const body = said({ email, name, makerBps, takerBps, master });
    output.one(await connection.call<Row>("POST", "/v1/accounts", body));
  });
  addAccountList(account, terminal);
  addSharedEmails(account, terminal);
  action(
    account.command("show <account>").description("Show an account and its balances, by number or email address."),
    terminal,
    async ({ connection, output }, [name = ""]) =>
      output.one(await connection.call<Row>("GET", `/v1/accounts/${escape(name)}`)),
  );
  action(
    account.command("sub-accounts <account>").description("List the sub-accounts of a master account."),
    terminal,
    async ({ connection, output }, [name = ""]) => {
      const rows = await connection.call<Row[]>("GET", `/v1/accounts/${escape(name)}/sub-accounts`);
      output.rows(rows, ["accountId", "email", "name", "isEnabled", "canTrade"]);
    },
  );
  addAccountChanges(account, terminal);
  addAccountOrderEnds(account, terminal);
  addAccountSafety(account, terminal);
  addAccountNotes(account, terminal);
  addAccountAccess(account, terminal);
  addAccountTimeline(account, terminal);
}

function addAccountChanges(account: Command, terminal: Terminal): void {
  const change = account
    .command("change <account>")
    .description("Change an account's email address, fee rates and permissions.");
  change.option("--email <address>", "Email address for notifications and sign-in");
  for (const [rate, what] of RATES) change.option(rate, what, wholeNumber);
  change.addOption(onOff("--trade <on|off>", "Allow trading"));
  change.addOption(onOff("--withdraw <on|off>", "Allow withdrawals"));
  change.addOption(onOff("--deposit <on|off>", "Allow deposits"));
  change.addOption(onOff("--enabled <on|off>", "Enable a sub-account; a disabled one cannot trade"));
  change.addOption(onOff("--confirm-by-email <on|off>", "Require confirmation of withdrawals by an emailed link"));
  change.option("--end-orders", "Also end its open orders; only with --trade off or --enabled off");
  action(change, terminal, async ({ connection, output }, [name = ""], options) => {
    const { email, makerBps, takerBps, trade, withdraw, deposit, enabled, confirmByEmail, endOrders } = options;
    const rights = { canTrade: isOn(trade), canWithdraw: isOn(withdraw), canDeposit: isOn(deposit) };
    const others = { isEnabled: isOn(enabled), confirmsByEmail: isOn(confirmByEmail) };
    const body = said({ email, makerBps, takerBps, ...rights, ...others, endOrders });
    output.one(await connection.call<Row>("PATCH", `/v1/accounts/${escape(name)}`, body));
  });
  const fee = account
    .command("fee <account> <symbol>")
    .description("Show, set or remove an account's fee rates on one symbol.");
  for (const [rate, what] of RATES) fee.option(rate, what, wholeNumber);
  fee.option("--remove", "Remove the rates. The account's general rates apply again");
  action(fee, terminal, async ({ connection, output }, [name = "", symbol = ""], options) => {
    const { makerBps, takerBps, remove } = options;
    const path = `/v1/accounts/${escape(name)}/fees/${escape(symbol)}`;
    const body = said({ makerBps, takerBps });
    const method = remove === true ? "DELETE" : Object.keys(body).length > 0 ? "PUT" : "GET";
    output.one(await connection.call<Row>(method, path, method === "PUT" ? body : undefined));
  });
}

export function addKeyCommands(program: Command, terminal: Terminal): void {
  const key = program.command("key").description("Create, list and delete API keys.");
  const create = key.command("create <account>").description("Create an API key. Its secret is shown only once.");
  create.option(
    "--permissions <list>",
    "MARKET_DATA,USER_STREAM,TRADE,USER_DATA,WITHDRAW (default: all but WITHDRAW)",
    list,
  );
  create.option("--ip <list>", "IP addresses that may use the key (default: all)", list);
  create.option("--label <text>", "Label");
  create.option("--public-key <file>", "Ed25519 public key in PEM (- for stdin). The key then has no secret");
  action(create, terminal, async ({ connection, output }, [name = ""], options) => {
    const { permissions, ip, label, publicKey: file } = options;
    const publicKey = file === undefined ? undefined : readText(file as string);
    const body = said({ permissions, ipAllowList: ip, label, publicKey });
    output.one(await connection.call<Row>("POST", `/v1/accounts/${escape(name)}/keys`, body));
  });
  action(
    key.command("list <account>").description("List an account's API keys, without secrets."),
    terminal,
    async ({ connection, output }, [name = ""]) => {
      const rows = await connection.call<Row[]>("GET", `/v1/accounts/${escape(name)}/keys`);
      output.rows(rows, ["apiKey", "permissions", "ipAllowList", "label"]);
    },
  );
  action(
    key.command("delete <key>").description("Delete an API key."),
    terminal,
    async ({ connection, output }, [name = ""]) =>
      output.one(await connection.call<Row>("DELETE", `/v1/keys/${escape(name)}`)),
  );
}

const NETWORK_COLUMNS = [
  "network",
  "isDefault",
  "depositEnabled",
  "withdrawEnabled",
  "withdrawFee",
  "withdrawMin",
  "withdrawStep",
  "depositStep",
];

export function addListingCommands(program: Command, terminal: Terminal): void {
  const asset = program.command("asset").description("Show and add assets, and set their networks.");
  action(asset.command("list").description("List all assets."), terminal, async ({ connection, output }) =>
    output.rows(await connection.call<Row[]>("GET", "/v1/assets"), ["asset", "name", "precision"]),
  );
  const newAsset = asset
    .command("add <asset>")
    .description("Add an asset.")
    .requiredOption("--name <name>", "Full name, such as Bitcoin");
  newAsset.option("--precision <decimals>", "Decimal places of the ledger (default: 8)", wholeNumber);
  action(newAsset, terminal, async ({ connection, output }, [name = ""], options) => {
    const body = said({ asset: name, name: options["name"], precision: options["precision"] });
    output.one(await connection.call<Row>("POST", "/v1/assets", body));
  });
  action(
    asset
      .command("networks <asset> [file]")
      .description("Show an asset's networks, or replace them by a file (- for stdin)."),
    terminal,
    async ({ connection, output }, [name = "", path]) => {
      const at = `/v1/assets/${escape(name)}`;
      const shown =
        path === undefined
          ? await connection.call<Row>("GET", at)
          : await connection.call<Row>("PUT", `${at}/networks`, readDocument(path));
      output.rows(shown["networks"] as Row[], NETWORK_COLUMNS);
    },
  );
  const symbol = program.command("symbol").description("Show, add, import, halt and delist symbols; set filters.");
  action(
    symbol.command("list").description("List all symbols and their status."),
    terminal,
    async ({ connection, output }) =>
      output.rows(await connection.call<Row[]>("GET", "/v1/symbols"), ["symbol", "status", "baseAsset", "quoteAsset"]),
  );
  addSymbolImport(symbol, terminal);
  addSymbolEnds(symbol, terminal);
  addFilterPreview(symbol, terminal);
  const add = symbol.command("add <file>").description("Add a symbol from a YAML or JSON file (- for stdin).");
  add.option("--accept-rounding", ACCEPT_ROUNDING);
  action(add, terminal, async ({ connection, output }, [path = ""], { acceptRounding }) => {
    const body = accepting(readDocument(path), acceptRounding);
    output.one(warned(terminal, await connection.call<Row>("POST", "/v1/symbols", body)));
  });
  action(
    symbol
      .command("status <symbol>")
      .description("Set the status of a symbol: TRADING opens it, HALT halts it.")
      .addArgument(new Argument("<status>", "New status").choices(SYMBOL_STATUSES)),
    terminal,
    async ({ connection, output }, [name = "", status]) =>
      output.one(await connection.call<Row>("PUT", `/v1/symbols/${escape(name)}/status`, { status })),
  );
  action(
    symbol
      .command("fees <symbol>")
      .description("Show the default fee rates of a symbol, and the accounts with other rates."),
    terminal,
    async ({ connection, output }, [name = ""]) =>
      output.one(await connection.call<Row>("GET", `/v1/symbols/${escape(name)}/fees`)),
  );
  const filters = symbol.command("filters <symbol> [file]");
  filters.option("--accept-rounding", ACCEPT_ROUNDING);
  action(
    filters.description("Show a symbol's filters, or replace all of them by a file (- for stdin)."),
    terminal,
    async ({ connection, output }, [name = "", path], { acceptRounding }) => {
      const at = `/v1/symbols/${escape(name)}`;
      const shown =
        path === undefined
          ? connection.call<Row>("GET", at)
          : connection.call<Row>("PUT", `${at}/filters`, accepting(filtersOf(readDocument(path)), acceptRounding));
      output.one(warned(terminal, await shown)["filters"] as Row);
    },
  );
}

/** The description with the flag; anything that is no object is left for the node to reject. */
function accepting(described: unknown, isAccepted: unknown): unknown {
  const isObject = typeof described === "object" && described !== null && !Array.isArray(described);
  return isAccepted === true && isObject ? { ...described, acceptRounding: true } : described;
}

/** Prints an answer's warnings on standard error; returns the rest. */
function warned(terminal: Terminal, { warnings = [], ...row }: Row): Row {
  for (const warning of warnings as readonly string[]) terminal.complain(`pricetime: warning: ${warning}`);
  return row;
}

export function addFundsCommands(program: Command, terminal: Terminal): void {
  for (const type of ["deposit", "debit"] as const) {
    const whose = "an account or a house account (treasury, dust, fees)";
    const what =
      type === "deposit"
        ? `Credit ${whose} with funds that no network carries.`
        : `Debit the available balance of ${whose}.`;
    const command = program.command(`${type} <account> <asset> <amount>`).description(what);
    command.option(
      "--reference <text>",
      "Unique reference: a repeated request with it is booked once (default: a new one)",
    );
    action(command, terminal, async ({ connection, output }, [account, asset, amount], options) => {
      const reference = options["reference"] ?? `cli-${randomUUID()}`;
      output.one(await connection.call<Row>("POST", `/v1/${type}s`, { account, asset, amount, reference }));
    });
  }
}

export function addHouseAccounts(program: Command, terminal: Terminal): void {
  const command = program.command("house-accounts").description("List the balances of treasury, fees and dust.");
  action(command, terminal, async ({ connection, output }) =>
    output.rows(await connection.call<Row[]>("GET", "/v1/house-accounts"), ["account", "asset", "free"]),
  );
}

/** Adds `info` to the `journal` command. */
export function addJournalInfo(journal: Command, terminal: Terminal): void {
  action(
    journal.command("info").description("Show the last entry and the digests of a running node's journal and state."),
    terminal,
    async ({ connection, output }) => output.one(await connection.call<Row>("GET", "/v1/journal")),
  );
}
