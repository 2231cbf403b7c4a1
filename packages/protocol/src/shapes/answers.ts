/** The type of each endpoint's answer. */
import type { EndpointId } from "../endpoints.ts";
import type { Account, AccountTrade, ListenKeyAnswer } from "./account.ts";
import type { ExchangeInfo } from "./exchange-info.ts";
import type {
  AggregateTrade,
  AveragePrice,
  BookTicker,
  Depth,
  Kline,
  PriceTicker,
  PublicTrade,
  ServerTime,
  Ticker24hr,
} from "./market.ts";
import type { CancelResponse, OrderRecord, PlaceResponse } from "./order.ts";
import type { CancelReplaceResponse, OcoCancelResponse, OcoResponse, OrderListRecord } from "./order-list.ts";
import type { SapiAnswers } from "./sapi.ts";
import type { SessionStatus, Subscribed } from "./session.ts";
import type { WapiAnswers } from "./wapi.ts";

type Nothing = Readonly<Record<string, never>>;
type OneOrMany<T> = T | readonly T[];

export interface Answers extends WapiAnswers, SapiAnswers {
  readonly ping: Nothing;
  readonly time: ServerTime;
  readonly exchangeInfo: ExchangeInfo;
  readonly depth: Depth;
  readonly "trades.recent": readonly PublicTrade[];
  readonly "trades.historical": readonly PublicTrade[];
  readonly "trades.aggregate": readonly AggregateTrade[];
  readonly klines: readonly Kline[];
  readonly avgPrice: AveragePrice;
  readonly "ticker.24hr": OneOrMany<Ticker24hr>;
  readonly "ticker.price": OneOrMany<PriceTicker>;
  readonly "ticker.book": OneOrMany<BookTicker>;
  readonly "ticker.allPrices": readonly PriceTicker[];
  readonly "ticker.allBookTickers": readonly BookTicker[];
  readonly "order.place": PlaceResponse;
  readonly "order.test": Nothing;
  readonly "order.status": OrderRecord;
  readonly "order.cancel": CancelResponse | OcoCancelResponse;
  readonly "order.cancelReplace": CancelReplaceResponse;
  readonly "openOrders.status": readonly OrderRecord[];
  readonly "openOrders.cancelAll": readonly (CancelResponse | OcoCancelResponse)[];
  readonly allOrders: readonly OrderRecord[];
  readonly "orderList.place": OcoResponse;
  readonly "orderList.place.oco": OcoResponse;
  readonly "orderList.cancel": OcoCancelResponse;
  readonly "orderList.status": OrderListRecord;
  readonly allOrderLists: readonly OrderListRecord[];
  readonly "openOrderLists.status": readonly OrderListRecord[];
  readonly "account.status": Account;
  readonly myTrades: readonly AccountTrade[];
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
