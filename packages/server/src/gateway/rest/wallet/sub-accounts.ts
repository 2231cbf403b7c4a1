/** Sub-accounts, for the master account's keys. Interface 4.5, FACTS 6.5. */
import type { AccountView, EngineView } from "@pricetime/engine";
import { amountFault, MASTER_ACCOUNT_ONLY, NOT_RELATED, transferError } from "@pricetime/protocol";
import type { Answer, NumberBalance, SubAccount, SubAccountRecord } from "@pricetime/protocol";
import type { TransferRow } from "../../../history/wallet-port.ts";
import type { Outcome } from "../../../sequencer/port.ts";
import type { Call, DEFERRED } from "../../call.ts";
import { longList, type MaybeLong } from "../../long/long-list.ts";
import { Refused } from "../../refusals.ts";
import { amountText } from "../amounts.ts";
import { type AssetBalance, readBalance, readBalances } from "../balances.ts";
import { submit } from "../submit.ts";
import { assetName, assetNamed, pageOf, timesOf } from "./assets.ts";
import { exactNumber } from "./exact-number.ts";

/** How far back lists of transfers go when no times are sent. Interface 4.5. */
const TRANSFER_DAYS = 100;

function masterOf(call: Call): AccountView {
  const account = call.account();
  if (account.masterId !== null) throw new Refused(MASTER_ACCOUNT_ONLY);
  return account;
}

/** The master itself or a sub-account of its; of others it is not even told whether they exist. */
function relative(call: Call, email: string): AccountView {
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

const BALANCES_A_PIECE = 150;

function numberBalance(engine: EngineView, { asset, balance }: AssetBalance): NumberBalance {
  const amount = (units: bigint): ReturnType<typeof exactNumber> =>
    exactNumber(amountText(engine, asset.assetId, units));
  return { asset: asset.spec.asset, free: amount(balance.free), locked: amount(balance.locked) };
}

/** `before`: what stands in front of the balances. */
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

// transfers

/** Undefined for either: the master's own account. */
function transfer(
  call: Call,
  fromEmail: string | undefined,
  toEmail: string | undefined,
  answer: (tranId: number) => object,
): typeof DEFERRED {
  const master = masterOf(call);
  const { spec } = assetNamed(call.venue.engine, call.text("asset"));
  const amount = call.text("amount");
  const fault = amountFault("amount", amount, spec.precision);
  if (fault !== null) throw new Refused(fault);
  const partner = (email: string | undefined): number =>
    (email === undefined ? master : relative(call, email)).accountId;
  const command = {
    type: "transfer",
    accountId: master.accountId,
    fromAccountId: partner(fromEmail),
    toAccountId: partner(toEmail),
    asset: spec.asset,
    amount,
  } as const;
  return submit(call, command, {
    refusal: transferError,
    body: (outcome) => JSON.stringify(answer(tranIdIn(outcome))),
  });
}

function tranIdIn({ events }: Outcome): number {
  const moved = events.find((event) => event.type === "transferred");
  if (moved === undefined) throw new TypeError("a transfer that was made tells of itself");
  return moved.tranId;
}

export function wapiTransfer(call: Call): typeof DEFERRED {
  return transfer(call, call.text("fromEmail"), call.text("toEmail"), (tranId): Answer<"wapi.subAccountTransfer"> => {
    return { success: true, txnId: String(tranId) };
  });
}

export function universalTransfer(call: Call): typeof DEFERRED {
  const [fromEmail, toEmail] = [call.optionalText("fromEmail"), call.optionalText("toEmail")];
  return transfer(call, fromEmail, toEmail, (tranId): Answer<"subAccount.transfer"> => ({ tranId }));
}

interface NamedTransfer {
  readonly from: string;
  readonly to: string;
  readonly asset: string;
  readonly qty: string;
  readonly time: number;
}

function named(engine: EngineView, row: TransferRow): NamedTransfer {
  const emailOf = (accountId: number): string => engine.account(accountId)?.email ?? "";
  return {
    from: emailOf(row.fromAccountId),
    to: emailOf(row.toAccountId),
    asset: assetName(engine, row.assetId),
    qty: row.amount,
    time: row.timeMs,
  };
}

export async function wapiTransfers(call: Call): Promise<string> {
  const { accountId } = relative(call, call.text("email"));
  const { history, engine } = call.venue;
  const page = { ...timesOf(call, TRANSFER_DAYS), ...pageOf(call) };
  const rows = await history.transfersOfAccount(engine.seq, accountId, page);
  const transfers = rows.map((row) => named(call.venue.engine, row));
  const shape: Answer<"wapi.subAccountTransfers"> = { success: true, transfers };
  return JSON.stringify(shape);
}

export async function subAccountTransfers(call: Call): Promise<string> {
  const master = masterOf(call);
  const email = call.optionalText("fromEmail") ?? call.optionalText("toEmail");
  const { history, engine } = call.venue;
  const page = { ...timesOf(call, TRANSFER_DAYS), ...pageOf(call) };
  const rows =
    email === undefined
      ? await history.transfersOfMaster(engine.seq, master.accountId, page)
      : await history.transfersOfAccount(engine.seq, relative(call, email).accountId, page);
  const shape: Answer<"subAccount.transfers"> = rows.map((row) => ({
    ...named(call.venue.engine, row),
    status: "SUCCESS",
    tranId: row.tranId,
  }));
  return JSON.stringify(shape);
}
