/** Commands as a client's requests. Commands that no client can send are submitted by callers inside the process. */
import type { CancelOrder, Command, ListLeg, PlaceOco, PlaceOrder } from "@pricetime/engine";
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
  return asked && { ...asked, accountId, isSigned: !asked.path.endsWith("userDataStream") };
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
    case "requestWithdrawal": {
      const { asset, network, address, amount, name, withdrawOrderId } = command;
      // Withdrawals that already have an ID are not requested by clients.
      if (network !== SANDBOX || command.withdrawalId !== "") return undefined;
      const path = "/sapi/v1/capital/withdraw/apply";
      return { method: "POST", path, parameters: { coin: asset, network, address, amount, name, withdrawOrderId } };
    }
    case "placeOco":
      return asked("POST", "order/oco", ocoParameters(command, model));
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
  const { orderType, quantityLots, quoteOrderQty, clientOrderId } = order;
  const [prices, lots] = [market.priceDecimals, market.quantityDecimals];
  return {
    symbol: market.spec.symbol,
    side: order.side,
    type: orderType,
    ...(CHOOSES_TIME.includes(orderType) ? { timeInForce: order.timeInForce } : {}),
    ...(quantityLots > 0 ? { quantity: written(quantityLots, lots) } : {}),
    ...(quoteOrderQty > 0n ? { quoteOrderQty: written(quoteOrderQty, market.quotePlaces) } : {}),
    ...(order.priceTicks > 0 ? { price: written(order.priceTicks, prices) } : {}),
    ...(order.stopTicks > 0 ? { stopPrice: written(order.stopTicks, prices) } : {}),
    ...(order.icebergLots > 0 ? { icebergQty: written(order.icebergLots, lots) } : {}),
    newClientOrderId: clientOrderId,
    ...laterParameters(order, ""),
    ...trailingOf(order),
    newOrderRespType: RESPONSES[clientOrderId.length % RESPONSES.length] as string,
  };
}

type Later = Pick<PlaceOrder, "selfTradePrevention" | "strategyId" | "strategyType">;

/** The parameters of later clients. `prefix` names the leg of a list, which both have one mode. */
function laterParameters({ selfTradePrevention: mode, strategyId, strategyType }: Later, prefix: string): Parameters {
  const [id, type] = prefix === "" ? ["strategyId", "strategyType"] : [`${prefix}StrategyId`, `${prefix}StrategyType`];
  return {
    ...(mode === undefined || mode === "DEFAULT" ? {} : { selfTradePreventionMode: mode }),
    ...(strategyId === undefined ? {} : { [id]: String(strategyId) }),
    ...(strategyType === undefined ? {} : { [type]: String(strategyType) }),
  };
}

function trailingOf({ trailingDelta }: Pick<PlaceOrder, "trailingDelta">): Parameters {
  return trailingDelta === undefined ? {} : { trailingDelta: String(trailingDelta) };
}

/** Before rules version 5, a node rejects trailing stops without journaling them. */
function mayTrail({ trailingDelta }: Pick<PlaceOrder, "trailingDelta">, { edition }: ModelExchange): boolean {
  return trailingDelta === undefined || edition >= 5;
}

/** Whether the request's parameters can express it. Other commands are rejected before they reach the engine. */
function isWellShaped(order: PlaceOrder): boolean {
  const { orderType, timeInForce, priceTicks, stopTicks, icebergLots, quantityLots, quoteOrderQty } = order;
  const { trailingDelta = 0 } = order;
  const byQuote = orderType === "MARKET" && quoteOrderQty > 0n;
  return (
    (byQuote ? quantityLots === 0 : quantityLots > 0 && quoteOrderQty === 0n) &&
    (isPriced(orderType) ? priceTicks > 0 : priceTicks === 0) &&
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
  const { orderId, origClientOrderId, newClientOrderId } = cancel;
  if (market === undefined || (orderId === 0 && origClientOrderId === "")) return undefined;
  if (origClientOrderId !== "" && !CLIENT_ID.test(origClientOrderId)) return undefined;
  return {
    symbol: market.spec.symbol,
    ...(orderId === 0 ? {} : { [nameOf("orderId")]: String(orderId) }),
    ...(origClientOrderId === "" ? {} : { [nameOf("origClientOrderId")]: origClientOrderId }),
    [nameOf("newClientOrderId")]: newClientOrderId,
  };
}

/** POST order/oco supports only LIMIT_MAKER beside a stop. Other lists are submitted inside the process. */
function ocoParameters(oco: PlaceOco, model: ModelExchange): Parameters | undefined {
  const market = model.markets[oco.symbolId];
  const { stopLeg, limitLeg } = oco;
  const hasOneMode = limitLeg.selfTradePrevention === stopLeg.selfTradePrevention;
  const isPlain = limitLeg.orderType === "LIMIT_MAKER" && stopLeg.orderType.startsWith("STOP_LOSS") && hasOneMode;
  if (market === undefined || !isPlain || oco.quantityLots <= 0 || !mayTrail(stopLeg, model)) return undefined;
  if (![stopLeg, limitLeg].every((leg) => isWellShaped(orderOf(oco, leg)))) return undefined;
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
    ...laterParameters(limitLeg, "limit"),
    ...laterParameters(stopLeg, "stop"),
  };
}

function icebergOf(name: string, { icebergLots }: ListLeg, { quantityDecimals }: ModelMarket): Parameters {
  return icebergLots > 0 ? { [name]: written(icebergLots, quantityDecimals) } : {};
}

function orderOf({ accountId, symbolId, side, quantityLots }: PlaceOco, leg: ListLeg): PlaceOrder {
  return { type: "placeOrder", accountId, symbolId, side, quantityLots, quoteOrderQty: 0n, ...leg };
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
