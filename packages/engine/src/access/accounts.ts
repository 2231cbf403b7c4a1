/** Accounts of customers and operators: opening, changes, and protection. */
import type { Command } from "../entry/command.ts";
import type { RejectReason } from "../entry/reject.ts";
import {
  MAX_ACCOUNTS,
  MAX_ADDRESS_WAIT_MS,
  MAX_ALLOWED_ADDRESSES,
  MAX_FEE_BPS,
  MAX_OPERATORS,
  MAX_SUB_ACCOUNTS,
  MAX_TEXT_LENGTH,
} from "../limits.ts";
import { NO_FILL_CREDITS } from "../state/order/placed-counts.ts";
import type { ExchangeState } from "../state/exchange-state.ts";
import { expireOrdersOf } from "../trading/end-orders.ts";
import { type Account, isListEnforced } from "../state/accounts.ts";
import { emailOf, isEmailTaken, notifyOwner } from "./holders.ts";
import { revokeInvitationsOf } from "./invitations.ts";
import { closeOthers, endRecovery } from "./sign-in.ts";

export function openAccount(state: ExchangeState, command: Command<"openAccount">): RejectReason | null {
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

export function changeAccount(state: ExchangeState, command: Command<"changeAccount">): RejectReason | null {
  const account = state.accounts.get(command.accountId);
  if (account === undefined) return "UNKNOWN_ACCOUNT";
  const { makerBps, takerBps } = { ...account, ...command };
  if (!isRate(makerBps) || !isRate(takerBps)) return "INVALID_VALUE";
  if (command.isEnabled === false && account.masterId === null) return "INVALID_VALUE";
  const canGroup = state.edition >= 5 && account.masterId === null;
  if (command.isTradeGroup !== undefined && !canGroup) return "INVALID_VALUE";
  if (command.paysInDiscountAsset !== undefined && state.edition < 5) return "INVALID_VALUE";
  const endsOrders = command.endOrders === true && state.edition >= 4;
  if (endsOrders && command.canTrade !== false && command.isEnabled !== false) return "INVALID_VALUE";
  const email = state.edition < 4 || command.email === undefined ? account.email : emailOf(state, command.email);
  if (email !== account.email && isEmailTaken(state, email, account)) return "ALREADY_EXISTS";
  account.makerBps = makerBps;
  account.takerBps = takerBps;
  account.isEnabled = command.isEnabled ?? account.isEnabled;
  account.confirmsByMail = command.confirmsByMail ?? account.confirmsByMail;
  if (command.language !== undefined) account.language = command.language;
  if (command.paysInDiscountAsset !== undefined) account.paysInDiscountAsset = command.paysInDiscountAsset;
  if (command.isTradeGroup !== undefined) account.isTradeGroup = command.isTradeGroup;
  account.canTrade = command.canTrade ?? account.canTrade;
  account.canWithdraw = command.canWithdraw ?? account.canWithdraw;
  account.canDeposit = command.canDeposit ?? account.canDeposit;
  state.emit({ type: "accountChanged", accountId: account.accountId });
  if (endsOrders) expireOrdersOf(state, account.accountId);
  if (email !== account.email) moveAccount(state, account, email, command.by);
  return null;
}

/**
 * Changes the account's address. Links that were sent to the previous address become invalid, and that address is
 * notified.
 */
function moveAccount(state: ExchangeState, account: Account, email: string, by: string): void {
  const holder = `account:${account.accountId}`;
  const before = account.email;
  state.accounts.move(account, email);
  revokeInvitationsOf(state, holder);
  endRecovery(state, holder, "cancelled");
  if (account.masterId === null) state.queueEmail("emailChanged", before, { holder, email, by });
}

export function setSymbolFee(state: ExchangeState, command: Command<"setSymbolFee">): RejectReason | null {
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

export function setOrderLimits(
  state: ExchangeState,
  { rules, fillCredits }: Command<"setOrderLimits">,
): RejectReason | null {
  const limits = rules.map(({ windowMs, limit }) => ({ windowMs, limit }));
  // Releases without version 5 of the rules ignore the field.
  const { taker, maker } = state.edition < 5 || fillCredits === undefined ? NO_FILL_CREDITS : fillCredits;
  state.placedCounts.setRules(limits, { taker, maker }, state.nowMs);
  state.emit({ type: "done" });
  return null;
}

// Two-factor secrets, the status of an account, and maintenance of the venue.

export function setTotp(
  state: ExchangeState,
  { accountId, sealedSecret, by }: Command<"setTotp">,
): RejectReason | null {
  const account = state.accounts.get(accountId);
  if (account === undefined) return "UNKNOWN_ACCOUNT";
  // A second secret would silently lock out the owner of the first one.
  if (state.edition >= 2 && sealedSecret !== null && account.sealedTotp !== null) return "ALREADY_EXISTS";
  account.sealedTotp = sealedSecret;
  state.emit({ type: "accountChanged", accountId });
  notifyOwner(state, "totpChanged", { accountId, by, facts: { change: sealedSecret === null ? "removed" : "set" } });
  return null;
}

export function setAccountStatus(state: ExchangeState, command: Command<"setAccountStatus">): RejectReason | null {
  const { accountId, message, objs } = command;
  const account = state.accounts.get(accountId);
  if (account === undefined) return "UNKNOWN_ACCOUNT";
  account.statusMessage = message;
  account.statusObjs = objs;
  state.emit({ type: "accountChanged", accountId });
  return null;
}

export function setMaintenance(state: ExchangeState, { isOn }: Command<"setMaintenance">): RejectReason | null {
  state.funds.isInMaintenance = isOn;
  state.emit({ type: "maintenanceChanged", isOn });
  return null;
}

// The withdrawal address allowlist of an account.

export function allowAddress(state: ExchangeState, command: Command<"allowAddress">): RejectReason | null {
  const { accountId, network, address, tag, name, fromMs, by } = command;
  const { allowed } = state.funds;
  if (state.accounts.get(accountId) === undefined) return "UNKNOWN_ACCOUNT";
  if (isTooLate(state, fromMs)) return "INVALID_VALUE";
  if (allowed.get(accountId, network, address, tag) !== undefined) return "ALREADY_EXISTS";
  if (allowed.size(accountId) >= MAX_ALLOWED_ADDRESSES) return "TOO_MANY";
  allowed.add(accountId, { network, address, tag, name, ...(fromMs !== undefined && { fromMs }) });
  state.emit({ type: "accountChanged", accountId });
  notifyOwner(state, "addressAdded", { accountId, by, facts: { network, address, tag, name } });
  return null;
}

export function disallowAddress(state: ExchangeState, command: Command<"disallowAddress">): RejectReason | null {
  const { accountId, network, address, tag } = command;
  if (state.accounts.get(accountId) === undefined) return "UNKNOWN_ACCOUNT";
  if (!state.funds.allowed.delete(accountId, network, address, tag)) return "UNKNOWN_ADDRESS";
  state.emit({ type: "accountChanged", accountId });
  return null;
}

export function setAddressList(state: ExchangeState, command: Command<"setAddressList">): RejectReason | null {
  const { accountId, isEnforced, fromMs, by } = command;
  const account = state.accounts.get(accountId);
  if (account === undefined) return "UNKNOWN_ACCOUNT";
  if (isTooLate(state, fromMs) || (isEnforced && fromMs !== undefined)) return "INVALID_VALUE";
  const wasEnforced = isListEnforced(account, state.nowMs);
  const holdsOn = wasEnforced && fromMs !== undefined;
  account.isAddressListEnforced = isEnforced || holdsOn;
  if (holdsOn) account.addressListEndsMs = fromMs;
  else delete account.addressListEndsMs;
  state.emit({ type: "accountChanged", accountId });
  const facts = { fromMs: String(fromMs ?? state.nowMs) };
  if (wasEnforced && !isEnforced) notifyOwner(state, "addressListEnded", { accountId, by, facts });
  return null;
}

function isTooLate(state: ExchangeState, fromMs = 0): boolean {
  return fromMs > state.nowMs + MAX_ADDRESS_WAIT_MS;
}

// Locks of API trading. Interface 3.8.

export function lockApiTrading(state: ExchangeState, command: Command<"lockApiTrading">): RejectReason | null {
  const { accountId, symbol } = command;
  if (state.accounts.get(accountId) === undefined) return "UNKNOWN_ACCOUNT";
  if (!state.marketsBySymbol.has(symbol)) return "UNKNOWN_SYMBOL";
  if (state.funds.apiLocks.at(accountId, state.nowMs) !== undefined) return "ALREADY_EXISTS";
  const { untilMs } = state.funds.apiLocks.lock(command, state.nowMs);
  state.emit({ type: "apiTradingLocked", accountId, untilMs });
  return null;
}

export function unlockApiTrading(
  state: ExchangeState,
  { accountId }: Command<"unlockApiTrading">,
): RejectReason | null {
  if (state.accounts.get(accountId) === undefined) return "UNKNOWN_ACCOUNT";
  if (state.funds.apiLocks.at(accountId, state.nowMs) === undefined) return "WRONG_STATUS";
  state.funds.apiLocks.unlock(accountId);
  state.emit({ type: "accountChanged", accountId });
  return null;
}

// Operators: opening, changes, and two-factor codes.

export function openOperator(
  state: ExchangeState,
  { name, email, role }: Command<"openOperator">,
): RejectReason | null {
  if (state.operators.get(name) !== undefined) return "ALREADY_EXISTS";
  if (state.operators.size >= MAX_OPERATORS) return "TOO_MANY";
  const createdMs = state.nowMs;
  state.operators.put({
    name,
    email: emailOf(state, email),
    role,
    isEnabled: true,
    sealedTotp: null,
    totpStep: -1,
    createdMs,
  });
  state.emit({ type: "operatorChanged", name });
  return null;
}

export function changeOperator(state: ExchangeState, command: Command<"changeOperator">): RejectReason | null {
  const operator = state.operators.get(command.name);
  if (operator === undefined) return "UNKNOWN_OPERATOR";
  const { role = operator.role, isEnabled = operator.isEnabled } = command;
  const email = command.email === undefined ? operator.email : emailOf(state, command.email);
  state.operators.put({ ...operator, email, role, isEnabled });
  state.emit({ type: "operatorChanged", name: operator.name });
  const holder = `operator:${operator.name}`;
  if (!isEnabled) closeOthers(state, holder, null);
  if (email !== operator.email) {
    revokeInvitationsOf(state, holder);
    endRecovery(state, holder, "cancelled");
  }
  if (state.edition >= 4 && (!isEnabled || role === "viewer")) cancelProposalsOf(state, holder, command.by);
  return null;
}

/**
 * Cancels the approval requests whose current version was written by the operator. The request that is being executed
 * is not cancelled.
 */
function cancelProposalsOf(state: ExchangeState, author: string, by: string): void {
  for (const proposal of [...state.proposals.all()]) {
    if (proposal.authors.at(-1) !== author || proposal.proposalId === state.approvedId) continue;
    state.proposals.remove(proposal.proposalId);
    const why = "the author may not propose any more";
    state.emit({ type: "proposalChanged", proposal, status: "cancelled", by, why });
  }
}

export function setOperatorTotp(state: ExchangeState, command: Command<"setOperatorTotp">): RejectReason | null {
  const { name, sealedSecret, by } = command;
  const operator = state.operators.get(name);
  if (operator === undefined) return "UNKNOWN_OPERATOR";
  if (sealedSecret !== null && operator.sealedTotp !== null) return "ALREADY_EXISTS";
  state.operators.put({ ...operator, sealedTotp: sealedSecret });
  state.emit({ type: "operatorChanged", name });
  const change = sealedSecret === null ? "removed" : "set";
  state.queueEmail("totpChanged", operator.email, { holder: `operator:${name}`, by, change });
  return null;
}
