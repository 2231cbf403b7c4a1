/**
 * The most expensive request of each endpoint on the `DearVenue`, where all lists have their maximum length. An
 * endpoint missing here is a compile error.
 */
import { ENDPOINTS, type EndpointId, type KnownEndpoint, METHODS, needsSignature } from "@pricetime/protocol";
import type { GatewayRequest } from "@pricetime/server/parts";
import type { Parameters } from "@pricetime/testkit/client";
import type { TestKey } from "@pricetime/testkit/gateway-venue";
import {
  BUSY,
  CROWDED,
  type DearVenue,
  DEEP,
  LEVELS,
  LOT,
  MID_TICKS,
  OPEN_LISTS,
  OPEN_ORDERS,
  OPEN_ORDERS_ON_ONE,
  QUIET,
  SYMBOLS,
  symbolOf,
} from "./dear-venue.ts";

export interface DearRequest {
  /** Why it is expensive; "" where no form is more expensive than another. */
  readonly what: string;
  readonly parameters?: (venue: DearVenue) => Parameters;
  /** The key that it uses, if it needs one; the owner's if absent. */
  readonly by?: "maker" | "pauper";
  /** Whether the response has times in microseconds. */
  readonly inMicroseconds?: true;
  /** The status of the response; 200 if absent. */
  readonly status?: number;
  /** The number of earlier orders that it closes. */
  readonly ends?: number;
}

type Dear = readonly [DearRequest, ...DearRequest[]];

const PLAIN: Dear = [{ what: "" }];
const symbol = (symbolId: number): { readonly symbol: string } => ({ symbol: symbolOf(symbolId) });
const page = (symbolId: number, limit = 1000) => ({ ...symbol(symbolId), limit });

/** Far from the book, so that it rests. */
const RESTING = { side: "BUY", type: "LIMIT", timeInForce: "GTC", price: "5000.00", quantity: "1" };
/** The maximum number of symbols in a request. */
const MOST_NAMED = 400;
const named = (): Parameters => ({
  symbols: JSON.stringify(Array.from({ length: MOST_NAMED }, (_, n) => symbolOf(n))),
});

/** Selected symbols are written for each request. */
const trading = (): Parameters => ({ symbolStatus: "TRADING" });

const MAX_WINDOW_SYMBOLS = 100;
const windowed = (): Parameters => ({
  symbols: JSON.stringify(Array.from({ length: MAX_WINDOW_SYMBOLS }, (_, n) => symbolOf(n))),
});

const LEVELS_TAKEN = 1000;
const ORDERS_CANCELED = 1000;

function placedIds(venue: DearVenue, count = 1): string {
  let last = "";
  for (let n = 0; n < count; n++) last = venue.place(venue.owner, QUIET, "BUY", MID_TICKS / 2);
  return last;
}

const LIST = { side: "SELL", quantity: "1", price: "12000.00", stopPrice: "9000.00" };
const WORKING = {
  ...{ workingType: "LIMIT", workingTimeInForce: "GTC", workingSide: "BUY", workingPrice: "5000.00" },
  ...{ workingQuantity: "1", pendingSide: "SELL" },
};
const PENDING = { pendingType: "LIMIT_MAKER", pendingPrice: "12000.00" };
const PENDING_PAIR = {
  ...{ pendingAboveType: "LIMIT_MAKER", pendingAbovePrice: "12000.00" },
  ...{ pendingBelowType: "STOP_LOSS", pendingBelowStopPrice: "4000.00" },
};
const OF_PENDING = { pendingQuantity: "1" };
const WITHDRAWAL = { address: "0xabc", amount: "1", network: "ETH" };
const SUB = { email: "sub0@example.org" };
const TO_SUB = { fromEmail: "owner@example.org", toEmail: "sub0@example.org", asset: "COIN1", amount: "0.001" };
const ALL_ASSETS = "all assets, 1,000 of them held by the account";
const ALL_SYMBOLS = `all ${SYMBOLS.toLocaleString("en-US")} symbols`;
/** Alternates, because a switch to the current value costs less. */
let isDiscountOn = false;
const DUST = Array.from({ length: 100 }, (_, n) => `COIN${n}`).join(",");

