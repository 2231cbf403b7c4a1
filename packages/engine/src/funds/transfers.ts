/**
 * Money that is moved inside the exchange or by an operator: transfers between a master account and its sub-accounts,
 * deposits and debits, and dividends.
 */
import type { RejectReason } from "../entry/reject.ts";
import type { ExchangeState } from "../state/exchange-state.ts";
import { positiveUnitsOf } from "./networks.ts";
import type { Command } from "../entry/command.ts";
import { digestOfContents } from "../state/funds/used-ids.ts";
import { withdrawable } from "./withdrawal-checks.ts";
import { MAX_DIVIDEND_HOLDERS, MAX_TEXT_LENGTH } from "../limits.ts";
import {
  DUST_ACCOUNT,
  FEE_ACCOUNT,
  FIRST_CUSTOMER_ACCOUNT,
  OUTSIDE_ACCOUNT,
  TREASURY_ACCOUNT,
} from "../state/ledger.ts";

// Transfers between a master account and its sub-accounts. Interface 3.9.

/** Transfers money. Money that may not be withdrawn from an account may not be transferred out of it either. */
export function transfer(state: ExchangeState, command: Command<"transfer">): RejectReason | null {
  const { accountId: masterId, fromAccountId, toAccountId } = command;
  if (state.funds.isInMaintenance) return "MAINTENANCE";
  const [master, from, to] = [masterId, fromAccountId, toAccountId].map((id) => state.accounts.get(id));
  if (master === undefined || from === undefined || to === undefined) return "UNKNOWN_ACCOUNT";
  if (master.masterId !== null) return "MASTER_ONLY";
  if (from === to) return "SAME_ACCOUNT";
  if ([from, to].some((account) => state.accounts.masterOf(account) !== masterId)) return "NOT_RELATED";
  const asset = state.assetsByName.get(command.asset);
  if (asset === undefined) return "UNKNOWN_ASSET";
  const amount = positiveUnitsOf(state, asset, command.amount);
  if (amount === null) return "INVALID_VALUE";
  const { assetId } = asset;
  const clientTranId = state.edition < 4 ? undefined : command.clientTranId;
  const contents = digestOfContents(state.edition, [fromAccountId, toAccountId, assetId, amount]);
  if (clientTranId !== undefined) {
    const repeat = state.funds.transferIds.repeat(masterId, clientTranId, contents);
    if (repeat !== null) return repeat;
  }
  if (!from.canWithdraw) return "ACCOUNT_MAY_NOT_WITHDRAW";
  if (withdrawable(state, fromAccountId, assetId) < amount) return "INSUFFICIENT_BALANCE";
  state.ledger.pay({ assetId, amount, from: fromAccountId, to: toAccountId, reason: "transfer" });
  const tranId = ++state.funds.lastTranId;
  const moved = { tranId, masterId, fromAccountId, toAccountId, assetId, amount };
  if (clientTranId === undefined) {
    state.emit({ type: "transferred", ...moved });
  } else {
    state.funds.transferIds.add(masterId, clientTranId, { contents, seq: state.seq, tranId });
    state.emit({ type: "transferred", ...moved, clientTranId });
  }
  return null;
}

// Deposits and debits by an operator. Each reference moves money once.

/** The house accounts to which an operator may deposit and from which an operator may debit. */
const OPERATED_ACCOUNTS: readonly number[] = [FEE_ACCOUNT, TREASURY_ACCOUNT, DUST_ACCOUNT];

export function moveMoney(state: ExchangeState, command: Command<"deposit"> | Command<"debit">): RejectReason | null {
  const { accountId, reference } = command;
  if (state.accounts.get(accountId) === undefined && !OPERATED_ACCOUNTS.includes(accountId)) return "UNKNOWN_ACCOUNT";
  const asset = state.assetsByName.get(command.asset);
  if (asset === undefined) return "UNKNOWN_ASSET";
  const amount = positiveUnitsOf(state, asset, command.amount);
  if (amount === null) return "INVALID_VALUE";
  if (reference === "" || reference.length > MAX_TEXT_LENGTH) return "INVALID_VALUE";
  const { assetId } = asset;
  const contents = digestOfContents(state.edition, [command.type, accountId, assetId, amount]);
  const repeat = state.moveReferences.repeat(reference, contents);
  if (repeat !== null) return repeat;
  if (command.type === "deposit") {
    state.ledger.pay({ assetId, amount, from: OUTSIDE_ACCOUNT, to: accountId, reason: "deposit" });
  } else {
    if (state.ledger.balance(accountId, assetId).free < amount) return "INSUFFICIENT_BALANCE";
    state.ledger.pay({ assetId, amount, from: accountId, to: OUTSIDE_ACCOUNT, reason: "debit" });
  }
  state.moveReferences.add(reference, contents, state.seq);
  const signed = command.type === "deposit" ? amount : -amount;
  state.emit({ type: "balanceMoved", accountId, assetId, amount: signed, reference });
  return null;
}

// Dividends: the treasury pays the holders of an asset, pro rata.

/** Distributes a dividend. Shares are rounded down; holders whose share is zero are omitted. */
export function distributeDividend(state: ExchangeState, command: Command<"distributeDividend">): RejectReason | null {
  const { reference, info } = command;
  const held = state.assetsByName.get(command.heldAsset);
  const paid = state.assetsByName.get(command.paidAsset);
  if (held === undefined || paid === undefined) return "UNKNOWN_ASSET";
  const amount = positiveUnitsOf(state, paid, command.amount);
  if (amount === null) return "INVALID_VALUE";
  const contents = digestOfContents(state.edition, [held.assetId, paid.assetId, amount, info]);
  const repeat = state.funds.distributed.repeat(reference, contents);
  if (repeat !== null) return repeat;
  const shares = sharesOf(state, held.assetId, amount);
  if (shares.length === 0) return "NO_HOLDERS";
  if (shares.length > MAX_DIVIDEND_HOLDERS) return "TOO_MANY";
  const { assetId } = paid;
  const total = shares.reduce((sum, share) => sum + share.amount, 0n);
  if (state.ledger.balance(TREASURY_ACCOUNT, assetId).free < total) return "TREASURY_SHORT";
  const tranId = ++state.funds.lastTranId;
  state.funds.distributed.add(reference, contents, state.seq, String(tranId));
  for (const share of shares) {
    state.ledger.pay({
      assetId,
      amount: share.amount,
      from: TREASURY_ACCOUNT,
      to: share.accountId,
      reason: "dividend",
    });
    state.emit({ type: "dividendPaid", tranId, assetId, info, ...share });
  }
  return null;
}

/** The share of each customer, by the balances before the payment. */
function sharesOf(state: ExchangeState, heldAssetId: number, amount: bigint) {
  const holders: { readonly accountId: number; readonly holding: bigint }[] = [];
  let total = 0n;
  for (let i = 0; i < state.accounts.size; i++) {
    const accountId = FIRST_CUSTOMER_ACCOUNT + i;
    const { free, locked } = state.ledger.balance(accountId, heldAssetId);
    const holding = free + locked;
    if (holding === 0n) continue;
    holders.push({ accountId, holding });
    total += holding;
  }
  return holders
    .map(({ accountId, holding }) => ({ accountId, amount: (amount * holding) / total }))
    .filter((share) => share.amount > 0n);
}
