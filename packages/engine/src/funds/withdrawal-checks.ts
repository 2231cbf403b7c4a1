/** Checks of withdrawal requests, limits over time, and which withdrawals need approval. */
import type { ExchangeState } from "../state/exchange-state.ts";
import { type Account, isListEnforced } from "../state/accounts.ts";
import { MAX_OPEN_WITHDRAWALS } from "../limits.ts";
import { type AssetNetwork, type LimitsOverTime, WITHDRAWAL_WINDOWS, type WithdrawalLimits } from "../entry/symbol.ts";
import type { RejectReason } from "../entry/reject.ts";
import type { AssetView } from "../engine-view.ts";
import { defaultNetworkOf, networkOf, positiveUnitsOf, unitsOf } from "./networks.ts";
import type { Command } from "../entry/command.ts";
import { addressKey } from "../state/funds/deposits.ts";
import { digestOfContents } from "../state/funds/used-ids.ts";
import type { ApprovalReason, WithdrawalRecord, WithdrawnSums } from "../entry/wallet-record.ts";
import { NOTHING_WITHDRAWN } from "../state/funds/withdrawals.ts";
import { formatDecimal } from "../numbers.ts";

export function withdrawable(state: ExchangeState, accountId: number, assetId: number): bigint {
  const { free } = state.ledger.balance(accountId, assetId);
  const held = state.funds.deposits.heldOf(accountId, assetId);
  return free > held ? free - held : 0n;
}

// The first failing check is reported. The checks of the exchange come first, then those of the account, then those of
// the amount.

/** The payout of a valid request. Units of the asset; `amount` includes the fee. */
export interface Payout {
  readonly account: Account;
  readonly asset: AssetView;
  readonly network: AssetNetwork;
  readonly amount: bigint;
  readonly fee: bigint;
  /** Digest of the request, as in `UsedIds`. */
  readonly contents: number;
}