export const DEAR: Readonly<Record<EndpointId, Dear>> = {
  ping: PLAIN,
  time: PLAIN,
  exchangeInfo: [
    { what: `${ALL_SYMBOLS}, one of them just changed`, parameters: changed },
    { what: `${MOST_NAMED} symbols by name`, parameters: named },
    { what: "all symbols that trade, in microseconds", parameters: trading, inMicroseconds: true },
  ],
  depth: [
    { what: `5,000 levels of ${(LEVELS / 2).toLocaleString("en-US")} a side`, parameters: () => page(DEEP, 5000) },
  ],
  "trades.recent": [{ what: "1,000", parameters: () => page(BUSY) }],
  "trades.historical": [{ what: "1,000", parameters: () => page(BUSY) }],
  "trades.aggregate": [{ what: "1,000", parameters: () => page(BUSY) }],
  klines: [
    { what: "1,000", parameters: () => ({ ...page(BUSY), interval: "1m" }) },
    { what: "1,000 of a second", parameters: () => ({ ...page(BUSY), interval: "1s" }) },
  ],
  uiKlines: [{ what: "days of a time zone", parameters: () => ({ ...page(BUSY), interval: "1d", timeZone: "5:45" }) }],
  avgPrice: [{ what: "a symbol that trades continuously", parameters: () => symbol(BUSY) }],
  "blockTrades.historical": [{ what: "", parameters: () => ({ ...symbol(BUSY), fromId: 0 }) }],
  executionRules: [{ what: `${MOST_NAMED} symbols by name`, parameters: named }],
  referencePrice: [{ what: "without a price range", status: 400, parameters: () => symbol(BUSY) }],
  "referencePrice.calculation": [{ what: "without a price range", status: 400, parameters: () => symbol(BUSY) }],
  "ticker.24hr": [
    { what: ALL_SYMBOLS },
    { what: "a symbol with trades in every minute", parameters: () => symbol(BUSY) },
  ],
  "ticker.tradingDay": [{ what: `${MAX_WINDOW_SYMBOLS} symbols`, parameters: windowed }],
  ticker: [{ what: `${MAX_WINDOW_SYMBOLS} symbols`, parameters: windowed }],
  "ticker.price": [{ what: ALL_SYMBOLS }],
  "ticker.book": [{ what: ALL_SYMBOLS }],
  "ticker.allPrices": [{ what: ALL_SYMBOLS }],
  "ticker.allBookTickers": [{ what: ALL_SYMBOLS }],
  "order.place": [
    { what: "a resting limit order", parameters: () => ({ ...RESTING, ...symbol(QUIET) }) },
    {
      what: `a market order that fills ${LEVELS_TAKEN.toLocaleString("en-US")} levels`,
      by: "maker",
      ends: LEVELS_TAKEN,
      parameters: (venue) => {
        for (let n = 0; n < LEVELS_TAKEN; n++) venue.place(venue.owner, BUSY, "BUY", MID_TICKS + 49 - n, LOT / 1000);
        return { ...symbol(BUSY), side: "SELL", type: "MARKET", quantity: LEVELS_TAKEN / 1000 };
      },
    },
    {
      what: `a market order for 60,000 times the account's balance, over ${(LEVELS / 2).toLocaleString("en-US")} levels: rejected`,
      by: "pauper",
      status: 400,

      parameters: () => ({ ...symbol(DEEP), side: "BUY", type: "MARKET", quoteOrderQty: "6000000" }),
    },
  ],
  "order.test": [{ what: "", parameters: () => ({ ...RESTING, ...symbol(QUIET) }) }],
  "order.status": [{ what: "", parameters: (venue) => ({ ...symbol(QUIET), origClientOrderId: placedIds(venue) }) }],
  "order.cancel": [{ what: "", parameters: (venue) => ({ ...symbol(QUIET), origClientOrderId: placedIds(venue) }) }],
  "order.amend.keepPriority": [
    { what: "", parameters: (venue) => ({ ...symbol(QUIET), origClientOrderId: placedIds(venue), newQty: "0.0001" }) },
  ],
  "order.amendments": [{ what: "", parameters: () => ({ ...symbol(QUIET), orderId: 1 }) }],
  "order.cancelReplace": [
    {
      what: "",
      parameters: (venue) => ({
        ...RESTING,
        ...symbol(QUIET),
        cancelReplaceMode: "STOP_ON_FAILURE",
        cancelOrigClientOrderId: placedIds(venue),
      }),
    },
  ],
  "openOrders.status": [
    { what: `${OPEN_ORDERS.toLocaleString("en-US")} open orders` },
    { what: `${OPEN_ORDERS.toLocaleString("en-US")} open orders, in microseconds`, inMicroseconds: true },
    {
      what: `${OPEN_ORDERS_ON_ONE.toLocaleString("en-US")} open orders on one symbol`,
      parameters: () => symbol(CROWDED),
    },
  ],
  "openOrders.cancelAll": [
    {
      what: `${ORDERS_CANCELED.toLocaleString("en-US")} open orders`,
      ends: ORDERS_CANCELED,
      parameters: (venue) => {
        placedIds(venue, ORDERS_CANCELED);
        return symbol(QUIET);
      },
    },
  ],
  allOrders: [{ what: "1,000", parameters: () => page(CROWDED) }],
  "orderList.place": [{ what: "", parameters: () => ({ ...symbol(QUIET), ...LIST }) }],
  "orderList.place.oco": [
    {
      what: "",
      parameters: () => ({
        ...symbol(QUIET),
        side: "SELL",
        quantity: "1",
        aboveType: "LIMIT_MAKER",
        abovePrice: "12000.00",
        belowType: "STOP_LOSS",
        belowStopPrice: "9000.00",
      }),
    },
  ],
  "orderList.place.oto": [
    { what: "", parameters: () => ({ ...symbol(QUIET), ...WORKING, ...PENDING, ...OF_PENDING }) },
  ],
  "orderList.place.otoco": [
    { what: "", parameters: () => ({ ...symbol(QUIET), ...WORKING, ...PENDING_PAIR, ...OF_PENDING }) },
  ],
  "orderList.place.opo": [{ what: "", parameters: () => ({ ...symbol(QUIET), ...WORKING, ...PENDING }) }],
  "orderList.place.opoco": [{ what: "", parameters: () => ({ ...symbol(QUIET), ...WORKING, ...PENDING_PAIR }) }],
  "orderList.cancel": [
    { what: "", parameters: (venue) => ({ ...symbol(QUIET), listClientOrderId: venue.placeList(QUIET) }) },
  ],
  "orderList.status": [{ what: "", parameters: (venue) => ({ origClientOrderId: venue.placeList(QUIET) }) }],
  allOrderLists: [{ what: "1,000", parameters: () => ({ limit: 1000 }) }],
  "openOrderLists.status": [{ what: `${OPEN_LISTS.toLocaleString("en-US")} open lists` }],
  "account.status": [{ what: ALL_ASSETS }],
  "account.commission": [{ what: "", parameters: () => symbol(QUIET) }],
  "account.rateLimits.orders": [{ what: "", parameters: () => ({}) }],
  myFilters: [{ what: "", parameters: () => symbol(QUIET) }],
  myTrades: [{ what: "1,000", parameters: () => page(BUSY) }],
  myPreventedMatches: [{ what: "none", parameters: () => ({ ...page(BUSY), orderId: 1 }) }],
  "userDataStream.start": PLAIN,
  "userDataStream.ping": [{ what: "", parameters: (venue) => ({ listenKey: venue.listenKey() }) }],
  "userDataStream.stop": [{ what: "", parameters: (venue) => ({ listenKey: venue.listenKey() }) }],
  "session.logon": PLAIN,
  "session.status": PLAIN,
  "session.logout": PLAIN,
  "session.subscriptions": PLAIN,
  "userDataStream.subscribe": PLAIN,
  "userDataStream.subscribe.signature": PLAIN,
  "userDataStream.unsubscribe": PLAIN,
  "wapi.withdraw": [{ what: "", parameters: () => ({ ...WITHDRAWAL, asset: "COIN1" }) }],
  "wapi.deposits": [{ what: "1,000" }],
  "wapi.withdrawals": [{ what: "all" }],
  "wapi.depositAddress": [{ what: "", parameters: () => ({ asset: "COIN1" }) }],
  "wapi.accountStatus": PLAIN,
  "wapi.systemStatus": PLAIN,
  "wapi.apiTradingStatus": [{ what: "an account that traded on every symbol" }],
  "wapi.dustLog": [{ what: "always rejected" }],
  "wapi.tradeFee": [{ what: ALL_SYMBOLS }],
  "wapi.assetDetail": [{ what: "all assets" }],
  "wapi.subAccounts": [{ what: "a page of 1,000" }],
  "wapi.subAccountTransfers": [{ what: "500", parameters: () => ({ ...SUB, limit: 500 }) }],
  "wapi.subAccountTransfer": [{ what: "", parameters: () => TO_SUB }],
  "wapi.subAccountAssets": [{ what: ALL_ASSETS, parameters: () => ({ email: "owner@example.org" }) }],
  "capital.coins": [{ what: ALL_ASSETS }],
  "capital.withdraw": [{ what: "", parameters: () => ({ ...WITHDRAWAL, coin: "COIN1" }) }],
  "capital.withdrawals": [{ what: "all" }],
  "capital.deposits": [{ what: "1,000", parameters: () => ({ limit: 1000 }) }],
  "capital.depositAddress": [{ what: "", parameters: () => ({ coin: "COIN1" }) }],
  "asset.tradeFee": [{ what: ALL_SYMBOLS }],
  "asset.detail": [{ what: "all assets" }],
  "asset.dust": [
    { what: "100 assets, rejected because the venue converts none", parameters: () => ({ asset: DUST }), status: 400 },
  ],
  "asset.dustLog": PLAIN,
  "discount.show": PLAIN,
  "discount.switch": [{ what: "", parameters: () => ({ spotBNBBurn: String((isDiscountOn = !isDiscountOn)) }) }],
  "asset.dividends": [{ what: "all", parameters: () => ({ limit: 500 }) }],
  "wallet.accountStatus": PLAIN,
  "wallet.apiTradingStatus": [{ what: "an account that traded on every symbol" }],
  "wallet.apiRestrictions": PLAIN,
  "wallet.snapshots": [{ what: "30 days of 1,000 assets", parameters: () => ({ type: "SPOT", limit: 30 }) }],
  "subAccount.list": [{ what: "a page of 1,000" }],
  "subAccount.transfers": [{ what: "500", parameters: () => ({ limit: 500 }) }],
  "subAccount.transfer": [
    { what: "", parameters: () => ({ ...TO_SUB, fromAccountType: "SPOT", toAccountType: "SPOT" }) },
  ],
  "subAccount.assets": [{ what: ALL_ASSETS, parameters: () => ({ email: "owner@example.org" }) }],
  "subAccount.universalTransfers": [{ what: "500", parameters: () => ({ limit: 500 }) }],
  "subAccount.assetsV4": [{ what: ALL_ASSETS, parameters: () => ({ email: "owner@example.org" }) }],
  "system.status": PLAIN,
  "margin.pairs": PLAIN,
  "futures.exchangeInfo": PLAIN,
};

function changed(venue: DearVenue): Parameters {
  venue.act({ type: "setSymbolStatus", by: "test", symbol: symbolOf(QUIET), status: "TRADING" });
  return {};
}

/** Every endpoint, then the methods that only the WebSocket API has. */
export const ROWS: readonly KnownEndpoint[] = [...ENDPOINTS, ...METHODS.filter(({ paths }) => paths.length === 0)];

function traderOf(venue: DearVenue, { by }: DearRequest): TestKey {
  return by === undefined ? venue.owner : venue[by];
}

export function requestOf(venue: DearVenue, endpoint: KnownEndpoint, dear: DearRequest): GatewayRequest {
  const parameters = dear.parameters?.(venue) ?? {};
  const [path = ""] = endpoint.paths;
  const trader = endpoint.security === "NONE" && endpoint.signed !== true ? undefined : traderOf(venue, dear);
  const request = venue.request(endpoint.method, path, parameters, trader, needsSignature(endpoint));
  if (dear.inMicroseconds !== true) return request;
  return { ...request, headers: { ...request.headers, "x-mbx-time-unit": "MICROSECOND" } };
}
