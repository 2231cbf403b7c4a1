/** The commands for accounts, keys, the listing, payments by hand, and the journal. */
import { randomUUID } from "node:crypto";
import { SYMBOL_STATUSES } from "@pricetime/engine";
import { Argument, type Command } from "commander";
import { filtersOf } from "../../config/interface-filters.ts";
import { addAccountList, addSharedEmails } from "./account-list.ts";
import type { Row } from "../session/output.ts";
import { action, escape, isOn, list, onOff, readDocument, readText, said, wholeNumber } from "../session/session.ts";
import { addSymbolImport } from "./symbol-import.ts";
import { addAccountOrderEnds, addSymbolEnds } from "./order-end-commands.ts";
import { addAccountNotes } from "./note-commands.ts";
import { addAccountAccess } from "./operator-commands.ts";
import { addAccountSafety } from "./safety-commands.ts";
import type { Terminal } from "../session/terminal.ts";

const RATES = ["--maker-bps <bps>", "--taker-bps <bps>"] as const;

export function addAccountCommands(program: Command, terminal: Terminal): void {
  const account = program.command("account").description("accounts, balances and rates");
  const open = account.command("open").description("open an account");
  open.requiredOption("--email <address>", "where it is mailed; no other account has it");
  open.requiredOption("--name <name>", "what it is called");
  for (const rate of RATES) open.option(rate, "its rate in basis points (the node's default)", wholeNumber);
  open.option("--master <account>", "whose sub-account it becomes");
  action(open, terminal, async ({ connection, output }, _, { email, name, makerBps, takerBps, master }) => {
    const body = said({ email, name, makerBps, takerBps, master });
    output.one(await connection.call<Row>("POST", "/v1/accounts", body));
  });
  addAccountList(account, terminal);
  addSharedEmails(account, terminal);
  action(
    account.command("show <account>").description("by number or mail address, with balances"),
    terminal,
    async ({ connection, output }, [name = ""]) =>
      output.one(await connection.call<Row>("GET", `/v1/accounts/${escape(name)}`)),
  );
  action(
    account.command("subs <account>").description("the sub-accounts of a master"),
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
}

function addAccountChanges(account: Command, terminal: Terminal): void {
  const change = account.command("change <account>").description("change the email address, rates and what is allowed");
  change.option("--email <address>", "where the holder gets emails and by which they sign in");
  for (const rate of RATES) change.option(rate, "basis points", wholeNumber);
  for (const right of ["trade", "withdraw", "deposit"])
    change.addOption(onOff(`--${right} <on|off>`, `may it ${right}`));
  change.addOption(onOff("--enabled <on|off>", "of a sub-account: a disabled one does not trade"));
  change.addOption(onOff("--confirm-by-mail <on|off>", "withdrawals wait for the mailed link"));
  change.option("--end-orders", "also end its open orders; only with --trade off or --enabled off");
  action(change, terminal, async ({ connection, output }, [name = ""], options) => {
    const { email, makerBps, takerBps, trade, withdraw, deposit, enabled, confirmByMail, endOrders } = options;
    const rights = { canTrade: isOn(trade), canWithdraw: isOn(withdraw), canDeposit: isOn(deposit) };
    const others = { isEnabled: isOn(enabled), confirmsByMail: isOn(confirmByMail) };
    const body = said({ email, makerBps, takerBps, ...rights, ...others, endOrders });
    output.one(await connection.call<Row>("PATCH", `/v1/accounts/${escape(name)}`, body));
  });
  const fee = account.command("fee <account> <symbol>").description("rates on one symbol: show, set, or remove");
  for (const rate of RATES) fee.option(rate, "basis points", wholeNumber);
  fee.option("--remove", "the account's own rates hold again");
  action(fee, terminal, async ({ connection, output }, [name = "", symbol = ""], options) => {
    const { makerBps, takerBps, remove } = options;
    const path = `/v1/accounts/${escape(name)}/fees/${escape(symbol)}`;
    const body = said({ makerBps, takerBps });
    const method = remove === true ? "DELETE" : Object.keys(body).length > 0 ? "PUT" : "GET";
    output.one(await connection.call<Row>(method, path, method === "PUT" ? body : undefined));
  });
}

export function addKeyCommands(program: Command, terminal: Terminal): void {
  const key = program.command("key").description("API keys");
  const create = key.command("create <account>").description("make a key; its secret is shown this once");
  create.option("--permissions <list>", "of MARKET_DATA,USER_STREAM,TRADE,USER_DATA,WITHDRAW (all but WITHDRAW)", list);
  create.option("--ip <list>", "addresses that may use it (all)", list);
  create.option("--label <text>", "what it is for");
  create.option("--public-key <file>", "an Ed25519 key in PEM (-: stdin): it signs, and there is no secret");
  action(create, terminal, async ({ connection, output }, [name = ""], options) => {
    const { permissions, ip, label, publicKey: file } = options;
    const publicKey = file === undefined ? undefined : readText(file as string);
    const body = said({ permissions, ipAllowList: ip, label, publicKey });
    output.one(await connection.call<Row>("POST", `/v1/accounts/${escape(name)}/keys`, body));
  });
  action(
    key.command("list <account>").description("list keys, without secrets"),
    terminal,
    async ({ connection, output }, [name = ""]) => {
      const rows = await connection.call<Row[]>("GET", `/v1/accounts/${escape(name)}/keys`);
      output.rows(rows, ["apiKey", "permissions", "ipAllowList", "label"]);
    },
  );
  action(
    key.command("delete <key>").description("delete a key"),
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
  const asset = program.command("asset").description("assets");
  action(asset.command("list").description("list assets"), terminal, async ({ connection, output }) =>
    output.rows(await connection.call<Row[]>("GET", "/v1/assets"), ["asset", "name", "precision"]),
  );
  const newAsset = asset
    .command("add <asset>")
    .description("list a new asset")
    .requiredOption("--name <name>", "as in Bitcoin");
  newAsset.option("--precision <decimals>", "decimals of its smallest unit (8)", wholeNumber);
  action(newAsset, terminal, async ({ connection, output }, [name = ""], options) => {
    const body = said({ asset: name, name: options["name"], precision: options["precision"] });
    output.one(await connection.call<Row>("POST", "/v1/assets", body));
  });
  action(
    asset
      .command("networks <asset> [file]")
      .description("show how it moves, or replace that by a list in a file (-: stdin)"),
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
  const symbol = program.command("symbol").description("symbols, their status and filters");
  action(symbol.command("list").description("list symbols"), terminal, async ({ connection, output }) =>
    output.rows(await connection.call<Row[]>("GET", "/v1/symbols"), ["symbol", "status", "baseAsset", "quoteAsset"]),
  );
  addSymbolImport(symbol, terminal);
  addSymbolEnds(symbol, terminal);
  const add = symbol.command("add <file>").description("list a symbol described in YAML or JSON (-: stdin)");
  add.option("--accept-rounding", "list it although one unit of the quote asset is much of the smallest trade");
  action(add, terminal, async ({ connection, output }, [path = ""], { acceptRounding }) => {
    const body = accepting(readDocument(path), acceptRounding);
    output.one(warned(terminal, await connection.call<Row>("POST", "/v1/symbols", body)));
  });
  action(
    symbol
      .command("status <symbol>")
      .description("open a symbol for trading, or halt it")
      .addArgument(new Argument("<status>", "what it becomes").choices(SYMBOL_STATUSES)),
    terminal,
    async ({ connection, output }, [name = "", status]) =>
      output.one(await connection.call<Row>("PUT", `/v1/symbols/${escape(name)}/status`, { status })),
  );
  action(
    symbol.command("fees <symbol>").description("the rates that new accounts get, and the accounts with others"),
    terminal,
    async ({ connection, output }, [name = ""]) =>
      output.one(await connection.call<Row>("GET", `/v1/symbols/${escape(name)}/fees`)),
  );
  const filters = symbol.command("filters <symbol> [file]");
  filters.option("--accept-rounding", "accept that one unit of the quote asset is much of the smallest trade");
  action(
    filters.description("show the filters, or replace them all by those in a file (-: stdin)"),
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
    const whose = "an account, or treasury, dust or fees";
    const what = type === "deposit" ? `credit ${whose}` : `take from what ${whose} has free`;
    const command = program.command(`${type} <account> <asset> <amount>`).description(what);
    command.option("--reference <text>", "moves the money once, however often it is sent (a new one)");
    action(command, terminal, async ({ connection, output }, [account, asset, amount], options) => {
      const reference = options["reference"] ?? `cli-${randomUUID()}`;
      output.one(await connection.call<Row>("POST", `/v1/${type}s`, { account, asset, amount, reference }));
    });
  }
}

export function addVenueMoney(program: Command, terminal: Terminal): void {
  const command = program.command("venue").description("what the venue's own accounts hold");
  action(command, terminal, async ({ connection, output }) =>
    output.rows(await connection.call<Row[]>("GET", "/v1/venue"), ["account", "asset", "free"]),
  );
}

/** Adds `info` to the `journal` command. */
export function addJournalInfo(journal: Command, terminal: Terminal): void {
  action(
    journal.command("info").description("where a running node's journal and state stand"),
    terminal,
    async ({ connection, output }) => output.one(await connection.call<Row>("GET", "/v1/journal")),
  );
}
