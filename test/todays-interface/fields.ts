/** Fields of answers and events of today's interface. */
import { type Missing, NO_SOR } from "./rows.ts";

export interface FieldRow {
  /** The answer or event, as `samples.ts` names it; an object within it after a full stop. */
  readonly of: string;
  /** Fields of every sample. */
  readonly always: string;
  /** Fields of some samples. */
  readonly sometimes?: string;
  readonly missing?: Missing;
  /** Fields that only this exchange sends. */
  readonly added?: string;
  /** Other answers with the same fields, or conditions. */
  readonly note?: string;
}

const ACK = "symbol orderId orderListId clientOrderId transactTime";
const STATE = "price origQty executedQty origQuoteOrderQty cummulativeQuoteQty status timeInForce type side";
const RESULT = `${ACK} ${STATE} workingTime selfTradePreventionMode`;
const PEGGED = "pegPriceType pegOffsetType pegOffsetValue peggedPrice";
const LATER = `stopPrice icebergQty trailingDelta trailingTime ${PEGGED} strategyId strategyType`;
const ENDED = `${LATER} expiryReason preventedMatchId preventedQuantity`;
const NOT_ON_ORDERS: Missing = { "usedSor workingFloor": NO_SOR };
const OF_2019 = "commission commissionAsset";
const CANCELED = `origClientOrderId ${ACK} ${STATE} selfTradePreventionMode`;
const FOUND =
  "symbol orderId orderListId clientOrderId price origQty executedQty cummulativeQuoteQty status timeInForce type side " +
  "stopPrice icebergQty time updateTime isWorking workingTime origQuoteOrderQty selfTradePreventionMode";
const LEG = "symbol orderId clientOrderId";
const LIST =
  "orderListId contingencyType listStatusType listOrderStatus listClientOrderId transactionTime symbol orders";
const MATCH = "preventedMatchId makerSymbol makerOrderId price";
const PREVENTED = "takerPreventedQuantity makerPreventedQuantity";
const KLINE = "t T s i f L o c h l v n x q V Q B";
const DAY_MINI =
  "symbol openPrice highPrice lowPrice lastPrice volume quoteVolume openTime closeTime firstId lastId count";
const DAY = `${DAY_MINI} priceChange priceChangePercent weightedAvgPrice`;
const WINDOW = "e E s p P o h l c w v q O C F L n";
const MINI = "e E s c o h l v q";
const DEPTH = "lastUpdateId bids asks";
const RATES = "maker taker buyer seller";

const WINDOWS = ["1h", "4h", "1d"];

/** Rows with the same fields, one for each name. */
function same(names: readonly string[], row: Omit<FieldRow, "of">): FieldRow[] {
  return names.map((of) => ({ of, ...row }));
}

