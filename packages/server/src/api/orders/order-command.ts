/** Converts the decimals of a request to a command in ticks and lots. */
import {
  type EngineView,
  type ListLeg,
  type MarketView,
  OFF_SCALE,
  parseDecimal,
  type PlaceOco,
  type PlaceOrder,
  type PlaceOto,
  type SelfTradePreventionMode,
  toScale,
} from "@pricetime/engine";
import {
  aboveBelowRequest,
  type ApiError,
  badPrecision,
  decimalsOf,
  isApiError,
  type LegRequest,
  type ListRequest,
  nameOf,
  ocoRequest,
  orderRequest,
  type OrderRequest,
  OTO_KINDS,
  otoReader,
  type OtoRequest,
  overflowed,
  type PegPriceType,
  rejectError,
} from "@pricetime/protocol";
import type { Call } from "../call.ts";
import { orderLimitRefusal, Refused } from "../edge/refusals.ts";
import { type Outcome, OutcomeUnknown, WaitedTooLong } from "../../journal/sequencer/port.ts";

type Reader<T> = (values: Call["values"], baseDecimals: number, quoteDecimals: number) => T | ApiError;

function requestOf<T extends object>(call: Call, market: MarketView, read: Reader<T>): T {
  const { engine } = call.venue;
  const baseDecimals = engine.asset(market.baseAssetId).spec.precision;
  const quoteDecimals = engine.asset(market.quoteAssetId).spec.precision;
  const request = read(call.values, baseDecimals, quoteDecimals);
  if (isApiError(request)) throw new Refused(request);
  return request;
}

export function orderRequestOf(call: Call, market: MarketView): OrderRequest {
  return requestOf(call, market, orderRequest);
}

/** The list that POST order/oco or POST orderList/oco requests. The two use different names for the same fields. */
export function listRequestOf(call: Call, market: MarketView): ListRequest {
  const read: Reader<ListRequest> = call.endpoint.id === "orderList.place" ? ocoRequest : aboveBelowRequest;
  return requestOf(call, market, read);
}

const OTO_READERS: ReadonlyMap<string, ReturnType<typeof otoReader>> = new Map(
  OTO_KINDS.map((kind) => [`orderList.place.${kind.toLowerCase()}`, otoReader(kind)] as const),
);

/** The list that POST orderList/oto, otoco, opo or opoco requests. */
export function otoRequestOf(call: Call, market: MarketView): OtoRequest {
  const read = OTO_READERS.get(call.endpoint.id);
  if (read === undefined) throw new TypeError(`${call.endpoint.id} places no list with a working order`);
  return requestOf(call, market, read);
}

type Scaled = "price" | "quantity";

/**
 * Converts a value to ticks or lots; 0 if it was not sent. A value that cannot be represented fails its filter
 * (OFF_SCALE). If no filter applies, it is rejected here: too many decimals (-1111) or too large (-1108).
 */
function scaled(call: Call, { spec, scale }: MarketView, kind: Scaled, text: string): number {
  if (text === "") return 0;
  const decimals = kind === "price" ? scale.priceDecimals : scale.quantityDecimals;
  const value = toScale(text, decimals);
  const filter = kind === "price" ? spec.filters.priceFilter : spec.filters.lotSize;
  if (value !== OFF_SCALE || filter !== undefined) return value;
  const [name] = [...call.values].find(([, sent]) => sent === text) ?? [kind];
  throw new Refused(decimalsOf(text) > decimals ? badPrecision(name) : overflowed(name));
}

/** The new quantity of an amendment, in lots. */
export function newQuantityOf(call: Call, market: MarketView): number {
  const text = call.text("newQty");
  const { precision } = call.venue.engine.asset(market.baseAssetId).spec;
  if (decimalsOf(text) > precision) throw new Refused(badPrecision("newQty"));
  return scaled(call, market, "quantity", text);
}

function quoteUnits(engine: EngineView, market: MarketView, text: string): bigint {
  if (text === "") return 0n;
  const units = parseDecimal(text, engine.asset(market.quoteAssetId).spec.precision);
  if (units === null) throw new Refused(badPrecision("quoteOrderQty"));
  return units;
}

/** The client order id as sent, or a generated one. */
export function orGenerated(call: Call, clientOrderId: string): string {
  return clientOrderId === "" ? call.venue.ids.clientOrderId() : clientOrderId;
}

/**
 * False only while a cluster node of an older release is running. It cannot read the fields of rules version 5, so they
 * must not be journaled.
 */
export function hasRules5(call: Call): boolean {
  return call.venue.engine.edition >= 5;
}

/** The strategy of an order. `prefix` names the leg of a list. */
function strategyOf(call: Call, prefix: string): Pick<PlaceOrder, "strategyId" | "strategyType"> {
  if (!hasRules5(call)) return {};
  const [strategyId, strategyType] = ["strategyId", "strategyType"].map((name) => call.integer(nameOf(prefix, name)));
  return {
    ...(strategyId === undefined ? {} : { strategyId }),
    ...(strategyType === undefined ? {} : { strategyType }),
  };
}

