/**
 * executionReport: an event of one order. Interface 6.3, 3.1. Decimals have 8 places. JSON is written by hand, because
 * reports are made on the order path.
 */
import { hasPrice } from "@pricetime/engine";
import type { EngineView, Fill, MarketView, OrderRecord, OrderEnded, OrderOpened, Trade } from "@pricetime/engine";
import { amountText, priceText, quantityText } from "../../../history/shapes/amounts.ts";

/** The fields that differ between reports of one order. */
interface Happening {
  /** Field `c`: the order's own id, or that of the cancel. */
  readonly clientOrderId: string;
  /** Field `C`: "" except for a cancel, where it is the id of the ended order. Interface S.14. */
  readonly origClientOrderId: string;
  /** Field `x`. */
  readonly execution: "NEW" | "TRADE" | "CANCELED" | "EXPIRED";
  readonly isOnBook: boolean;
  /** Fields `l` to `Y`, only for trades. */
  readonly trade?: LastFill;
}

interface LastFill {
  readonly tradeId: number;
  readonly lots: number;
  readonly priceTicks: number;
  readonly quote: bigint;
  readonly commission: bigint;
  readonly commissionAssetId: number;
  readonly isMaker: boolean;
}

/** When the entry was, and the number of the report. */
export interface ReportAt {
  readonly timeMs: number;
  readonly executionId: number;
}

/** The order was accepted, or one that waited for its stop price starts to work. */
export function openedReport(engine: EngineView, at: ReportAt, { order }: OrderOpened): string {
  return report(engine, at, order, {
    clientOrderId: order.clientOrderId,
    origClientOrderId: "",
    execution: "NEW",
    isOnBook: order.isWorking,
  });
}

/** One side of a trade. */
export function tradeReport(engine: EngineView, at: ReportAt, trade: Trade, fill: Fill): string {
  const { order, commission, commissionAssetId } = fill;
  return report(engine, at, order, {
    clientOrderId: order.clientOrderId,
    origClientOrderId: "",
    execution: "TRADE",
    isOnBook: order.status === "PARTIALLY_FILLED" && hasPrice(order.type) && order.timeInForce === "GTC",
    trade: { ...trade, commission, commissionAssetId, isMaker: fill === trade.maker },
  });
}

/** The order ended; the unfilled rest is final. */
export function endedReport(engine: EngineView, at: ReportAt, event: OrderEnded): string {
  const { order, status, cancelClientOrderId } = event;
  const isCancel = cancelClientOrderId !== "";
  return report(engine, at, order, {
    clientOrderId: isCancel ? cancelClientOrderId : order.clientOrderId,
    origClientOrderId: isCancel ? order.clientOrderId : "",
    execution: status,
    isOnBook: false,
  });
}

function report(engine: EngineView, at: ReportAt, order: OrderRecord, what: Happening): string {
  const market = engine.market(order.symbolId);
  const { timeMs, executionId } = at;
  const isTrade = what.trade !== undefined;
  return (
    `{"e":"executionReport","E":${timeMs},"s":"${market.spec.symbol}","c":"${what.clientOrderId}",` +
    `${requestJson(market, order)},"g":${order.orderListId},"C":"${what.origClientOrderId}",` +
    `"x":"${what.execution}","X":"${order.status}","r":"NONE","i":${order.orderId},` +
    `"l":"${quantityText(market, what.trade?.lots ?? 0)}","z":"${quantityText(market, order.executedLots)}",` +
    `"L":"${priceText(market, what.trade?.priceTicks ?? 0)}",${commissionJson(engine, what.trade)},` +
    `"T":${timeMs},"t":${what.trade?.tradeId ?? -1},"I":${executionId},"w":${what.isOnBook},` +
    `"m":${what.trade?.isMaker ?? false},"M":${isTrade},"O":${order.timeMs},` +
    `"Z":"${amountText(engine, market.quoteAssetId, order.executedQuote)}",` +
    `"Y":"${amountText(engine, market.quoteAssetId, what.trade?.quote ?? 0n)}",` +
    `"Q":"${amountText(engine, market.quoteAssetId, order.quoteOrderQty)}"}`
  );
}

/** The order as placed, which never changes. */
function requestJson(market: MarketView, order: OrderRecord): string {
  return (
    `"S":"${order.side}","o":"${order.type}","f":"${order.timeInForce}","q":"${quantityText(market, order.quantityLots)}",` +
    `"p":"${priceText(market, order.priceTicks)}","P":"${priceText(market, order.stopTicks)}",` +
    `"F":"${quantityText(market, order.icebergLots)}"`
  );
}

function commissionJson(engine: EngineView, fill: LastFill | undefined): string {
  if (fill === undefined || fill.commission === 0n) return `"n":"0","N":null`;
  const { asset } = engine.asset(fill.commissionAssetId).spec;
  return `"n":"${amountText(engine, fill.commissionAssetId, fill.commission)}","N":"${asset}"`;
}
