/** Whether a withdrawal may be requested. The first reason is reported: the venue's, the account's, the amount's. */
import type { Account } from "../../state/accounts/accounts.ts";
import { isListEnforced } from "../../state/accounts/address-list.ts";
import { MAX_OPEN_WITHDRAWALS } from "../../limits.ts";
import type { AssetNetwork } from "../../entry/symbol.ts";
import type { RejectReason } from "../../entry/reject.ts";
import type { ExchangeState } from "../../state/exchange-state.ts";
import type { AssetView } from "../../view/engine-view.ts";
import { positiveUnitsOf, unitsOf } from "../amount.ts";
import type { RequestWithdrawal } from "../../entry/wallet-command.ts";
import { defaultNetworkOf, networkOf } from "../networks.ts";
import { addressKey } from "../../state/funds/coin-key.ts";
import { digestOfContents } from "../../state/funds/used-ids.ts";
import { withdrawable } from "./withdrawable.ts";

/** The payout of a valid request. Units of the asset; `amount` is gross. */
export interface Payout {
  readonly account: Account;
  readonly asset: AssetView;
  readonly network: AssetNetwork;
  readonly amount: bigint;
  readonly fee: bigint;
  /** Digest of the request, as in `UsedIds`. */
  readonly contents: number;
}

export function checkWithdrawal(state: ExchangeState, command: RequestWithdrawal): Payout | RejectReason {
  if (state.funds.isInMaintenance) return "MAINTENANCE";
  const { withdrawals } = state.funds;
  if (withdrawals.isTaken(command.withdrawalId)) return "ALREADY_EXISTS";
  const account = state.accounts.get(command.accountId);
  if (account === undefined) return "UNKNOWN_ACCOUNT";
  const asset = state.assetsByName.get(command.asset);
  if (asset === undefined) return "UNKNOWN_ASSET";
  const network = command.network === "" ? defaultNetworkOf(asset) : networkOf(asset, command.network);
  if (network === undefined) return "UNKNOWN_NETWORK";
  if (!network.withdrawEnabled) return "WITHDRAWAL_SUSPENDED";
  if (state.stops.stopsWithdrawing(command.asset, network.network, state.nowMs)) return "WITHDRAWAL_SUSPENDED";
  if (!account.canWithdraw || !account.isEnabled || isHeld(state, account)) return "ACCOUNT_MAY_NOT_WITHDRAW";
  const amount = positiveUnitsOf(state, asset, command.amount);
  if (amount === null) return "INVALID_VALUE";
  const fee = unitsOf(state, asset, network.withdrawFee) ?? 0n;
  const contents = contentsOf(state, asset, amount, network, command);
  const reason =
    checkAmount(state, { asset, network, amount, fee }) ??
    checkAddress(state, account, network, command) ??
    checkTotp(state, account, command) ??
    checkRoom(state, account, network, command, contents);
  if (reason !== null) return reason;
  if (withdrawable(state, account.accountId, asset.assetId) < amount) return "INSUFFICIENT_BALANCE";
  return { account, asset, network, amount, fee, contents };
}

/** What a request that repeats a `withdrawOrderId` must say alike: all that the customer chose. */
function contentsOf(
  state: ExchangeState,
  asset: AssetView,
  amount: bigint,
  { network }: AssetNetwork,
  { address, tag, name }: RequestWithdrawal,
): number {
  return digestOfContents(state.edition, [asset.assetId, addressKey(network, address, tag), amount, name]);
}

/** The password of the account's owner was recovered not long ago. */
function isHeld(state: ExchangeState, account: Account): boolean {
  return state.nowMs < state.passwords.heldUntilMs(`account:${state.accounts.masterOf(account)}`);
}

/** A maximum of 0 means none. */
function checkAmount(
  state: ExchangeState,
  { asset, network, amount, fee }: Omit<Payout, "account" | "contents">,
): RejectReason | null {
  const bound = (decimal: string | undefined) => unitsOf(state, asset, decimal ?? "0") ?? 0n;
  const step = bound(network.withdrawStep);
  const most = bound(network.withdrawMax);
  if (step > 0n && amount % step !== 0n) return "WITHDRAWAL_NOT_A_MULTIPLE";
  if (amount < bound(network.withdrawMin)) return "WITHDRAWAL_BELOW_MINIMUM";
  if (most > 0n && amount > most) return "WITHDRAWAL_ABOVE_MAXIMUM";
  return amount <= fee ? "WITHDRAWAL_BELOW_FEE" : null;
}

/** Paying another customer's address is allowed; paying one's own would only cost a fee. */
function checkAddress(
  state: ExchangeState,
  account: Account,
  { network }: AssetNetwork,
  { address, tag }: RequestWithdrawal,
): RejectReason | null {
  const { allowed, addresses } = state.funds;
  if (isListEnforced(account, state.nowMs)) {
    const listed = allowed.get(account.accountId, network, address, tag);
    if (listed === undefined || state.nowMs < (listed.fromMs ?? 0)) return "ADDRESS_NOT_ALLOWED";
  }
  const ownerId = addresses.owner(network, address, tag);
  const owner = ownerId === undefined ? undefined : state.accounts.get(ownerId);
  return owner !== undefined && state.accounts.masterOf(owner) === state.accounts.masterOf(account)
    ? "ADDRESS_IS_OWN"
    : null;
}

/** A code is good once (RFC 6238, 5.2), and must belong to the secret that the account has now. */
function checkTotp(
  state: ExchangeState,
  account: Account,
  { totpStep, totpSecret }: RequestWithdrawal,
): RejectReason | null {
  if (account.sealedTotp === null) return null;
  if (totpStep === null) return "TOTP_REQUIRED";
  if (state.edition >= 2 && totpSecret !== account.sealedTotp) return "TOTP_DIFFERS";
  return totpStep <= (state.funds.totpSteps.get(account.accountId) ?? -1) ? "TOTP_REUSED" : null;
}

function checkRoom(
  state: ExchangeState,
  account: Account,
  network: AssetNetwork,
  command: RequestWithdrawal,
  contents: number,
): RejectReason | null {
  const { withdrawals } = state.funds;
  const { withdrawOrderId, confirmationHash } = command;
  const repeat = withdrawals.repeatOfClientId(account.accountId, withdrawOrderId, contents);
  if (repeat !== null) return repeat;
  if (withdrawals.openCount(account.accountId) >= MAX_OPEN_WITHDRAWALS) return "TOO_MANY";
  return waitsForMail(account, network, command) && confirmationHash === "" ? "INVALID_VALUE" : null;
}

export function waitsForMail(
  account: Account,
  network: AssetNetwork,
  { isBySession }: Pick<RequestWithdrawal, "isBySession">,
): boolean {
  return account.confirmsByMail || network.confirmsByMail === true || isBySession === true;
}
