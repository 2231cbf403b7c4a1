/** A small exchange to place books in: one symbol, a maker and a taker with plenty. */
import { ADOPT_NEWEST_RULES, type Command } from "@pricetime/engine";
import { MAKER, TAKER } from "./books.ts";

const by = "brute";

export const OPENING: readonly Command[] = [
  ADOPT_NEWEST_RULES,
  { type: "listAsset", by, asset: { asset: "BTC", name: "", precision: 2, networks: [] } },
  { type: "listAsset", by, asset: { asset: "USDT", name: "", precision: 2, networks: [] } },
  {
    type: "listSymbol",
    by,
    symbol: {
      symbol: "BTCUSDT",
      status: "TRADING",
      baseAsset: "BTC",
      quoteAsset: "USDT",
      orderTypes: [
        "LIMIT",
        "MARKET",
        "LIMIT_MAKER",
        "STOP_LOSS",
        "STOP_LOSS_LIMIT",
        "TAKE_PROFIT",
        "TAKE_PROFIT_LIMIT",
      ],
      icebergAllowed: true,
      ocoAllowed: true,
      quoteOrderQtyMarketAllowed: true,
      filters: {
        priceFilter: { minPrice: "1", maxPrice: "9", tickSize: "1" },
        lotSize: { minQty: "1", maxQty: "99", stepSize: "1" },
      },
    },
  },
  ...[MAKER, TAKER].flatMap((accountId): Command[] => [
    { type: "openAccount", by, email: `${accountId}`, name: "", makerBps: 100, takerBps: 200 },
    { type: "deposit", by, accountId, asset: "BTC", amount: "1000", reference: `${accountId} b` },
    { type: "deposit", by, accountId, asset: "USDT", amount: "1000", reference: `${accountId} q` },
  ]),
];
