/** Requests made from the endpoint table: a new endpoint is fuzzed as soon as it stands there. */
import { type Endpoint, needsKey, needsSignature, type Parameter } from "@pricetime/protocol";
import { sign } from "@pricetime/testkit/client";
import type { DemoAccount } from "@pricetime/testkit/venue";
import type { Dice } from "@pricetime/testkit/dice";
import { HOSTILE, latin1, oneIn, pick } from "./target.ts";

export interface FuzzRequest {
  readonly endpoint: Endpoint;
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly body: string | undefined;
  readonly headers: Readonly<Record<string, string>>;
}

/** Values that make sense, by what a parameter is called or is. A leg of a list has a prefix before the name. */
const NAMED: Readonly<Record<string, readonly string[]>> = {
  symbol: ["BTCUSDT", "ETHUSDT", "SHIBUSDT", "BTCIDR"],
  asset: ["BTC", "USDT", "ETH", "BNB"],
  coin: ["BTC", "USDT", "ETH"],
  price: ["100", "101", "99.5", "20000", "0.01", "0.00000001"],
  stopPrice: ["100", "102", "98"],
  stopLimitPrice: ["100", "103", "97"],
  quantity: ["1", "0.5", "0.001", "10", "0.00000001"],
  quoteOrderQty: ["50", "1000"],
  amount: ["1", "0.5", "0.001"],
  icebergQty: ["0.1", "0.5"],
  trailingDelta: ["10", "100", "2000"],
  pegOffsetValue: ["1", "2", "100"],
  strategyType: ["1000000", "999999"],
  newQty: ["0.1", "0.2", "0.5"],
  address: ["0x6915f16f8791d0a1cc2bf47c13a6b2a92000504b", "abc"],
};
const BY_KIND: Readonly<Record<string, readonly string[]>> = {
  symbol: ["BTCUSDT", "ETHUSDT", "NOSUCH"],
  symbols: ['["BTCUSDT"]', '["BTCUSDT","ETHUSDT"]', "[]"],
  decimal: ["1", "100", "0.001", "0"],
  integer: ["0", "1", "2", "5", "100", "1700000000000", "9007199254740991"],
  limit: ["1", "5", "100", "500", "1000", "5000"],
  clientOrderId: ["a", "b", "c", "x-1"],
  listenKey: ["k".repeat(60)],
  boolean: ["true", "false"],
  string: ["abc", "1", "note"],
  enum: ["NOTHING"],
  signature: ["0".repeat(64)],
};

/** A pair of orders that sell, and the working order of a list. */
const pairOf = (above: string, below: string) => ({
  ...{ [`${above}Type`]: "LIMIT_MAKER", [`${above}Price`]: "110" },
  ...{ [`${below}Type`]: "STOP_LOSS", [`${below}StopPrice`]: "90" },
});
const trailingPairOf = (above: string, below: string) => ({
  ...{ [`${above}Type`]: "TAKE_PROFIT_LIMIT", [`${above}Price`]: "110", [`${above}StopPrice`]: "105" },
  ...{ [`${above}TimeInForce`]: "GTC", [`${below}Type`]: "STOP_LOSS", [`${below}TrailingDelta`]: "200" },
});
const workingOf = (side: string, timeInForce: string) => ({
  ...{ symbol: "BTCUSDT", workingType: "LIMIT", workingTimeInForce: timeInForce, workingPrice: "100" },
  ...{ workingSide: side, workingQuantity: "0.5", pendingSide: "SELL" },
});
const LIMIT_TO_SELL = { pendingType: "LIMIT", pendingTimeInForce: "GTC", pendingPrice: "101" };

