/** Commands for balances and the venue's funds: bookings, adjustments, unattributed deposits, the treasury. */
import { randomUUID } from "node:crypto";
import { ADJUSTMENT_CATEGORIES, HOUSE_ACCOUNTS, UNKNOWN_DEPOSIT_REASONS } from "@pricetime/engine";
import { command, type CommandRow, group } from "../session/command-row.ts";
import { choices, number } from "../session/values.ts";
import { OUTPUT } from "./networks.ts";

const newReference = (): string => `cli-${randomUUID()}`;

interface Booking {
  readonly account: string;
  readonly asset: string;
  readonly amount: string;
  readonly reference?: string;
}

const BOOKED_ONCE = "Unique reference: a repeated request with it is booked once (default: a new one)";

const booking = (name: "deposit" | "debit", text: string): CommandRow =>
  command(`${name} <account> <asset> <amount>`, `POST /v1/${name}s`)
    .text(text)
    .option("--reference <text>", BOOKED_ONCE)
    .sends(({ account, asset, amount, reference = newReference() }: Booking) => ({
      ...{ account, asset, amount, reference },
    }));

export const DEPOSIT = booking(
  "deposit",
  "Credit an account or a house account (treasury, dust, fees) with funds that no network carries.",
);
export const DEBIT = booking(
  "debit",
  "Debit the available balance of an account or a house account (treasury, dust, fees).",
);

export const HOUSE_ACCOUNT_BALANCES = command("house-accounts", "GET /v1/house-accounts")
  .text("List the balances of treasury, fees and dust.")
  .columns("account", "asset", "free");

interface Dividend {
  readonly heldAsset: string;
  readonly paidAsset: string;
  readonly amount: string;
  readonly info: string;
  readonly reference?: string;
}

export const DIVIDEND = command("dividend <heldAsset> <paidAsset> <amount>", "POST /v1/dividends")
  .text("Pay a dividend from the treasury to the holders of an asset, pro rata.")
  .required("--info <text>", "Description, shown to the holders")
  .option("--reference <text>", "Unique reference: a repeated request with it pays once (default: a new one)")
  .sends(({ heldAsset, paidAsset, amount, info, reference = newReference() }: Dividend) => ({
    ...{ heldAsset, paidAsset, amount, info, reference },
  }));

export const UNATTRIBUTED_DEPOSIT = group(
  "unattributed-deposit",
  "Record and resolve deposits whose owner is unknown.",
  command("list", "GET /v1/unattributed-deposits")
    .text("List unattributed deposits that are not resolved, newest first.")
    .option("--status <status>", "seen, credit, keep, dismiss, deposit, or all (default: seen)")
    .columns(
      ...["seenMs", "network", "txId", "output", "address", "tag", "asset", "amount"],
      ...["reason", "status", "accountId"],
    ),
  command("record <network> <txId>", "POST /v1/networks/:network/unattributed-deposits")
    .text("Record a deposit whose owner is unknown and that no node detected, on any network.")
    .argument("<asset>", "Asset name, or contract address of a token that is not listed")
    .argument("<amount>", "")
    .required("--address <address>", "Address that received it")
    .option("--tag <tag>", "Tag of the address")
    .option("--output <number>", OUTPUT, number)
    .option("--reason <reason>", "Why it has no owner (default: other)", choices(...UNKNOWN_DEPOSIT_REASONS)),
  command("resolve <network> <txId>", "POST /v1/unattributed-deposits/resolve")
    .text("Resolve an unattributed deposit. Credit and keep need another operator's approval.")
    .argument(
      "<how>",
      "Credit an account, keep it in the treasury, or dismiss it without booking",
      choices("credit", "keep", "dismiss"),
    )
    .required("--why <text>", "Reason, in one sentence")
    .option("--output <number>", OUTPUT, number)
    .option("--account <account>", "Account to credit", { field: "toAccount" })
    .option("--asset <asset>", "Asset to book it as")
    .option("--amount <amount>", "Amount to book"),
);

export const ADJUSTMENT = group(
  "adjustment",
  "List and request balance adjustments, which need a second operator's approval.",
  command("list [account]", "GET /v1/adjustments")
    .text("List adjustments of one account or of all, newest first.")
    .columns(...["seq", "timeMs", "accountId", "asset", "amount", "house"], ...["category", "why", "reference", "by"]),
  command("request <account>", "POST /v1/accounts/:account/adjustments")
    .text("Request an adjustment. It is booked when another operator approves the request.")
    .argument("<direction>", "Credit the customer, or debit the customer", choices("credit", "debit"))
    .argument("<asset>", "")
    .argument("<amount>", "")
    .required("--why <text>", "Reason, in one sentence")
    .required("--reference <text>", "Unique reference: a repeated request with it moves no more funds")
    .option("--house <account>", "House account on the other side", {
      ...choices(...HOUSE_ACCOUNTS),
      default: "treasury",
    })
    .option("--category <category>", "Kind of adjustment", {
      ...choices(...ADJUSTMENT_CATEGORIES),
      default: "correction",
    }),
);

export const TREASURY = command("treasury")
  .text("Compare, by asset, account balances with net deposits and wallet balances.")
  .option("--at <entry>", "Journal entry to compute the balances at (default: the newest)", number)
  .option("--flows", "Include inflows and outflows by reason. Replays the whole journal")
  .option("--offline", "Compute from the data folder, without a running node")
  .runs(async (session, options) => (await import("./treasury.ts")).showTreasury(session, options));
