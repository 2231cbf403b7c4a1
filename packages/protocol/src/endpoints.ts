/**
 * The complete endpoint table, the lookup of a row by request line or method name, and the type of each endpoint's
 * answer.
 */
import type { Endpoint } from "./endpoint.ts";
import { ACCOUNT, SESSION } from "./endpoints/account.ts";
import { CAPITAL, SUB_ACCOUNTS, WALLET } from "./endpoints/wallet.ts";
import { GENERAL, TICKERS } from "./endpoints/market.ts";
import { ORDER_LISTS, ORDERS } from "./endpoints/orders.ts";
import { WAPI } from "./endpoints/wapi.ts";
import type {
  Account,
  AccountTrade,
  AccountFilters,
  Commission,
  ListenKeyAnswer,
  OrderCommission,
  SessionStatus,
  Subscribed,
} from "./shapes/account.ts";
import type {
  AggregateTrade,
  AveragePrice,
  ReferencePrice,
  ReferencePriceCalculation,
  SymbolRules,
  BookTicker,
  Depth,
  ExchangeInfo,
  Kline,
  MiniTicker,
  PriceTicker,
  PublicTrade,
  ServerTime,
  Ticker24hr,
  UsedLimit,
  WindowTicker,
} from "./shapes/market.ts";
import type {
  Amendment,
  AmendResponse,
  CancelReplaceResponse,
  CancelResponse,
  OcoCancelResponse,
  OcoResponse,
  OtoResponse,
  PreventedMatchRecord,
  OrderListRecord,
  OrderRecord,
  PlaceResponse,
} from "./shapes/orders.ts";
import type { SapiAnswers, WapiAnswers } from "./shapes/wallet.ts";

const ROWS = [
  ...GENERAL,
  ...TICKERS,
  ...ORDERS,
  ...ORDER_LISTS,
  ...ACCOUNT,
  ...WAPI,
  ...WALLET,
  ...CAPITAL,
  ...SUB_ACCOUNTS,
] as const;

/** All endpoint ids as a type, so that the compiler finds an endpoint without a handler. */
export type EndpointId = (typeof ROWS | typeof SESSION)[number]["id"];

export interface KnownEndpoint extends Endpoint {
  readonly id: EndpointId;
}

export const ENDPOINTS: readonly KnownEndpoint[] = ROWS;

export const WS_API_PATH = "/ws-api/v3";
/** Path of the page on which customers confirm a withdrawal. An email contains the link to it. */
export const CONFIRM_PATH = "/withdraw/confirm";
/** Endpoints below this path are methods of the WebSocket API as well. The aliases under v1 and the wallet are not. */
const METHODS_BELOW = "/api/v3/";
/** The optional version prefix of method names. */
const VERSION_PREFIX = "v3/";

/** Methods of the WebSocket API. */
export const METHODS: readonly KnownEndpoint[] = [
  ...ENDPOINTS.filter(({ paths }) => paths[0]?.startsWith(METHODS_BELOW)),
  ...SESSION,
];
/** The endpoints of an interface, by request line and by method name. */
export class EndpointTable {
  readonly endpoints: readonly KnownEndpoint[];
  readonly methods: readonly KnownEndpoint[];
  readonly #byPath: ReadonlyMap<string, ReadonlyMap<string, KnownEndpoint>>;
  readonly #byMethod: ReadonlyMap<string, KnownEndpoint>;

  /** `methods`: the endpoints that are methods of the WebSocket API. */
  constructor(endpoints: readonly KnownEndpoint[], methods: readonly KnownEndpoint[]) {
    this.endpoints = endpoints;
    this.methods = methods;
    this.#byPath = byPath(endpoints);
    this.#byMethod = new Map(methods.map((row) => [row.id, row]));
  }

  findMethod(name: string): KnownEndpoint | undefined {
    return this.#byMethod.get(name.startsWith(VERSION_PREFIX) ? name.slice(VERSION_PREFIX.length) : name);
  }

  /**
   * `path` is the path as received, without the query. It is not decoded, a trailing slash is not removed, and case
   * matters.
   */
  findEndpoint(method: string, path: string): KnownEndpoint | "wrong method" | "unknown" {
    const methods = this.#byPath.get(path);
    if (methods === undefined) return "unknown";
    return methods.get(method) ?? "wrong method";
  }

