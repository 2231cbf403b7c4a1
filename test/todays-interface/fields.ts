/** Fields of answers and events of today's interface. */
import { type Missing, NO_BLOCK_TRADES, NO_EXTERNAL, NO_SOR } from "./rows.ts";

export interface FieldRow {
  /** The answer or event, as `samples.ts` names it; an object within it after a full stop. */
  readonly of: string;
  /** Fields of every sample. */
  readonly always: string;
  /** Fields of some samples. */
  readonly sometimes?: string;
  readonly missing?: Missing;
  /** Why the object is never sent. */
  readonly isMissing?: string;
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

const row = (of: string, always: string, more: Partial<FieldRow> = {}): FieldRow => ({ of, always, ...more });

/** Rows with the same fields, one for each name. */
function same(names: readonly string[], row: Omit<FieldRow, "of">): FieldRow[] {
  return names.map((of) => ({ of, ...row }));
}

export const FIELD_ROWS: readonly FieldRow[] = [
  row("order ACK", ACK),
  row("order RESULT", RESULT, { sometimes: `${ENDED} tradeGroupId`, missing: NOT_ON_ORDERS, added: OF_2019 }),
  row("order FULL", `${RESULT} fills`, {
    missing: NOT_ON_ORDERS,
    added: OF_2019,
    sometimes: `${ENDED} preventedMatches tradeGroupId`,
  }),
  row("order FULL.fills", "price qty commission commissionAsset tradeId", { missing: { "matchType allocId": NO_SOR } }),
  row("order FULL.preventedMatches", MATCH, { sometimes: PREVENTED }),
  row("order test", ""),
  row("order test with rates", "standardCommissionForOrder specialCommissionForOrder taxCommissionForOrder discount"),
  ...same(
    ["standard", "special", "tax"].map((kind) => `order test with rates.${kind}CommissionForOrder`),
    { always: "maker taker" },
  ),
  row("order test with rates.discount", "enabledForAccount enabledForSymbol discountAsset discount"),
  ...same(["cancel", "cancel openOrders"], {
    ...{ always: CANCELED, sometimes: `${LATER} preventedMatchId preventedQuantity`, missing: NOT_ON_ORDERS },
  }),
  ...same(["GET order", "allOrders"], {
    ...{ always: FOUND, added: OF_2019, missing: NOT_ON_ORDERS },
    sometimes: `trailingDelta trailingTime ${PEGGED} strategyId strategyType expiryReason preventedMatchId preventedQuantity`,
  }),
  row("openOrders", FOUND, {
    added: OF_2019,
    missing: NOT_ON_ORDERS,
    sometimes: `trailingDelta trailingTime ${PEGGED} strategyId strategyType preventedMatchId preventedQuantity`,
  }),
  row("amend", "transactTime executionId amendedOrder", { sometimes: "listStatus" }),
  row(
    "amend.amendedOrder",
    "symbol orderId orderListId origClientOrderId clientOrderId price qty executedQty preventedQty quoteOrderQty " +
      "cumulativeQuoteQty status timeInForce type side selfTradePreventionMode workingTime",
    { sometimes: LATER, missing: NOT_ON_ORDERS },
  ),
  row("amend.listStatus", "orderListId contingencyType listOrderStatus listClientOrderId symbol orders"),
  row("amend.listStatus.orders", LEG),
  row("amendments", "symbol orderId executionId origClientOrderId newClientOrderId origQty newQty time"),
  ...same(["cancelReplace", "-2022.data"], {
    always: "cancelResult newOrderResult cancelResponse newOrderResponse",
  }),
  row("-2022.data.cancelResponse", "code msg"),
  row("cancelReplace.cancelResponse", CANCELED, { sometimes: LATER, missing: NOT_ON_ORDERS }),
  row("cancelReplace.newOrderResponse", RESULT, { sometimes: LATER, missing: NOT_ON_ORDERS, added: OF_2019 }),
  row("new list", `${LIST} orderReports`),
  row("new list.orderReports", RESULT, {
    sometimes: `${LATER} fills expiryReason`,
    missing: NOT_ON_ORDERS,
    added: OF_2019,
  }),
  row("cancel list", `${LIST} orderReports`),
  row("cancel list.orderReports", CANCELED, { sometimes: LATER, missing: NOT_ON_ORDERS }),
  row("cancel openOrders list", `${LIST} orderReports`),
  row("cancel openOrders list.orderReports", CANCELED, { sometimes: "stopPrice", missing: NOT_ON_ORDERS }),
  ...same(["GET orderList", "openOrderList", "allOrderList"], { always: LIST }),
  ...same(
    ["new list", "cancel list", "cancel openOrders list", "GET orderList", "openOrderList", "allOrderList"].map(
      (name) => `${name}.orders`,
    ),
    { always: LEG },
  ),

  row(
    "account",
    "makerCommission takerCommission buyerCommission sellerCommission commissionRates canTrade canWithdraw canDeposit " +
      "brokered requireSelfTradePrevention preventSor updateTime accountType balances permissions uid",
    { sometimes: "tradeGroupId" },
  ),
  row("account.commissionRates", RATES),
  row("account.balances", "asset free locked"),
  row("account/commission", "symbol standardCommission specialCommission taxCommission discount"),
  ...same(
    ["standard", "special", "tax"].map((kind) => `account/commission.${kind}Commission`),
    { always: RATES },
  ),
  row("account/commission.discount", "enabledForAccount enabledForSymbol discountAsset discount"),
  row("rateLimit/order", "rateLimitType interval intervalNum limit count"),
  row(
    "myTrades",
    "symbol id orderId orderListId price qty quoteQty commission commissionAsset time isBuyer isMaker isBestMatch",
  ),
  row("myPreventedMatches", `symbol ${MATCH} takerOrderId tradeGroupId selfTradePreventionMode transactTime`, {
    sometimes: PREVENTED,
  }),
  row(
    "myAllocations",
    "symbol allocationId allocationType orderId orderListId price qty quoteQty commission commissionAsset time " +
      "isBuyer isMaker isAllocator",
    { isMissing: NO_SOR },
  ),
  row("myFilters", "exchangeFilters symbolFilters assetFilters"),

  row("exchangeInfo", "timezone serverTime rateLimits exchangeFilters symbols", { missing: { sors: NO_SOR } }),
  row("exchangeInfo.rateLimits", "rateLimitType interval intervalNum limit"),
  row(
    "exchangeInfo.symbols",
    "symbol status baseAsset baseAssetPrecision quoteAsset quotePrecision quoteAssetPrecision " +
      "baseCommissionPrecision quoteCommissionPrecision orderTypes icebergAllowed ocoAllowed otoAllowed opoAllowed " +
      "quoteOrderQtyMarketAllowed allowTrailingStop cancelReplaceAllowed amendAllowed pegInstructionsAllowed " +
      "isSpotTradingAllowed isMarginTradingAllowed filters permissions permissionSets defaultSelfTradePreventionMode " +
      "allowedSelfTradePreventionModes",
  ),
  row("executionRules", "symbolRules"),
  row("executionRules.symbolRules", "symbol rules"),
  row("executionRules.symbolRules.rules", "ruleType bidLimitMultUp bidLimitMultDown askLimitMultUp askLimitMultDown"),
  row("referencePrice", "symbol referencePrice timestamp"),
  row("referencePrice/calculation", "symbol calculationType bucketCount bucketWidthMs", {
    missing: { externalCalculationId: NO_EXTERNAL },
  }),
  ...same(["depth", "btcusdt@depth5", "btcusdt@depth10", "btcusdt@depth20@100ms"], { always: DEPTH }),
  row("trades", "id price qty quoteQty time isBuyerMaker isBestMatch", { note: "and historicalTrades" }),
  row("historicalBlockTrades", "id price qty quoteQty time isBuyerMaker", { isMissing: NO_BLOCK_TRADES }),
  ...same(["klines", "uiKlines"], {
    always: "0 1 2 3 4 5 6 7 8 9 10 11",
    note: "open time, open, high, low, close, volume, close time, quote volume, trades, taker volume and quote volume, 0",
  }),
  row("aggTrades", "a p q f l T m M"),
  row("avgPrice", "mins price closeTime"),
  row("ticker/24hr FULL", `${DAY} prevClosePrice lastQty bidPrice bidQty askPrice askQty`),
  ...same(["ticker/tradingDay FULL", "ticker FULL"], { always: DAY }),
  ...same(["ticker/24hr MINI", "ticker/tradingDay MINI", "ticker MINI"], { always: DAY_MINI }),
  row("ticker/price", "symbol price"),
  row("ticker/bookTicker", "symbol bidPrice bidQty askPrice askQty"),

  row("executionReport", "e E s c S o f q p P F g C x X r i l z L n N T t I w m M O Z Y Q V", {
    sometimes: "W d D gP gOT gOV gp j J v A B u U Cs pl pL pY eR",
    missing: { "a b k uS": NO_SOR },
  }),
  row("listStatus", "e E s g c l L r C T O"),
  row("listStatus.O", "s i c"),
  row("outboundAccountPosition", "e E u B"),
  row("outboundAccountPosition.B", "a f l"),
  row("balanceUpdate", "e E a d T"),
  row("eventStreamTerminated", "e E"),
  row("externalLockUpdate", "e E a d T", { isMissing: "only the exchange locks balances" }),
  row("listenKeyExpired", "e E listenKey", { isMissing: "Binance retired listen keys too" }),
  ...same(["session.logon", "session.status", "session.logout"], {
    always: "apiKey authorizedSince connectedSince returnRateLimits serverTime userDataStream",
  }),
  ...same(["session.subscriptions", "userDataStream.subscribe", "userDataStream.subscribe.signature"], {
    always: "subscriptionId",
  }),
  row("userDataStream.unsubscribe", ""),
  row("outboundAccountInfo", "", { added: "e E m t b s T W D u B P", note: "an event that Binance removed" }),
  row("outboundAccountInfo.B", "", { added: "a f l", note: "an event that Binance removed" }),

  row("btcusdt@trade", "e E s t p q T m M"),
  row("btcusdt@aggTrade", "e E s a p q f l T m M"),
  ...same(["btcusdt@kline_1s", "btcusdt@kline_1m", "btcusdt@kline_1d@+08:00"], { always: "e E s k" }),
  ...same(["btcusdt@kline_1s.k", "btcusdt@kline_1m.k", "btcusdt@kline_1d@+08:00.k"], { always: KLINE }),
  ...same(["btcusdt@miniTicker", "!miniTicker@arr"], { always: MINI }),
  row("btcusdt@ticker", `${MINI} p P w x Q b B a A O C F L n`),
  ...same(
    WINDOWS.flatMap((window) => [`btcusdt@ticker_${window}`, `!ticker_${window}@arr`]),
    { always: WINDOW },
  ),
  row("btcusdt@bookTicker", "u s b B a A"),
  row("btcusdt@avgPrice", "e E s i w T"),
  row("btcusdt@blockTrade", "e E s t p q T m", { isMissing: NO_BLOCK_TRADES }),
  row("btcusdt@referencePrice", "e s r t"),
  ...same(["btcusdt@depth", "btcusdt@depth@100ms"], { always: "e E s U u b a" }),
];
