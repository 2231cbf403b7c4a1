/** Commands as a client's requests. Commands that no client can send are submitted by callers inside the process. */
import {
  type AmendOrder,
  type CancelOrder,
  type Command,
  type ListLeg,
  MAX_PEG_LEVEL,
  type PlaceOco,
  type PlaceOrder,
  type PlaceOto,
} from "@pricetime/engine";
import { sign } from "@pricetime/testkit/client";
import type { ModelExchange, ModelMarket } from "@pricetime/testkit/models";
import type { GatewayRequest } from "@pricetime/server/parts";
import { written } from "../audit/amounts.ts";
import { SANDBOX } from "../outside/network.ts";

export interface ClientRequest {
  readonly method: string;
  readonly path: string;
  readonly accountId: number;
  /** False for listen keys, which are requested with the API key alone. */
  readonly isSigned: boolean;
  readonly parameters: Readonly<Record<string, string>>;
}

type Parameters = Record<string, string>;

/** The `recvWindow` of a request that names none. */
export const USUAL_WINDOW = "5000";
/** With today's interface, half of the clients send requests that are too old if they wait for a batch. */
const SHORT_WINDOW = { recvWindow: "60" };

/** The error code for an unknown API key. Interface 7.4. */
export const KEY_REFUSED = -2015;
const RESPONSES = ["FULL", "RESULT", "ACK"] as const;
const CLIENT_ID = /^[.A-Z:/a-z0-9_-]{1,36}$/;

/** Undefined if the interface has no request for it. */
export function requestOf(command: Command, model: ModelExchange): ClientRequest | undefined {
  if (!("accountId" in command) && command.type !== "cancelReplace") return undefined;
  const accountId = command.type === "cancelReplace" ? command.place.accountId : command.accountId;
  if (!model.accounts.has(accountId)) return undefined;
  const asked = askedOf(command, model);
  const isSigned = asked?.path.endsWith("userDataStream") === false;
  // Today's interface has no listen keys.
  if (asked === undefined || (model.interface === "today" && !isSigned)) return undefined;
  const window = model.interface === "today" && accountId % 2 === 0 ? SHORT_WINDOW : {};
  return { ...asked, accountId, isSigned, parameters: { ...asked.parameters, ...window } };
}

type Asked = Pick<ClientRequest, "method" | "path" | "parameters">;

function askedOf(command: Command, model: ModelExchange): Asked | undefined {
  const asked = (method: string, path: string, parameters: Parameters | undefined): Asked | undefined =>
    parameters && { method, path: `/api/v3/${path}`, parameters };
  switch (command.type) {
    case "placeOrder":
      return asked("POST", "order", placeParameters(command, model));
    case "cancelOrder":
      return asked("DELETE", "order", cancelParameters(command, model, plainName));
    case "cancelOpenOrders": {
      const market = model.markets[command.symbolId];
      return asked("DELETE", "openOrders", market && { symbol: market.spec.symbol });
    }
    case "amendOrder":
      return asked("PUT", "order/amend/keepPriority", amendParameters(command, model));
    case "changeAccount": {
      const { accountId, by, paysInDiscountAsset: isOn } = command;
      // Everything else about an account is changed by operators.
      if (isOn === undefined || by !== clientOf(accountId) || !hasRules5(model)) return undefined;
      return { method: "POST", path: "/sapi/v1/bnbBurn", parameters: { spotBNBBurn: String(isOn) } };
    }
    case "requestWithdrawal": {
      const { asset, network, address, amount, name, withdrawOrderId } = command;
      // Withdrawals that already have an ID are not requested by clients.
      if (network !== SANDBOX || command.withdrawalId !== "") return undefined;
      const path = "/sapi/v1/capital/withdraw/apply";
      return { method: "POST", path, parameters: { coin: asset, network, address, amount, name, withdrawOrderId } };
    }
    case "placeOco":
      return (
        asked("POST", "order/oco", ocoParameters(command, model)) ??
        asked("POST", "orderList/oco", aboveBelowParameters(command, model))
      );
    case "placeOto":
      return asked("POST", `orderList/${command.kind.toLowerCase()}`, otoParameters(command, model));
    case "cancelOrderList": {
      const market = model.markets[command.symbolId];
      const { orderListId, listClientOrderId: listId, newClientOrderId } = command;
      if (market === undefined || (listId !== "" && !CLIENT_ID.test(listId))) return undefined;
      return asked("DELETE", "orderList", {
        symbol: market.spec.symbol,
        ...(orderListId === -1 ? {} : { orderListId: String(orderListId) }),
        ...(listId === "" ? {} : { listClientOrderId: listId }),
        newClientOrderId,
      });
    }
    case "cancelReplace": {
      const place = placeParameters(command.place, model);
      const cancel = cancelParameters(command.cancel, model, replaceName);
      return asked(
        "POST",
        "order/cancelReplace",
        place && cancel && { ...cancel, ...place, cancelReplaceMode: command.mode },
      );
    }
    case "openListenKey":
      return asked("POST", "userDataStream", {});
    case "keepListenKey":
      return asked("PUT", "userDataStream", { listenKey: command.listenKey });
    case "closeListenKey":
      return asked("DELETE", "userDataStream", { listenKey: command.listenKey });
    default:
      return undefined;
  }
}

