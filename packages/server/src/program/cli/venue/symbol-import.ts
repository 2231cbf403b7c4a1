/** `symbol import` lists the symbols of an exchangeInfo answer. docs/decisions/0023. */
import {
  ADOPT_NEWEST_RULES,
  type AssetSpec,
  type Command as EngineCommand,
  Engine,
  ORDER_TYPES,
  type SymbolSpec,
} from "@pricetime/engine";
import type { z } from "zod";
import { assetSchema, symbolSchema } from "../../../platform/config/listing-schema.ts";
import { plainFilters } from "../../../platform/config/interface-filters.ts";
import { schemaFault } from "../../../platform/config/faults.ts";
import { CommandFailed, type Output } from "../session/terminal.ts";
import { roundingFault } from "../../../platform/config/listing-warnings.ts";
import type { Connection } from "../session/connection.ts";
import type { Session } from "../session/session.ts";
import { readDocument } from "../session/values.ts";

type ListedSymbol = Readonly<Record<string, unknown>>;

/** A symbol that can be listed, or the reason why it cannot. */
interface Candidate {
  readonly symbol: string;
  readonly spec: SymbolSpec | null;
  readonly assets: readonly AssetSpec[];
  /** Why the symbol cannot be listed; "" if it can. */
  readonly why: string;
  /** How the listing differs from the file. */
  readonly notes: readonly string[];
}

/** Returns the symbols of a complete answer, of a list, or a single one. Throws `CommandFailed` for anything else. */
function symbolsIn(document: unknown, path: string): readonly ListedSymbol[] {
  const { symbols } = (document ?? {}) as { readonly symbols?: unknown };
  const found = Array.isArray(document) ? document : Array.isArray(symbols) ? symbols : [document];
  if (found.length > 0 && found.every((one) => typeof (one as ListedSymbol | null)?.["symbol"] === "string"))
    return spotOnly(found as ListedSymbol[], path);
  throw new CommandFailed(`${path} has no symbols. Use an exchangeInfo response, or symbols from one.`);
}

/**
 * Returns the spot symbols. Throws `CommandFailed` if all symbols are futures, whose exchangeInfo has the same form.
 */
function spotOnly(symbols: readonly ListedSymbol[], path: string): readonly ListedSymbol[] {
  if (!symbols.every(isFuture)) return symbols;
  throw new CommandFailed(
    `${path} has futures (symbols with ${FUTURES_FIELDS.join(" and ")}). Only spot symbols can be listed, as in /api/v3/exchangeInfo.`,
  );
}

const FUTURES_FIELDS = ["contractType", "marginAsset"] as const;
const isFuture = (entry: ListedSymbol): boolean => FUTURES_FIELDS.every((field) => entry[field] !== undefined);

/** Converts a symbol of exchangeInfo, in the form of 2019, of today, or of similar exchanges. */
function candidateOf(entry: ListedSymbol): Candidate {
  const symbol = String(entry["symbol"]);
  const fault = (why: string): Candidate => ({ symbol, spec: null, assets: [], why, notes: [] });
  if (isFuture(entry)) return fault("futures cannot be listed");
  if (entry["isSpotTradingAllowed"] === false) return fault("not a spot symbol");
  const assets = [assetOf(entry, "base"), assetOf(entry, "quote")].map((asset) => check(assetSchema, asset));
  for (const asset of assets) if (asset.data === undefined) return fault(asset.why);
  const list = Array.isArray(entry["filters"]) ? entry["filters"] : [];
  const { filters, unknown } = plainFilters(list);
  const { types, strange } = orderTypesOf(entry["orderTypes"]);
  const lists = ["ocoAllowed", "otoAllowed", "opoAllowed"] as const;
  const orders = [
    "icebergAllowed",
    "quoteOrderQtyMarketAllowed",
    "allowTrailingStop",
    "pegInstructionsAllowed",
  ] as const;
  const switches = ["status", ...orders, ...lists] as const;
  const given = Object.fromEntries(switches.filter((key) => entry[key] !== undefined).map((key) => [key, entry[key]]));
  const { baseAsset, quoteAsset } = entry;
  const spec = check(symbolSchema, { symbol, baseAsset, quoteAsset, ...types, ...given, filters });
  if (spec.data === undefined) return fault(spec.why);
  return {
    symbol,
    spec: spec.data,
    assets: assets.flatMap(({ data }) => data ?? []),
    why: "",
    notes: [...unknown, ...strange].map((name) => `without ${name}`),
  };
}

