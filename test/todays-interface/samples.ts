/**
 * Real answers and events of one exchange with today's interface, by the names that the tables of fields use: placed,
 * filled, canceled, amended and replaced orders of every kind, lists, market data and streams.
 */
import assert from "node:assert/strict";
import { once } from "node:events";
import { Client, ed25519Key, hmacKey, type Parameters } from "@pricetime/testkit/client";
import { type DemoAccount, type Exchange, openAccount, operate, registerEd25519 } from "@pricetime/testkit/venue";
import { until } from "@pricetime/testkit/waiting";
import { ApiClient } from "@pricetime/testkit/ws-client";
import { WebSocket } from "ws";
import { STREAM_ROWS } from "./streams.ts";

type Json = Readonly<Record<string, unknown>>;

/** Objects by the name of what they are. An object within another has the names of both, as `order FULL.fills`. */
class Samples {
  readonly #byName = new Map<string, Json[]>();
  /** Every text of a field, by the names of its object and of the field. */
  readonly #texts = new Map<string, Set<string>>();

  add(name: string, value: unknown): void {
    if (Array.isArray(value)) {
      for (const each of value) this.add(name, each);
      return;
    }
    if (typeof value !== "object" || value === null) return;
    this.#byName.set(name, [...this.of(name), value as Json]);
    for (const [field, inner] of Object.entries(value)) {
      this.add(`${name}.${field}`, inner);
      for (const text of [inner].flat()) {
        if (typeof text === "string") this.#texts.set(`${name}.${field}`, this.texts(`${name}.${field}`).add(text));
      }
    }
  }

  of(name: string): readonly Json[] {
    return this.#byName.get(name) ?? [];
  }

  texts(field: string): Set<string> {
    return this.#texts.get(field) ?? new Set();
  }

  names(): string[] {
    return [...this.#byName.keys()];
  }
}

export const SYMBOL = "BTCUSDT";
const symbol = SYMBOL;

/** An order; the price and the quantity are those of most orders here. */
export function order(side: string, more: Parameters = {}): Parameters {
  return { symbol, side, type: "LIMIT", timeInForce: "GTC", quantity: "0.1", price: "50000", ...more };
}
/** At the second price of the book, or at the order's own if that is less aggressive. */
const PEG = { pegPriceType: "PRIMARY_PEG", pegOffsetType: "PRICE_LEVEL", pegOffsetValue: 1 };
const market = (side: string, more: Parameters): Parameters => ({ symbol, side, type: "MARKET", ...more });

const CANCEL_ALL = "cancel openOrders";

export class Venue {
  readonly samples = new Samples();
  readonly exchange: Exchange;
  readonly maker: Client;
  readonly taker: Client;
  readonly accounts: readonly [maker: DemoAccount, taker: DemoAccount];

  constructor(exchange: Exchange) {
    const [maker, taker] = exchange.accounts;
    assert.ok(maker && taker);
    this.exchange = exchange;
    this.accounts = [maker, taker];
    this.maker = new Client(exchange.rest, maker);
    this.taker = new Client(exchange.rest, taker);
  }

  close(): void {
    this.maker.close();
    this.taker.close();
  }

  /** Sends a signed request, which must be accepted, and adds the answer under this name. */
  async ask(by: Client, name: string, request: string, parameters: Parameters = {}): Promise<Record<string, never>> {
    const [method = "", path = ""] = request.split(" ");
    const { status, text, json } = await by.signed<Record<string, never>>(method, `/api/v3/${path}`, parameters);
    assert.equal(status, 200, `${name}: ${text}`);
    this.samples.add(name, json);
    return json;
  }

  /** Cancels all orders of the account; those of lists have an answer of their own. */
  async cancelAll(by: Client): Promise<void> {
    const { json } = await by.signed<Json[]>("DELETE", "/api/v3/openOrders", { symbol });
    if (!Array.isArray(json)) return;
    for (const one of json) this.samples.add("contingencyType" in one ? `${CANCEL_ALL} list` : CANCEL_ALL, one);
  }

