/** The account and its trades. Interface 2.4, 2.5. */
import type { AccountView, AssetView, BalanceView, EngineView } from "@pricetime/engine";
import type { Account, Balance } from "@pricetime/protocol";
import type { Call } from "../call.ts";
import { longList, type MaybeLong } from "../answers/long-list.ts";
import { amountText } from "../../history/shapes/amounts.ts";
import { readBalances } from "../balances.ts";
import { marketOf } from "../markets.ts";
import { windowOf, ACCOUNT_LIST_MAX_HOURS } from "../windows.ts";

/** Rows written in one turn. */
const BALANCES_A_PIECE = 200;

function balanceShape(engine: EngineView, { assetId, spec }: AssetView, { free, locked }: BalanceView): Balance {
  return {
    asset: spec.asset,
    free: amountText(engine, assetId, free),
    locked: amountText(engine, assetId, locked),
  };
}

function isSome({ free, locked }: BalanceView): boolean {
  return free !== 0n || locked !== 0n;
}

/** The account without its balances and the fields after them. */
function accountHead(owner: AccountView): Omit<Account, "balances" | "permissions"> {
  return {
    makerCommission: owner.makerBps,
    takerCommission: owner.takerBps,
    buyerCommission: 0,
    sellerCommission: 0,
    canTrade: owner.canTrade,
    canWithdraw: owner.canWithdraw,
    canDeposit: owner.canDeposit,
    updateTime: owner.updateTimeMs,
    accountType: "SPOT",
  };
}

export function account(call: Call): MaybeLong {
  const { engine, turns } = call.venue;
  const { accountId } = call.account();
  const omitsZero = call.optionalText("omitZeroBalances") === "true";
  return longList(turns, {
    key: `account ${accountId} ${omitsZero}`,
    count: engine.assets().length,
    rowsAPiece: BALANCES_A_PIECE,
    read: () => ({
      rows: readBalances(engine, accountId).filter(({ balance }) => !omitsZero || isSome(balance)),
      before: `${JSON.stringify(accountHead(call.account())).slice(0, -1)},"balances":[`,
      after: `],"permissions":["SPOT"]}`,
    }),
    write: ({ asset, balance }) => JSON.stringify(balanceShape(engine, asset, balance)),
  });
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