/** Whole requests that would be carried out, of endpoints where chance alone does not find one. */
const WELL_MEANT: Readonly<Record<string, readonly Readonly<Record<string, string>>[]>> = {
  "order.place": [
    { symbol: "BTCUSDT", type: "LIMIT", timeInForce: "GTC" },
    { symbol: "BTCUSDT", type: "LIMIT", timeInForce: "IOC" },
    { symbol: "BTCUSDT", type: "LIMIT", timeInForce: "GTC", pegPriceType: "PRIMARY_PEG" },
    { symbol: "BTCUSDT", type: "LIMIT", timeInForce: "IOC", pegPriceType: "MARKET_PEG" },
    { symbol: "BTCUSDT", type: "LIMIT_MAKER" },
    { symbol: "BTCUSDT", type: "MARKET" },
    { symbol: "BTCUSDT", type: "STOP_LOSS_LIMIT", timeInForce: "GTC", stopPrice: "" },
    { symbol: "BTCUSDT", type: "TAKE_PROFIT", stopPrice: "" },
    { symbol: "BTCUSDT", type: "STOP_LOSS", trailingDelta: "100" },
    { symbol: "BTCUSDT", type: "STOP_LOSS_LIMIT", timeInForce: "GTC", stopPrice: "", trailingDelta: "50" },
  ],
  "order.cancelReplace": [
    { symbol: "BTCUSDT", type: "LIMIT", timeInForce: "GTC", cancelReplaceMode: "ALLOW_FAILURE", cancelOrderId: "1" },
    { symbol: "BTCUSDT", type: "LIMIT", timeInForce: "GTC", cancelReplaceMode: "STOP_ON_FAILURE", cancelOrderId: "" },
  ],
  "order.cancel": [
    { symbol: "BTCUSDT", orderId: "", cancelRestrictions: "ONLY_NEW" },
    { symbol: "BTCUSDT", orderId: "", cancelRestrictions: "ONLY_PARTIALLY_FILLED" },
  ],
  "order.amend.keepPriority": [
    { symbol: "BTCUSDT", orderId: "1", newQty: "0.1" },
    { symbol: "BTCUSDT", orderId: "2", newQty: "0.2" },
    { symbol: "BTCUSDT", orderId: "", newQty: "0.15" },
  ],
  "order.amendments": [{ symbol: "BTCUSDT", orderId: "" }],
  myPreventedMatches: [
    { symbol: "BTCUSDT", orderId: "", fromPreventedMatchId: "1", limit: "5" },
    { symbol: "BTCUSDT", preventedMatchId: "1" },
  ],
  "discount.switch": [{ spotBNBBurn: "true" }, { spotBNBBurn: "false" }],
  "orderList.place": [
    {
      ...{ symbol: "BTCUSDT", side: "SELL", price: "110", stopPrice: "90", stopLimitPrice: "89" },
      stopLimitTimeInForce: "GTC",
    },
    { symbol: "BTCUSDT", side: "BUY", price: "90", stopPrice: "110" },
  ],
  "orderList.place.oco": [
    { symbol: "BTCUSDT", side: "SELL", ...pairOf("above", "below") },
    { symbol: "BTCUSDT", side: "SELL", ...trailingPairOf("above", "below") },
  ],
  "orderList.place.oto": ["GTC", "IOC", "FOK"].flatMap((time) => [
    { ...workingOf("BUY", time), pendingQuantity: "0.5", ...LIMIT_TO_SELL },
    { ...workingOf("BUY", time), pendingQuantity: "0.5", pendingType: "STOP_LOSS", pendingTrailingDelta: "100" },
    { ...workingOf("SELL", time), pendingQuantity: "0.5", pendingType: "MARKET", pendingSide: "BUY" },
  ]),
  "orderList.place.otoco": [
    { ...workingOf("BUY", "GTC"), pendingQuantity: "0.5", ...pairOf("pendingAbove", "pendingBelow") },
    { ...workingOf("BUY", "GTC"), pendingQuantity: "0.5", ...trailingPairOf("pendingAbove", "pendingBelow") },
  ],
  "orderList.place.opo": [
    { ...workingOf("BUY", "GTC"), ...LIMIT_TO_SELL },
    { ...workingOf("BUY", "GTC"), pendingType: "STOP_LOSS", pendingStopPrice: "90" },
  ],
  "orderList.place.opoco": [
    { ...workingOf("BUY", "GTC"), ...pairOf("pendingAbove", "pendingBelow") },
    { ...workingOf("BUY", "IOC"), ...trailingPairOf("pendingAbove", "pendingBelow") },
  ],
};
const PRICES = ["99", "100", "101", "98.5"];
const QUANTITIES = ["0.2", "0.5", "1"];