/** The distance of a trailing stop, if it has one. */
function trailingOf(call: Call, name: string): Pick<PlaceOrder, "trailingDelta"> {
  const trailingDelta = call.integer(name);
  if (trailingDelta === undefined) return {};
  if (!hasRules5(call)) throw new Refused(rejectError("TRAILING_STOP_NOT_SUPPORTED", "place"));
  return { trailingDelta };
}

/** The price of the book that the order takes, if it is pegged. */
function pegOf(call: Call, prefix: string): Pick<PlaceOrder, "peg"> {
  const to = call.optionalText(nameOf(prefix, "pegPriceType")) as PegPriceType | undefined;
  if (to === undefined) return {};
  if (!hasRules5(call)) throw new Refused(rejectError("PEG_NOT_SUPPORTED", "place"));
  return { peg: { to, level: call.integer(nameOf(prefix, "pegOffsetValue")) ?? 0 } };
}

export function placeCommand(call: Call, market: MarketView, request: OrderRequest): PlaceOrder {
  return {
    type: "placeOrder",
    accountId: call.accountId(),
    symbolId: market.symbolId,
    side: request.side,
    orderType: request.type,
    timeInForce: request.timeInForce,
    priceTicks: scaled(call, market, "price", request.price),
    quantityLots: scaled(call, market, "quantity", request.quantity),
    stopTicks: scaled(call, market, "price", request.stopPrice),
    icebergLots: scaled(call, market, "quantity", request.icebergQty),
    quoteOrderQty: quoteUnits(call.venue.engine, market, request.quoteOrderQty),
    clientOrderId: orGenerated(call, request.newClientOrderId),
    ...strategyOf(call, ""),
    ...trailingOf(call, "trailingDelta"),
    ...pegOf(call, ""),
    ...preventionOf(call),
  };
}

/** Absent: the default of the symbol. A list has one mode for both legs. */
function preventionOf(call: Call): Pick<PlaceOrder, "selfTradePrevention"> {
  const mode = call.optionalText("selfTradePreventionMode") as SelfTradePreventionMode | undefined;
  return mode === undefined || !hasRules5(call) ? {} : { selfTradePrevention: mode };
}

export function placeListCommand(call: Call, market: MarketView, request: ListRequest): PlaceOco {
  return {
    type: "placeOco",
    accountId: call.accountId(),
    symbolId: market.symbolId,
    side: request.side,
    quantityLots: scaled(call, market, "quantity", request.quantity),
    stopLeg: legOf(call, market, request.stopLeg),
    limitLeg: legOf(call, market, request.limitLeg),
    listClientOrderId: orGenerated(call, request.listClientOrderId),
  };
}

export function placeOtoCommand(call: Call, market: MarketView, request: OtoRequest): PlaceOto {
  if (!hasRules5(call)) throw new Refused(rejectError("OTO_NOT_SUPPORTED", "place"));
  const { kind, workingSide, pendingSide, pendingLimit } = request;
  return {
    type: "placeOto",
    accountId: call.accountId(),
    symbolId: market.symbolId,
    kind,
    working: {
      side: workingSide,
      quantityLots: scaled(call, market, "quantity", request.workingQuantity),
      leg: legOf(call, market, request.working),
    },
    pendingSide,
    pendingLots: scaled(call, market, "quantity", request.pendingQuantity),
    pending: legOf(call, market, request.pending),
    pendingLimit: pendingLimit === null ? null : legOf(call, market, pendingLimit),
    listClientOrderId: orGenerated(call, request.listClientOrderId),
  };
}

function legOf(call: Call, market: MarketView, leg: LegRequest): ListLeg {
  const { prefix } = leg;
  return {
    orderType: leg.type,
    timeInForce: leg.timeInForce,
    priceTicks: scaled(call, market, "price", leg.price),
    stopTicks: scaled(call, market, "price", leg.stopPrice),
    icebergLots: scaled(call, market, "quantity", leg.icebergQty),
    clientOrderId: orGenerated(call, leg.clientOrderId),
    ...strategyOf(call, prefix),
    // POST order/oco has one leg that can trail.
    ...trailingOf(call, prefix === "stop" ? "trailingDelta" : nameOf(prefix, "trailingDelta")),
    ...pegOf(call, prefix),
    ...preventionOf(call),
  };
}

// Counts orders against the ORDERS limits before anything is journaled. Decision 17.

/**
 * Throws `Refused` if a limit would be exceeded. The caller must call the returned function with the command's outcome.
 */
export function reserveOrders(call: Call, orders: number): (outcome: Outcome | Error) => void {
  const { orderLimiter } = call.venue;
  const accountId = call.accountId();
  const reserved = orderLimiter.reserve(accountId, orders, call.nowMs);
  if ("rule" in reserved) throw orderLimitRefusal(reserved);
  call.orderCounts = reserved;
  return (outcome) => {
    // A request that waited too long counts, although the engine has not counted it.
    if (outcome instanceof OutcomeUnknown || outcome instanceof WaitedTooLong) {
      orderLimiter.releaseUnknown(accountId, orders, call.nowMs);
      return;
    }
    orderLimiter.release(accountId, orders);
    if (outcome instanceof Error) call.orderCounts = undefined;
  };
}