const CHOOSES_TIME: readonly string[] = ["LIMIT", "STOP_LOSS_LIMIT", "TAKE_PROFIT_LIMIT"];
const isPriced = (type: string): boolean => type.includes("LIMIT");
const isAlgo = (type: string): boolean => type.startsWith("STOP_LOSS") || type.startsWith("TAKE_PROFIT");

function placeParameters(order: PlaceOrder, model: ModelExchange): Parameters | undefined {
  const market = model.markets[order.symbolId];
  if (market === undefined || !isWellShaped(order) || !mayTrail(order, model)) return undefined;
  const { quantityLots, quoteOrderQty, clientOrderId } = order;
  return {
    symbol: market.spec.symbol,
    side: order.side,
    ...(quantityLots > 0 ? { quantity: written(quantityLots, market.quantityDecimals) } : {}),
    ...(quoteOrderQty > 0n ? { quoteOrderQty: written(quoteOrderQty, market.quotePlaces) } : {}),
    newClientOrderId: clientOrderId,
    ...termsOf(order, "", market),
    ...modeOf(order),
    ...responseOf(clientOrderId),
  };
}

function responseOf(clientOrderId: string): Parameters {
  return { newOrderRespType: RESPONSES[clientOrderId.length % RESPONSES.length] as string };
}

/** The fields of an order that the legs of lists have too, with the prefix of the leg. */
function termsOf(leg: ListLeg, prefix: string, market: ModelMarket): Parameters {
  const { orderType, priceTicks, stopTicks, icebergLots } = leg;
  const [prices, lots] = [market.priceDecimals, market.quantityDecimals];
  return withPrefix(prefix, {
    type: orderType,
    ...(CHOOSES_TIME.includes(orderType) ? { timeInForce: leg.timeInForce } : {}),
    ...(priceTicks > 0 ? { price: written(priceTicks, prices) } : {}),
    ...(stopTicks > 0 ? { stopPrice: written(stopTicks, prices) } : {}),
    ...(icebergLots > 0 ? { icebergQty: written(icebergLots, lots) } : {}),
    ...pegOf(leg),
    ...trailingOf(leg),
    ...strategyOf(leg),
  });
}

function legParameters(leg: ListLeg, prefix: string, market: ModelMarket): Parameters {
  return { ...withPrefix(prefix, { clientOrderId: leg.clientOrderId }), ...termsOf(leg, prefix, market) };
}

