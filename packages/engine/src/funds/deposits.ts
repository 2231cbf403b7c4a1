/** Deposits: an account gets an address on a network; deposits to the address are pending, credited, then final. */
import { DEPOSITS_ACCOUNT, OUTSIDE_ACCOUNT, TREASURY_ACCOUNT } from "../state/ledger.ts";
import type { RejectReason } from "../entry/reject.ts";
import type { ExchangeState } from "../state/exchange-state.ts";
import type { Command } from "../entry/command.ts";
import type { CoinId, DepositContents } from "../entry/wallet-command.ts";
import type { DepositAddress, DepositRecord } from "../entry/wallet-record.ts";
import { MAX_OPEN_DEPOSITS } from "../limits.ts";
import { isFinerThanCarried, networkOf, noted, positiveUnitsOf, unitsOf } from "./networks.ts";
import { contentsOf, isSameReport, type ReportedDeposit, sharePaid } from "../state/funds/deposits.ts";

export function assignDepositAddress(
  state: ExchangeState,
  command: Command<"assignDepositAddress">,
): RejectReason | null {
  const { accountId, network, address, tag } = command;
  const { addresses } = state.funds;
  if (accountId !== TREASURY_ACCOUNT && state.accounts.get(accountId) === undefined) return "UNKNOWN_ACCOUNT";
  if (!isNetworkOfSome(state, network)) return "UNKNOWN_NETWORK";
  if (addresses.get(accountId, network) !== undefined) return "ALREADY_EXISTS";
  if (addresses.owner(network, address, tag) !== undefined) return "ALREADY_EXISTS";
  const assigned: DepositAddress = { accountId, network, address, tag };
  addresses.add(assigned);
  state.emit({ type: "depositAddressAssigned", address: assigned });
  return null;
}

function isNetworkOfSome(state: ExchangeState, network: string): boolean {
  return state.assets.some(({ spec }) => spec.networks.some((listed) => listed.network === network));
}

// The life of a deposit: pending, credited, success; or dropped, as long as it is not final. Interface 3.6. While
// deposits of the asset or the account are suspended, a deposit stays pending and is credited afterwards.

export function seeDeposit(state: ExchangeState, command: Command<"seeDeposit">): RejectReason | null {
  const { deposits, addresses } = state.funds;
  const { network, txId, output, address, tag } = command;
  const repeat = repeatOf(state, command);
  if (repeat !== null) return repeat;
  const asset = state.assetsByName.get(command.asset);
  if (asset === undefined) return "UNKNOWN_ASSET";
  const rules = networkOf(asset, network);
  if (rules === undefined) return "UNKNOWN_NETWORK";
  const accountId = addresses.owner(network, address, tag);
  if (accountId === undefined) return "UNKNOWN_ADDRESS";
  const amount = positiveUnitsOf(state, asset, command.amount);
  if (amount === null) return "INVALID_VALUE";
  if (amount < (unitsOf(state, asset, rules.depositMin ?? "0") ?? 0n)) return "DEPOSIT_BELOW_MINIMUM";
  if (isFinerThanCarried(state, asset, command, amount)) return "DEPOSIT_NOT_A_MULTIPLE";
  if (deposits.size >= MAX_OPEN_DEPOSITS) return "TOO_MANY";
  const { assetId } = asset;
  const insertTimeMs = state.nowMs;
  const seen = { network, txId, output, accountId, assetId, amount, address, tag, insertTimeMs };
  const deposit = deposits.see(seen, command.by);
  state.ledger.pay({ assetId, amount, from: OUTSIDE_ACCOUNT, to: DEPOSITS_ACCOUNT, reason: "deposit" });
  state.unknownDeposits.forget(command);
  emitDeposit(state, deposit, 0n);
  return null;
}

/**
 * Compares a report with earlier ones. A dropped deposit may appear again with other contents, an open or final deposit
 * may not.
 */
function repeatOf(state: ExchangeState, command: Command<"seeDeposit">): RejectReason | null {
  const { deposits } = state.funds;
  const isSettled = state.unknownDeposits.isSettled(command);
  if (state.edition < 4) return deposits.isTaken(command) || isSettled ? "ALREADY_EXISTS" : null;
  const open = deposits.find(command);
  const reported = reportedBy(state, command);
  if (typeof open !== "string") return isSame(open, reported) ? "ALREADY_EXISTS" : "REPEAT_DIFFERS";
  return deposits.repeatOfFinal(command, digestOf(state, reported)) ?? (isSettled ? "REPEAT_DIFFERS" : null);
}

/**
 * The deposit that the command reports. Undefined if the command has no contents, or no deposit can have such contents.
 */
function reportedBy(
  state: ExchangeState,
  { network, asset: name, amount: text, address, tag }: CoinId & Partial<DepositContents>,
): ReportedDeposit | undefined {
  const asset = state.assetsByName.get(name ?? "");
  if (asset === undefined || address === undefined || tag === undefined) return undefined;
  const amount = positiveUnitsOf(state, asset, text ?? "");
  return amount === null ? undefined : { network, assetId: asset.assetId, amount, address, tag };
}

function isSame(deposit: DepositRecord, reported: ReportedDeposit | undefined): boolean {
  return reported !== undefined && isSameReport(deposit, reported);
}