/**
 * The base or quote asset of a symbol. Its code is also used as its name, because exchangeInfo does not contain the
 * full name.
 */
function assetOf(entry: ListedSymbol, side: "base" | "quote"): ListedSymbol {
  const asset = entry[`${side}Asset`];
  // quotePrecision is the older name of quoteAssetPrecision.
  const precision = entry[`${side}AssetPrecision`] ?? entry[`${side}Precision`];
  return { asset, name: asset, ...(precision !== undefined && { precision }) };
}

function orderTypesOf(entry: unknown): { types: { orderTypes?: string[] }; strange: string[] } {
  if (!Array.isArray(entry)) return { types: {}, strange: [] };
  const known = ORDER_TYPES.filter((type) => entry.includes(type));
  const strange = entry.filter((type) => !(ORDER_TYPES as readonly unknown[]).includes(type));
  return { types: { orderTypes: known }, strange: strange.map((type) => `orders of type ${type}`) };
}

function check<T extends z.ZodType>(schema: T, value: unknown): { data?: z.output<T>; why: string } {
  const checked = schema.safeParse(value);
  if (checked.success) return { data: checked.data, why: "" };
  const [issue] = checked.error.issues;
  return { why: issue === undefined ? "invalid" : schemaFault(issue, value, schema) };
}

/** Above this number of symbols, only skipped ones are shown. */
const MOST_SHOWN = 100;
/** Maximum number of warnings in the output. */
const MOST_WARNINGS = 20;
/** The number of symbols between two progress messages. */
const SYMBOLS_A_WORD = 500;
const COLUMNS = ["symbol", "outcome", "why"];

/** Lists an asset or symbol. Resolves to warnings. Throws `CommandFailed` with the reason if it is rejected. */
type List = (
  command: { readonly asset: AssetSpec } | { readonly symbol: NonNullable<Candidate["spec"]> },
) => Promise<readonly string[]>;

interface Outcome {
  readonly symbol: string;
  readonly outcome: "listed" | "already listed" | "skipped";
  readonly why: string;
  readonly notes: readonly string[];
  readonly warnings: readonly string[];
}

interface Imported {
  readonly assets: readonly string[];
  readonly symbols: readonly Outcome[];
}

export interface ImportOptions {
  readonly file: string;
  readonly only?: readonly string[];
  readonly acceptRounding?: boolean;
  readonly dryRun?: boolean;
}

export async function importSymbols(
  { connection, output, terminal }: Session,
  { file, only, acceptRounding = false, dryRun = false }: ImportOptions,
): Promise<void> {
  const entry = chosen(symbolsIn(readDocument(file), file), only);
  const candidates = entry.map(candidateOf).map((one) => (acceptRounding ? accepting(one) : one));
  const known = await knownTo(connection);
  const onProgress = (done: number): void => terminal.complain(`${done} of ${candidates.length} symbols`);
  const listOne = dryRun ? trialOf(known) : listingOn(connection);
  const imported = await importAll(candidates, known, listOne, onProgress);
  if (output.isJson) output.one({ ...imported });
  else for (const line of summary(imported, dryRun, output)) output.note(line);
  const isMissed = imported.symbols.some(({ outcome }) => outcome === "skipped");
  if (only !== undefined && isMissed) throw new CommandFailed("Some symbols of --only could not be listed.");
}

function chosen<T extends Readonly<Record<string, unknown>>>(
  symbols: readonly T[],
  only: readonly string[] | undefined,
): readonly T[] {
  if (only === undefined) return symbols;
  const missing = only.filter((name) => !symbols.some(({ symbol }) => symbol === name));
  if (missing.length > 0) throw new CommandFailed(`The file has no symbol ${missing.join(", ")}.`);
  return symbols.filter(({ symbol }) => only.includes(String(symbol)));
}

interface Known {
  readonly assets: ReadonlyMap<string, AssetSpec>;
  readonly symbols: ReadonlySet<string>;
}

async function knownTo(connection: Connection): Promise<Known> {
  const assets = await connection.call<AssetSpec[]>("GET", "/v1/assets");
  const symbols = await connection.call<{ symbol: string }[]>("GET", "/v1/symbols");
  return {
    assets: new Map(assets.map((spec) => [spec.asset, spec])),
    symbols: new Set(symbols.map(({ symbol }) => symbol)),
  };
}

