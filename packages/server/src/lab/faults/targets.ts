/**
 * The objects that a fault can apply to: requests, new connections, stream messages, deposits and withdrawals. Decides
 * whether a fault applies to an object.
 */
import {
  type AccountView,
  type DepositRecord,
  type EngineView,
  formatDecimal,
  type MarketView,
  type WithdrawalRecord,
} from "@pricetime/engine";
import { type KnownEndpoint, needsSignature, symbolsOf, VENUE_INTERFACES } from "@pricetime/protocol";
import { Rejection } from "../../people/http/answer.ts";
import { findAccount, availableNames } from "../../people/admin/parse.ts";
import { ALL_MARKETS, isAllMarkets, readStreamName } from "../../api/streams/market/market-stream.ts";
import { API_KEY_HEADER } from "../../api/edge/authentication.ts";
import type { GatewayRequest, MethodRequest } from "../../api/edge/request.ts";
import { type CoinFault, type ConnectionFault, MAX_TOLD_CHARS, type RequestFault, type StreamFault } from "./fault.ts";
import type { Struck } from "./rule.ts";
import type { StreamMessage } from "../../api/streams/port.ts";

// Resolves the names in a fault. An unknown name is rejected with a list of the names that exist.

/** Kinds of market streams. A kind in a fault means all streams of that kind. */
const STREAM_KINDS = [
  "trade",
  "aggTrade",
  "kline",
  "ticker",
  "windowTicker",
  "miniTicker",
  "bookTicker",
  "depth",
  "partialDepth",
  "avgPrice",
  "referencePrice",
] as const;
/** Events of an account. `user` in a fault means all of them. */
const USER_EVENTS = [
  "executionReport",
  "listStatus",
  "outboundAccountInfo",
  "outboundAccountPosition",
  "balanceUpdate",
  "listenKeyExpired",
] as const;
const ANY_USER_EVENT = "user";