  async read(name: string, path: string, parameters: Parameters = {}): Promise<void> {
    const { status, text, json } = await this.maker.public(`/api/v3/${path}`, parameters);
    assert.equal(status, 200, `${name}: ${text}`);
    this.samples.add(name, json);
  }
}

/** Places orders of every kind, with each form of the answer. */
async function trade(venue: Venue): Promise<void> {
  const { maker, taker } = venue;
  const place = (by: Client, form: string, parameters: Parameters): Promise<Record<string, never>> =>
    venue.ask(by, `order ${form}`, "POST order", { ...parameters, newOrderRespType: form });
  await place(maker, "FULL", order("SELL", { quantity: "0.3", strategyId: 7, strategyType: 1_000_000 }));
  await place(taker, "FULL", order("BUY"));
  await place(taker, "RESULT", market("BUY", { quoteOrderQty: "5000" }));
  await place(
    taker,
    "RESULT",
    order("BUY", { quantity: "5", timeInForce: "IOC", strategyId: 8, strategyType: 1_000_001 }),
  );
  await place(taker, "RESULT", order("BUY", { quantity: "5", timeInForce: "FOK" }));
  await place(taker, "RESULT", market("BUY", { quantity: "1" }));
  await place(maker, "RESULT", order("SELL", { price: "51000", icebergQty: "0.02" }));
  await place(maker, "ACK", order("SELL", { price: "52000" }));
  await place(maker, "RESULT", order("SELL", { type: "STOP_LOSS_LIMIT", stopPrice: "45000", price: "44000" }));
  await place(maker, "ACK", { symbol, side: "BUY", type: "LIMIT_MAKER", quantity: "0.1", price: "44000" });
  await place(maker, "ACK", { symbol, side: "SELL", type: "STOP_LOSS", quantity: "0.1", stopPrice: "43000" });
  await place(maker, "ACK", { symbol, side: "SELL", type: "TAKE_PROFIT", quantity: "0.1", stopPrice: "58000" });
  const expired = await place(taker, "FULL", {
    ...order("BUY", { quantity: "5", price: "40000", timeInForce: "IOC", strategyId: 9, strategyType: 1_000_002 }),
  });
  await venue.ask(taker, "GET order", "GET order", { symbol, orderId: expired.orderId! });
  await place(maker, "FULL", order("SELL", { price: "53000", icebergQty: "0.02", ...PEG }));
  await place(
    maker,
    "FULL",
    order("SELL", { type: "STOP_LOSS_LIMIT", stopPrice: "42000", price: "41000", trailingDelta: "100" }),
  );
  await venue.ask(maker, "order test", "POST order/test", order("BUY"));
  await venue.ask(maker, "order test with rates", "POST order/test", {
    ...order("BUY"),
    computeCommissionRates: "true",
  });
}

/** Orders of one account, in a trade group, that would trade with each other, in each mode. */
async function preventTrades(venue: Venue): Promise<void> {
  const { taker, exchange, accounts } = venue;
  await operate(exchange, "PATCH", `/v1/accounts/${accounts[1].email}`, { isTradeGroup: true });
  for (const mode of ["EXPIRE_MAKER", "EXPIRE_TAKER", "EXPIRE_BOTH", "DECREMENT", "TRANSFER"]) {
    const place = (form: string, parameters: Parameters): Promise<Record<string, never>> =>
      venue.ask(taker, `order ${form}`, "POST order", { ...parameters, newOrderRespType: form });
    const selfTradePreventionMode = mode;
    const { orderId } = await place("ACK", order("BUY", { price: "46000", selfTradePreventionMode }));
    const sell = order("SELL", { price: "46000", quantity: "0.05", selfTradePreventionMode });
    await place(mode === "TRANSFER" ? "RESULT" : "FULL", sell);
    await venue.ask(taker, "GET order", "GET order", { symbol, orderId: orderId! });
    if (mode === "DECREMENT") await venue.ask(taker, "openOrders", "GET openOrders", { symbol });
    if (mode === "TRANSFER") await venue.ask(taker, "cancel", "DELETE order", { symbol, orderId: orderId! });
    await venue.cancelAll(taker);
  }
  const none = order("BUY", { price: "46000", quantity: "0.01", selfTradePreventionMode: "NONE" });
  await venue.ask(taker, "order FULL", "POST order", none);
  await venue.ask(taker, "order FULL", "POST order", { ...none, side: "SELL" });
  await venue.ask(taker, "myPreventedMatches", "GET myPreventedMatches", { symbol, preventedMatchId: 0 });
  await venue.ask(taker, "myPreventedMatches", "GET myPreventedMatches", { symbol, preventedMatchId: 3 });
}

async function changeOrders(venue: Venue): Promise<void> {
  const { maker } = venue;
  const stop = {
    type: "STOP_LOSS_LIMIT",
    stopPrice: "45000",
    price: "44000",
    icebergQty: "0.02",
    trailingDelta: "100",
  };
  const strategy = { strategyId: 1, strategyType: 1_000_000 };
  const waiting = order("SELL", { ...stop, ...strategy });
  const placed = await venue.ask(maker, "order RESULT", "POST order", { ...waiting, newOrderRespType: "RESULT" });
  await venue.ask(maker, "GET order", "GET order", { symbol, orderId: placed.orderId! });
  await venue.ask(maker, "allOrders", "GET allOrders", { symbol });
  const change = { symbol, orderId: placed.orderId!, newQty: "0.05" };
  await venue.ask(maker, "amend", "PUT order/amend/keepPriority", change);
  const replace = { ...waiting, cancelReplaceMode: "ALLOW_FAILURE", newOrderRespType: "RESULT" };
  const replacement = await venue.ask(maker, "cancelReplace", "POST order/cancelReplace", {
    ...replace,
    cancelOrderId: placed.orderId!,
  });
  const { orderId: third } = replacement.newOrderResponse as unknown as { orderId: number };
  await venue.ask(maker, "cancel", "DELETE order", { symbol, orderId: third });
  const far = order("SELL", {
    price: "61000",
    ...PEG,
    strategyId: 1,
    strategyType: 1_000_000,
    newOrderRespType: "RESULT",
  });
  const { orderId } = await venue.ask(maker, "order RESULT", "POST order", far);
  await venue.ask(maker, "GET order", "GET order", { symbol, orderId: orderId! });
  await venue.ask(maker, "amend", "PUT order/amend/keepPriority", { symbol, orderId: orderId!, newQty: "0.05" });
  await venue.ask(maker, "amendments", "GET order/amendments", { symbol, orderId: orderId! });
  const replaced = { ...far, cancelReplaceMode: "STOP_ON_FAILURE", cancelOrderId: orderId! };
  const { newOrderResponse } = await venue.ask(maker, "cancelReplace", "POST order/cancelReplace", replaced);
  const failing = { ...replaced, cancelOrderId: 999_999 };
  const failed = await maker.signed<{ data: Json }>("POST", "/api/v3/order/cancelReplace", failing);
  venue.samples.add("-2022.data", failed.json.data);
  const { orderId: second } = newOrderResponse as unknown as { orderId: number };
  await venue.ask(maker, "cancel", "DELETE order", { symbol, orderId: second, cancelRestrictions: "ONLY_NEW" });
}

async function useLists(venue: Venue): Promise<void> {
  const { maker } = venue;
  const oco = { symbol, side: "SELL", quantity: "0.1" };
  const old = {
    ...{ ...oco, price: "60000", stopPrice: "45000", stopLimitPrice: "44000", stopLimitTimeInForce: "GTC" },
    ...{ limitIcebergQty: "0.02", stopIcebergQty: "0.02", limitStrategyId: 1, stopStrategyId: 2 },
    ...{ limitStrategyType: 1_000_000, stopStrategyType: 1_000_000, trailingDelta: "100" },
  };
  const first = await venue.ask(maker, "new list", "POST order/oco", { ...old, newOrderRespType: "FULL" });
  await venue.ask(maker, "GET orderList", "GET orderList", { orderListId: first.orderListId! });
  const [leg] = first.orders as unknown as { orderId: number }[];
  const newClientOrderId = "amended";
  await venue.ask(maker, "amend", "PUT order/amend/keepPriority", {
    ...{ symbol, orderId: leg!.orderId, newQty: "0.09", newClientOrderId },
  });
  await venue.ask(maker, "openOrderList", "GET openOrderList");
  await venue.ask(maker, "cancel list", "DELETE orderList", { symbol, orderListId: first.orderListId! });
  const second = { aboveType: "LIMIT_MAKER", abovePrice: "60000", belowType: "STOP_LOSS", belowStopPrice: "45000" };
  const peg = { abovePegPriceType: "PRIMARY_PEG", abovePegOffsetType: "PRICE_LEVEL", abovePegOffsetValue: 1 };
  const pegged = await venue.ask(maker, "new list", "POST orderList/oco", { ...oco, ...second, ...peg });
  await venue.ask(maker, "cancel list", "DELETE orderList", { symbol, orderListId: pegged.orderListId! });
  await venue.ask(maker, "new list", "POST orderList/oco", { ...oco, ...second });
  await placePending(venue);
  await venue.ask(maker, "order ACK", "POST order", {
    ...order("SELL", { price: "62000", icebergQty: "0.02", ...PEG, newOrderRespType: "ACK" }),
    ...{ strategyId: 3, strategyType: 1_000_000 },
  });
  await venue.ask(maker, "openOrders", "GET openOrders");
  await venue.cancelAll(maker);
  await venue.ask(maker, "allOrderList", "GET allOrderList");
}

/** Lists whose pending orders wait, are placed, or expire with the working order. */
async function placePending(venue: Venue): Promise<void> {
  const { maker } = venue;
  const working = {
    ...{ symbol, workingType: "LIMIT", workingTimeInForce: "GTC", workingSide: "BUY", workingPrice: "30000" },
    ...{ workingQuantity: "0.1", pendingSide: "SELL", pendingQuantity: "0.1" },
  };
  const pending = { pendingType: "LIMIT", pendingTimeInForce: "GTC", pendingPrice: "62000" };
  await venue.ask(maker, "new list", "POST orderList/oto", { ...working, ...pending });
  const ioc = { ...working, ...pending, workingTimeInForce: "IOC" };
  await venue.ask(maker, "new list", "POST orderList/oto", ioc);
}

/** Orders that expire because of a list, a lack of funds, or an operator. */
async function expireOrders(venue: Venue): Promise<void> {
  const { maker, taker, exchange } = venue;
  const legs = { aboveType: "LIMIT_MAKER", abovePrice: "50100", belowType: "STOP_LOSS", belowStopPrice: "45000" };
  await venue.ask(maker, "new list", "POST orderList/oco", { symbol, side: "SELL", quantity: "0.1", ...legs });
  await venue.ask(taker, "order FULL", "POST order", order("BUY", { price: "50100" }));

  const poor = new Client(exchange.rest, await openAccount(exchange, "poor@example.org", { USDT: "1000" }));
  const buy = { symbol, side: "BUY", quantity: "0.01", newOrderRespType: "ACK" };
  await venue.ask(poor, "order ACK", "POST order", { ...buy, type: "STOP_LOSS", stopPrice: "50200" });
  const rest = { ...buy, type: "LIMIT", timeInForce: "GTC", price: "45000", quantity: "0.01105" };
  const { orderId } = await venue.ask(poor, "order ACK", "POST order", rest);
  for (const price of ["50200", "51000"]) {
    await venue.ask(maker, "order ACK", "POST order", order("SELL", { price, newOrderRespType: "ACK" }));
  }
  await venue.ask(taker, "order FULL", "POST order", order("BUY", { price: "50200" }));
  await operate(exchange, "POST", `/v1/orders/${orderId}/end`, { symbol, why: "for its expiryReason" });
  await venue.ask(poor, "allOrders", "GET allOrders", { symbol });
  poor.close();
}

/** An order that expires at the price range of the symbol, which is a wide one from then on. */
async function leaveRange(venue: Venue): Promise<void> {
  const { maker, taker, exchange } = venue;
  const path = `/v1/symbols/${symbol}/price-range`;
  const bounds = { bidLimitMultUp: "1.01", bidLimitMultDown: "0.5", askLimitMultUp: "1.5", askLimitMultDown: "0.5" };
  await operate(exchange, "PUT", path, bounds);
  for (const price of ["50300", "52000"]) {
    await venue.ask(maker, "order ACK", "POST order", order("SELL", { price, newOrderRespType: "ACK" }));
    await venue.ask(taker, "order FULL", "POST order", order("BUY", { price, timeInForce: "IOC" }));
  }
  for (const name of ["executionRules", "referencePrice", "referencePrice/calculation"]) {
    await venue.read(name, name, { symbol });
  }
  await venue.cancelAll(maker);
  await operate(exchange, "PUT", path, { ...bounds, bidLimitMultUp: "5", askLimitMultUp: "5" });
}

/** Every status of another symbol, which keeps the last one. */
async function closeMarket({ exchange, samples, maker }: Venue): Promise<void> {
  const path = "/v1/symbols/LTCUSDT";
  for (const status of SYMBOL_STATUSES) {
    await operate(exchange, "PUT", `${path}/status`, { status });
    const { json } = await maker.public<{ symbols: Json[] }>("/api/v3/exchangeInfo", { symbol: "LTCUSDT" });
    samples.add("symbol", { status: json.symbols[0]?.status });
  }
}
const RETIRED_STATUSES = ["PRE_TRADING", "POST_TRADING", "AUCTION_MATCH"];
const SYMBOL_STATUSES = [...RETIRED_STATUSES, "BREAK", "CANCEL_ONLY", "HALT", "END_OF_DAY", "TRADING"];

async function readAccount(venue: Venue): Promise<void> {
  const { maker, taker } = venue;
  await venue.ask(maker, "allOrders", "GET allOrders", { symbol });
  await venue.ask(taker, "allOrders", "GET allOrders", { symbol });
  await venue.ask(maker, "myTrades", "GET myTrades", { symbol });
  for (const each of [maker, taker]) await venue.ask(each, "account", "GET account", { omitZeroBalances: "true" });
  await venue.ask(maker, "account/commission", "GET account/commission", { symbol });
  await venue.ask(maker, "rateLimit/order", "GET rateLimit/order");
  await venue.ask(maker, "myFilters", "GET myFilters", { symbol });
}

async function readMarket(venue: Venue): Promise<void> {
  const S = { symbol };
  await venue.read("exchangeInfo", "exchangeInfo", S);
  await venue.read("depth", "depth", S);
  await venue.read("trades", "trades", S);
  await venue.read("trades", "historicalTrades", S);
  await venue.read("historicalBlockTrades", "historicalBlockTrades", { ...S, fromId: 0 });
  for (const path of ["klines", "uiKlines"]) {
    const { json } = await venue.maker.public<unknown[][]>(`/api/v3/${path}`, { ...S, interval: "1m" });
    for (const row of json) venue.samples.add(path, { ...row });
  }
  await venue.read("aggTrades", "aggTrades", S);
  await venue.read("avgPrice", "avgPrice", S);
  for (const path of ["ticker/24hr", "ticker/tradingDay", "ticker"]) {
    for (const type of ["FULL", "MINI"]) await venue.read(`${path} ${type}`, path, { ...S, type });
  }
  await venue.read("ticker/price", "ticker/price", S);
  await venue.read("ticker/bookTicker", "ticker/bookTicker", S);
}

/** A connection that logs on, subscribes, and logs out. */
async function useSession({ exchange, accounts, samples }: Venue): Promise<void> {
  const { apiKey, privateKey } = await registerEd25519(exchange, accounts[0].email);
  const api = await ApiClient.open(exchange.ws);
  samples.add("session.logon", (await api.signed("session.logon", ed25519Key(apiKey, privateKey))).result);
  const stream = "userDataStream";
  for (const method of [`${stream}.subscribe`, "session.subscriptions", `${stream}.unsubscribe`, "session.logout"]) {
    samples.add(method, (await api.call(method)).result);
  }
  samples.add("session.status", (await api.call("session.status")).result);
  await api.close();
}

/** Connects to the events of both accounts and to all streams, runs the scenario, and waits until all have come. */
export async function collect(venue: Venue): Promise<void> {
  const { exchange, samples, accounts } = venue;
  const names = STREAM_ROWS.filter(({ isMissing }) => isMissing === undefined).map(({ name }) => name);
  const market = new WebSocket(`${exchange.ws}/stream?streams=${names.map(encodeURIComponent).join("/")}`);
  market.on("message", (text) => {
    const { stream, data } = JSON.parse(String(text)) as { stream: string; data: unknown };
    samples.add(stream, data);
  });
  await once(market, "open");
  const events = await Promise.all(accounts.map(() => ApiClient.open(exchange.ws)));
  for (const [i, api] of events.entries()) {
    const method = "userDataStream.subscribe.signature";
    samples.add(method, (await api.signed(method, hmacKey(accounts[i]!))).result);
    api.socket.on("message", (text) => {
      const { event } = JSON.parse(String(text)) as { event?: { e: string } };
      if (event !== undefined) samples.add(event.e, event);
    });
  }
  await trade(venue);
  await preventTrades(venue);
  await changeOrders(venue);
  await useLists(venue);
  await expireOrders(venue);
  await leaveRange(venue);
  await closeMarket(venue);
  await useSession(venue);
  await operate(exchange, "POST", "/v1/deposits", {
    ...{ account: accounts[0].email, asset: "BTC", amount: "1", reference: "for its event" },
  });
  await readAccount(venue);
  await readMarket(venue);
  // Over the WebSocket API, the limit of connections is listed.
  samples.add("exchangeInfo", (await events[0]?.call("exchangeInfo", { symbol }))?.result);
  for (const api of events) await api.call("userDataStream.unsubscribe");
  const isThere = (name: string): boolean => samples.of(name).length > 0;
  for (const name of [...names, "eventStreamTerminated", "balanceUpdate"]) await until(name, () => isThere(name));
  market.close();
  for (const api of events) await api.close();
}
