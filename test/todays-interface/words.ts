/** Enumerations of today's interface. */
import { KLINE_INTERVALS } from "@pricetime/protocol";
import { type Missing, namesIn, NO_EXTERNAL } from "./rows.ts";

export interface WordRow {
  readonly enumeration: string;
  /** Fields in which the words are sent, as `fields.ts` names their objects. */
  readonly sent?: readonly string[];
  /** A request and its parameter that take the words, and the code for any other word. */
  readonly taken?: readonly [request: string, parameter: string, others: number] | undefined;
  readonly words: string;
  readonly missing?: Missing;
  /** Words that only this exchange sends. */
  readonly added?: string;
}

type More = Pick<WordRow, "missing" | "added">;
const sent = (enumeration: string, fields: string, words: string, more: More = {}): WordRow => ({
  ...{ enumeration, sent: namesIn(fields), words, ...more },
});
const taken = (enumeration: string, by: WordRow["taken"], words: string): WordRow => ({
  ...{ enumeration, taken: by, words },
});

const ORDER = "POST order/test";
const TYPES = "LIMIT LIMIT_MAKER MARKET STOP_LOSS STOP_LOSS_LIMIT TAKE_PROFIT TAKE_PROFIT_LIMIT";
const STP_MODES = "NONE EXPIRE_MAKER EXPIRE_TAKER EXPIRE_BOTH DECREMENT TRANSFER";

export const WORD_ROWS: readonly WordRow[] = [
  sent(
    "order status",
    "allOrders.status executionReport.X",
    "NEW PARTIALLY_FILLED FILLED CANCELED EXPIRED EXPIRED_IN_MATCH PENDING_NEW",
    {
      missing: {
        REJECTED: "a rejected order gets an error and is not stored",
        PENDING_CANCEL: "Binance does not use it either",
      },
    },
  ),
  sent("execution type", "executionReport.x", "NEW CANCELED REPLACED TRADE EXPIRED TRADE_PREVENTION", {
    missing: { REJECTED: "no event is sent for a rejected order" },
  }),
  sent(
    "expiryReason",
    "allOrders.expiryReason executionReport.eR",
    "REJECTED EXCHANGE_CANCELED OCO_TRIGGER UNFILLED_IOC_QUANTITY_EXPIRED UNFILLED_FOK_ORDER_EXPIRED INSUFFICIENT_LIQUIDITY " +
      "EXECUTION_RULE_PRICE_RANGE_EXCEEDED OTO_PHASE_ONE_EXPIRED",
  ),
  sent("listStatusType", "allOrderList.listStatusType listStatus.l", "EXEC_STARTED UPDATED ALL_DONE", {
    missing: { RESPONSE: "a rejected list gets an error" },
  }),
  sent("listOrderStatus", "allOrderList.listOrderStatus listStatus.L", "EXECUTING ALL_DONE", {
    missing: { REJECT: "a rejected list gets an error" },
  }),
  sent("contingencyType", "allOrderList.contingencyType listStatus.c", "OCO OTO"),
  sent(
    "cancelReplace result",
    "cancelReplace.newOrderResult -2022.data.cancelResult -2022.data.newOrderResult",
    "SUCCESS FAILURE NOT_ATTEMPTED",
  ),
  sent("`r` of reports", "executionReport.r listStatus.r", "NONE", {
    missing: {
      "INSUFFICIENT_BALANCES STOP_PRICE_WOULD_TRIGGER_IMMEDIATELY WOULD_MATCH_IMMEDIATELY OCO_BAD_PRICES":
        "a rejected order gets an error; one that is rejected when it triggers has only an `eR`",
    },
  }),
  taken("side", [ORDER, "side", -1117], "BUY SELL"),
  { enumeration: "order type", taken: [ORDER, "type", -1116], sent: ["exchangeInfo.symbols.orderTypes"], words: TYPES },
  taken("timeInForce", [ORDER, "timeInForce", -1115], "GTC IOC FOK"),
  taken("newOrderRespType", [ORDER, "newOrderRespType", -1136], "ACK RESULT FULL"),
  taken("self-trade prevention mode", [ORDER, "selfTradePreventionMode", -1130], STP_MODES),
  taken("cancelRestrictions", ["DELETE order", "cancelRestrictions", -1145], "ONLY_NEW ONLY_PARTIALLY_FILLED"),
  taken("cancelReplaceMode", ["POST order/cancelReplace", "cancelReplaceMode", -1130], "STOP_ON_FAILURE ALLOW_FAILURE"),
  taken(
    "orderRateLimitExceededMode",
    ["POST order/cancelReplace", "orderRateLimitExceededMode", -1130],
    "DO_NOTHING CANCEL_ONLY",
  ),
  taken("pegPriceType", [ORDER, "pegPriceType", -1210], "PRIMARY_PEG MARKET_PEG"),
  taken("pegOffsetType", [ORDER, "pegOffsetType", -1211], "PRICE_LEVEL"),
  sent("default self-trade prevention mode", "exchangeInfo.symbols.defaultSelfTradePreventionMode", "EXPIRE_MAKER"),
  sent("symbol status", "symbol.status", "TRADING END_OF_DAY HALT BREAK CANCEL_ONLY", {
    added: "PRE_TRADING POST_TRADING AUCTION_MATCH",
  }),
  taken("symbolStatus", ["GET ticker/price", "symbolStatus", -1122], "TRADING HALT BREAK"),
  taken("windowSize, and all between", ["GET ticker", "windowSize", -1130], "1m 59m 1h 23h 1d 7d"),
  taken("type of a ticker", ["GET ticker", "type", -1139], "FULL MINI"),
  taken("interval of klines", ["GET klines", "interval", -1120], KLINE_INTERVALS.join(" ")),
  sent(
    "rateLimitType",
    "exchangeInfo.rateLimits.rateLimitType rateLimit/order.rateLimitType",
    "REQUEST_WEIGHT ORDERS RAW_REQUESTS CONNECTIONS",
  ),
  sent("interval of a rate limit", "exchangeInfo.rateLimits.interval rateLimit/order.interval", "SECOND MINUTE DAY"),
  sent("ruleType", "executionRules.symbolRules.rules.ruleType", "PRICE_RANGE"),
  sent("calculationType", "referencePrice/calculation.calculationType", "ARITHMETIC_MEAN", {
    missing: { EXTERNAL: NO_EXTERNAL },
  }),
  sent("permissions", "account.permissions exchangeInfo.symbols.permissions", "SPOT", {
    missing: {
      "MARGIN LEVERAGED": "there is no margin trading",
      TRD_GRP_002: "all accounts may trade all symbols; the same for all other groups",
    },
  }),
];