function unknown(code: string, what: string, name: string, known: readonly string[]): Rejection {
  return new Rejection(400, code, `There is no ${what} ${name}. ${availableNames(name, known)}`);
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

/** Returns the endpoints with this id or path; a path may have one endpoint for each method. */
function endpointsNamed(view: EngineView, name: string): ReadonlySet<KnownEndpoint> {
  const table = VENUE_INTERFACES[view.interface].endpoints;
  const isPath = name.startsWith("/");
  const method = isPath ? undefined : table.findMethod(name);
  const found = table.endpoints.filter(({ id, paths }) => (isPath ? paths.includes(name) : id === name));
  const all = method === undefined ? found : [...found, method];
  if (all.length > 0) return new Set(all);
  const known = isPath
    ? table.endpoints.flatMap(({ paths }) => paths)
    : [...new Set([...table.endpoints, ...table.methods].map(({ id }) => id))];
  throw unknown("UNKNOWN_ENDPOINT", "endpoint", name, known);
}

/** A stream name in `where.stream`, resolved. */
type NamedStream =
  | { readonly kind: (typeof STREAM_KINDS)[number] }
  | { readonly event: (typeof USER_EVENTS)[number] | typeof ANY_USER_EVENT }
  | { readonly name: string };

function streamNamed(view: EngineView, name: string): NamedStream {
  const kind = STREAM_KINDS.find((one) => one === name);
  if (kind !== undefined) return { kind };
  const event = name === ANY_USER_EVENT ? ANY_USER_EVENT : USER_EVENTS.find((one) => one === name);
  if (event !== undefined) return { event };
  if (isAllMarkets(name) && !VENUE_INTERFACES[view.interface].isRetiredStream(name)) return { name };
  const read = readStreamName(name);
  if (read === null) throw unknown("UNKNOWN_STREAM", "stream", name, [...STREAM_KINDS, ANY_USER_EVENT, ...USER_EVENTS]);
  marketNamed(view, read.symbol);
  return { name };
}

/** Checks the asset and the network of a fault. Throws if one of them is not listed. */
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

export interface Asked {
  readonly over: "rest" | "websocket";
  /** The HTTP method, or the method of the WebSocket API. */
  readonly method: string;
  /** The path; "" for the WebSocket API. */
  readonly path: string;
  readonly endpoint: KnownEndpoint;
  /** The owner of the API key in the request, which is not authenticated yet; undefined without a known key. */
  readonly accountId: number | undefined;
  /** The decoded parameters of the request. */
  readonly values: ReadonlyMap<string, string>;
}

const UNTOLD: ReadonlySet<string> = new Set(["signature", "apiKey", "code"]);

/** Returns null if the interface of the venue has no endpoint for the request. */
export function askedOverRest(request: GatewayRequest, view: EngineView): Asked | null {
  const { method, path, query, body, headers } = request;
  const endpoint = VENUE_INTERFACES[view.interface].endpoints.findEndpoint(method === "HEAD" ? "GET" : method, path);
  if (typeof endpoint === "string") return null;
  const values = new Map([...new URLSearchParams(query), ...new URLSearchParams(body)]);
  const accountId = ownerOf(headers[API_KEY_HEADER], view);
  return { over: "rest", method, path, endpoint, accountId, values };
}

export function askedOverSocket({ method, apiKey, values }: MethodRequest, view: EngineView): Asked | null {
  const endpoint = VENUE_INTERFACES[view.interface].endpoints.findMethod(method);
  if (endpoint === undefined) return null;
  return { over: "websocket", method, path: "", endpoint, accountId: ownerOf(apiKey, view), values };
}

function ownerOf(apiKey: unknown, view: EngineView): number | undefined {
  return typeof apiKey === "string" ? view.apiKey(apiKey)?.accountId : undefined;
}

export type MatchesRequest = (asked: Asked) => boolean;

/**
 * Returns a function that tells whether the fault applies to a request. Throws `Rejection` for names that do not exist.
 */
export function requestMatch(fault: RequestFault, view: EngineView): MatchesRequest {
  const { endpoint, account, symbol, method, over } = fault.where;
  const endpoints = endpoint === undefined ? undefined : endpointsNamed(view, endpoint);
  const accountId = account === undefined ? undefined : accountNamed(view, account).accountId;
  if (symbol !== undefined) marketNamed(view, symbol);
  return (asked) =>
    (endpoints === undefined || endpoints.has(asked.endpoint)) &&
    (accountId === undefined || asked.accountId === accountId) &&
    (symbol === undefined || isAbout(asked, symbol)) &&
    (method === undefined || asked.endpoint.method === method) &&
    (over === undefined || asked.over === over) &&
    canStrike(fault, asked);
}

function isAbout({ values }: Asked, symbol: string): boolean {
  if (values.get("symbol") === symbol) return true;
  const list = values.get("symbols");
  return list !== undefined && list.includes(symbol) && symbolsIn(list).includes(symbol);
}

function symbolsIn(list: string): readonly string[] {
  try {
    return symbolsOf(list);
  } catch {
    // The list is malformed, so the exchange will reject the request.
    return [];
  }
}

/**
 * Whether the kind of fault is possible for this request: a clock skew affects only signed requests and the server
 * time, and a body that is not JSON is possible only over HTTP.
 */
function canStrike(fault: RequestFault, { endpoint, over }: Asked): boolean {
  if (fault.fault === "skew") return needsSignature(endpoint) || endpoint.id === "time";
  return !(fault.fault === "reply" && fault.body !== undefined && over === "websocket");
}

/** Describes an affected request for the list of faults. */
export function describeRequest({ over, method, path, endpoint, accountId, values }: Asked): Omit<Struck, "atMs"> {
  const sent = [...values].filter(([name]) => !UNTOLD.has(name)).map(([name, value]) => `${name}=${value}`);
  return {
    over,
    method,
    ...(path !== "" && { path }),
    endpoint: endpoint.id,
    ...(accountId !== undefined && { account: accountId }),
    sent: sent.join("&").slice(0, MAX_TOLD_CHARS),
  };
}

/** A new connection. `path`: the path of a WebSocket that is being opened; absent for the TCP connection itself. */
export interface Connecting {
  readonly ip: string;
  readonly path?: string;
}

export function connectionMatch(fault: ConnectionFault): (connecting: Connecting) => boolean {
  if (fault.fault === "refuse") return ({ path }) => path === undefined;
  const { path: named } = fault.where;
  return ({ path }) => path !== undefined && (named === undefined || path === named || path.startsWith(`${named}/`));
}

export interface Heard {
  /** The name of the stream; "user" for the events of an account. */
  readonly stream: string;
  /** The kind of the market stream; undefined for an event of an account. */
  readonly kind: string | undefined;
  /** The symbol of the message; undefined if it concerns no symbol or several. */
  readonly symbol: string | undefined;
  /** The account whose event it is. */
  readonly accountId: number | undefined;
  readonly payload: string;
}

const SYMBOL = /"s":"([^"]*)"/;

