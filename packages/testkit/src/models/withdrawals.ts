/** Withdrawals in the model, and their limits over time. Interface 2.10, 4.5 and 3.6. */
import {
  type Command,
  FEE_ACCOUNT,
  type LimitsOverTime,
  OUTSIDE_ACCOUNT,
  type RejectReason,
  type WithdrawalStatus,
} from "@pricetime/engine";
import { amount as read, type Amount, fits, show } from "./money.ts";
import { type Answer, type Happening, plainResult } from "./happening.ts";
import { familyOf, type ModelWallet, type ModelWithdrawal } from "./state.ts";

// Limits over time. Each sum is calculated from all withdrawals so far.

const HOUR_MS = 3_600_000;
const HOURS = [24, 72] as const;
const GONE = ["cancelled", "rejected", "failed"];

type Setting = Command<"setWithdrawalLimits"> | Command<"setAccountWithdrawalLimits">;

export function setLimits(wallet: ModelWallet, command: Setting): Answer {
  const { asset: name } = command;
  const accountId = command.type === "setWithdrawalLimits" ? null : command.accountId;
  if (accountId !== null) {
    const account = wallet.exchange.accounts.get(accountId);
    if (account === undefined) return "UNKNOWN_ACCOUNT";
    if (account.masterId !== null) return "MASTER_ONLY";
  }
  const asset = wallet.exchange.assets.find((listed) => listed.asset === name);
  if (asset === undefined) return "UNKNOWN_ASSET";
  const limits = command.type === "setWithdrawalLimits" ? command.limits : { account: command.limits ?? {} };
  const amounts = [limits.account, limits.allCustomers].flatMap((some) => Object.values(some ?? {}));
  if (!amounts.every((amount) => fits(wallet.exchange, amount, asset.precision))) return "INVALID_VALUE";
  wallet.limits = wallet.limits.filter((known) => known.asset !== name || known.accountId !== accountId);
  if (command.limits !== null) wallet.limits.push({ asset: name, accountId, limits });
  return [];
}

/**
 * Returns the sum of withdrawals over some hours up to now, of a master with its sub-accounts (null: of all customers).
 * Cancelled, rejected and failed withdrawals do not count.
 */
export function withdrawnOver(wallet: ModelWallet, family: number | null, asset: string, hours: number): Amount {
  const { exchange, withdrawals } = wallet;
  return withdrawals
    .filter((one) => one.isCounted && one.asset === asset && !GONE.includes(one.status))
    .filter(({ accountId }) => family === null || familyOf(exchange, accountId) === family)
    .filter(({ appliedMs }) => exchange.nowMs < endOfHour(appliedMs) + hours * HOUR_MS)
    .reduce((sum, { amount }) => sum + amount, 0n);
}

const endOfHour = (timeMs: number): number => timeMs - (timeMs % HOUR_MS) + HOUR_MS;

/** Returns the limits that a request exceeds and because of which it waits for approval. */
function exceeded(wallet: ModelWallet, accountId: number, asset: string, amount: Amount): string[] {
  const { exchange } = wallet;
  const family = familyOf(exchange, accountId);
  const ofAsset = wallet.limits.find((known) => known.asset === asset && known.accountId === null)?.limits;
  const own = wallet.limits.find((known) => known.asset === asset && known.accountId === family)?.limits;
  const forTwo = exchange.venue.rules.withdrawalsAbove.find((rule) => rule.asset === asset);
  const rows: [string, number | null, LimitsOverTime | undefined][] = [
    ["account", family, (own ?? ofAsset)?.account],
    ["allCustomers", null, ofAsset?.allCustomers],
    ["dualApproval", family, forTwo && { per24h: forTwo.amount }],
  ];
  return rows.flatMap(([rule, whose, limits]) =>
    HOURS.flatMap((hours) => {
      const limit = limits?.[`per${hours}h`];
      const sum = withdrawnOver(wallet, whose, asset, hours) + amount;
      return limit !== undefined && sum > read(limit) ? [reasonText(rule, hours, limit, show(sum))] : [];
    }),
  );
}

export function reasonText(rule: string, hours: number, limit: string, sum: string): string {
  return `${rule} ${hours} ${show(read(sum))} above ${show(read(limit))}`;
}

/**
 * Whether the rules require dual approval, because of the account's sum over a day at the time of the request or now.
 */