function wellMeant(random: Dice, endpoint: Endpoint): [string, string][] | undefined {
  const choices = WELL_MEANT[endpoint.id];
  if (choices === undefined) return undefined;
  const chosen = pick(random, choices);
  const fields: Record<string, string> = {
    side: pick(random, ["BUY", "SELL"]),
    quantity: pick(random, QUANTITIES),
    ...chosen,
  };
  const isPriced = ["LIMIT", "LIMIT_MAKER", "STOP_LOSS_LIMIT"].includes(fields["type"] ?? "");
  if (isPriced && !("pegPriceType" in fields)) fields["price"] ??= pick(random, PRICES);
  if (fields["stopPrice"] === "") fields["stopPrice"] = pick(random, PRICES);
  for (const name of ["orderId", "cancelOrderId"])
    if (fields[name] === "") fields[name] = String(random.between(1, 500));
  return Object.entries(fields).filter(([name]) => endpoint.parameters.some((parameter) => parameter.name === name));
}

function valueOf(random: Dice, parameter: Parameter): string {
  if (oneIn(random, 12)) return pick(random, HOSTILE);
  const words = parameter.words ?? [];
  if (words.length > 0) return pick(random, words);
  return pick(random, named(parameter.name) ?? BY_KIND[parameter.kind] ?? HOSTILE);
}

function named(name: string): readonly string[] | undefined {
  const ofLeg = Object.keys(NAMED).find((each) => name.endsWith(`${each[0]?.toUpperCase()}${each.slice(1)}`));
  return NAMED[name] ?? NAMED[ofLeg ?? ""];
}

function wild(random: Dice, endpoint: Endpoint): [string, string][] {
  const pairs: [string, string][] = [];
  for (const parameter of endpoint.parameters) {
    if (oneIn(random, parameter.required ? 15 : 2)) continue;
    for (let times = parameter.repeated === true ? random.between(1, 3) : 1; times > 0; times--) {
      pairs.push([parameter.name, valueOf(random, parameter)]);
    }
  }
  return pairs;
}

/** Pairs as they go over the wire, escaped. */
function pairsOf(random: Dice, endpoint: Endpoint, nowMs: number): string[] {
  const meant = oneIn(random, 3) ? undefined : wellMeant(random, endpoint);
  const pairs = meant ?? wild(random, endpoint);
  if (oneIn(random, 20)) pairs.push([pick(random, HOSTILE), pick(random, HOSTILE)]);
  if (oneIn(random, 30) && pairs[0] !== undefined) pairs.push(pairs[0]);
  if (needsSignature(endpoint) && !oneIn(random, 40))
    pairs.push(["timestamp", oneIn(random, 30) ? pick(random, HOSTILE) : String(nowMs)]);
  if (oneIn(random, 10)) pairs.push(["recvWindow", oneIn(random, 4) ? pick(random, HOSTILE) : "60000"]);
  return pairs.map(([name, value]) => `${escaped(name)}=${escaped(value)}`);
}

function escaped(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}

export function randomRequest(
  random: Dice,
  accounts: readonly DemoAccount[],
  nowMs: number,
  endpoints: readonly Endpoint[],
): FuzzRequest {
  const endpoint = pick(random, endpoints);
  const pairs = pairsOf(random, endpoint, nowMs);
  const split = endpoint.method === "GET" ? pairs.length : random.between(0, pairs.length);
  let query = pairs.slice(0, split).join("&");
  let body = pairs.slice(split).join("&");
  const { apiKey, secretKey } = pick(random, accounts);
  if (needsSignature(endpoint) && !oneIn(random, 40)) {
    const signature = `signature=${sign(secretKey, latin1(query) + latin1(body))}`;
    if (body === "") query = query === "" ? signature : `${query}&${signature}`;
    else body = `${body}&${signature}`;
  }
  return {
    endpoint,
    method: oneIn(random, 60)
      ? pick(random, ["GET", "POST", "PUT", "DELETE", "PATCH", "HEAD", "OPTIONS"])
      : endpoint.method,
    path: pick(random, endpoint.paths),
    query,
    body: body === "" ? undefined : body,
    headers:
      needsKey(endpoint) && !oneIn(random, 40) ? { "X-MBX-APIKEY": oneIn(random, 40) ? "x".repeat(64) : apiKey } : {},
  };
}