/** The digest of an undefined report differs from that of every deposit. */
function digestOf({ edition }: ExchangeState, reported: ReportedDeposit | undefined): number {
  return reported === undefined ? -1 : contentsOf(edition, reported);
}

/** The open deposit to which a step applies, if the step has the same contents as the deposit's record. */
function openDeposit(
  state: ExchangeState,
  command: Command<"creditDeposit"> | Command<"finishDeposit"> | Command<"dropDeposit">,
): DepositRecord | RejectReason {
  const { deposits } = state.funds;
  const open = deposits.find(command);
  if (state.edition < 4 || open === "UNKNOWN_DEPOSIT") return open;
  const reported = reportedBy(state, command);
  if (typeof open !== "string") return isSame(open, reported) ? open : "REPEAT_DIFFERS";
  const contents = digestOf(state, reported);
  const isDrop = command.type === "dropDeposit";
  const final = deposits.repeatOfFinal(command, contents);
  if (final !== null) return final === "ALREADY_EXISTS" && isDrop ? "WRONG_STATUS" : final;
  const dropped = deposits.repeatOfDropped(command, contents);
  return dropped === "ALREADY_EXISTS" && !isDrop ? "WRONG_STATUS" : (dropped ?? open);
}

export function creditDeposit(state: ExchangeState, command: Command<"creditDeposit">): RejectReason | null {
  const deposit = openDeposit(state, command);
  if (typeof deposit === "string") return deposit;
  if (deposit.status !== "pending") return state.edition < 4 ? "WRONG_STATUS" : "ALREADY_EXISTS";
  if (isShut(state, deposit)) return "DEPOSIT_SUSPENDED";
  pay(state, deposit);
  emitDeposit(state, state.funds.deposits.credit(noted(deposit, command)), sharePaid(deposit));
  return null;
}

export function finishDeposit(state: ExchangeState, command: Command<"finishDeposit">): RejectReason | null {
  const deposit = openDeposit(state, command);
  if (typeof deposit === "string") return deposit;
  const isPending = deposit.status === "pending";
  if (isPending) {
    if (isShut(state, deposit)) return "DEPOSIT_SUSPENDED";
    pay(state, deposit);
  }
  const finished = state.funds.deposits.finish(noted(deposit, command), contentsOf(state.edition, deposit), state.seq);
  emitDeposit(state, finished, isPending ? sharePaid(deposit) : 0n);
  return null;
}

/** Undoes a pending deposit. For a credited one, the account pays what it still has, and the treasury the rest. */
export function dropDeposit(state: ExchangeState, command: Command<"dropDeposit">): RejectReason | null {
  const found = openDeposit(state, command);
  if (typeof found === "string") return found;
  const deposit = noted(found, command);
  const { accountId, assetId, amount, owed } = deposit;
  const contents = contentsOf(state.edition, deposit);
  if (deposit.status === "pending") {
    state.ledger.pay({ assetId, amount, from: DEPOSITS_ACCOUNT, to: OUTSIDE_ACCOUNT, reason: "depositDropped" });
    emitDeposit(state, state.funds.deposits.drop(deposit, owed, contents), 0n);
    return null;
  }
  const paid = sharePaid(deposit);
  const { free } = state.ledger.balance(accountId, assetId);
  const taken = accountId === TREASURY_ACCOUNT || free >= paid ? paid : free;
  state.ledger.pay({ assetId, amount: taken, from: accountId, to: OUTSIDE_ACCOUNT, reason: "depositDropped" });
  const shortage = paid - taken;
  state.ledger.pay({
    assetId,
    amount: owed + shortage,
    from: TREASURY_ACCOUNT,
    to: OUTSIDE_ACCOUNT,
    reason: "depositDropped",
  });
  const dropped = state.funds.deposits.drop(deposit, owed + shortage, contents);
  state.emit({ type: "depositChanged", deposit: dropped, status: "dropped", moved: -taken, shortage });
  if (shortage > 0n) forbidWithdrawing(state, accountId);
  return null;
}

function forbidWithdrawing(state: ExchangeState, accountId: number): void {
  const account = state.accounts.get(accountId);
  if (account === undefined || !account.canWithdraw) return;
  account.canWithdraw = false;
  state.emit({ type: "accountChanged", accountId });
}

function isShut(state: ExchangeState, { accountId, assetId, network }: DepositRecord): boolean {
  const asset = state.assetOf(assetId);
  if (!networkOf(asset, network)?.depositEnabled) return true;
  if (state.stops.stopsCoin(asset.spec.asset, network, state.nowMs)) return true;
  return accountId !== TREASURY_ACCOUNT && !state.accounts.get(accountId)?.canDeposit;
}

function pay(state: ExchangeState, deposit: DepositRecord): void {
  const { accountId, assetId, owed } = deposit;
  state.ledger.pay({ assetId, amount: owed, from: DEPOSITS_ACCOUNT, to: TREASURY_ACCOUNT, reason: "deposit" });
  state.ledger.pay({ assetId, amount: sharePaid(deposit), from: DEPOSITS_ACCOUNT, to: accountId, reason: "deposit" });
}

function emitDeposit(state: ExchangeState, deposit: DepositRecord, moved: bigint): void {
  state.emit({ type: "depositChanged", deposit, status: deposit.status, moved, shortage: 0n });
}