export function isLarge(wallet: ModelWallet, withdrawal: ModelWithdrawal): boolean {
  const { exchange } = wallet;
  const { asset, amount, accountId, sumAtRequest, isCounted, appliedMs } = withdrawal;
  const rule = exchange.venue.rules.withdrawalsAbove.find((one) => one.asset === asset);
  if (rule === undefined) return false;
  if (exchange.edition < 4) return amount > read(rule.amount);
  const isIn = isCounted && exchange.nowMs < endOfHour(appliedMs) + 24 * HOUR_MS;
  const now = withdrawnOver(wallet, familyOf(exchange, accountId), asset, 24) + (isIn ? 0n : amount);
  return [sumAtRequest, now].some((sum) => sum > read(rule.amount));
}

const MAIL_LIFE_MS = 30 * 60_000;
const MOST_OPEN = 100;
const MOST_SIGNATURES = 100;

export function requestWithdrawal(wallet: ModelWallet, command: Command<"requestWithdrawal">): Answer {
  const { accountId, withdrawalId } = command;
  if (wallet.isInMaintenance) return "MAINTENANCE";
  if (wallet.withdrawals.some((known) => known.withdrawalId === withdrawalId)) return "ALREADY_EXISTS";
  const account = wallet.exchange.accounts.get(accountId);
  if (account === undefined) return "UNKNOWN_ACCOUNT";
  const asset = wallet.exchange.assets.find((listed) => listed.asset === command.asset);
  if (asset === undefined) return "UNKNOWN_ASSET";
  const rules =
    command.network === ""
      ? (asset.networks.find(({ isDefault }) => isDefault) ?? asset.networks[0])
      : asset.networks.find(({ network }) => network === command.network);
  if (rules === undefined) return "UNKNOWN_NETWORK";
  const isStopped = wallet.exchange.venue.stopsWithdrawing(asset.asset, rules.network);
  if (!rules.withdrawEnabled || isStopped) return "WITHDRAWAL_SUSPENDED";
  if (!account.canWithdraw || !account.isEnabled || wallet.exchange.access.isHeld(accountId))
    return "ACCOUNT_MAY_NOT_WITHDRAW";
  if (!fits(wallet.exchange, command.amount, asset.precision) || read(command.amount) === 0n) return "INVALID_VALUE";
  const amount = read(command.amount);
  const fee = read(rules.withdrawFee);
  const [step, least, most] = [rules.withdrawStep ?? "0", rules.withdrawMin, rules.withdrawMax].map(read) as [
    bigint,
    bigint,
    bigint,
  ];
  if (step !== 0n && amount % step !== 0n) return "WITHDRAWAL_NOT_A_MULTIPLE";
  if (amount < least) return "WITHDRAWAL_BELOW_MINIMUM";
  if (most !== 0n && amount > most) return "WITHDRAWAL_ABOVE_MAXIMUM";
  if (amount <= fee) return "WITHDRAWAL_BELOW_FEE";
  const contents = [asset.asset, rules.network, command.address, command.tag, amount, command.name];
  const mails = account.confirmsByMail || rules.confirmsByMail === true;
  const reason = refused(wallet, command, rules.network, mails, contents);
  if (reason !== null) return reason;
  if (wallet.withdrawable(accountId, asset.asset) < amount) return "INSUFFICIENT_BALANCE";

  const isCounted = wallet.exchange.edition >= 4;
  const reasons = isCounted ? exceeded(wallet, accountId, asset.asset, amount) : [];
  const { approvalAbove } = rules;
  const isAbove = approvalAbove !== undefined && amount > read(approvalAbove);
  if (isCounted && isAbove) reasons.unshift(reasonText("network", 0, approvalAbove, show(amount)));
  const forTwo = wallet.exchange.venue.rules.withdrawalsAbove.find((rule) => rule.asset === asset.asset);
  const isForTwo = forTwo !== undefined && amount > read(forTwo.amount);
  const needsApproval = isCounted ? reasons.length > 0 : isAbove || isForTwo;
  const family = familyOf(wallet.exchange, accountId);
  const sumAtRequest = isCounted ? withdrawnOver(wallet, family, asset.asset, 24) + amount : 0n;
  const { withdrawOrderId, confirmationHash: hash, totpStep } = command;
  const appliedMs = wallet.exchange.nowMs;
  const status = mails ? "emailSent" : needsApproval ? "awaitingApproval" : "processing";
  const withdrawal: ModelWithdrawal = {
    ...{ withdrawalId, withdrawOrderId, accountId, asset: asset.asset, network: rules.network },
    ...{ address: command.address, tag: command.tag },
    ...{ amount, fee, hash, needsApproval, appliedMs, signed: [], status, emailStatus: "waiting" },
    ...{ reasons, isCounted, sumAtRequest },
  };
  wallet.withdrawals.push(withdrawal);
  const orderId = JSON.stringify([accountId, withdrawOrderId]);
  if (withdrawOrderId !== "") wallet.orderIds.add(wallet.exchange.edition, orderId, contents);
  wallet.exchange.money.lock(accountId, asset.asset, amount);
  if (account.totpSecret !== null) wallet.totpSteps.push({ accountId, step: totpStep! });
  return [outcomeOf(withdrawal)];
}

