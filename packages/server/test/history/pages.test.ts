/** Pages of history: the rows of the same question, as the interface tells them. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { Engine } from "@pricetime/engine";
import type {
  AccountTrade,
  AggregateTrade,
  Answer,
  Kline,
  OrderListRecord,
  OrderRecord,
  PublicTrade,
} from "@pricetime/protocol";
import { ACCOUNT_IDS, batchesOf, randomFlow } from "@pricetime/testkit/journal";
import { rebuiltHistory } from "./rebuilt-history.ts";

const engine = new Engine();
const BATCHES = batchesOf(33, randomFlow(33, 1_500), engine);
const END_MS = BATCHES.at(-1)!.timeMs;
const { queries } = rebuiltHistory(BATCHES);

/** More than there are, the newest of them, and none. */
const WINDOWS = [{ limit: 1_000 }, { limit: 7 }, { limit: 5, fromId: 10 }, { limit: 5, endTimeMs: 0 }];
const QUESTIONS = [0, 1].flatMap((symbolId) => WINDOWS.map((window) => ({ symbolId, window })));
const symbolOf = (symbolId: number): string => engine.market(symbolId).spec.symbol;
const assetOf = (assetId: number): string => engine.asset(assetId).spec.asset;
const read = <T>(page: string): T[] => JSON.parse(page) as T[];

test("orders", () => {
  let seen = 0;
  for (const { symbolId, window } of QUESTIONS) {
    for (const accountId of ACCOUNT_IDS) {
      const rows = queries.orders(accountId, symbolId, window);
      const told = rows.map(({ symbolId: of, timeMs, updateTimeMs, commissionAssetId, ...same }) => {
        const names = { symbol: symbolOf(of), commissionAsset: assetOf(commissionAssetId) };
        return { ...same, ...names, time: timeMs, updateTime: updateTimeMs };
      });
      assert.deepEqual(read<OrderRecord>(queries.orderPage(accountId, symbolId, window)), told);
      seen += told.length;
    }
  }
  assert.ok(seen > 100);
});

test("order lists", () => {
  let seen = 0;
  for (const window of WINDOWS) {
    for (const accountId of ACCOUNT_IDS) {
      const told = queries.orderLists(accountId, window).map(({ symbolId, timeMs, orders, ...same }) => {
        const symbol = symbolOf(symbolId);
        const type = same.listOrderStatus === "EXECUTING" ? "EXEC_STARTED" : "ALL_DONE";
        const more = { contingencyType: "OCO", listStatusType: type, transactionTime: timeMs, symbol };
        return { ...same, ...more, orders: orders.map((order) => ({ ...order, symbol })) };
      });
      assert.deepEqual(read<OrderListRecord>(queries.orderListPage(accountId, window)), told);
      seen += told.length;
    }
  }
  assert.ok(seen > 10, `${seen}`);
});

test("what accounts had at the end of days", () => {
  let seen = 0;
  for (const limit of [5, 30]) {
    for (const accountId of ACCOUNT_IDS) {
      const question = { limit, nowMs: END_MS + 3 * 86_400_000 };
      const told = queries.snapshots(accountId, question).map(({ timeMs, balances, total }) => ({
        type: "spot",
        updateTime: timeMs,
        data: {
          balances: balances.map(({ assetId, ...same }) => ({ asset: assetOf(assetId), ...same })),
          totalAssetOfBtc: total,
        },
      }));
      const page = read<Answer<"wallet.snapshots">["snapshotVos"][number]>(queries.snapshotPage(accountId, question));
      assert.deepEqual(page, told);
      seen += told.length;
    }
  }
  assert.ok(seen > 5, `${seen}`);
});

test("trades of an account, and of one order", () => {
  let seen = 0;
  for (const { symbolId, window } of QUESTIONS) {
    for (const accountId of ACCOUNT_IDS) {
      const [first] = queries.accountTrades(accountId, symbolId, window);
      for (const asked of [window, ...(first === undefined ? [] : [{ ...window, orderId: first.orderId }])]) {
        const rows = queries.accountTrades(accountId, symbolId, asked);
        const told = rows.map(({ tradeId, timeMs, commissionAssetId, ...same }) => {
          const more = { symbol: symbolOf(symbolId), commissionAsset: assetOf(commissionAssetId), isBestMatch: true };
          return { ...same, ...more, id: tradeId, time: timeMs };
        });
        assert.deepEqual(read<AccountTrade>(queries.accountTradePage(accountId, symbolId, asked)), told);
        seen += told.length;
      }
    }
  }
  assert.ok(seen > 100);
});

test("trades and aggregate trades", () => {
  let seen = 0;
  for (const { symbolId, window } of QUESTIONS) {
    const trades = queries.trades(symbolId, window).map(({ tradeId, timeMs, ...same }) => {
      return { ...same, id: tradeId, time: timeMs, isBestMatch: true };
    });
    assert.deepEqual(read<PublicTrade>(queries.tradePage(symbolId, window)), trades);
    const aggTrades = queries.aggTrades(symbolId, window).map((row) => {
      const ids = { a: row.aggTradeId, f: row.firstTradeId, l: row.lastTradeId };
      return { ...ids, p: row.price, q: row.qty, T: row.timeMs, m: row.isBuyerMaker, M: true };
    });
    assert.deepEqual(read<AggregateTrade>(queries.aggTradePage(symbolId, window)), aggTrades);
    seen += trades.length + aggTrades.length;
  }
  assert.ok(seen > 100);
});

test("klines", () => {
  let seen = 0;
  for (const { symbolId, window } of QUESTIONS) {
    const rows = queries.klines(symbolId, "1m", window, END_MS);
    const told = rows.map((row) => [
      ...[row.openTimeMs, row.open, row.high, row.low, row.close, row.volume, row.closeTimeMs, row.quoteVolume],
      ...[row.count, row.takerBuyBase, row.takerBuyQuote, "0"],
    ]);
    assert.deepEqual(read<Kline>(queries.klinePage(symbolId, "1m", window, END_MS)), told);
    seen += told.length;
  }
  assert.ok(seen > 10);
});
