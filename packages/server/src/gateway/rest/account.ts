/** The account and its trades. Interface 2.4, 2.5. */
import type { AccountView, EngineView } from "@pricetime/engine";
import type { Account, AccountTrade, Balance } from "@pricetime/protocol";
import type { AccountTradeRow } from "../../history/port.ts";
import type { Call } from "../call.ts";
import { amountText } from "./amounts.ts";
import { marketOf } from "./markets.ts";
import { windowOf } from "./windows.ts";

const ACCOUNT_LIST_MAX_HOURS = 24;

function balancesOf(engine: EngineView, accountId: number): Balance[] {
  return engine.assets().map(({ assetId, spec }) => {
    const { free, locked } = engine.balance(accountId, assetId);
    return {
      asset: spec.asset,
      free: amountText(engine, assetId, free),
      locked: amountText(engine, assetId, locked),
    };
  });
}

export function account(call: Call): string {
  const { engine } = call.venue;
  const owner: AccountView = call.account();
  const shape: Account = {
    makerCommission: owner.makerBps,
    takerCommission: owner.takerBps,
    buyerCommission: 0,
    sellerCommission: 0,
    canTrade: owner.canTrade,
    canWithdraw: owner.canWithdraw,
    canDeposit: owner.canDeposit,
    updateTime: owner.updateTimeMs,
    accountType: "SPOT",
    balances: balancesOf(engine, owner.accountId),
    permissions: ["SPOT"],
  };
  return JSON.stringify(shape);
}

function accountTradeShape(engine: EngineView, symbol: string, row: AccountTradeRow): AccountTrade {
  return {
    symbol,
    id: row.tradeId,
    orderId: row.orderId,
    orderListId: row.orderListId,
    price: row.price,
    qty: row.qty,
    quoteQty: row.quoteQty,
    commission: row.commission,
    commissionAsset: engine.asset(row.commissionAssetId).spec.asset,
    time: row.timeMs,
    isBuyer: row.isBuyer,
    isMaker: row.isMaker,
    isBestMatch: true,
  };
}

export async function myTrades(call: Call): Promise<string> {
  const { engine, history } = call.venue;
  const market = marketOf(call);
  const window = windowOf(call, { fromId: "fromId", maxHours: ACCOUNT_LIST_MAX_HOURS, backwards: "refused" });
  if (window === null) return "[]";
  const orderId = call.integer("orderId");
  const asked = orderId === undefined ? window : { ...window, orderId };
  const rows = await history.accountTrades(engine.seq, call.accountId(), market.symbolId, asked);
  return JSON.stringify(rows.map((row) => accountTradeShape(engine, market.spec.symbol, row)));
}
