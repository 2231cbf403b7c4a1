/** Checks the contents of admin requests, and finds the symbols, networks, accounts and assets that they name. */
import {
  type AccountView,
  type AssetView,
  DUST_ACCOUNT,
  type EngineView,
  FEE_ACCOUNT,
  MAX_NOTE_LENGTH,
  TREASURY_ACCOUNT,
} from "@pricetime/engine";
import { z } from "zod";
import { mostAlike } from "../../platform/config/alike.ts";
import { text } from "../../platform/config/listing-schema.ts";
import { firstFault, schemaFault } from "../../platform/config/schema-fault.ts";
import { AdminRefusal } from "./answer.ts";
import { inWords, unknownName } from "./known-names.ts";

/** Returns the parsed value; throws `AdminRefusal` 400 that names the first fault by its path. */
export function parseWith<T extends z.ZodType>(schema: T, value: unknown): z.output<T> {
  const given = value === undefined ? {} : value;
  const checked = schema.safeParse(given);
  if (checked.success) return checked.data;
  const issue = firstFault(checked.error);
  throw new AdminRefusal(
    400,
    "BAD_REQUEST",
    issue === undefined ? "the request is not valid" : schemaFault(issue, given, schema),
  );
}

/** Finds an account by its number or its email address. */
export function findAccount(view: EngineView, name: string): AccountView {
  const account = /^[0-9]{1,15}$/.test(name) ? view.account(Number(name)) : view.accountByEmail(name);
  if (account === undefined) throw unknownAccount(view, name);
  return account;
}

/** The number of email addresses that are compared: of millions of accounts, only the oldest. */
const MOST_ADDRESSES = 1000;

function unknownAccount(view: EngineView, name: string): AdminRefusal {
  const addresses: string[] = [];
  for (const { email } of view.accounts()) if (addresses.push(email) === MOST_ADDRESSES) break;
  const alike = mostAlike(name, addresses);
  const hint = alike.length === 0 ? "" : ` Did you mean ${inWords(alike)}?`;
  const message = `There is no account ${name}. Use an account number or an email address.${hint}`;
  return new AdminRefusal(404, "UNKNOWN_ACCOUNT", message);
}

/** An account in a request body: its number or its email address. */
export const accountName = z.union([text, z.int().min(1).transform(String)]).meta({ examples: ["alice@example.com"] });

/** The venue's own accounts that operators may put money into and take it from. */
export const VENUE_ACCOUNTS: Readonly<Record<string, number>> = {
  fees: FEE_ACCOUNT,
  treasury: TREASURY_ACCOUNT,
  dust: DUST_ACCOUNT,
};

/** Returns the number of a customer's account, or of a venue account by its name. */
export function findHolder(view: EngineView, name: string): number {
  const venue = Object.hasOwn(VENUE_ACCOUNTS, name) ? VENUE_ACCOUNTS[name] : undefined;
  return venue ?? findAccount(view, name).accountId;
}

export function findAsset(view: EngineView, name: string): AssetView {
  const asset = view.assets().find(({ spec }) => spec.asset === name);
  if (asset === undefined) {
    const known = view.assets().map(({ spec }) => spec.asset);
    throw unknownName("UNKNOWN_ASSET", "asset", name, known);
  }
  return asset;
}

/** A reason or a note, as operators write it: one line. */
export const sentence = z
  .string()
  .min(1)
  .max(MAX_NOTE_LENGTH)
  .regex(/^\P{Cc}*$/u, "without control characters");

const DEFAULT_PAGE = 100;
export const MAX_PAGE = 1000;
/** `?before=<entry of the last one seen>&limit=`: the part of a list that is asked for, newest first. */
export const newestSchema = z.strictObject({
  before: z.coerce.number().int().min(1).exactOptional(),
  limit: z.coerce.number().int().min(1).max(MAX_PAGE).default(DEFAULT_PAGE),
});
/** `?after=<the last one seen>&limit=`: the part of a long list that is asked for. */
export const pageSchema = z.strictObject({
  after: z.coerce.number().int().min(0).default(0),
  limit: z.coerce.number().int().min(1).max(MAX_PAGE).default(DEFAULT_PAGE),
});