function withPrefix(prefix: string, parameters: Parameters): Parameters {
  if (prefix === "") return parameters;
  const nameOf = (name: string): string => `${prefix}${name[0]?.toUpperCase()}${name.slice(1)}`;
  return Object.fromEntries(Object.entries(parameters).map(([name, value]) => [nameOf(name), value]));
}

/** A list has one mode for all of its orders. */
function modeOf({ selfTradePrevention: mode }: Pick<PlaceOrder, "selfTradePrevention">): Parameters {
  return mode === undefined || mode === "DEFAULT" ? {} : { selfTradePreventionMode: mode };
}

function haveOneMode([first, ...others]: readonly ListLeg[]): boolean {
  return others.every(({ selfTradePrevention: mode }) => mode === first?.selfTradePrevention);
}

function strategyOf({ strategyId, strategyType }: Pick<PlaceOrder, "strategyId" | "strategyType">): Parameters {
  return {
    ...(strategyId === undefined ? {} : { strategyId: String(strategyId) }),
    ...(strategyType === undefined ? {} : { strategyType: String(strategyType) }),
  };
}

function pegOf({ peg = null }: Pick<PlaceOrder, "peg">): Parameters {
  if (peg === null) return {};
  const offset = { pegOffsetType: "PRICE_LEVEL", pegOffsetValue: String(peg.level) };
  return { pegPriceType: peg.to, ...(peg.level > 0 ? offset : {}) };
}

function trailingOf({ trailingDelta }: Pick<PlaceOrder, "trailingDelta">): Parameters {
  return trailingDelta === undefined ? {} : { trailingDelta: String(trailingDelta) };
}

/** Before rules version 5, a node rejects trailing stops and what else is new without journaling them. */
function hasRules5({ edition }: ModelExchange): boolean {
  return edition >= 5;
}

function mayTrail(
  { trailingDelta, peg = null }: Pick<PlaceOrder, "trailingDelta" | "peg">,
  model: ModelExchange,
): boolean {
  return (trailingDelta === undefined && peg === null) || hasRules5(model);
}

/** Whether the request's parameters can express it. Other commands are rejected before they reach the engine. */
function isWellShaped(order: PlaceOrder): boolean {
  const { orderType, timeInForce, priceTicks, stopTicks, icebergLots, quantityLots, quoteOrderQty } = order;
  const { trailingDelta = 0, peg = null } = order;
  const byQuote = orderType === "MARKET" && quoteOrderQty > 0n;
  return (
    (byQuote ? quantityLots === 0 : quantityLots > 0 && quoteOrderQty === 0n) &&
    (isPriced(orderType) ? priceTicks > 0 || (priceTicks === 0 && peg !== null) : priceTicks === 0) &&
    (peg === null || (isPriced(orderType) && peg.level <= MAX_PEG_LEVEL)) &&
    (isAlgo(orderType) ? stopTicks > 0 || (stopTicks === 0 && trailingDelta > 0) : stopTicks === 0) &&
    (isAlgo(orderType) || trailingDelta === 0) &&
    (CHOOSES_TIME.includes(orderType) || timeInForce === "GTC") &&
    (icebergLots === 0 || (icebergLots > 0 && isPriced(orderType) && timeInForce === "GTC")) &&
    CLIENT_ID.test(order.clientOrderId)
  );
}

const plainName = (name: string): string => name;
const replaceName = (name: string): string => `cancel${name[0]?.toUpperCase()}${name.slice(1)}`;

function cancelParameters(
  cancel: CancelOrder,
  model: ModelExchange,
  nameOf: (name: string) => string,
): Parameters | undefined {
  const market = model.markets[cancel.symbolId];
  const { orderId, origClientOrderId, newClientOrderId, onlyIn = "ANY" } = cancel;
  if (market === undefined || (orderId === 0 && origClientOrderId === "")) return undefined;
  if (origClientOrderId !== "" && !CLIENT_ID.test(origClientOrderId)) return undefined;
  if (onlyIn !== "ANY" && !hasRules5(model)) return undefined;
  return {
    symbol: market.spec.symbol,
    ...(orderId === 0 ? {} : { [nameOf("orderId")]: String(orderId) }),
    ...(origClientOrderId === "" ? {} : { [nameOf("origClientOrderId")]: origClientOrderId }),
    ...(onlyIn === "ANY" ? {} : { cancelRestrictions: `ONLY_${onlyIn}` }),
    [nameOf("newClientOrderId")]: newClientOrderId,
  };
}