export function heard({ stream, accountId, payload }: StreamMessage, view: EngineView, nowMs: number): Heard {
  if (isAllMarkets(stream)) {
    const { kind } = ALL_MARKETS[stream];
    const symbol = payload.startsWith("[") ? undefined : SYMBOL.exec(payload)?.[1];
    return { stream, kind, symbol, accountId: undefined, payload };
  }
  const read = readStreamName(stream);
  if (read !== null) return { stream, kind: read.stream.kind, symbol: read.symbol, accountId: undefined, payload };
  const owner = accountId ?? view.listenKeyAccount(stream, nowMs);
  const symbol = SYMBOL.exec(payload)?.[1];
  return { stream: ANY_USER_EVENT, kind: undefined, symbol, accountId: owner, payload };
}

export type MatchesMessage = (heard: Heard) => boolean;

/**
 * Returns a function that tells whether the fault applies to a message. Throws `Rejection` for names that do not exist.
 */
export function streamMatch(fault: StreamFault, view: EngineView): MatchesMessage {
  const { stream, account, symbol } = fault.where;
  const named = stream === undefined ? undefined : streamNamed(view, stream);
  const accountId = account === undefined ? undefined : accountNamed(view, account).accountId;
  if (symbol !== undefined) marketNamed(view, symbol);
  const canStrike = kindOf(fault);
  if (named !== undefined && !canBe(fault, named)) {
    throw new Rejection(400, "BAD_REQUEST", `where.stream: ${fault.fault} is for ${KINDS[fault.fault]}`);
  }
  return (message) =>
    canStrike(message) &&
    (named === undefined || isNamed(named, message)) &&
    (accountId === undefined || message.accountId === accountId) &&
    (symbol === undefined || message.symbol === symbol);
}

const KINDS: Readonly<Record<string, string>> = {
  gap: "changes of the book: depth, or a stream such as btcusdt@depth",
  late: "events of an account: user, or one of them",
};

function kindOf({ fault }: StreamFault): MatchesMessage {
  if (fault === "gap") return ({ kind }) => kind === "depth";
  if (fault === "late") return ({ kind }) => kind === undefined;
  return () => true;
}

function canBe({ fault }: StreamFault, named: NamedStream): boolean {
  if (fault === "late") return "event" in named;
  if (fault !== "gap") return true;
  if ("name" in named) return readStreamName(named.name)?.stream.kind === "depth";
  return "kind" in named && named.kind === "depth";
}

function isNamed(named: NamedStream, { stream, kind, payload }: Heard): boolean {
  if ("name" in named) return stream === named.name;
  if ("kind" in named) return kind === named.kind;
  if (kind !== undefined) return false;
  return named.event === ANY_USER_EVENT || payload.startsWith(`{"e":"${named.event}"`);
}

/** Describes an affected message for the list of faults. */
export function describeMessage({ stream, accountId, payload }: Heard): Omit<Struck, "atMs"> {
  const account = accountId === undefined ? {} : { account: accountId };
  return { stream, ...account, message: payload.slice(0, MAX_TOLD_CHARS) };
}

export type MovingCoin = DepositRecord | WithdrawalRecord;
export type MatchesCoin = (coin: MovingCoin) => boolean;

/**
 * Returns a function that tells whether the fault applies to a deposit or withdrawal. Throws `Rejection` for names that
 * do not exist.
 */
export function coinMatch({ where: { account, coin, network } }: CoinFault, view: EngineView): MatchesCoin {
  const accountId = account === undefined ? undefined : accountNamed(view, account).accountId;
  checkCoin(view, coin, network);
  return (moving) =>
    (accountId === undefined || moving.accountId === accountId) &&
    (coin === undefined || view.asset(moving.assetId).spec.asset === coin) &&
    (network === undefined || moving.network === network);
}

/** Describes an affected deposit or withdrawal for the list of faults. */
export function describeCoin(moving: MovingCoin, view: EngineView): Omit<Struck, "atMs"> {
  const { accountId, assetId, amount, network, txId } = moving;
  const { asset, precision } = view.asset(assetId).spec;
  const withdrawal = "withdrawalId" in moving ? { withdrawal: moving.withdrawalId } : {};
  const transaction = txId === "" ? {} : { txId };
  return {
    network,
    account: accountId,
    coin: asset,
    amount: formatDecimal(amount, precision),
    ...withdrawal,
    ...transaction,
  };
}