/** Imports symbols one after another, because exchangeInfo shows them in the order of listing. */
async function importAll(
  candidates: readonly Candidate[],
  known: Known,
  listOne: List,
  onProgress: (done: number) => void,
): Promise<Imported> {
  const assets = new Set<string>();
  const symbols: Outcome[] = [];
  const there = new Set(known.symbols);
  for (const [done, candidate] of candidates.entries()) {
    if (done > 0 && done % SYMBOLS_A_WORD === 0) onProgress(done);
    const { symbol, notes } = candidate;
    if (there.has(symbol)) {
      symbols.push({ symbol, outcome: "already listed", why: "", notes, warnings: [] });
      continue;
    }
    const { why, warnings } = await tryToList(candidate, known, assets, listOne);
    if (why === "") there.add(symbol);
    symbols.push({ symbol, outcome: why === "" ? "listed" : "skipped", why, notes, warnings });
  }
  return { assets: [...assets], symbols };
}

/** Lists a symbol. Returns the reason if it was not listed, and the node's warnings. Adds new assets to `assets`. */
async function tryToList(
  { spec, assets: needed, why }: Candidate,
  known: Known,
  assets: Set<string>,
  listOne: List,
): Promise<Pick<Outcome, "why" | "warnings">> {
  if (spec === null) return { why, warnings: [] };
  try {
    for (const asset of needed.filter((one) => !known.assets.has(one.asset) && !assets.has(one.asset))) {
      await listOne({ asset });
      assets.add(asset.asset);
    }
    return { why: "", warnings: await listOne({ symbol: spec }) };
  } catch (error) {
    if (error instanceof CommandFailed) return { why: error.message, warnings: [] };
    throw error;
  }
}

interface Warned {
  readonly warnings?: readonly string[];
}

function listingOn(connection: Connection): List {
  return async (one) => {
    if ("asset" in one) await connection.call("POST", "/v1/assets", one.asset);
    if (!("symbol" in one)) return [];
    const { warnings = [] } = await connection.call<Warned>("POST", "/v1/symbols", one.symbol);
    return warnings;
  };
}

function accepting(candidate: Candidate): Candidate {
  return candidate.spec === null ? candidate : { ...candidate, spec: { ...candidate.spec, acceptRounding: true } };
}

/** Lists assets and symbols on a temporary engine, for a dry run. */
function trialOf(known: Known): List {
  const engine = new Engine();
  const run = (command: EngineCommand): void => {
    const [first] = engine.apply({ seq: engine.seq + 1, timeMs: 0, command });
    if (first?.type !== "rejected") return;
    const isCoarse = command.type === "listSymbol" && first.reason === "ROUNDING_TOO_COARSE";
    const why = isCoarse ? roundingFault(engine, command.symbol) : undefined;
    throw new CommandFailed(why ?? "a value is outside of the range that the exchange supports");
  };
  run(ADOPT_NEWEST_RULES);
  for (const asset of known.assets.values()) run({ type: "listAsset", asset: { ...asset, networks: [] }, by: "trial" });
  return async (one) => {
    if ("asset" in one) run({ type: "listAsset", asset: one.asset, by: "trial" });
    else run({ type: "listSymbol", symbol: one.symbol, by: "trial" });
    return [];
  };
}

function* summary({ assets, symbols }: Imported, isDry: boolean, output: Output): Generator<string> {
  const isLong = symbols.length > MOST_SHOWN;
  const shown = isLong ? symbols.filter(({ outcome }) => outcome === "skipped") : symbols;
  if (shown.length > 0)
    output.rows(
      shown.map((row) => ({ ...row })),
      COLUMNS,
    );
  const of = (outcome: Outcome["outcome"]): number => symbols.filter((one) => one.outcome === outcome).length;
  const listed = symbols.filter(({ outcome }) => outcome === "listed");
  yield `\n${isDry ? "Would list" : "Listed"} ${listed.length} symbols and ${assets.length} assets. Already listed: ${of("already listed")}. Skipped: ${of("skipped")}.`;
  const notes = Map.groupBy(
    listed.flatMap(({ symbol, notes: each }) => each.map((note) => ({ note, symbol }))),
    ({ note }) => note,
  );
  for (const [note, ones] of notes) {
    const named = ones.slice(0, 3).map(({ symbol }) => symbol);
    yield `${note}: ${named.join(", ")}${ones.length > named.length ? ` and ${ones.length - named.length} more` : ""}`;
  }
  const warnings = listed.flatMap((one) => one.warnings);
  for (const warning of warnings.slice(0, MOST_WARNINGS)) yield `warning: ${warning}`;
  if (warnings.length > MOST_WARNINGS)
    yield `${warnings.length - MOST_WARNINGS} more warnings. Use --json to list all.`;
}
