/** The commands for the funds of the venue: its assets and liabilities, unattributed deposits, and adjustments. */
import { Argument, type Command, Option } from "commander";
import type { Treasury } from "../../../funds/proof/folder/port.ts";
import { treasuryAt } from "../../../funds/proof/folder/treasury.ts";
import type { HoldingsBody } from "../../../people/admin/proof-routes.ts";
import { MACHINE } from "../../../platform/world/machine.ts";
import { CommandFailed, type Output, type Row, type Terminal } from "../session/terminal.ts";
import { folderOf } from "../data-folder/folder-commands.ts";
import { foreseen } from "./proof-commands.ts";
import { action, escape, said, wholeNumber } from "../session/session.ts";
import { ADJUSTMENT_CATEGORIES, HOUSE_ACCOUNTS, UNKNOWN_DEPOSIT_REASONS } from "@pricetime/engine";

// `treasury`: assets and liabilities, from a node, or computed from a data folder.

export function addTreasury(program: Command, terminal: Terminal): void {
  const treasury = program
    .command("treasury")
    .description("Compare, by asset, account balances with net deposits and wallet balances.")
    .option("--at <entry>", "Journal entry to compute the balances at (default: the newest)", wholeNumber)
    .option("--flows", "Include inflows and outflows by reason. Replays the whole journal")
    .option("--offline", "Compute from the data folder, without a running node");
  action(treasury, terminal, async (session, _, { at, flows, offline, data }) => {
    const isAsked = { at: at as number | undefined, withFlows: flows === true };
    const found =
      offline === true
        ? fromFolder(data as string | undefined, isAsked, terminal)
        : session.connection.call<ShownTreasury>("GET", pathOf(isAsked));
    show(await found, session.output);
  });
}

interface TreasuryQuestion {
  readonly at: number | undefined;
  readonly withFlows: boolean;
}

function pathOf({ at, withFlows }: TreasuryQuestion): string {
  const query = new URLSearchParams({ ...(at !== undefined && { at: String(at) }), flows: String(withFlows) });
  return `/v1/treasury?${query.toString()}`;
}

function fromFolder(data: string | undefined, { at, withFlows }: TreasuryQuestion, terminal: Terminal): Treasury {
  const { paths } = folderOf(data, terminal);
  return foreseen(() => treasuryAt({ paths, world: MACHINE, at }, withFlows));
}

/** What a node adds to the ledger's side. */
type ShownTreasury = Treasury & { readonly wallets?: readonly HoldingsBody[] };

/** Tables for people: a column for each house account. */
function show(treasury: ShownTreasury, output: Output): void {
  if (output.isJson) {
    output.one({ ...treasury });
  } else {
    const assets = treasury.assets.map(({ asset, customers, locked, leaving, house, net, difference }) => ({
      ...{ asset, customers, locked, leaving },
      ...{ ...house, net, difference },
    }));
    const flows = treasury.assets.flatMap(({ asset, flows: found }) => [
      ...Object.entries(found?.in ?? {}).map(([reason, amount]) => ({ asset, way: "in", reason, amount })),
      ...Object.entries(found?.out ?? {}).map(([reason, amount]) => ({ asset, way: "out", reason, amount })),
    ]);
    const wallets = treasury.wallets?.flatMap(({ network, wallets: held, error }): Row[] =>
      held === null
        ? [{ network, wallet: "", address: "", asset: "", amount: "", error }]
        : held.map((each) => ({ network, ...each })),
    );
    output.one({ ...treasury, assets, ...(flows.length > 0 && { flows }), ...(wallets !== undefined && { wallets }) });
  }
  if (!treasury.isBalanced) throw new CommandFailed("Account balances do not equal inflows minus outflows.");
}

// Unattributed deposits: received by the venue, and not assigned to an account.

const DEPOSIT_COLUMNS = [
  "seenMs",
  "network",
  "txId",
  "output",
  "address",
  "tag",
  "asset",
  "amount",
  "reason",
  "status",
  "accountId",
];

