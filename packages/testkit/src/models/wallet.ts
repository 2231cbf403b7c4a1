/** The commands of the model's wallet: locks of API trading (Interface 3.8), and settings that do not move money. */
import { type Command, type NoticeKind, TREASURY_ACCOUNT, type WalletAct, type WalletCommand } from "@pricetime/engine";
import { type Answer, type Answers, type Happening, plainResult } from "./happening.ts";
import type { ModelAddress, ModelState, ModelWallet } from "./state.ts";
import { oweOwner } from "./sign-in.ts";
import { fits } from "./money.ts";
import { depositStep, seeDeposit } from "./deposits.ts";
import { convertDust, distributeDividend, payNetworkCost, setDustRules, transfer } from "./payments.ts";
import { changeLetter, requestWithdrawal, setLimits, withdrawalStep } from "./withdrawals.ts";

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const LADDER_MINUTES = [5, 15, 60, 360, 1440, 4320];

export function isLocked({ wallet, nowMs }: ModelState, accountId: number): boolean {
  return wallet.locks.some((lock) => lock.accountId === accountId && lock.untilMs > nowMs);
}

function lockApiTrading(wallet: ModelWallet, command: Command<"lockApiTrading">): Answer {
  const { exchange, locks } = wallet;
  const { accountId, symbol } = command;
  if (!exchange.accounts.has(accountId)) return "UNKNOWN_ACCOUNT";
  if (!exchange.markets.some(({ spec }) => spec.symbol === symbol)) return "UNKNOWN_SYMBOL";
  if (isLocked(exchange, accountId)) return "ALREADY_EXISTS";
  const fromMs = exchange.nowMs;
  const before = locks.filter((lock) => lock.accountId === accountId && fromMs - lock.fromMs < DAY_MS).length;
  const untilMs = fromMs + LADDER_MINUTES[Math.min(before, LADDER_MINUTES.length - 1)]! * MINUTE_MS;
  locks.push({ accountId, fromMs, untilMs });
  return [plainResult(`${accountId} locked until ${untilMs}`)];
}

function unlockApiTrading({ exchange, locks }: ModelWallet, command: Command<"unlockApiTrading">): Answer {
  const { accountId } = command;
  if (!exchange.accounts.has(accountId)) return "UNKNOWN_ACCOUNT";
  if (!isLocked(exchange, accountId)) return "WRONG_STATUS";
  for (const lock of locks) {
    if (lock.accountId === accountId) lock.untilMs = Math.min(lock.untilMs, exchange.nowMs);
  }
  return [plainResult(`account ${accountId} changed`)];
}

function assign(wallet: ModelWallet, command: Command<"assignDepositAddress">): Answer {
  const { accountId, network, address, tag } = command;
  if (accountId !== TREASURY_ACCOUNT && !wallet.exchange.accounts.has(accountId)) return "UNKNOWN_ACCOUNT";
  const isThere = wallet.exchange.assets.some(({ networks }) => networks.some((listed) => listed.network === network));
  if (!isThere) return "UNKNOWN_NETWORK";
  const onNetwork = wallet.addresses.filter((known) => known.network === network);
  const isTaken = (known: ModelAddress) =>
    known.accountId === accountId || (known.address === address && known.tag === tag);
  if (onNetwork.some(isTaken)) return "ALREADY_EXISTS";
  wallet.addresses.push({ accountId, network, address, tag });
  return [plainResult(`address ${address}/${tag} on ${network} is of ${accountId}`)];
}

function setNetworks({ exchange }: ModelWallet, command: Command<"setAssetNetworks">): Answer {
  const asset = exchange.assets.find((listed) => listed.asset === command.asset);
  if (asset === undefined) return "UNKNOWN_ASSET";
  const isHeld = (amount: string | undefined) => fits(exchange, amount ?? "0", asset.precision);
  for (const network of command.networks) {
    const { withdrawFee, withdrawMin, withdrawMax, withdrawStep, depositStep, depositMin, approvalAbove } = network;
    const amounts = [withdrawFee, withdrawMin, withdrawMax, withdrawStep, depositStep, depositMin, approvalAbove];
    if (!amounts.every(isHeld)) return "INVALID_VALUE";
  }
  asset.networks = command.networks;
  return [];
}

type AccountSetting = Command<"setAddressList" | "allowAddress" | "disallowAddress" | "setTotp" | "setAccountStatus">;

function changeAccount(wallet: ModelWallet, command: AccountSetting): Answer {
  const { accountId } = command;
  const account = wallet.exchange.accounts.get(accountId);
  if (account === undefined) return "UNKNOWN_ACCOUNT";
  const emails: Happening[] = [];
  const { access } = wallet.exchange;
  const notify = (kind: NoticeKind, facts: Readonly<Record<string, string>>): void => {
    const { by } = command as { readonly by: string };
    emails.push(...oweOwner(access, kind, accountId, by, facts));
  };
  if (command.type === "setTotp") {
    const replaces = command.sealedSecret !== null && account.totpSecret !== null;
    if (replaces && wallet.exchange.edition >= 2) return "ALREADY_EXISTS";
    account.totpSecret = command.sealedSecret;
    notify("totpChanged", { change: command.sealedSecret === null ? "removed" : "set" });
  }
  if (command.type === "setAddressList") {
    const isEnded = account.isListEnforced && !command.isEnforced;
    account.isListEnforced = command.isEnforced;
    if (isEnded) notify("addressListEnded", { fromMs: `${wallet.exchange.nowMs}` });
  }
  if (command.type === "allowAddress" || command.type === "disallowAddress") {
    const { network, address, tag } = command;
    const isIt = (known: ModelAddress) =>
      known.accountId === accountId && known.network === network && known.address === address && known.tag === tag;
    const isListed = wallet.allowed.some(isIt);
    if (command.type === "allowAddress") {
      if (isListed) return "ALREADY_EXISTS";
      wallet.allowed.push({ accountId, network, address, tag });
      notify("addressAdded", { network, address, tag, name: command.name });
    } else {
      if (!isListed) return "UNKNOWN_ADDRESS";
      wallet.allowed = wallet.allowed.filter((known) => !isIt(known));
    }
  }
  return [plainResult(`account ${accountId} changed`), ...emails];
}

export const WALLET_ANSWERS: Answers<ModelWallet, (WalletCommand | WalletAct)["type"]> = {
  seeDeposit,
  creditDeposit: depositStep,
  finishDeposit: depositStep,
  dropDeposit: depositStep,
  requestWithdrawal,
  confirmWithdrawal: withdrawalStep,
  cancelWithdrawal: withdrawalStep,
  approveWithdrawal: withdrawalStep,
  rejectWithdrawal: withdrawalStep,
  signWithdrawal: withdrawalStep,
  completeWithdrawal: withdrawalStep,
  failWithdrawal: withdrawalStep,
  failSignedWithdrawal: withdrawalStep,
  changeLetter,
  transfer,
  payNetworkCost,
  distributeDividend,
  convertDust,
  setDustRules,
  lockApiTrading,
  unlockApiTrading,
  setWithdrawalLimits: setLimits,
  setAccountWithdrawalLimits: setLimits,
  assignDepositAddress: assign,
  advanceNetwork: (_wallet, { network }) => [plainResult(`network ${network}`)],
  setAssetNetworks: setNetworks,
  setMaintenance: (wallet, { isOn }) => {
    wallet.isInMaintenance = isOn;
    return [plainResult(`maintenance ${isOn}`)];
  },
  setAddressList: changeAccount,
  allowAddress: changeAccount,
  disallowAddress: changeAccount,
  setTotp: changeAccount,
  setAccountStatus: changeAccount,
};