function refused(
  wallet: ModelWallet,
  command: Command<"requestWithdrawal">,
  network: string,
  mails: boolean,
  contents: readonly unknown[],
): RejectReason | null {
  const { accountId, address, tag, totpStep, withdrawOrderId } = command;
  const account = wallet.exchange.accounts.get(accountId)!;
  const isThere = (known: { network: string; address: string; tag: string }) =>
    known.network === network && known.address === address && known.tag === tag;
  const isAllowed = wallet.allowed.some((known) => known.accountId === accountId && isThere(known));
  if (account.isListEnforced && !isAllowed) return "ADDRESS_NOT_ALLOWED";
  const family = familyOf(wallet.exchange, accountId);
  if (wallet.addresses.some((known) => isThere(known) && familyOf(wallet.exchange, known.accountId) === family)) {
    return "ADDRESS_IS_OWN";
  }
  if (account.totpSecret !== null) {
    if (totpStep === null) return "TOTP_REQUIRED";
    const isOfIt = command.totpSecret === account.totpSecret;
    if (!isOfIt && wallet.exchange.edition >= 2) return "TOTP_DIFFERS";
    if (wallet.totpSteps.some((used) => used.accountId === accountId && used.step >= totpStep)) return "TOTP_REUSED";
  }
  const orderId = JSON.stringify([accountId, withdrawOrderId]);
  const repeat = wallet.orderIds.repeat(wallet.exchange.edition, orderId, contents);
  if (repeat !== null) return repeat;
  if (wallet.openWithdrawals().filter((known) => known.accountId === accountId).length >= MOST_OPEN) return "TOO_MANY";
  return mails && command.confirmationHash === "" ? "INVALID_VALUE" : null;
}

type Step =
  | Command<"confirmWithdrawal">
  | Command<"cancelWithdrawal">
  | Command<"approveWithdrawal">
  | Command<"rejectWithdrawal">
  | Command<"signWithdrawal">
  | Command<"completeWithdrawal">
  | Command<"failWithdrawal">
  | Command<"failSignedWithdrawal">;

/** The statuses in which each step is allowed. */
const FROM: { readonly [Type in Step["type"]]: readonly WithdrawalStatus[] } = {
  confirmWithdrawal: ["emailSent"],
  cancelWithdrawal: ["emailSent", "awaitingApproval"],
  approveWithdrawal: ["awaitingApproval"],
  rejectWithdrawal: ["awaitingApproval"],
  signWithdrawal: ["processing"],
  completeWithdrawal: ["processing"],
  failWithdrawal: ["processing"],
  failSignedWithdrawal: ["processing"],
};

export function withdrawalStep(wallet: ModelWallet, command: Step): Answer {
  const withdrawal = wallet.withdrawals.find(({ withdrawalId }) => withdrawalId === command.withdrawalId);
  if (withdrawal === undefined) return "UNKNOWN_WITHDRAWAL";
  if (!FROM[command.type].includes(withdrawal.status)) return "WRONG_STATUS";
  switch (command.type) {
    case "confirmWithdrawal": {
      const isLate = wallet.exchange.nowMs >= withdrawal.appliedMs + MAIL_LIFE_MS;
      if (command.confirmationHash !== withdrawal.hash || isLate) return "WRONG_CONFIRMATION";
      withdrawal.status = withdrawal.needsApproval ? "awaitingApproval" : "processing";
      return [outcomeOf(withdrawal)];
    }
    case "cancelWithdrawal":
      if (command.accountId !== withdrawal.accountId) return "UNKNOWN_WITHDRAWAL";
      return giveBack(wallet, withdrawal, "cancelled", "");
    case "approveWithdrawal":
      if (!isAsShown(wallet, withdrawal, command)) return "WITHDRAWAL_DIFFERS";
      withdrawal.status = "processing";
      return [outcomeOf(withdrawal)];
    case "rejectWithdrawal":
      return giveBack(wallet, withdrawal, "rejected", command.why);
    case "signWithdrawal":
      if (wallet.exchange.venue.stopsWithdrawing(withdrawal.asset, withdrawal.network)) return "STOPPED";
      return sign(withdrawal, command);
    case "completeWithdrawal":
      return complete(wallet, withdrawal, command.txId);
    case "failWithdrawal":
      if (wallet.exchange.edition >= 2 && withdrawal.signed.length > 0) return "ALREADY_SIGNED";
      return giveBack(wallet, withdrawal, "failed", command.why);
    case "failSignedWithdrawal": {
      const last = withdrawal.signed.at(-1);
      if (last === undefined || last.txId !== command.txId || last.nonce !== command.nonce)
        return "TRANSACTION_DIFFERS";
      return giveBack(wallet, withdrawal, "failed", command.why);
    }
  }
}

