/** Enumerations of today's interface. */
import { KLINE_INTERVALS } from "@pricetime/protocol";
import type { Missing } from "./rows.ts";

export interface WordRow {
  readonly enumeration: string;
  /** Fields in which the words are sent, as `fields.ts` names their objects. */
  readonly sent?: readonly string[];
  /** A request and its parameter that take the words, and the code for any other word. */
  readonly taken?: readonly [request: string, parameter: string, others: number];
  readonly words: string;
  readonly missing?: Missing;
}

const ORDER = "POST order/test";
const TYPES = "LIMIT LIMIT_MAKER MARKET STOP_LOSS STOP_LOSS_LIMIT TAKE_PROFIT TAKE_PROFIT_LIMIT";
const STP_MODES = "NONE EXPIRE_MAKER EXPIRE_TAKER EXPIRE_BOTH DECREMENT TRANSFER";

export const WORD_ROWS: readonly WordRow[] = [
  {
    ...{ enumeration: "order status", sent: ["allOrders.status", "executionReport.X"] },
    words: "NEW PARTIALLY_FILLED FILLED CANCELED EXPIRED EXPIRED_IN_MATCH PENDING_NEW",
    missing: {
      REJECTED: "a rejected order gets an error and is not stored",
      PENDING_CANCEL: "Binance does not use it either",
    },
  },
  {
    ...{ enumeration: "execution type", sent: ["executionReport.x"] },
    words: "NEW CANCELED REPLACED TRADE EXPIRED TRADE_PREVENTION",
    missing: { REJECTED: "no event is sent for a rejected order" },
  },
  {
    enumeration: "expiryReason",
    sent: ["allOrders.expiryReason", "executionReport.eR"],
    words:
      "REJECTED EXCHANGE_CANCELED OCO_TRIGGER UNFILLED_IOC_QUANTITY_EXPIRED UNFILLED_FOK_ORDER_EXPIRED INSUFFICIENT_LIQUIDITY " +
      "EXECUTION_RULE_PRICE_RANGE_EXCEEDED OTO_PHASE_ONE_EXPIRED",
  },
  {
    ...{ enumeration: "listStatusType", sent: ["allOrderList.listStatusType", "listStatus.l"] },
    words: "EXEC_STARTED UPDATED ALL_DONE",
    missing: { RESPONSE: "a rejected list gets an error" },
  },
  {
    ...{ enumeration: "listOrderStatus", sent: ["allOrderList.listOrderStatus", "listStatus.L"] },
    words: "EXECUTING ALL_DONE",
    missing: { REJECT: "a rejected list gets an error" },
  },
  {
    ...{ enumeration: "contingencyType", sent: ["allOrderList.contingencyType", "listStatus.c"] },
    words: "OCO OTO",
  },
  { enumeration: "cancelReplace result", sent: ["cancelReplace.cancelResult"], words: "SUCCESS" },
  { enumeration: "side", taken: [ORDER, "side", -1117], words: "BUY SELL" },
  { enumeration: "order type", taken: [ORDER, "type", -1116], sent: ["exchangeInfo.symbols.orderTypes"], words: TYPES },
  { enumeration: "timeInForce", taken: [ORDER, "timeInForce", -1115], words: "GTC IOC FOK" },
  { enumeration: "newOrderRespType", taken: [ORDER, "newOrderRespType", -1136], words: "ACK RESULT FULL" },
  { enumeration: "self-trade prevention mode", taken: [ORDER, "selfTradePreventionMode", -1130], words: STP_MODES },
  {
    enumeration: "cancelRestrictions",
    taken: ["DELETE order", "cancelRestrictions", -1145],
    words: "ONLY_NEW ONLY_PARTIALLY_FILLED",
  },
  {
    enumeration: "cancelReplaceMode",
    taken: ["POST order/cancelReplace", "cancelReplaceMode", -1130],
    words: "STOP_ON_FAILURE ALLOW_FAILURE",
  },
  {
    enumeration: "symbol status",
    sent: ["symbol.status"],
    words: "TRADING END_OF_DAY HALT BREAK CANCEL_ONLY",
  },
  { enumeration: "symbolStatus", taken: ["GET ticker/price", "symbolStatus", -1122], words: "TRADING HALT BREAK" },
  { enumeration: "type of a ticker", taken: ["GET ticker", "type", -1139], words: "FULL MINI" },
  { enumeration: "interval of klines", taken: ["GET klines", "interval", -1120], words: KLINE_INTERVALS.join(" ") },
  {
    enumeration: "rateLimitType",
    sent: ["exchangeInfo.rateLimits.rateLimitType", "rateLimit/order.rateLimitType"],
    words: "REQUEST_WEIGHT ORDERS RAW_REQUESTS CONNECTIONS",
  },
  { enumeration: "permissions", sent: ["account.permissions", "exchangeInfo.symbols.permissions"], words: "SPOT" },
];
