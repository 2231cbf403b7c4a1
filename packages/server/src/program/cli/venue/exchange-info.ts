/** Converts exchangeInfo answers to this exchange's listing: of 2019, of today, and of other exchanges of this kind. */
import type { AssetSpec, SymbolSpec } from "@pricetime/engine";
import { ORDER_TYPES } from "@pricetime/engine";
import type { z } from "zod";
import { assetSchema, symbolSchema } from "../../../platform/config/listing-schema.ts";
import { plainFilters } from "../../../platform/config/interface-filters.ts";
import { schemaFault } from "../../../platform/config/schema-fault.ts";
import { CommandFailed } from "../session/failure.ts";

type Told = Readonly<Record<string, unknown>>;

/** A symbol that can be listed, or the reason why not. */
export interface Candidate {
  readonly symbol: string;
  readonly spec: SymbolSpec | null;
  readonly assets: readonly AssetSpec[];
  /** Why it cannot be listed; "" when it can. */
  readonly why: string;
  /** Sentences on what differs from the file. */
  readonly notes: readonly string[];
}

/** Returns the symbols of a whole answer, of a list, or of one symbol. Throws `CommandFailed` for anything else. */
export function symbolsIn(document: unknown, path: string): readonly Told[] {
  const { symbols } = (document ?? {}) as { readonly symbols?: unknown };
  const found = Array.isArray(document) ? document : Array.isArray(symbols) ? symbols : [document];
  if (found.length > 0 && found.every((one) => typeof (one as Told | null)?.["symbol"] === "string"))
    return spotOnly(found as Told[], path);
  throw new CommandFailed(`${path} has no symbols. Use an exchangeInfo response, or symbols from one.`);
}

/** Throws `CommandFailed` when all of them are futures: their exchangeInfo has the same form. */
function spotOnly(symbols: readonly Told[], path: string): readonly Told[] {
  if (!symbols.every(isFuture)) return symbols;
  throw new CommandFailed(
    `${path} has futures (symbols with ${FUTURES_FIELDS.join(" and ")}). Only spot symbols can be listed, as in /api/v3/exchangeInfo.`,
  );
}

const FUTURES_FIELDS = ["contractType", "marginAsset"] as const;
const isFuture = (told: Told): boolean => FUTURES_FIELDS.every((field) => told[field] !== undefined);

/** The symbol as this exchange would list it. */
export function candidateOf(told: Told): Candidate {
  const symbol = String(told["symbol"]);
  const fault = (why: string): Candidate => ({ symbol, spec: null, assets: [], why, notes: [] });
  if (isFuture(told)) return fault("futures cannot be listed");
  if (told["isSpotTradingAllowed"] === false) return fault("not a spot symbol");
  const assets = [assetOf(told, "base"), assetOf(told, "quote")].map((asset) => check(assetSchema, asset));
  for (const asset of assets) if (asset.data === undefined) return fault(asset.why);
  const list = Array.isArray(told["filters"]) ? told["filters"] : [];
  const { filters, unknown, notes } = plainFilters(list);
  const { types, strange } = orderTypesOf(told["orderTypes"]);
  const switches = ["status", "icebergAllowed", "ocoAllowed", "quoteOrderQtyMarketAllowed"] as const;
  const given = Object.fromEntries(switches.filter((key) => told[key] !== undefined).map((key) => [key, told[key]]));
  const { baseAsset, quoteAsset } = told;
  const spec = check(symbolSchema, { symbol, baseAsset, quoteAsset, ...types, ...given, filters });
  if (spec.data === undefined) return fault(spec.why);
  const without = [...unknown, ...strange].map((name) => `without ${name}`);
  return {
    symbol,
    spec: spec.data,
    assets: assets.flatMap(({ data }) => data ?? []),
    why: "",
    notes: [...without, ...notes],
  };
}

/** The asset of a side, under its symbol's word: the answer does not contain its full name. */
function assetOf(told: Told, side: "base" | "quote"): Told {
  const asset = told[`${side}Asset`];
  // quotePrecision is the older name of quoteAssetPrecision.
  const precision = told[`${side}AssetPrecision`] ?? told[`${side}Precision`];
  return { asset, name: asset, ...(precision !== undefined && { precision }) };
}

function orderTypesOf(told: unknown): { types: { orderTypes?: string[] }; strange: string[] } {
  if (!Array.isArray(told)) return { types: {}, strange: [] };
  const known = ORDER_TYPES.filter((type) => told.includes(type));
  const strange = told.filter((type) => !(ORDER_TYPES as readonly unknown[]).includes(type));
  return { types: { orderTypes: known }, strange: strange.map((type) => `orders of type ${type}`) };
}

function check<T extends z.ZodType>(schema: T, value: unknown): { data?: z.output<T>; why: string } {
  const checked = schema.safeParse(value);
  if (checked.success) return { data: checked.data, why: "" };
  const [issue] = checked.error.issues;
  return { why: issue === undefined ? "invalid" : schemaFault(issue, value, schema) };
}