  /** The methods of a path, in the form of a 405's `Allow` header. */
  methodsOf(path: string): readonly string[] {
    return [...(this.#byPath.get(path)?.keys() ?? [])];
  }
}

/** All endpoints. The table of an interface may lack some (`interfaces.ts`). */
const ALL = new EndpointTable(ENDPOINTS, METHODS);

export function findMethod(name: string): KnownEndpoint | undefined {
  return ALL.findMethod(name);
}

export function findEndpoint(method: string, path: string): KnownEndpoint | "wrong method" | "unknown" {
  return ALL.findEndpoint(method, path);
}

export function methodsOf(path: string): readonly string[] {
  return ALL.methodsOf(path);
}

function byPath(endpoints: readonly KnownEndpoint[]): Map<string, Map<string, KnownEndpoint>> {
  const paths = new Map<string, Map<string, KnownEndpoint>>();
  for (const endpoint of endpoints) {
    for (const path of endpoint.paths) {
      const methods = paths.get(path) ?? new Map<string, KnownEndpoint>();
      if (methods.has(endpoint.method)) throw new Error(`${endpoint.method} ${path} is in the table twice`);
      paths.set(path, methods.set(endpoint.method, endpoint));
    }
  }
  return paths;
}

type Nothing = Readonly<Record<string, never>>;
type OneOrMany<T> = T | readonly T[];

export interface Answers extends WapiAnswers, SapiAnswers {
  readonly ping: Nothing;
  readonly time: ServerTime;
  readonly exchangeInfo: ExchangeInfo;
  readonly depth: Depth;
  readonly "trades.recent": readonly PublicTrade[];
  readonly "trades.historical": readonly PublicTrade[];
  readonly "blockTrades.historical": readonly [];
  readonly "trades.aggregate": readonly AggregateTrade[];
  readonly klines: readonly Kline[];
  readonly uiKlines: readonly Kline[];
  readonly avgPrice: AveragePrice;
  readonly executionRules: { readonly symbolRules: readonly SymbolRules[] };
  readonly referencePrice: ReferencePrice;
  readonly "referencePrice.calculation": ReferencePriceCalculation;
  readonly "ticker.24hr": OneOrMany<Ticker24hr>;
  readonly "ticker.tradingDay": OneOrMany<WindowTicker | MiniTicker>;
  readonly ticker: OneOrMany<WindowTicker | MiniTicker>;
  readonly "ticker.price": OneOrMany<PriceTicker>;
  readonly "ticker.book": OneOrMany<BookTicker>;
  readonly "ticker.allPrices": readonly PriceTicker[];
  readonly "ticker.allBookTickers": readonly BookTicker[];
  readonly "order.place": PlaceResponse;
  readonly "order.test": Nothing | OrderCommission;
  readonly "order.status": OrderRecord;
  readonly "order.cancel": CancelResponse | OcoCancelResponse;
  readonly "order.cancelReplace": CancelReplaceResponse;
  readonly "order.amend.keepPriority": AmendResponse;
  readonly "order.amendments": readonly Amendment[];
  readonly "openOrders.status": readonly OrderRecord[];
  readonly "openOrders.cancelAll": readonly (CancelResponse | OcoCancelResponse)[];
  readonly allOrders: readonly OrderRecord[];
  readonly "orderList.place": OcoResponse;
  readonly "orderList.place.oco": OcoResponse;
  readonly "orderList.place.oto": OtoResponse;
  readonly "orderList.place.otoco": OtoResponse;
  readonly "orderList.place.opo": OtoResponse;
  readonly "orderList.place.opoco": OtoResponse;
  readonly "orderList.cancel": OcoCancelResponse;
  readonly "orderList.status": OrderListRecord;
  readonly allOrderLists: readonly OrderListRecord[];
  readonly "openOrderLists.status": readonly OrderListRecord[];
  readonly "account.status": Account;
  readonly "account.commission": Commission;
  readonly "account.rateLimits.orders": readonly UsedLimit[];
  readonly myFilters: AccountFilters;
  readonly myTrades: readonly AccountTrade[];
  readonly myPreventedMatches: readonly PreventedMatchRecord[];
  readonly "userDataStream.start": ListenKeyAnswer;
  readonly "userDataStream.ping": Nothing;
  readonly "userDataStream.stop": Nothing;
  readonly "session.logon": SessionStatus;
  readonly "session.status": SessionStatus;
  readonly "session.logout": SessionStatus;
  readonly "session.subscriptions": readonly Subscribed[];
  readonly "userDataStream.subscribe": Subscribed;
  readonly "userDataStream.subscribe.signature": Subscribed;
  readonly "userDataStream.unsubscribe": Nothing;
  readonly "margin.pairs": readonly [];
  readonly "futures.exchangeInfo": { readonly symbols: readonly [] };
}

export type Answer<Id extends EndpointId> = Answers[Id];

export type Examples = { readonly [Id in EndpointId]?: Answer<Id> };
