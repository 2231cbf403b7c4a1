/** A small exchange for starting books: one symbol, and a maker and a taker with large balances. */
import { ADOPT_NEWEST_RULES, type Command } from "@pricetime/engine";
import { deposit, listAsset, listSymbol, openAccount } from "@pricetime/testkit/commands";
import { MAKER, TAKER } from "./books.ts";

export const OPENING: readonly Command[] = [
  ADOPT_NEWEST_RULES,
  listAsset("BTC", 2),
  listAsset("USDT", 2),
  listSymbol("BTC/USDT", {
    priceFilter: { minPrice: "1", maxPrice: "9", tickSize: "1" },
    lotSize: { minQty: "1", maxQty: "99", stepSize: "1" },
  }),
  ...[MAKER, TAKER].flatMap((accountId) => [
    openAccount(`${accountId}`, { makerBps: 100, takerBps: 200 }),
    deposit(accountId, "BTC", "1000"),
    deposit(accountId, "USDT", "1000"),
  ]),
];
