/** Sub-accounts, for the master account's keys. Interface 4.5, FACTS 6.5. */
import type { AccountView, EngineView } from "@pricetime/engine";
import { MASTER_ACCOUNT_ONLY, NOT_RELATED } from "@pricetime/protocol";
import type { Answer, NumberBalance, SubAccount, SubAccountRecord } from "@pricetime/protocol";
import type { Call } from "../../call.ts";
import { Refused } from "../../refusals.ts";
import { amountText } from "../amounts.ts";
import { assetNamed, pageOf } from "./assets.ts";
import { withdrawingOf } from "./coins.ts";
import { exactNumber } from "./exact-number.ts";

export function masterOf(call: Call): AccountView {
  const account = call.account();
  if (account.masterId !== null) throw new Refused(MASTER_ACCOUNT_ONLY);
  return account;
}

/** The master itself or a sub-account of its; of others it is not even told whether they exist. */
export function relative(call: Call, email: string): AccountView {
  const master = masterOf(call);
  const account = call.venue.engine.accountByEmail(email);
  if (account === undefined || (account.accountId !== master.accountId && account.masterId !== master.accountId)) {
    throw new Refused(NOT_RELATED);
  }
  return account;
}

// lists

/** Of the page that is asked for; `isWanted` filters before pages are counted. */
function subAccountsOf(call: Call, isWanted: (account: AccountView) => boolean): AccountView[] {
  const { engine } = call.venue;
  const email = call.optionalText("email");
  const { offset, limit } = pageOf(call);
  return engine
    .subAccounts(masterOf(call).accountId)
    .flatMap((accountId) => engine.account(accountId) ?? [])
    .filter((account) => (email === undefined || account.email === email) && isWanted(account))
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
  const shape: Answer<"wapi.subAccounts"> = { success: true, subAccounts: found.map(wapiShape) };
  return JSON.stringify(shape);
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
  const shape: Answer<"subAccount.list"> = { subAccounts: found.map(listShape) };
  return JSON.stringify(shape);
}

// balances

function balancesOf(engine: EngineView, accountId: number, asset: string | undefined): NumberBalance[] {
  const assets = asset === undefined ? engine.assets() : [assetNamed(engine, asset)];
  return assets.map(({ assetId, spec }) => {
    const { free, locked } = engine.balance(accountId, assetId);
    return {
      asset: spec.asset,
      free: exactNumber(amountText(engine, assetId, free)),
      locked: exactNumber(amountText(engine, assetId, locked)),
    };
  });
}

export function wapiSubAccountAssets(call: Call): string {
  const { accountId } = relative(call, call.text("email"));
  const balances = balancesOf(call.venue.engine, accountId, call.optionalText("symbol"));
  const shape: Answer<"wapi.subAccountAssets"> = { success: true, balances };
  return JSON.stringify(shape);
}

export function subAccountAssets(call: Call): string {
  const { accountId } = relative(call, call.text("email"));
  const shape: Answer<"subAccount.assets"> = { balances: balancesOf(call.venue.engine, accountId, undefined) };
  return JSON.stringify(shape);
}

/** Of `locked` without what withdrawals hold, as `capital/config/getall` tells it. */
export function subAccountAssetsV4(call: Call): string {
  const { engine } = call.venue;
  const { accountId } = relative(call, call.text("email"));
  const withdrawing = withdrawingOf(engine, accountId);
  const balances = engine.assets().map(({ assetId, spec }) => {
    const { free, locked } = engine.balance(accountId, assetId);
    const held = withdrawing.get(assetId) ?? 0n;
    const text = (units: bigint): string => amountText(engine, assetId, units);
    return {
      asset: spec.asset,
      free: text(free),
      locked: text(locked - held),
      freeze: text(0n),
      withdrawing: text(held),
    };
  });
  const shape: Answer<"subAccount.assetsV4"> = { balances };
  return JSON.stringify(shape);
}
