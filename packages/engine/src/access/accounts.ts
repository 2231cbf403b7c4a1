/** Accounts of customers and of operators: opened, changed, and protected. */
import type { ChangeAccount, OpenAccount, SetSymbolFee } from "../entry/command.ts";
import type { RejectReason } from "../entry/reject.ts";
import { MAX_ACCOUNTS, MAX_FEE_BPS, MAX_SUB_ACCOUNTS, MAX_TEXT_LENGTH } from "../limits.ts";
import type { ExchangeState } from "../state/exchange-state.ts";
import { expireOrdersOf } from "../trading/operator-ends.ts";
import type { Account } from "../state/accounts/accounts.ts";
import { emailOf, isEmailTaken } from "./emails.ts";
import { revokeInvitationsOf } from "./invitations.ts";
import { endRecovery } from "./passwords.ts";

export function openAccount(state: ExchangeState, command: OpenAccount): RejectReason | null {
  const { email, name, makerBps, takerBps } = command;
  if (email === "" || email.length > MAX_TEXT_LENGTH || name.length > MAX_TEXT_LENGTH) return "INVALID_VALUE";
  if (!isRate(makerBps) || !isRate(takerBps)) return "INVALID_VALUE";
  if (isEmailTaken(state, email)) return "ALREADY_EXISTS";
  if (state.accounts.size >= MAX_ACCOUNTS) return "TOO_MANY";
  const masterId = command.masterId ?? null;
  const reason = masterId === null ? null : checkMaster(state, masterId);
  if (reason !== null) return reason;
  const { accountId } = state.accounts.open(emailOf(state, email), name, { makerBps, takerBps }, masterId, state.nowMs);
  state.emit({ type: "accountOpened", accountId });
  return null;
}

/** Checks the master of a new sub-account. A sub-account cannot be a master. */
function checkMaster(state: ExchangeState, masterId: number): RejectReason | null {
  const master = state.accounts.get(masterId);
  if (master === undefined) return "UNKNOWN_ACCOUNT";
  if (master.masterId !== null) return "MASTER_ONLY";
  return state.accounts.subsOf(masterId).length >= MAX_SUB_ACCOUNTS ? "TOO_MANY" : null;
}

export function changeAccount(state: ExchangeState, command: ChangeAccount): RejectReason | null {
  const account = state.accounts.get(command.accountId);
  if (account === undefined) return "UNKNOWN_ACCOUNT";
  const { makerBps, takerBps } = { ...account, ...command };
  if (!isRate(makerBps) || !isRate(takerBps)) return "INVALID_VALUE";
  if (command.isEnabled === false && account.masterId === null) return "INVALID_VALUE";
  const endsOrders = command.endOrders === true && state.edition >= 4;
  if (endsOrders && command.canTrade !== false && command.isEnabled !== false) return "INVALID_VALUE";
  const email = state.edition < 4 || command.email === undefined ? account.email : emailOf(state, command.email);
  if (email !== account.email && isEmailTaken(state, email, account)) return "ALREADY_EXISTS";
  account.makerBps = makerBps;
  account.takerBps = takerBps;
  account.isEnabled = command.isEnabled ?? account.isEnabled;
  account.confirmsByMail = command.confirmsByMail ?? account.confirmsByMail;
  account.canTrade = command.canTrade ?? account.canTrade;
  account.canWithdraw = command.canWithdraw ?? account.canWithdraw;
  account.canDeposit = command.canDeposit ?? account.canDeposit;
  state.emit({ type: "accountChanged", accountId: account.accountId });
  if (endsOrders) expireOrdersOf(state, account.accountId);
  if (email !== account.email) moveAccount(state, account, email, command.by);
  return null;
}

/** Links that were sent to the address that it had end with it, and its holder is told there. */
function moveAccount(state: ExchangeState, account: Account, email: string, by: string): void {
  const holder = `account:${account.accountId}`;
  const before = account.email;
  state.accounts.move(account, email);
  revokeInvitationsOf(state, holder);
  endRecovery(state, holder, "cancelled");
  if (account.masterId === null) state.owe("emailChanged", before, { holder, email, by });
}

export function setSymbolFee(state: ExchangeState, command: SetSymbolFee): RejectReason | null {
  const { makerBps, takerBps } = command;
  const account = state.accounts.get(command.accountId);
  if (account === undefined) return "UNKNOWN_ACCOUNT";
  const market = state.marketsBySymbol.get(command.symbol);
  if (market === undefined) return "UNKNOWN_SYMBOL";
  if (makerBps === null && takerBps === null) account.symbolRates.delete(market.symbolId);
  else if (isRate(makerBps) && isRate(takerBps)) account.symbolRates.set(market.symbolId, { makerBps, takerBps });
  else return "INVALID_VALUE";
  state.emit({ type: "accountChanged", accountId: account.accountId });
  return null;
}

function isRate(bps: number | null): bps is number {
  return Number.isInteger(bps) && (bps as number) >= 0 && (bps as number) <= MAX_FEE_BPS;
}