export const FIELD_ROWS: readonly FieldRow[] = [
  { of: "order ACK", always: ACK },
  { of: "order RESULT", always: RESULT, sometimes: `${ENDED} tradeGroupId`, missing: NOT_ON_ORDERS, added: OF_2019 },
  {
    ...{ of: "order FULL", always: `${RESULT} fills`, missing: NOT_ON_ORDERS, added: OF_2019 },
    sometimes: `${ENDED} preventedMatches tradeGroupId`,
  },
  {
    ...{ of: "order FULL.fills", always: "price qty commission commissionAsset tradeId" },
    missing: { "matchType allocId": NO_SOR },
  },
  { of: "order FULL.preventedMatches", always: MATCH, sometimes: PREVENTED },
  { of: "order test", always: "" },
  {
    of: "order test with rates",
    always: "standardCommissionForOrder specialCommissionForOrder taxCommissionForOrder discount",
  },
  ...same(
    ["standard", "special", "tax"].map((kind) => `order test with rates.${kind}CommissionForOrder`),
    { always: "maker taker" },
  ),
  {
    of: "order test with rates.discount",
    always: "enabledForAccount enabledForSymbol discountAsset discount",
  },
  ...same(["cancel", "cancel openOrders"], {
    ...{ always: CANCELED, sometimes: `${LATER} preventedMatchId preventedQuantity`, missing: NOT_ON_ORDERS },
  }),
  ...same(["GET order", "allOrders"], {
    ...{ always: FOUND, added: OF_2019, missing: NOT_ON_ORDERS },
    sometimes: `trailingDelta trailingTime ${PEGGED} strategyId strategyType expiryReason preventedMatchId preventedQuantity`,
  }),
  {
    ...{ of: "openOrders", always: FOUND, added: OF_2019, missing: NOT_ON_ORDERS },
    sometimes: `trailingDelta trailingTime ${PEGGED} strategyId strategyType preventedMatchId preventedQuantity`,
  },
  { of: "amend", always: "transactTime executionId amendedOrder", sometimes: "listStatus" },
  {
    of: "amend.amendedOrder",
    always:
      "symbol orderId orderListId origClientOrderId clientOrderId price qty executedQty preventedQty quoteOrderQty " +
      "cumulativeQuoteQty status timeInForce type side selfTradePreventionMode workingTime",
    sometimes: LATER,
    missing: NOT_ON_ORDERS,
  },
  { of: "amend.listStatus", always: "orderListId contingencyType listOrderStatus listClientOrderId symbol orders" },
  { of: "amend.listStatus.orders", always: LEG },
  {
    of: "amendments",
    always: "symbol orderId executionId origClientOrderId newClientOrderId origQty newQty time",
  },
  { of: "cancelReplace", always: "cancelResult newOrderResult cancelResponse newOrderResponse" },
  { of: "cancelReplace.cancelResponse", always: CANCELED, sometimes: LATER, missing: NOT_ON_ORDERS },
  {
    ...{ of: "cancelReplace.newOrderResponse", always: RESULT, sometimes: LATER },
    ...{ missing: NOT_ON_ORDERS, added: OF_2019 },
  },
  { of: "new list", always: `${LIST} orderReports` },
  {
    ...{ of: "new list.orderReports", always: RESULT, sometimes: `${LATER} fills expiryReason` },
    ...{ missing: NOT_ON_ORDERS, added: OF_2019 },
  },
  { of: "cancel list", always: `${LIST} orderReports` },
  { of: "cancel list.orderReports", always: CANCELED, sometimes: LATER, missing: NOT_ON_ORDERS },
  { of: "cancel openOrders list", always: `${LIST} orderReports` },
  { of: "cancel openOrders list.orderReports", always: CANCELED, sometimes: "stopPrice", missing: NOT_ON_ORDERS },
  ...same(["GET orderList", "openOrderList", "allOrderList"], { always: LIST }),
  ...same(
    ["new list", "cancel list", "cancel openOrders list", "GET orderList", "openOrderList", "allOrderList"].map(
      (name) => `${name}.orders`,
    ),
    { always: LEG },
  ),

  {
    of: "account",
    always:
      "makerCommission takerCommission buyerCommission sellerCommission commissionRates canTrade canWithdraw canDeposit " +
      "brokered requireSelfTradePrevention preventSor updateTime accountType balances permissions uid",
    sometimes: "tradeGroupId",
  },
  { of: "account.commissionRates", always: RATES },
  { of: "account.balances", always: "asset free locked" },
  {
    of: "account/commission",
    always: "symbol standardCommission specialCommission taxCommission discount",
  },
  ...same(
    ["standard", "special", "tax"].map((kind) => `account/commission.${kind}Commission`),
    { always: RATES },
  ),
  { of: "account/commission.discount", always: "enabledForAccount enabledForSymbol discountAsset discount" },
  { of: "rateLimit/order", always: "rateLimitType interval intervalNum limit count" },
  {
    of: "myTrades",
    always:
      "symbol id orderId orderListId price qty quoteQty commission commissionAsset time isBuyer isMaker isBestMatch",
  },
  {
    of: "myPreventedMatches",
    always: `symbol ${MATCH} takerOrderId tradeGroupId selfTradePreventionMode transactTime`,
    sometimes: PREVENTED,
  },
  { of: "myFilters", always: "exchangeFilters symbolFilters assetFilters" },

  {
    ...{ of: "exchangeInfo", always: "timezone serverTime rateLimits exchangeFilters symbols" },
    missing: { sors: NO_SOR },
  },
  { of: "exchangeInfo.rateLimits", always: "rateLimitType interval intervalNum limit" },
  {
    of: "exchangeInfo.symbols",
    always:
      "symbol status baseAsset baseAssetPrecision quoteAsset quotePrecision quoteAssetPrecision " +
      "baseCommissionPrecision quoteCommissionPrecision orderTypes icebergAllowed ocoAllowed otoAllowed opoAllowed " +
      "quoteOrderQtyMarketAllowed allowTrailingStop cancelReplaceAllowed amendAllowed pegInstructionsAllowed " +
      "isSpotTradingAllowed isMarginTradingAllowed filters permissions permissionSets defaultSelfTradePreventionMode " +
      "allowedSelfTradePreventionModes",
  },
  { of: "executionRules", always: "symbolRules" },
  { of: "executionRules.symbolRules", always: "symbol rules" },
  {
    of: "executionRules.symbolRules.rules",
    always: "ruleType bidLimitMultUp bidLimitMultDown askLimitMultUp askLimitMultDown",
  },
  { of: "referencePrice", always: "symbol referencePrice timestamp" },
  { of: "referencePrice/calculation", always: "symbol calculationType bucketCount bucketWidthMs" },
  ...same(["depth", "btcusdt@depth5", "btcusdt@depth10", "btcusdt@depth20@100ms"], { always: DEPTH }),
  { of: "trades", always: "id price qty quoteQty time isBuyerMaker isBestMatch", note: "and historicalTrades" },
  { of: "aggTrades", always: "a p q f l T m M" },
  { of: "avgPrice", always: "mins price closeTime" },
  {
    of: "ticker/24hr FULL",
    always: `${DAY} prevClosePrice lastQty bidPrice bidQty askPrice askQty`,
  },
  ...same(["ticker/tradingDay FULL", "ticker FULL"], { always: DAY }),
  ...same(["ticker/24hr MINI", "ticker/tradingDay MINI", "ticker MINI"], { always: DAY_MINI }),
  { of: "ticker/price", always: "symbol price" },
  { of: "ticker/bookTicker", always: "symbol bidPrice bidQty askPrice askQty" },

  {
    of: "executionReport",
    always: "e E s c S o f q p P F g C x X r i l z L n N T t I w m M O Z Y Q V",
    sometimes: "W d D gP gOT gOV gp j J v A B u U Cs pl pL pY eR",
    missing: { "a b k uS": NO_SOR },
  },
  { of: "listStatus", always: "e E s g c l L r C T O" },
  { of: "listStatus.O", always: "s i c" },
  { of: "outboundAccountPosition", always: "e E u B" },
  { of: "outboundAccountPosition.B", always: "a f l" },
  { of: "balanceUpdate", always: "e E a d T" },
  { of: "eventStreamTerminated", always: "e E" },
  { of: "outboundAccountInfo", always: "", added: "e E m t b s T W D u B P", note: "an event that Binance removed" },
  { of: "outboundAccountInfo.B", always: "", added: "a f l", note: "an event that Binance removed" },

  { of: "btcusdt@trade", always: "e E s t p q T m M" },
  { of: "btcusdt@aggTrade", always: "e E s a p q f l T m M" },
  ...same(["btcusdt@kline_1s", "btcusdt@kline_1m", "btcusdt@kline_1d@+08:00"], { always: "e E s k" }),
  ...same(["btcusdt@kline_1s.k", "btcusdt@kline_1m.k", "btcusdt@kline_1d@+08:00.k"], { always: KLINE }),
  ...same(["btcusdt@miniTicker", "!miniTicker@arr"], { always: MINI }),
  { of: "btcusdt@ticker", always: `${MINI} p P w x Q b B a A O C F L n` },
  ...same(
    WINDOWS.flatMap((window) => [`btcusdt@ticker_${window}`, `!ticker_${window}@arr`]),
    { always: WINDOW },
  ),
  { of: "btcusdt@bookTicker", always: "u s b B a A" },
  { of: "btcusdt@avgPrice", always: "e E s i w T" },
  { of: "btcusdt@referencePrice", always: "e s r t" },
  ...same(["btcusdt@depth", "btcusdt@depth@100ms"], { always: "e E s U u b a" }),
];
