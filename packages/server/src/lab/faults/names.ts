/** The names in a fault, looked up: one that does not exist is told apart from those that do. */
import type { AccountView, EngineView, MarketView } from "@pricetime/engine";
import { ENDPOINTS, findMethod, type KnownEndpoint, METHODS } from "@pricetime/protocol";
import { AdminRefusal } from "../../people/admin/answer.ts";
import { whatThereIs } from "../../people/admin/known-names.ts";
import { findAccount } from "../../people/admin/parse.ts";
import { isAllMarkets, readStreamName } from "../../api/streams/market/stream-name.ts";

/** Kinds of market streams, as where one stands for all of its kind. */
export const STREAM_KINDS = [
  "trade",
  "aggTrade",
  "kline",
  "ticker",
  "miniTicker",
  "bookTicker",
  "depth",
  "partialDepth",
] as const;
/** Events of an account, and `user` for all of them. */
export const USER_EVENTS = [
  "executionReport",
  "listStatus",
  "outboundAccountInfo",
  "outboundAccountPosition",
  "balanceUpdate",
  "listenKeyExpired",
] as const;
export const ANY_USER_EVENT = "user";

function unknown(code: string, what: string, name: string, known: readonly string[]): AdminRefusal {
  return new AdminRefusal(400, code, `There is no ${what} ${name}. ${whatThereIs(name, known)}`);
}

export function marketNamed(view: EngineView, symbol: string): MarketView {
  const market = view.marketBySymbol(symbol);
  if (market !== undefined) return market;
  const known = view.markets().map(({ spec }) => spec.symbol);
  throw unknown("UNKNOWN_SYMBOL", "symbol", symbol, known);
}

export function accountNamed(view: EngineView, name: string): AccountView {
  return findAccount(view, name);
}

/** The endpoints with this name or path: a path may have one for each method. */
export function endpointsNamed(name: string): ReadonlySet<KnownEndpoint> {
  const isPath = name.startsWith("/");
  const method = isPath ? undefined : findMethod(name);
  const found = ENDPOINTS.filter(({ id, paths }) => (isPath ? paths.includes(name) : id === name));
  const all = method === undefined ? found : [...found, method];
  if (all.length > 0) return new Set(all);
  const known = isPath
    ? ENDPOINTS.flatMap(({ paths }) => paths)
    : [...new Set([...ENDPOINTS, ...METHODS].map(({ id }) => id))];
  throw unknown("UNKNOWN_ENDPOINT", "endpoint", name, known);
}

/** What `where.stream` may mean. */
export type NamedStream =
  | { readonly kind: (typeof STREAM_KINDS)[number] }
  | { readonly event: (typeof USER_EVENTS)[number] | typeof ANY_USER_EVENT }
  | { readonly name: string };

export function streamNamed(view: EngineView, name: string): NamedStream {
  const kind = STREAM_KINDS.find((one) => one === name);
  if (kind !== undefined) return { kind };
  const event = name === ANY_USER_EVENT ? ANY_USER_EVENT : USER_EVENTS.find((one) => one === name);
  if (event !== undefined) return { event };
  if (isAllMarkets(name)) return { name };
  const read = readStreamName(name);
  if (read === null) throw unknown("UNKNOWN_STREAM", "stream", name, [...STREAM_KINDS, ANY_USER_EVENT, ...USER_EVENTS]);
  marketNamed(view, read.symbol);
  return { name };
}

/** Throws for a coin or a network that nobody has listed. */
export function checkCoin(view: EngineView, coin: string | undefined, network: string | undefined): void {
  const assets = view.assets().map(({ spec }) => spec);
  if (coin !== undefined && !assets.some(({ asset }) => asset === coin)) {
    throw unknown(
      "UNKNOWN_COIN",
      "coin",
      coin,
      assets.map(({ asset }) => asset),
    );
  }
  const networks = [...new Set(assets.flatMap((spec) => spec.networks.map((on) => on.network)))];
  if (network !== undefined && !networks.includes(network)) {
    throw unknown("UNKNOWN_NETWORK", "network", network, networks);
  }
}