/** Whether the recipient and the amounts that the approval names are those of the withdrawal. */
function isAsShown(
  { exchange }: ModelWallet,
  withdrawal: ModelWithdrawal,
  command: Command<"approveWithdrawal">,
): boolean {
  const { precision } = exchange.assets.find(({ asset }) => asset === withdrawal.asset)!;
  for (const field of ["amount", "fee"] as const) {
    const text = command[field];
    if (text === undefined) continue;
    if (!/^[0-9]+(?:\.[0-9]+)?$/.test(text) || !fits(exchange, text, precision) || read(text) !== withdrawal[field])
      return false;
  }
  const isOther = (text: string | undefined, own: string): boolean => text !== undefined && text !== own;
  return !isOther(command.address, withdrawal.address) && !isOther(command.tag, withdrawal.tag);
}

export function changeLetter(wallet: ModelWallet, { withdrawalId, from, to }: Command<"changeLetter">): Answer {
  const withdrawal = wallet.withdrawals.find((known) => known.withdrawalId === withdrawalId);
  if (withdrawal === undefined) return "UNKNOWN_WITHDRAWAL";
  if (withdrawal.status !== "emailSent" || withdrawal.emailStatus !== from) return "WRONG_STATUS";
  withdrawal.emailStatus = to;
  return [plainResult(`letter of ${withdrawalId} is ${to}`)];
}

function sign(withdrawal: ModelWithdrawal, { txId, nonce }: Command<"signWithdrawal">): Answer {
  if (withdrawal.signed.some((before) => before.nonce !== nonce)) return "TRANSACTION_DIFFERS";
  if (withdrawal.signed.some((before) => before.txId === txId)) return "ALREADY_EXISTS";
  if (withdrawal.signed.length >= MOST_SIGNATURES) return "TOO_MANY";
  withdrawal.signed.push({ txId, nonce });
  return [outcomeOf(withdrawal)];
}

function complete({ exchange }: ModelWallet, withdrawal: ModelWithdrawal, txId: string): Answer {
  const { accountId, asset, amount, fee, signed } = withdrawal;
  if (signed.length > 0 && !signed.some((before) => before.txId === txId)) return "TRANSACTION_DIFFERS";
  exchange.money.pay(accountId, "locked", OUTSIDE_ACCOUNT, asset, amount - fee);
  exchange.money.pay(accountId, "locked", FEE_ACCOUNT, asset, fee);
  withdrawal.status = "completed";
  return [outcomeOf(withdrawal, "", txId)];
}

function giveBack(
  { exchange }: ModelWallet,
  withdrawal: ModelWithdrawal,
  status: WithdrawalStatus,
  why: string,
): Happening[] {
  exchange.money.lock(withdrawal.accountId, withdrawal.asset, -withdrawal.amount);
  withdrawal.status = status;
  return [outcomeOf(withdrawal, why)];
}

/** Cancels all withdrawals of a locked account that are not sent yet. */
export function cancelUnsent(wallet: ModelWallet, accountId: number): Happening[] {
  return wallet.withdrawals
    .filter((each) => each.accountId === accountId && ["emailSent", "awaitingApproval"].includes(each.status))
    .flatMap((withdrawal) => giveBack(wallet, withdrawal, "cancelled", ""));
}

export function expire(wallet: ModelWallet): Happening[] {
  return wallet.withdrawals
    .filter(({ status, appliedMs }) => status === "emailSent" && wallet.exchange.nowMs >= appliedMs + MAIL_LIFE_MS)
    .flatMap((withdrawal) => giveBack(wallet, withdrawal, "cancelled", ""));
}

function outcomeOf(withdrawal: ModelWithdrawal, why = "", txId = withdrawal.signed.at(-1)?.txId ?? ""): Happening {
  const { withdrawalId, accountId, asset, network, amount, fee, status, reasons } = withdrawal;
  const limits = reasons.map((reason) => `; ${reason}`).join("");
  const what = `${show(amount)} ${asset} fee ${show(fee)} ${asset} on ${network}`;
  return plainResult(
    `withdrawal ${withdrawalId} of ${accountId}, ${what}, ${status} ${status}, by ${txId}, ${why}${limits}`,
  );
}