export function addUnattributedDepositCommands(program: Command, terminal: Terminal): void {
  const deposit = program.command("unattributed-deposit");
  deposit.description("Record and resolve deposits whose owner is unknown.");
  const list = deposit.command("list").description("List unattributed deposits that are not resolved, newest first.");
  list.option("--status <status>", "seen, credit, keep, dismiss, deposit, or all (default: seen)");
  action(list, terminal, async ({ connection, output }, _, { status }) => {
    const query = typeof status === "string" ? `?status=${escape(status)}` : "";
    output.rows(await connection.call<Row[]>("GET", `/v1/unattributed-deposits${query}`), DEPOSIT_COLUMNS);
  });
  const record = deposit.command("record <network> <txId>");
  record.description("Record a deposit whose owner is unknown and that no node detected, on any network.");
  record.argument("<asset>", "Asset name, or contract address of a token that is not listed").argument("<amount>");
  record.requiredOption("--address <address>", "Address that received it").option("--tag <tag>", "Tag of the address");
  record.option("--output <number>", "Output index in the transaction (default: 0)", wholeNumber);
  record.addOption(
    new Option("--reason <reason>", "Why it has no owner (default: other)").choices([...UNKNOWN_DEPOSIT_REASONS]),
  );
  action(record, terminal, async ({ connection, output }, [network = "", txId, asset, amount], options) => {
    const { address, tag, output: number, reason } = options;
    const body = said({ txId, asset, amount, address, tag, output: number, reason });
    output.one(await connection.call<Row>("POST", `/v1/networks/${escape(network)}/unattributed-deposits`, body));
  });
  addResolve(deposit, terminal);
}

function addResolve(deposit: Command, terminal: Terminal): void {
  const resolve = deposit.command("resolve <network> <txId>");
  resolve.description("Resolve an unattributed deposit. Credit and keep need another operator's approval.");
  resolve.addArgument(
    new Argument("<how>", "Credit an account, keep it in the treasury, or dismiss it without booking").choices([
      ...["credit", "keep", "dismiss"],
    ]),
  );
  resolve.requiredOption("--why <text>", "Reason, in one sentence");
  resolve.option("--output <number>", "Output index in the transaction (default: 0)", wholeNumber);
  resolve.option("--account <account>", "Account to credit").option("--asset <asset>", "Asset to book it as");
  resolve.option("--amount <amount>", "Amount to book");
  action(resolve, terminal, async ({ connection, output }, [network, txId, how], options) => {
    const { why, output: number, account: toAccount, asset, amount } = options;
    const body = said({ network, txId, how, why, output: number, toAccount, asset, amount });
    output.one(await connection.call<Row>("POST", "/v1/unattributed-deposits/resolve", body));
  });
}

// Adjustments: transfers between a customer and a house account, which need dual approval.

const ADJUSTMENT_COLUMNS = [
  "seq",
  "timeMs",
  "accountId",
  "asset",
  "amount",
  "house",
  "category",
  "why",
  "reference",
  "by",
];

export function addAdjustmentCommands(program: Command, terminal: Terminal): void {
  const adjustment = program
    .command("adjustment")
    .description("List and request balance adjustments, which need a second operator's approval.");
  action(
    adjustment.command("list [account]").description("List adjustments of one account or of all, newest first."),
    terminal,
    async ({ connection, output }, [name]) => {
      const query = name === undefined ? "" : `?account=${escape(name)}`;
      output.rows(await connection.call<Row[]>("GET", `/v1/adjustments${query}`), ADJUSTMENT_COLUMNS);
    },
  );
  const request = adjustment.command("request <account>");
  request.description("Request an adjustment. It is booked when another operator approves the request.");
  request.addArgument(
    new Argument("<direction>", "Credit the customer, or debit the customer").choices(["credit", "debit"]),
  );
  request.argument("<asset>").argument("<amount>");
  request.requiredOption("--why <text>", "Reason, in one sentence");
  request.requiredOption("--reference <text>", "Unique reference: a repeated request with it moves no more funds");
  request.addOption(
    new Option("--house <account>", "House account on the other side").choices([...HOUSE_ACCOUNTS]).default("treasury"),
  );
  request.addOption(
    new Option("--category <category>", "Kind of adjustment").choices([...ADJUSTMENT_CATEGORIES]).default("correction"),
  );
  action(request, terminal, async ({ connection, output }, [name = "", direction, asset, amount], options) => {
    const { why, reference, house, category } = options;
    const body = said({ direction, asset, amount, why, reference, house, category });
    output.one(await connection.call<Row>("POST", `/v1/accounts/${escape(name)}/adjustments`, body));
  });
}