function amendParameters(amend: AmendOrder, model: ModelExchange): Parameters | undefined {
  const market = model.markets[amend.symbolId];
  const named = cancelParameters({ ...amend, type: "cancelOrder" }, model, plainName);
  if (market === undefined || named === undefined || amend.quantityLots <= 0 || !hasRules5(model)) return undefined;
  return { ...named, newQty: written(amend.quantityLots, market.quantityDecimals) };
}

/** Whether the two legs are a pair in one of the orders that requests can express. */
function isPair(stopLeg: ListLeg, limitLeg: ListLeg): boolean {
  return (
    stopLeg.orderType.startsWith("STOP_LOSS") &&
    (limitLeg.orderType === "LIMIT_MAKER" || limitLeg.orderType.startsWith("TAKE_PROFIT"))
  );
}

/** Whether a request can express all legs of a list together. */
function areWellShaped(legs: readonly ListLeg[], { accountId, symbolId }: PlaceOco | PlaceOto, model: ModelExchange) {
  const what = { type: "placeOrder", accountId, symbolId, side: "BUY", quantityLots: 1, quoteOrderQty: 0n } as const;
  return haveOneMode(legs) && legs.every((leg) => isWellShaped({ ...what, ...leg }) && mayTrail(leg, model));
}

/** POST orderList/oco names the legs by their prices. */
function aboveBelowParameters(oco: PlaceOco, model: ModelExchange): Parameters | undefined {
  const market = model.markets[oco.symbolId];
  const { side, stopLeg, limitLeg, listClientOrderId } = oco;
  if (market === undefined || oco.quantityLots <= 0 || !isPair(stopLeg, limitLeg)) return undefined;
  if (!areWellShaped([stopLeg, limitLeg], oco, model)) return undefined;
  return {
    ...{ symbol: market.spec.symbol, side, listClientOrderId },
    quantity: written(oco.quantityLots, market.quantityDecimals),
    ...pairParameters(["above", "below"], oco, market),
    ...modeOf(stopLeg),
    ...responseOf(listClientOrderId),
  };
}

function pairParameters(
  [above, below]: readonly [string, string],
  { side, stopLeg, limitLeg }: Pick<PlaceOco, "side" | "stopLeg" | "limitLeg">,
  market: ModelMarket,
): Parameters {
  const [ofStop, ofLimit] = side === "SELL" ? [below, above] : [above, below];
  return { ...legParameters(stopLeg, ofStop, market), ...legParameters(limitLeg, ofLimit, market) };
}

/** POST orderList/oto, otoco, opo and opoco. */
function otoParameters(oto: PlaceOto, model: ModelExchange): Parameters | undefined {
  const market = model.markets[oto.symbolId];
  const { kind, working, pendingSide: side, pending: stopLeg, pendingLimit: limitLeg, listClientOrderId } = oto;
  if (market === undefined || !hasRules5(model) || working.quantityLots <= 0 || !isExpressible(oto)) return undefined;
  if (!areWellShaped([working.leg, stopLeg, ...(limitLeg === null ? [] : [limitLeg])], oto, model)) return undefined;
  const lots = (quantityLots: number): string => written(quantityLots, market.quantityDecimals);
  return {
    ...{ symbol: market.spec.symbol, listClientOrderId, workingSide: working.side, pendingSide: side },
    workingQuantity: lots(working.quantityLots),
    ...legParameters(working.leg, "working", market),
    ...(kind.startsWith("OPO") ? {} : { pendingQuantity: lots(oto.pendingLots) }),
    ...(limitLeg === null
      ? legParameters(stopLeg, "pending", market)
      : pairParameters(["pendingAbove", "pendingBelow"], { side, stopLeg, limitLeg }, market)),
    ...modeOf(stopLeg),
    ...responseOf(listClientOrderId),
  };
}