export function checkWithdrawal(state: ExchangeState, command: Command<"requestWithdrawal">): Payout | RejectReason {
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

/** The values that must be equal when a request repeats a `withdrawOrderId`: everything that the customer chose. */
function contentsOf(
  state: ExchangeState,
  asset: AssetView,
  amount: bigint,
  { network }: AssetNetwork,
  { address, tag, name }: Command<"requestWithdrawal">,
): number {
  return digestOfContents(state.edition, [asset.assetId, addressKey(network, address, tag), amount, name]);
}

/** Whether withdrawals are held because the password of the account's owner was recovered recently. */
function isHeld(state: ExchangeState, account: Account): boolean {
  return state.nowMs < state.passwords.heldUntilMs(`account:${state.accounts.masterOf(account)}`);
}

/** Checks the amount by the rules of the network. A maximum of 0 means no maximum. */
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

/**
 * A withdrawal to another customer's address is allowed. A withdrawal to the account's own address would only cost a
 * fee.
 */
function checkAddress(
  state: ExchangeState,
  account: Account,
  { network }: AssetNetwork,
  { address, tag }: Command<"requestWithdrawal">,
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

/** A code is valid once (RFC 6238, 5.2), and must belong to the account's current secret. */
function checkTotp(
  state: ExchangeState,
  account: Account,
  { totpStep, totpSecret }: Command<"requestWithdrawal">,
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
  command: Command<"requestWithdrawal">,
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
  { isBySession }: Pick<Command<"requestWithdrawal">, "isBySession">,
): boolean {
  return account.confirmsByMail || network.confirmsByMail === true || isBySession === true;
}

// Limits on the sum of withdrawals over time: operators set them, and every request counts (decision 72).

/** Whether the asset can represent the limits. */
export function areLimitsOf(state: ExchangeState, asset: AssetView, limits: WithdrawalLimits | undefined): boolean {
  return [limits?.account, limits?.allCustomers].every((some) => some === undefined || fitsUnits(state, asset, some));
}

function fitsUnits(state: ExchangeState, asset: AssetView, limits: LimitsOverTime): boolean {
  return windowsOf(limits).every(({ limit }) => unitsOf(state, asset, limit) !== null);
}

/** The windows that have a limit. */
function windowsOf(limits: LimitsOverTime) {
  const windows = Object.keys(WITHDRAWAL_WINDOWS) as (keyof LimitsOverTime)[];
  return windows.flatMap((window) => {
    const limit = limits[window];
    return limit === undefined ? [] : [{ window, hours: WITHDRAWAL_WINDOWS[window], limit }];
  });
}

export function setWithdrawalLimits(
  state: ExchangeState,
  command: Command<"setWithdrawalLimits">,
): RejectReason | null {
  const asset = state.assetsByName.get(command.asset);
  if (asset === undefined) return "UNKNOWN_ASSET";
  const { limits: withdrawalLimits } = command;
  if (!areLimitsOf(state, asset, withdrawalLimits)) return "INVALID_VALUE";
  state.putAsset({ ...asset, spec: { ...asset.spec, withdrawalLimits } });
  state.emit({ type: "done" });
  return null;
}

export function setAccountWithdrawalLimits(
  state: ExchangeState,
  command: Command<"setAccountWithdrawalLimits">,
): RejectReason | null {
  const { accountId, limits } = command;
  const account = state.accounts.get(accountId);
  if (account === undefined) return "UNKNOWN_ACCOUNT";
  if (account.masterId !== null) return "MASTER_ONLY";
  const asset = state.assetsByName.get(command.asset);
  if (asset === undefined) return "UNKNOWN_ASSET";
  if (limits !== null && !fitsUnits(state, asset, limits)) return "INVALID_VALUE";
  const { withdrawalCounts: counts } = state.funds;
  const isNew = counts.ownLimitsOf(accountId, asset.assetId) === undefined;
  if (limits !== null && isNew && counts.isFull) return "TOO_MANY";
  counts.setOwnLimits(accountId, asset.assetId, limits);
  state.emit({ type: "done" });
  return null;
}

/** The limits that apply to the account. */
function limitsOfAccount(state: ExchangeState, masterId: number, { assetId, spec }: AssetView): LimitsOverTime {
  return state.funds.withdrawalCounts.ownLimitsOf(masterId, assetId) ?? spec.withdrawalLimits?.account ?? {};
}

/** The withdrawals of the asset by the master account with its sub-accounts; null for all customers. */
export function withdrawn(state: ExchangeState, masterId: number | null, assetId: number): WithdrawnSums {
  return state.funds.withdrawalCounts.withdrawn(masterId, state.nowMs).get(assetId) ?? NOTHING_WITHDRAWN;
}

export function masterIdOf(state: ExchangeState, accountId: number): number {
  return state.accounts.get(accountId)?.masterId ?? accountId;
}

export function count(state: ExchangeState, { accountId, assetId, amount, accountSum24h }: WithdrawalRecord): void {
  if (accountSum24h === undefined) return;
  state.funds.withdrawalCounts.add(masterIdOf(state, accountId), assetId, amount, state.nowMs);
}

/** Subtracts a withdrawal that was cancelled, rejected or failed from the sums of the limits, if it was counted. */
export function countBack(state: ExchangeState, withdrawal: WithdrawalRecord): void {
  const { accountId, assetId, amount, applyTimeMs, accountSum24h } = withdrawal;
  if (accountSum24h === undefined) return;
  state.funds.withdrawalCounts.remove(masterIdOf(state, accountId), assetId, amount, applyTimeMs);
}

// Which withdrawals wait for approval, and which of them need dual approval: by their amounts, and by sums over time.

type Approval = Pick<WithdrawalRecord, "needsApproval" | "accountSum24h" | "approvalReasons">;

/**
 * Whether a requested withdrawal waits for approval, and why. Dual approval by the rules applies regardless of the
 * network, because otherwise an operator could evade it by changing the network.
 */
export function approvalOf(state: ExchangeState, { account, asset, network, amount }: Payout): Approval {
  const { approvalAbove } = network;
  const isAbove = approvalAbove !== undefined && amount > (unitsOf(state, asset, approvalAbove) ?? 0n);
  const rule = ruleFor(state, asset);
  if (state.edition < 4) return { needsApproval: isAbove || isExceeded(state, asset, rule, amount) };
  const masterId = state.accounts.masterOf(account);
  const of = (whose: number | null): WithdrawnSums => {
    const { per24h, per72h } = withdrawn(state, whose, asset.assetId);
    return { per24h: per24h + amount, per72h: per72h + amount };
  };
  const ofAccount = of(masterId);
  const exceeded = (name: ApprovalReason["rule"], limits: LimitsOverTime, sums: WithdrawnSums): ApprovalReason[] =>
    windowsOf(limits)
      .filter(({ window, limit }) => isExceeded(state, asset, limit, sums[window]))
      .map(({ window, hours, limit }) => reasonFor(asset, name, hours, limit, sums[window]));
  const approvalReasons = [
    ...(isAbove ? [reasonFor(asset, "network", 0, approvalAbove, amount)] : []),
    ...exceeded("account", limitsOfAccount(state, masterId, asset), ofAccount),
    ...exceeded("allCustomers", asset.spec.withdrawalLimits?.allCustomers ?? {}, of(null)),
    ...exceeded("dualApproval", rule === undefined ? {} : { per24h: rule }, ofAccount),
  ];
  const needsApproval = approvalReasons.length > 0;
  return { needsApproval, accountSum24h: ofAccount.per24h, ...(needsApproval && { approvalReasons }) };
}

function reasonFor(
  { spec }: AssetView,
  rule: ApprovalReason["rule"],
  hours: number,
  limit: string,
  sum: bigint,
): ApprovalReason {
  return { rule, hours, limit, sum: formatDecimal(sum, spec.precision) };
}

/** The sum above which approval rules require dual approval for withdrawals of the asset. */
function ruleFor(state: ExchangeState, { spec }: AssetView): string | undefined {
  return state.proposals.rules.withdrawalsAbove.find((one) => one.asset === spec.asset)?.amount;
}

function isExceeded(state: ExchangeState, asset: AssetView, limit: string | undefined, sum: bigint): boolean {
  return limit !== undefined && sum > (unitsOf(state, asset, limit) ?? 0n);
}

/**
 * Whether approval rules require dual approval. The account's 24-hour sum counts both as of now and as of the request,
 * because otherwise a customer could split the amount into parts, requested at once or a day later.
 */
export function isForTwo(state: ExchangeState, withdrawal: WithdrawalRecord): boolean {
  const { assetId, amount, accountSum24h = 0n } = withdrawal;
  const asset = state.assetOf(assetId);
  const rule = ruleFor(state, asset);
  if (state.edition < 4) return isExceeded(state, asset, rule, amount);
  return isExceeded(state, asset, rule, accountSum24h) || isExceeded(state, asset, rule, sumNow(state, withdrawal));
}

/** The account's sum over 24 hours, which includes this withdrawal even if it is older or was never counted. */
function sumNow(state: ExchangeState, { accountId, assetId, amount, applyTimeMs, accountSum24h }: WithdrawalRecord) {
  const { per24h } = withdrawn(state, masterIdOf(state, accountId), assetId);
  const isIn = accountSum24h !== undefined && state.funds.withdrawalCounts.isRecent("per24h", applyTimeMs, state.nowMs);
  return isIn ? per24h : per24h + amount;
}
