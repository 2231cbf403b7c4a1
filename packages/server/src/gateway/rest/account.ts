/** The account and its trades. Interface 2.4, 2.5. */
import type { AccountView, EngineView } from "@pricetime/engine";
import type { Account, Balance } from "@pricetime/protocol";
import type { Call } from "../call.ts";
import { amountText } from "./amounts.ts";
import { marketOf } from "./markets.ts";
import { windowOf } from "./windows.ts";

const ACCOUNT_LIST_MAX_HOURS = 24;

function balancesOf(engine: EngineView, accountId: number, omitsZero: boolean): Balance[] {
  return engine.assets().flatMap(({ assetId, spec }) => {
    const { free, locked } = engine.balance(accountId, assetId);
    if (omitsZero && free === 0n && locked === 0n) return [];
    return [
      {
        asset: spec.asset,
        free: amountText(engine, assetId, free),
        locked: amountText(engine, assetId, locked),
      },
    ];
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
    balances: balancesOf(engine, owner.accountId, call.optionalText("omitZeroBalances") === "true"),
    permissions: ["SPOT"],
  };
  return JSON.stringify(shape);
}

export async function myTrades(call: Call): Promise<string> {
  const { engine, history } = call.venue;
  const market = marketOf(call);
  const window = windowOf(call, { fromId: "fromId", maxHours: ACCOUNT_LIST_MAX_HOURS, backwards: "refused" });
  if (window === null) return "[]";
  const orderId = call.integer("orderId");
  const asked = orderId === undefined ? window : { ...window, orderId };
  return history.accountTradePage(engine.seq, call.accountId(), market.symbolId, asked);
}
