/** Parses admin requests, and finds the symbols, networks, accounts and assets that they name. */
import {
  type AccountView,
  type AssetView,
  DUST_ACCOUNT,
  type EngineView,
  FEE_ACCOUNT,
  type MarketView,
  MAX_NOTE_LENGTH,
  TREASURY_ACCOUNT,
} from "@pricetime/engine";
import { firstFault, mostAlike, schemaFault } from "../../platform/config/faults.ts";
import { badRequest, Rejection } from "../http/answer.ts";
import { z } from "zod";
import { text } from "../../platform/config/listing-schema.ts";
import type { AdminNode } from "./node.ts";

/** Maximum number of names listed in an error. If there are more, only similar names are listed. */
const MAX_LISTED = 20;

/** A rejection such as `There is no network USDT. Available: BTC and ETH.`; `more` is appended. */
export function unknownName(code: string, what: string, name: string, known: readonly string[], more = ""): Rejection {
  const sentences = [`There is no ${what} ${name}.`, availableNames(name, known), more].filter((part) => part !== "");
  return new Rejection(404, code, sentences.join(" "));
}

export function availableNames(name: string, known: readonly string[]): string {
  if (known.length === 0) return "None exist.";
  if (known.length <= MAX_LISTED) return `Available: ${joinNames(known)}.`;
  const alike = mostAlike(name, known);
  return alike.length === 0 ? `${known.length} exist.` : `Did you mean ${joinNames(alike)}?`;
}

export function joinNames(names: readonly string[]): string {
  const last = names.at(-1) ?? "";
  return names.length < 2 ? last : `${names.slice(0, -1).join(", ")} and ${last}`;
}

/** A network with its assets, such as `ETH (USDT, ETH)`. */
export function withAssets(view: Pick<EngineView, "assets">, network: string): string {
  const assets = view.assets().filter(({ spec }) => spec.networks.some((on) => on.network === network));
  return assets.length === 0 ? network : `${network} (${assets.map(({ spec }) => spec.asset).join(", ")})`;
}

/** If the name is an asset's, a sentence that lists the asset's networks; otherwise empty. */
export function asAsset(view: Pick<EngineView, "assets">, name: string): string {
  const networks = view.assets().find(({ spec }) => spec.asset === name)?.spec.networks;
  if (networks === undefined) return "";
  const where =
    networks.length === 0 ? "It has no network" : `Its networks: ${joinNames(networks.map((on) => on.network))}`;
  return `${name} is an asset. ${where}.`;
}

/** Returns the parsed value. Throws `Rejection` 400 with the path of the first error. */
export function parseWith<T extends z.ZodType>(schema: T, value: unknown): z.output<T> {
  const given = value === undefined ? {} : value;
  const checked = schema.safeParse(given);
  if (checked.success) return checked.data;
  const issue = firstFault(checked.error);
  throw badRequest(issue === undefined ? "the request is not valid" : schemaFault(issue, given, schema));
}

/** Finds an account by its number or its email address. */
export function findAccount(view: EngineView, name: string): AccountView {
  const account = /^[0-9]{1,15}$/.test(name) ? view.account(Number(name)) : view.accountByEmail(name);
  if (account === undefined) throw unknownAccount(view, name);
  return account;
}

/** Number of accounts compared with an unknown address: only the oldest ones, because there may be millions. */
const MOST_ADDRESSES = 1000;

function unknownAccount(view: EngineView, name: string): Rejection {
  const addresses: string[] = [];
  for (const { email } of view.accounts()) if (addresses.push(email) === MOST_ADDRESSES) break;
  const alike = mostAlike(name, addresses);
  const hint = alike.length === 0 ? "" : ` Did you mean ${joinNames(alike)}?`;
  const message = `There is no account ${name}. Use an account number or an email address.${hint}`;
  return new Rejection(404, "UNKNOWN_ACCOUNT", message);
}

/** An account in a request body: its number or its email address. */
export const accountName = z.union([text, z.int().min(1).transform(String)]).meta({ examples: ["alice@example.com"] });

/** The house accounts that operators can credit and debit, by name. */
export const VENUE_ACCOUNTS: Readonly<Record<string, number>> = {
  fees: FEE_ACCOUNT,
  treasury: TREASURY_ACCOUNT,
  dust: DUST_ACCOUNT,
};

/** Returns the account number of a customer, or of a house account given by name. */
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

/** An operator's reason or note, on one line. */
export const sentence = z
  .string()
  .min(1)
  .max(MAX_NOTE_LENGTH)
  .regex(/^\P{Cc}*$/u, "without control characters");

const DEFAULT_PAGE = 100;
export const MAX_PAGE = 1000;
/** `?before=<seq of the last row>&limit=` requests a page of a list that is sorted newest first. */
export const newestSchema = z.strictObject({
  before: z.coerce.number().int().min(1).exactOptional(),
  limit: z.coerce.number().int().min(1).max(MAX_PAGE).default(DEFAULT_PAGE),
});
/** `?after=<id of the last row>&limit=` requests a page of a list that is sorted by ID. */
export const pageSchema = z.strictObject({
  after: z.coerce.number().int().min(0).default(0),
  limit: z.coerce.number().int().min(1).max(MAX_PAGE).default(DEFAULT_PAGE),
});

/** Finds a symbol. Throws `Rejection` 404 if it does not exist. */
export function findMarket(view: EngineView, symbol: string | undefined): MarketView {
  const market = symbol === undefined ? undefined : view.marketBySymbol(symbol);
  if (market === undefined) {
    const known = view.markets().map(({ spec }) => spec.symbol);
    throw unknownName("UNKNOWN_SYMBOL", "symbol", symbol ?? "", known);
  }
  return market;
}

export function knownNetworks({ view, wallet }: Pick<AdminNode, "view" | "wallet">): string[] {
  const listed = view.assets().flatMap(({ spec }) => spec.networks.map((one) => one.network));
  return [...new Set([...listed, ...wallet.networks().map((one) => one.network)])];
}

/** Finds a network. Throws `Rejection` 404 if it does not exist. */
export function findNetwork(node: Pick<AdminNode, "view" | "wallet">, network: string): string {
  const known = knownNetworks(node);
  if (known.includes(network)) return network;
  throw unknownName("UNKNOWN_NETWORK", "network", network, known, asAsset(node.view, network));
}
