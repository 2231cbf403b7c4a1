/** At least one command of every type, with the values that bytes get wrong: edges, emptiness, other scripts. */
import { type Command, type CommandType, LARGEST, OFF_SCALE } from "@pricetime/engine";

type SampleTable = { readonly [T in CommandType]: readonly Extract<Command, { type: T }>[] };

const BY = "carol@example.org";

export const SAMPLES: SampleTable = {
  tick: [{ type: "tick" }],
  placeOrder: [
    {
      type: "placeOrder",
      accountId: 100,
      symbolId: 0,
      side: "BUY",
      orderType: "LIMIT",
      timeInForce: "GTC",
      priceTicks: 12_345,
      quantityLots: 1_000,
      stopTicks: 0,
      icebergLots: 0,
      quoteOrderQty: 0n,
      clientOrderId: "x-TKT5PX2F01234567890123",
    },
    {
      type: "placeOrder",
      accountId: 9_999_999,
      symbolId: 19_999,
      side: "SELL",
      orderType: "TAKE_PROFIT_LIMIT",
      timeInForce: "FOK",
      priceTicks: LARGEST,
      quantityLots: LARGEST,
      stopTicks: 1,
      icebergLots: 127,
      quoteOrderQty: 0n,
      clientOrderId: "a",
    },
    {
      type: "placeOrder",
      accountId: 128,
      symbolId: 1,
      side: "BUY",
      orderType: "MARKET",
      timeInForce: "IOC",
      priceTicks: OFF_SCALE,
      quantityLots: OFF_SCALE,
      stopTicks: OFF_SCALE,
      icebergLots: OFF_SCALE,
      quoteOrderQty: 10n ** 30n + 7n,
      clientOrderId: ".A-Z:/a-z0-9_-",
    },
  ],
  cancelOrder: [
    { type: "cancelOrder", accountId: 100, symbolId: 3, orderId: 0, origClientOrderId: "a1", newClientOrderId: "c1" },
    {
      type: "cancelOrder",
      accountId: 100,
      symbolId: 3,
      orderId: 2 ** 40,
      origClientOrderId: "",
      newClientOrderId: "c",
    },
  ],
  cancelOpenOrders: [{ type: "cancelOpenOrders", accountId: 101, symbolId: 200, newClientOrderId: "c2" }],
  openListenKey: [{ type: "openListenKey", accountId: 102, listenKey: "pqia91ma19a5s61cv6a81va65sdf19v8" }],
  keepListenKey: [{ type: "keepListenKey", accountId: 102, listenKey: "pqia91ma19a5s61cv6a81va65sdf19v8" }],
  closeListenKey: [{ type: "closeListenKey", accountId: 102, listenKey: "" }],
  listAsset: [
    {
      type: "listAsset",
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
      type: "listSymbol",
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
  setSymbolStatus: [{ type: "setSymbolStatus", by: BY, symbol: "BTCUSDT", status: "HALT" }],
  setSymbolFilters: [
    { type: "setSymbolFilters", by: BY, symbol: "BTCUSDT", filters: {} },
    { type: "setSymbolFilters", by: BY, symbol: "BTCUSDT", filters: { maxNumOrders: { limit: 1 } } },
  ],
  setExchangeFilters: [
    { type: "setExchangeFilters", by: BY, filters: {} },
    {
      type: "setExchangeFilters",
      by: BY,
      filters: { maxNumOrders: { maxNumOrders: 1000 }, maxNumAlgoOrders: { maxNumAlgoOrders: 20 } },
    },
  ],
  openAccount: [
    { type: "openAccount", by: BY, email: "алиса@example.org", name: "Алиса 🦊", makerBps: 10, takerBps: 10_000 },
  ],
  changeAccount: [
    { type: "changeAccount", by: BY, accountId: 100, makerBps: 0 },
    {
      type: "changeAccount",
      by: BY,
      accountId: 100,
      takerBps: 25,
      canTrade: false,
      canWithdraw: true,
      canDeposit: false,
    },
  ],
  setSymbolFee: [
    { type: "setSymbolFee", by: BY, accountId: 100, symbol: "BTCUSDT", makerBps: 0, takerBps: 1 },
    { type: "setSymbolFee", by: BY, accountId: 100, symbol: "BTCUSDT", makerBps: null, takerBps: null },
  ],
  createApiKey: [
    {
      type: "createApiKey",
      by: BY,
      accountId: 100,
      apiKey: "vmPUZE6mv9SD5VNHk4HlWFsOr6aKE2zvsw0MuIgwCIPy6utIco14y7Ju91duEh8A",
      sealedSecret: "v1.nonce.box",
      permissions: ["MARKET_DATA", "USER_STREAM", "TRADE", "USER_DATA", "WITHDRAW"],
      ipAllowList: ["192.0.2.1", "2001:db8::1"],
      label: "robot",
    },
  ],
  deleteApiKey: [{ type: "deleteApiKey", by: BY, apiKey: "vmPUZE6mv9SD5VNHk4HlWFsO" }],
  deposit: [{ type: "deposit", by: BY, accountId: 100, asset: "BTC", amount: "1.50000000", reference: "tx 1" }],
  debit: [{ type: "debit", by: BY, accountId: 100, asset: "BTC", amount: "0.00000001", reference: "" }],
};
