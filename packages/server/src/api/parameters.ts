/** Reads the parameters of a call: markets, ids and times of a list, assets, networks and pages. */
import {
  type AssetNetwork,
  type AssetSpec,
  type AssetView,
  DAY_MS,
  type EngineView,
  HOUR_MS,
  type MarketView,
  namedOrderId,
} from "@pricetime/engine";
import {
  BAD_COMBINATION,
  INVALID_SYMBOL,
  invalidData,
  moreThanHours,
  OTHER_SYMBOL_STATUS,
  TOO_LONG_INTERVAL,
  UNKNOWN_ASSET,
  WITHDRAWAL_SUSPENDED,
} from "@pricetime/protocol";
import type { Call } from "./call.ts";
import { Refused } from "./edge/refusals.ts";
import type { Window } from "../history/port.ts";

// Markets by symbol.

function marketNamed(engine: EngineView, symbol: string): MarketView {
  const market = engine.marketBySymbol(symbol);
  if (market === undefined) throw new Refused(INVALID_SYMBOL);
  return market;
}

/** The market of the mandatory parameter `symbol`. */
export function marketOf(call: Call): MarketView {
  return marketNamed(call.venue.engine, call.text("symbol"));
}

/**
 * The market of `symbol`, or those of `symbols` in their order; undefined if neither is sent. `symbolStatus` filters
 * them.
 */
export function marketsOf(call: Call): MarketView | readonly MarketView[] | undefined {
  const { engine } = call.venue;
  const status = call.optionalText("symbolStatus");
  const symbol = call.optionalText("symbol");
  if (symbol !== undefined) return ofStatus(marketNamed(engine, symbol), status);
  const named = call.symbols()?.map((name) => marketNamed(engine, name));
  if (status === undefined) return named;
  return (named ?? engine.markets()).filter(({ spec }) => spec.status === status);
}

/** Returns the market. Rejects it if its status is not the requested one. */
export function ofStatus(market: MarketView, status: string | undefined): MarketView {
  if (status !== undefined && market.spec.status !== status) throw new Refused(OTHER_SYMBOL_STATUS);
  return market;
}

// Orders by `orderId`, which may be numbered by symbol.

/** The id inside the exchange of the order that the request names; undefined if it names none. */
export function orderIdOf(call: Call, { symbolId }: MarketView, parameter = "orderId"): number | undefined {
  const orderNumber = call.integer(parameter);
  return orderNumber === undefined ? undefined : namedOrderId(call.venue.engine.orderIds, symbolId, orderNumber);
}

// The requested range of a list: ids, times, limit. Interface 1.11.

/** The maximum time range, in hours, of a list of an account. */
export const ACCOUNT_LIST_MAX_HOURS = 24;

export interface WindowRules {
  /** The first id, if the request names one. The times are then ignored. */
  readonly fromId: number | undefined;
  /** The maximum time range in hours if both times are sent; undefined if unlimited. */
  readonly maxHours: number | undefined;
  /** Whether a range that ends before it starts gives an empty list (market data) or an error (account data). */
  readonly backwards: "empty" | "refused";
}

/** Reads the requested range. Returns null if the list must be empty. */
export function windowOf(call: Call, { fromId, ...rules }: WindowRules): Window | null {
  const limit = call.limit();
  if (fromId !== undefined) return { fromId, limit };
  const startTimeMs = call.time("startTime");
  const endTimeMs = call.time("endTime");
  if (startTimeMs !== undefined && endTimeMs !== undefined) {
    if (endTimeMs < startTimeMs) {
      if (rules.backwards === "empty") return null;
      throw new Refused(BAD_COMBINATION);
    }
    if (rules.maxHours !== undefined && endTimeMs - startTimeMs > rules.maxHours * HOUR_MS) {
      throw new Refused(moreThanHours(rules.maxHours));
    }
  }
  return {
    limit,
    ...(startTimeMs === undefined ? {} : { startTimeMs }),
    ...(endTimeMs === undefined ? {} : { endTimeMs }),
  };
}

// Assets, networks and times.

export function assetNamed(engine: EngineView, name: string): AssetView {
  const asset = engine.assets().find(({ spec }) => spec.asset === name);
  if (asset === undefined) throw new Refused(UNKNOWN_ASSET);
  return asset;
}

/** The id of an optional asset parameter; undefined for all assets. */
export function assetIdOf(call: Call, parameter: "asset" | "coin"): number | undefined {
  const name = call.optionalText(parameter);
  return name === undefined ? undefined : assetNamed(call.venue.engine, name).assetId;
}

export function assetName(engine: EngineView, assetId: number): string {
  return engine.asset(assetId).spec.asset;
}

/** The network that is used if the request names none. */
export function defaultNetwork({ networks }: AssetSpec): AssetNetwork | undefined {
  return networks.find(({ isDefault }) => isDefault) ?? networks[0];
}

/**
 * The requested network, or the default one. Rejects assets without networks, which cannot be deposited or withdrawn.
 */
export function networkOf(call: Call, spec: AssetSpec): AssetNetwork {
  const name = call.optionalText("network");
  const network = name === undefined ? defaultNetwork(spec) : spec.networks.find((one) => one.network === name);
  if (network !== undefined) return network;
  throw new Refused(name === undefined ? WITHDRAWAL_SUSPENDED : invalidData("network"));
}

export interface Times {
  readonly startTimeMs?: number | undefined;
  readonly endTimeMs?: number | undefined;
}

/** Reads `startTime` and `endTime`. If neither is sent, the range is the last `defaultDays`, or unlimited. */
export function timesOf(call: Call, defaultDays?: number): Times {
  const times = sentTimes(call, defaultDays);
  if (spanMs(times) < 0) throw new Refused(BAD_COMBINATION);
  return times;
}

/** The maximum time range, in days, of a request for deposits or withdrawals to /sapi. Interface 4.6. */
export const MAX_DAYS = 90;

/** Reads the times of a list. Throws `Refused` if their range exceeds `maxDays` days. */
export function timesWithin(call: Call, maxDays: number): Times {
  const times = sentTimes(call, maxDays);
  const span = spanMs(times);
  if (span < 0 || span > maxDays * DAY_MS) throw new Refused(TOO_LONG_INTERVAL);
  return times;
}

function sentTimes(call: Call, defaultDays: number | undefined): Times {
  const [startTimeMs, endTimeMs] = [call.time("startTime"), call.time("endTime")];
  if (startTimeMs !== undefined || endTimeMs !== undefined || defaultDays === undefined) {
    return { startTimeMs, endTimeMs };
  }
  return { startTimeMs: call.nowMs - defaultDays * DAY_MS };
}

/** The length of the range; 0 if it has no start or no end. */
function spanMs({ startTimeMs, endTimeMs }: Times): number {
  return startTimeMs === undefined || endTimeMs === undefined ? 0 : endTimeMs - startTimeMs;
}

/** The offset and size of the requested page. */
export function pageOf(call: Call): { readonly offset: number; readonly limit: number } {
  const limit = call.limit();
  return { offset: ((call.integer("page") ?? 1) - 1) * limit, limit };
}
