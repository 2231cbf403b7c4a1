/**
 * At least one command of every type, with values that are easily encoded wrongly: limits, empty values, non-Latin
 * scripts.
 */
import { type Command, type CommandType, LARGEST } from "@pricetime/engine";
import { ORDER_SAMPLES } from "./order-samples.ts";
import { VENUE_SAMPLES } from "./venue-samples.ts";
import { WALLET_SAMPLES } from "./wallet-samples.ts";

type SampleTable = { readonly [T in CommandType]: readonly Command<T>[] };

const BY = "carol@example.org";

const FIELDS: { readonly [T in CommandType]: readonly Omit<Command<T>, "type">[] } = {
  tick: [{}],
  adoptRules: [{ edition: 1 }, { edition: 2 }],
  openListenKey: [{ accountId: 102, listenKey: "pqia91ma19a5s61cv6a81va65sdf19v8" }],
  keepListenKey: [{ accountId: 102, listenKey: "pqia91ma19a5s61cv6a81va65sdf19v8" }],
  closeListenKey: [{ accountId: 102, listenKey: "" }],
  listAsset: [
    {
      by: BY,
      asset: {
        asset: "BTC",
        name: "Bitcoin ₿",
        precision: 8,
        networks: [
          {
            network: "BTC",
            isDefault: true,
            depositEnabled: true,
            withdrawEnabled: false,
            withdrawFee: "0.0005",
            withdrawMin: "0.001",
            withdrawMax: "100",
          },
        ],
      },
    },
  ],
  listSymbol: [
    {
      by: BY,
      symbol: {
        symbol: "BTCUSDT",
        status: "PRE_TRADING",
        baseAsset: "BTC",
        quoteAsset: "USDT",
        orderTypes: ["LIMIT", "MARKET", "LIMIT_MAKER"],
        icebergAllowed: true,
        ocoAllowed: false,
        quoteOrderQtyMarketAllowed: true,
        filters: {
          priceFilter: { minPrice: "0.01000000", maxPrice: "1000000.00000000", tickSize: "0.01000000" },
          percentPrice: { multiplierUp: "5", multiplierDown: "0.2", avgPriceMins: 5 },
          lotSize: { minQty: "0.000001", maxQty: "9000", stepSize: "0.000001" },
          minNotional: { minNotional: "10", applyToMarket: true, avgPriceMins: 5 },
          icebergParts: { limit: 10 },
          marketLotSize: { minQty: "0", maxQty: "100", stepSize: "0" },
          maxNumOrders: { limit: 200 },
          maxNumAlgoOrders: { maxNumAlgoOrders: 5 },
          maxNumIcebergOrders: { maxNumIcebergOrders: 10 },
        },
      },
    },
  ],
  setSymbolStatus: [{ by: BY, symbol: "BTCUSDT", status: "HALT" }],
  setSymbolFilters: [
    { by: BY, symbol: "BTCUSDT", filters: {} },
    { by: BY, symbol: "BTCUSDT", filters: { maxNumOrders: { limit: 1 } } },
  ],
  setSelfTradePrevention: [
    { by: BY, symbol: "BTCUSDT", defaultMode: "EXPIRE_MAKER", allowedModes: ["EXPIRE_TAKER", "EXPIRE_MAKER"] },
  ],
  setPriceRange: [
    { by: BY, symbol: "BTCUSDT", priceRange: null },
    {
      ...{ by: BY, symbol: "BTCUSDT" },
      priceRange: { bidLimitMultUp: "1.05", askLimitMultDown: "0.95", bucketCount: 10, bucketWidthMs: 1000 },
    },
  ],
  setExchangeFilters: [
    { by: BY, filters: {} },
    {
      by: BY,
      filters: { maxNumOrders: { maxNumOrders: 1000 }, maxNumAlgoOrders: { maxNumAlgoOrders: 20 } },
    },
  ],
  openAccount: [
    { by: BY, email: "алиса@example.org", name: "Алиса 🦊", makerBps: 10, takerBps: 10_000 },
    { by: BY, email: "bot@example.org", name: "", makerBps: 10, takerBps: 10, masterId: 100 },
  ],
  changeAccount: [
    { by: BY, accountId: 100, makerBps: 0 },
    {
      by: BY,
      accountId: 100,
      takerBps: 25,
      canTrade: false,
      canWithdraw: true,
      canDeposit: false,
    },
    { by: BY, accountId: 101, isEnabled: false, confirmsByMail: true },
    { by: BY, accountId: 100, email: "carl@example.org" },
    { by: BY, accountId: 100, paysInDiscountAsset: true },
  ],
  setSymbolFee: [
    { by: BY, accountId: 100, symbol: "BTCUSDT", makerBps: 0, takerBps: 1 },
    { by: BY, accountId: 100, symbol: "BTCUSDT", makerBps: null, takerBps: null },
  ],
  createApiKey: [
    {
      by: BY,
      accountId: 100,
      apiKey: "vmPUZE6mv9SD5VNHk4HlWFsOr6aKE2zvsw0MuIgwCIPy6utIco14y7Ju91duEh8A",
      sealedSecret: "v1.nonce.box",
      permissions: ["MARKET_DATA", "USER_STREAM", "TRADE", "USER_DATA", "WITHDRAW"],
      ipAllowList: ["192.0.2.1", "2001:db8::1"],
      label: "robot",
    },
    {
      by: BY,
      accountId: 100,
      apiKey: "vmPUZE6mv9SD5VNHk4HlWFsOr6aKE2zvsw0MuIgwCIPy6utIco14y7Ju91duEh8A",
      sealedSecret: "",
      publicKey: "MCowBQYDK2VwAyEAGb9ECWmEzf6FQbrBZ9w7lshQhqowtrbLDFw4rXAxZuE=",
      permissions: ["USER_DATA"],
      ipAllowList: [],
      label: "",
    },
  ],
  deleteApiKey: [{ by: BY, apiKey: "vmPUZE6mv9SD5VNHk4HlWFsO" }],
  bindMasterKey: [{ by: "node-1", keyCheck: "0123456789abcdef".repeat(4) }],
  setOrderLimits: [
    {
      by: "node-1",
      rules: [
        { windowMs: 1000, limit: 10 },
        { windowMs: 86_400_000, limit: 100_000 },
      ],
    },
    { by: "node-1", rules: [] },
    { by: "node-1", rules: [], fillCredits: { taker: 1, maker: 5 } },
  ],
  setCommissionDiscount: [
    { by: BY, discount: { asset: "BNB", factorBps: 7_500, excludedSymbols: ["BTCUSDT"] } },
    { by: BY, discount: null },
  ],
  setInterface: [
    { by: "node-1", interface: "today" },
    { by: "node-1", interface: "2019" },
  ],
  setOrderIds: [
    { by: "node-1", orderIds: "symbol" },
    { by: "node-1", orderIds: "exchange" },
  ],
  setSharedSettings: [
    {
      by: "node-1",
      settings: [
        { name: "fees", value: '{"makerBps":10,"takerBps":10}' },
        { name: "limits.enabled", value: "true" },
      ],
    },
  ],
  addPast: [
    {
      by: "demo",
      symbol: "BTCUSDT",
      generator: 1,
      seed: 1,
      endMs: 1_573_776_000_000,
      endPrice: "60000.00",
      dayVolume: "4000.5",
      dayTrades: 100_000,
      base: { dayMoveBps: 250, marketPercent: 80 },
      quote: { dayMoveBps: 0, marketPercent: 0 },
    },
  ],
  importKlines: [
    {
      by: BY,
      symbol: "BTCUSDT",
      interval: "1m",
      candles: [
        [1_573_776_000_000, "8700.01000000", "8701", "8699.5", "8700", "12.5", "108750.125", 310, "6.5", "56550"],
        [1_573_776_060_000, "8700", "8700", "8700", "8700", "0", "0.00000000", 0, "0", "0"],
      ],
    },
  ],
  deposit: [{ by: BY, accountId: 100, asset: "BTC", amount: "1.50000000", reference: "tx 1" }],
  debit: [{ by: BY, accountId: 100, asset: "BTC", amount: "0.00000001", reference: "" }],
  nodeBatch: [
    {
      node: "n1",
      incarnation: "0123456789abcdef",
      replaces: "",
      number: 1,
      atSeq: 0,
      digest: "9e3779b985ebca6b",
      release: "0.2.0",
    },
    {
      node: "A-Z.a-z_0-9".padEnd(64, "9"),
      incarnation: "fedcba9876543210",
      replaces: "0123456789abcdef",
      number: LARGEST,
      atSeq: 1_000_000,
      digest: "0000000000000000",
      release: "1.0.0-rc.1+build",
    },
  ],
  grantRole: [
    { role: "mail", node: "n1", incarnation: "0123456789abcdef", after: 0 },
    { role: "network:Ελλάς", node: "n2", incarnation: "fedcba9876543210", after: 7 },
  ],
  asHolder: [
    { role: "bots", number: 3, command: { type: "tick" } },
    {
      role: "bots",
      number: LARGEST,
      command: {
        type: "cancelOrder",
        accountId: 100,
        symbolId: 3,
        orderId: 5,
        origClientOrderId: "",
        newClientOrderId: "c",
      },
    },
    {
      role: "tradingRules",
      number: 1,
      command: { type: "lockApiTrading", accountId: 100, symbol: "BTCUSDT", indicator: "UFR" },
    },
  ],
  ...ORDER_SAMPLES,
  ...WALLET_SAMPLES,
  ...VENUE_SAMPLES,
};

export const SAMPLES = Object.fromEntries(
  Object.entries(FIELDS).map(([type, samples]) => [type, samples.map((fields) => ({ type, ...fields }))]),
) as unknown as SampleTable;
