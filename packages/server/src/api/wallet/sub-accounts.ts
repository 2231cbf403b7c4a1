/** Sub-accounts, accessed with the master account's keys. Interface 4.5, 3.9. */
import type { AccountView, EngineView } from "@pricetime/engine";
import { MASTER_ACCOUNT_ONLY, NOT_RELATED } from "@pricetime/protocol";
import type { NumberBalance, SubAccount, SubAccountBalance, SubAccountRecord } from "@pricetime/protocol";
import { type Call, json } from "../call.ts";
import { longList, type MaybeLong } from "../answers/long-list.ts";
import { Refused } from "../edge/refusals.ts";
import { amountText, exactNumber } from "../../history/shapes/amounts.ts";
import { type AssetBalance, readBalance, readBalances } from "../account.ts";
import { assetNamed, pageOf } from "../parameters.ts";
import { type CoinBalance, readCoins } from "./coins.ts";

export function masterOf(call: Call): AccountView {
  const account = call.account();
  if (account.masterId !== null) throw new Refused(MASTER_ACCOUNT_ONLY);
  return account;
}

/**
 * The account with this email: the master account or one of its sub-accounts. The error does not reveal whether any
 * other account exists.
 */
export function relative(call: Call, email: string): AccountView {
  const master = masterOf(call);
  const account = call.venue.engine.accountByEmail(email);
  if (account === undefined || (account.accountId !== master.accountId && account.masterId !== master.accountId)) {
    throw new Refused(NOT_RELATED);
  }
  return account;
}

// Lists of sub-accounts.

/** The sub-accounts on the requested page. `isWanted` filters them before paging. */
function subAccountsOf(call: Call, isWanted: (account: AccountView) => boolean): AccountView[] {
  const { engine } = call.venue;
  const email = call.optionalText("email");
  const wanted = email === undefined ? undefined : engine.accountByEmail(email)?.accountId;
  const { offset, limit } = pageOf(call);
  return engine
    .subAccounts(masterOf(call).accountId)
    .flatMap((accountId) => engine.account(accountId) ?? [])
    .filter((account) => (email === undefined || account.accountId === wanted) && isWanted(account))
    .slice(offset, offset + limit);
}

function statusOf({ isEnabled }: AccountView): SubAccountRecord["status"] {
  return isEnabled ? "enabled" : "disabled";
}

function wapiShape(account: AccountView): SubAccountRecord {
  return {
    email: account.email,
    status: statusOf(account),
    activated: true,
    mobile: "",
    gAuth: account.sealedTotp !== null,
    createTime: account.createdMs,
  };
}

export function wapiSubAccounts(call: Call): string {
  const status = call.optionalText("status");
  const found = subAccountsOf(call, (account) => status === undefined || statusOf(account) === status);
  return json<"wapi.subAccounts">({ success: true, subAccounts: found.map(wapiShape) });
}

function listShape({ accountId, email, name, isEnabled, createdMs }: AccountView): SubAccount {
  return {
    subUserId: accountId,
    email,
    remark: name,
    isFreeze: !isEnabled,
    createTime: createdMs,
    isManagedSubAccount: false,
    isAssetManagementSubAccount: false,
  };
}

export function subAccounts(call: Call): string {
  const isFreeze = call.optionalText("isFreeze");
  const found = subAccountsOf(call, ({ isEnabled }) => isFreeze === undefined || (isFreeze === "true") !== isEnabled);
  return json<"subAccount.list">({ subAccounts: found.map(listShape) });
}

// Balances of sub-accounts.

const BALANCES_A_PIECE = 150;

function numberBalance(engine: EngineView, { asset, balance }: AssetBalance): NumberBalance {
  const amount = (units: bigint): ReturnType<typeof exactNumber> =>
    exactNumber(amountText(engine, asset.assetId, units));
  return { asset: asset.spec.asset, free: amount(balance.free), locked: amount(balance.locked) };
}

/** `before` is the JSON text before the balances. */
function balancesOf(call: Call, before: string, name?: string): MaybeLong {
  const { engine, turns } = call.venue;
  const { accountId } = relative(call, call.text("email"));
  const only = name === undefined ? undefined : assetNamed(engine, name);
  return longList(turns, {
    key: `${before} ${accountId} ${name}`,
    count: only === undefined ? engine.assets().length : 1,
    rowsAPiece: BALANCES_A_PIECE,
    read: () => ({
      rows: only === undefined ? readBalances(engine, accountId) : [readBalance(engine, accountId, only)],
      before,
      after: "]}",
    }),
    write: (row) => JSON.stringify(numberBalance(engine, row)),
  });
}

export function wapiSubAccountAssets(call: Call): MaybeLong {
  return balancesOf(call, `{"success":true,"balances":[`, call.optionalText("symbol"));
}

export function subAccountAssets(call: Call): MaybeLong {
  return balancesOf(call, `{"balances":[`);
}

/** `locked` excludes amounts locked by withdrawals, like the response of `capital/config/getall`. */
function textBalance(engine: EngineView, { asset, balance, held }: CoinBalance): SubAccountBalance {
  const text = (units: bigint): string => amountText(engine, asset.assetId, units);
  return {
    asset: asset.spec.asset,
    free: text(balance.free),
    locked: text(balance.locked - held),
    freeze: text(0n),
    withdrawing: text(held),
  };
}

export function subAccountAssetsV4(call: Call): MaybeLong {
  const { engine, turns } = call.venue;
  const { accountId } = relative(call, call.text("email"));
  return longList(turns, {
    key: `sub-account assets v4 ${accountId}`,
    count: engine.assets().length,
    rowsAPiece: BALANCES_A_PIECE,
    read: () => ({ rows: readCoins(engine, accountId), before: `{"balances":[`, after: "]}" }),
    write: (row) => JSON.stringify(textBalance(engine, row)),
  });
}
