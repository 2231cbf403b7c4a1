/** The invariants of the wallet, which hold between any two commands. */
import { assert } from "../assert.ts";
import {
  DEPOSITS_ACCOUNT,
  FIRST_CUSTOMER_ACCOUNT,
  OUTSIDE_ACCOUNT,
  TREASURY_ACCOUNT,
} from "../state/ledger/posting.ts";
import type { ExchangeState } from "../state/exchange-state.ts";
import { sharePaid } from "../state/funds/deposits.ts";
import { OPEN_WITHDRAWAL_STATUSES, type WithdrawalRecord } from "../entry/wallet-record.ts";
import { masterIdOf, withdrawn } from "./withdrawals/limits-over-time.ts";

/** Adds what open withdrawals lock, by account and asset. */
export function addWithdrawals(state: ExchangeState, locked: Map<string, bigint>): void {
  for (const { accountId, assetId, amount } of state.funds.withdrawals.all()) {
    const holder = `${accountId}:${assetId}`;
    locked.set(holder, (locked.get(holder) ?? 0n) + amount);
  }
}

export function checkFunds(state: ExchangeState): void {
  checkVenueAccounts(state);
  checkDeposits(state);
  checkWithdrawals(state);
  for (const address of state.funds.addresses.all()) {
    const { accountId, network } = address;
    assert(state.funds.addresses.get(accountId, network) === address, "an account has one address on a network");
  }
  for (const account of state.accounts.all()) {
    if (account.masterId === null) continue;
    assert(state.accounts.get(account.masterId)?.masterId === null, "a sub-account's master is nobody's sub-account");
    assert(state.accounts.subsOf(account.masterId).includes(account.accountId), "a master knows its sub-accounts");
  }
}

function checkVenueAccounts(state: ExchangeState): void {
  for (const { assetId, spec } of state.assets) {
    for (let accountId = 0; accountId < FIRST_CUSTOMER_ACCOUNT; accountId++) {
      const { free, locked } = state.ledger.balance(accountId, assetId);
      assert(locked === 0n, "the venue locks nothing of its own");
      const mayOwe = accountId === OUTSIDE_ACCOUNT || accountId === TREASURY_ACCOUNT;
      assert(free >= 0n || mayOwe, `account ${accountId} owes ${spec.asset}`);
    }
  }
}

/** Pending deposits lie in an account of their own; credited ones that are not final are held. */
function checkDeposits(state: ExchangeState): void {
  const { deposits } = state.funds;
  const pending = new Map<number, bigint>();
  const held = new Map<string, bigint>();
  let open = 0;
  for (const deposit of deposits.all()) {
    const { status, accountId, assetId, amount, owed } = deposit;
    open++;
    assert(owed >= 0n && owed <= amount, "the treasury is owed at most the whole deposit");
    assert(!deposits.isDropped(deposit), "an open deposit is not dropped");
    assert(status === "pending" || status === "credited", "an open deposit is not over");
    assert(amount > 0n, "a deposit brings something");
    if (status === "pending") {
      pending.set(assetId, (pending.get(assetId) ?? 0n) + amount);
    } else {
      const holder = `${accountId}:${assetId}`;
      held.set(holder, (held.get(holder) ?? 0n) + sharePaid(deposit));
    }
  }
  assert(open === deposits.size, "open deposits are counted");
  for (const { assetId } of state.assets) {
    const { free } = state.ledger.balance(DEPOSITS_ACCOUNT, assetId);
    assert(free === (pending.get(assetId) ?? 0n), "the deposits account holds the pending deposits");
    for (const { accountId } of state.accounts.all()) {
      const sum = held.get(`${accountId}:${assetId}`) ?? 0n;
      assert(deposits.heldOf(accountId, assetId) === sum, "credited deposits are held until they are final");
    }
  }
}

function checkWithdrawals(state: ExchangeState): void {
  const { withdrawals } = state.funds;
  const open = new Map<number, number>();
  const counted = new Map<string, bigint>();
  let firstUnconfirmed: string | undefined;
  for (const withdrawal of withdrawals.all()) {
    const { withdrawalId, accountId, status, amount, fee, txIds, txId } = withdrawal;
    open.set(accountId, (open.get(accountId) ?? 0) + 1);
    assert(OPEN_WITHDRAWAL_STATUSES.includes(status), "an open withdrawal is not over");
    assert(amount > fee && fee >= 0n, "a withdrawal pays more than its fee");
    assert(status === "processing" || txIds.length === 0, "only a processing withdrawal is signed");
    assert(txId === (txIds.at(-1) ?? ""), "the last transaction signed counts");
    if (isCountedNow(state, withdrawal)) {
      const key = `${masterIdOf(state, accountId)}:${withdrawal.assetId}`;
      counted.set(key, (counted.get(key) ?? 0n) + amount);
    }
    if (status === "emailSent") firstUnconfirmed ??= withdrawalId;
    else
      assert(withdrawals.letter(withdrawalId) === "waiting", "only a withdrawal that waits for its link has a letter");
  }
  for (const [key, sum] of counted) {
    const [masterId = 0, assetId = 0] = key.split(":").map(Number);
    assert(withdrawn(state, masterId, assetId).per72h >= sum, "open withdrawals are in the sums over time");
  }
  assert(withdrawals.firstUnconfirmed()?.withdrawalId === firstUnconfirmed, "the oldest mail expires first");
  for (const { accountId } of state.accounts.all()) {
    assert(withdrawals.openCount(accountId) === (open.get(accountId) ?? 0), "open withdrawals are counted");
  }
}

function isCountedNow(state: ExchangeState, { accountSum24h, applyTimeMs }: WithdrawalRecord): boolean {
  return accountSum24h !== undefined && state.funds.withdrawalCounts.isRecent("per72h", applyTimeMs, state.nowMs);
}