function isExpressible({ kind, working, pendingSide, pendingLots, pending, pendingLimit }: PlaceOto): boolean {
  if (kind === "OCO" || !["LIMIT", "LIMIT_MAKER"].includes(working.leg.orderType)) return false;
  if (kind.endsWith("CO") ? pendingLimit === null || !isPair(pending, pendingLimit) : pendingLimit !== null)
    return false;
  return kind.startsWith("OPO")
    ? working.side === "BUY" && pendingSide === "SELL" && pendingLots === 0
    : pendingLots > 0;
}

/** POST order/oco supports only LIMIT_MAKER beside a stop. */
function ocoParameters(oco: PlaceOco, model: ModelExchange): Parameters | undefined {
  const market = model.markets[oco.symbolId];
  const { stopLeg, limitLeg } = oco;
  const hasPegs = [stopLeg, limitLeg].some(({ peg = null }) => peg !== null);
  const isPlain = limitLeg.orderType === "LIMIT_MAKER" && isPair(stopLeg, limitLeg) && !hasPegs;
  // Half of these lists are sent to the newer endpoint.
  if (market === undefined || !isPlain || oco.quantityLots <= 0 || oco.quantityLots % 2 === 0) return undefined;
  if (!areWellShaped([stopLeg, limitLeg], oco, model)) return undefined;
  return {
    symbol: market.spec.symbol,
    side: oco.side,
    quantity: written(oco.quantityLots, market.quantityDecimals),
    listClientOrderId: oco.listClientOrderId,
    limitClientOrderId: limitLeg.clientOrderId,
    price: written(limitLeg.priceTicks, market.priceDecimals),
    ...icebergOf("limitIcebergQty", limitLeg, market),
    stopClientOrderId: stopLeg.clientOrderId,
    ...(stopLeg.stopTicks > 0 ? { stopPrice: written(stopLeg.stopTicks, market.priceDecimals) } : {}),
    ...trailingOf(stopLeg),
    ...(stopLeg.orderType === "STOP_LOSS_LIMIT"
      ? { stopLimitPrice: written(stopLeg.priceTicks, market.priceDecimals), stopLimitTimeInForce: stopLeg.timeInForce }
      : {}),
    ...icebergOf("stopIcebergQty", stopLeg, market),
    ...modeOf(stopLeg),
    ...withPrefix("limit", strategyOf(limitLeg)),
    ...withPrefix("stop", strategyOf(stopLeg)),
  };
}

function icebergOf(name: string, { icebergLots }: ListLeg, { quantityDecimals }: ModelMarket): Parameters {
  return icebergLots > 0 ? { [name]: written(icebergLots, quantityDecimals) } : {};
}

/** The author of the changes that an account makes itself. */
function clientOf(accountId: number): string {
  return `account:${accountId}`;
}

export function apiKeyOf(accountId: number): string {
  return `key${accountId}`.padEnd(64, "A");
}
export function secretOf(accountId: number): string {
  return `secret${accountId}`.padEnd(64, "B");
}

/** A request with key, timestamp and signature. `timestampMs` is by the client's clock. */
export function signed(request: ClientRequest, timestampMs: number): GatewayRequest {
  const { method, path, accountId, isSigned, parameters } = request;
  const sent = isSigned ? { ...parameters, timestamp: String(timestampMs) } : parameters;
  const text = Object.entries(sent)
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join("&");
  const signature = sign(secretOf(accountId), text);
  const query = isSigned ? `${text}&signature=${signature}` : text;
  return { method, path, query, body: "", headers: { "x-mbx-apikey": apiKeyOf(accountId) }, ip: "10.0.0.1" };
}
