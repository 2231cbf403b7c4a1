/** Deposits in the model, attributed and unattributed. Interface 3.6. */
import {
  type Command,
  type CoinId,
  DEPOSITS_ACCOUNT,
  OUTSIDE_ACCOUNT,
  type RejectReason,
  TREASURY_ACCOUNT,
} from "@pricetime/engine";
import { amount as read, fits, show } from "./money.ts";
import { type Answer, type Happening, plainResult } from "./happening.ts";
import { comparison, inWords, type ModelDeposit, type ModelVenue, type ModelWallet } from "./state.ts";
import { adjusted, positive } from "./payments.ts";

// Unattributed deposits.

const coinOf = ({ network, txId, output }: CoinId): string => JSON.stringify([network, txId, output]);

export function noteUnknown(venue: ModelVenue, command: Command<"noteUnknownDeposit">): Answer {
  const coin = coinOf(command);
  const { edition } = venue.exchange;
  if (isCustomers(venue, coin)) return edition < 4 ? "ALREADY_EXISTS" : "REPEAT_DIFFERS";
  const before = venue.unknownCoins.find((known) => known.coin === coin);
  const { address, tag, coin: name, amount, reason } = command;
  const reported = [address, tag, name, read(amount), reason];
  if (before !== undefined) return comparison(edition, before.reported, reported);
  const networks = venue.exchange.assets.find(({ asset }) => asset === name)?.networks ?? [];
  const step = read(networks.find(({ network }) => network === command.network)?.depositStep ?? "0");
  const isBound = edition >= 4 && command.by !== undefined && step !== 0n;
  if (isBound && read(amount) % step !== 0n) return "DEPOSIT_NOT_A_MULTIPLE";
  venue.unknownCoins.push({ coin, state: "open", reported: inWords(reported), decided: null });
  return [plainResult(`coin ${coin} of nobody: seen, null `)];
}

function isCustomers({ exchange }: ModelVenue, coin: string): boolean {
  return exchange.wallet.deposits.some((deposit) => deposit.coin === coin && deposit.status !== "dropped");
}

function wasSettled({ unknownCoins }: ModelVenue, coin: string): boolean {
  return unknownCoins.some((known) => known.coin === coin && known.state === "settled");
}

/** Removes an unattributed deposit that turns out to be a customer's, unless it is settled. */
function forgetUnknown(venue: ModelVenue, coin: string): void {
  venue.unknownCoins = venue.unknownCoins.filter((known) => known.coin !== coin || known.state === "settled");
}

export function settleUnknown(venue: ModelVenue, command: Command<"settleUnknownDeposit">): Answer {
  const coin = coinOf(command);
  const { edition } = venue.exchange;
  const known = venue.unknownCoins.find((each) => each.coin === coin);
  const decision = decisionOf(venue, command);
  if (known === undefined) return "UNKNOWN_DEPOSIT";
  if (known.state !== "open") return edition < 4 ? "UNKNOWN_DEPOSIT" : comparison(edition, known.decided, decision);
  if (isCustomers(venue, coin)) return edition < 4 ? "ALREADY_EXISTS" : "REPEAT_DIFFERS";
  const { how, toAccountId: accountId, why } = command;
  const moved = how === "dismiss" ? dismissed(command) : taken(venue, command);
  if (typeof moved === "string") return moved;
  known.state = how === "dismiss" ? "dismissed" : "settled";
  known.decided = edition < 4 ? null : inWords(decision);
  if (edition < 4) known.reported = null;
  return [...moved, plainResult(`coin ${coin} of nobody: ${how}, ${accountId} ${why}`)];
}

function decisionOf({ exchange }: ModelVenue, command: Command<"settleUnknownDeposit">): readonly unknown[] {
  const { how, toAccountId, asset, amount, why } = command;
  const value = asset === null || amount === null ? null : positive(exchange, asset, amount);
  return [how, toAccountId, asset, value, why];
}

function dismissed({ toAccountId, asset, amount }: Command<"settleUnknownDeposit">): Answer {
  return toAccountId === null && asset === null && amount === null ? [] : "INVALID_VALUE";
}

function taken({ exchange }: ModelVenue, command: Command<"settleUnknownDeposit">): Answer {
  const { how, toAccountId: accountId, network, txId, output, why, by } = command;
  if ((how === "credit") !== (accountId !== null)) return "INVALID_VALUE";
  if (accountId !== null && !exchange.accounts.has(accountId)) return "UNKNOWN_ACCOUNT";
  const asset = command.asset ?? "";
  const value = positive(exchange, asset, command.amount ?? "0");
  if (typeof value === "string") return value;
  exchange.money.pay(OUTSIDE_ACCOUNT, "free", accountId ?? TREASURY_ACCOUNT, asset, value);
  if (accountId === null) return [];
  const reference = `${network}/${txId}/${output}`;
  const [house, category] = ["treasury", "unknownDeposit"];
  return [adjusted({ accountId, asset, moved: value, house, category, reference, why, by })];
}

// Deposits of customers. Status codes: 0 pending, 6 credited, 1 success.

export function seeDeposit(wallet: ModelWallet, command: Command<"seeDeposit">): Answer {
  const { network, address, tag } = command;
  const coin = coinOf(command);
  const before = wallet.deposits.findIndex((deposit) => deposit.coin === coin);
  const { edition } = wallet.exchange;
  if (before !== -1 && wallet.deposits[before]!.status !== "dropped") {
    return compared(wallet, wallet.deposits[before]!, command);
  }
  if (wasSettled(wallet.exchange.venue, coin)) return edition < 4 ? "ALREADY_EXISTS" : "REPEAT_DIFFERS";
  const asset = wallet.exchange.assets.find((listed) => listed.asset === command.asset);
  if (asset === undefined) return "UNKNOWN_ASSET";
  const rules = asset.networks.find((listed) => listed.network === network);
  if (rules === undefined) return "UNKNOWN_NETWORK";
  const owner = wallet.addresses.find(
    (known) => known.network === network && known.address === address && known.tag === tag,
  );
  if (owner === undefined) return "UNKNOWN_ADDRESS";
  if (!fits(wallet.exchange, command.amount, asset.precision) || read(command.amount) === 0n) return "INVALID_VALUE";
  if (read(command.amount) < read(rules.depositMin ?? "0")) return "DEPOSIT_BELOW_MINIMUM";
  const step = read(rules.depositStep ?? "0");
  const isReported = command.by !== undefined && wallet.exchange.edition >= 4;
  if (isReported && step !== 0n && read(command.amount) % step !== 0n) return "DEPOSIT_NOT_A_MULTIPLE";
  const deposit: ModelDeposit = {
    coin,
    depositId: before === -1 ? wallet.deposits.length + 1 : before + 1,
    network,
    accountId: owner.accountId,
    asset: asset.asset,
    amount: read(command.amount),
    owed: owedFor(wallet.deposits[before], owner.accountId, asset.asset, read(command.amount)),
    status: "pending",
    ...{ address, tag, isIdAlone: false },
  };
  wallet.deposits[deposit.depositId - 1] = deposit;
  wallet.exchange.money.pay(OUTSIDE_ACCOUNT, "free", DEPOSITS_ACCOUNT, deposit.asset, deposit.amount);
  forgetUnknown(wallet.exchange.venue, coin);
  return [outcomeOf(deposit, 0n, 0n)];
}

/** Compares a report with the first report of the same deposit. */
function compared(
  { exchange }: ModelWallet,
  deposit: ModelDeposit,
  command: Command<"seeDeposit"> | Command<"creditDeposit"> | Command<"finishDeposit"> | Command<"dropDeposit">,
): RejectReason {
  const { asset, amount, address, tag, isIdAlone } = deposit;
  const precision = exchange.assets.find((listed) => listed.asset === command.asset)?.precision;
  const isAmount = precision !== undefined && fits(exchange, command.amount ?? "", precision);
  const reported = [command.asset, isAmount ? read(command.amount ?? "0") : null, command.address, command.tag];
  return comparison(exchange.edition, isIdAlone ? null : inWords([asset, amount, address, tag]), reported);
}

export function depositStep(
  wallet: ModelWallet,
  command: Command<"creditDeposit"> | Command<"finishDeposit"> | Command<"dropDeposit">,
): Answer {
  const coin = coinOf(command);
  const deposit = wallet.deposits.find((known) => known.coin === coin);
  if (deposit === undefined) return "UNKNOWN_DEPOSIT";
  const { edition } = wallet.exchange;
  const same = compared(wallet, deposit, command);
  if (same !== "ALREADY_EXISTS") return same;
  const step = `${deposit.status} ${command.type}`;
  switch (step) {
    case "pending creditDeposit":
    case "pending finishDeposit":
      return credit(wallet, deposit, command.type === "creditDeposit" ? "credited" : "success");
    case "credited finishDeposit":
      deposit.status = "success";
      deposit.isIdAlone = edition < 4;
      return [outcomeOf(deposit, 0n, 0n)];
    case "pending dropDeposit":
      deposit.status = "dropped";
      deposit.isIdAlone = edition < 4;
      wallet.exchange.money.pay(DEPOSITS_ACCOUNT, "free", OUTSIDE_ACCOUNT, deposit.asset, deposit.amount);
      return [outcomeOf(deposit, 0n, 0n)];
    case "credited dropDeposit":
      deposit.isIdAlone = edition < 4;
      return takeBack(wallet, deposit);
    case "credited creditDeposit":
    case "success creditDeposit":
    case "success finishDeposit":
    case "dropped dropDeposit":
      return edition < 4 ? "WRONG_STATUS" : "ALREADY_EXISTS";
    default:
      return "WRONG_STATUS";
  }
}

function credit({ exchange }: ModelWallet, deposit: ModelDeposit, status: "credited" | "success"): Answer {
  const { accountId, asset, network, amount, owed } = deposit;
  const rules = exchange.assets
    .find((listed) => listed.asset === asset)!
    .networks.find((listed) => listed.network === network);
  if (rules === undefined || !rules.depositEnabled) return "DEPOSIT_SUSPENDED";
  if (exchange.venue.stopsCoin(asset, network)) return "DEPOSIT_SUSPENDED";
  if (accountId !== TREASURY_ACCOUNT && !exchange.accounts.get(accountId)!.canDeposit) return "DEPOSIT_SUSPENDED";
  exchange.money.pay(DEPOSITS_ACCOUNT, "free", TREASURY_ACCOUNT, asset, owed);
  exchange.money.pay(DEPOSITS_ACCOUNT, "free", accountId, asset, amount - owed);
  deposit.status = status;
  deposit.isIdAlone = status === "success" && exchange.edition < 4;
  return [outcomeOf(deposit, amount - owed, 0n)];
}

function takeBack({ exchange }: ModelWallet, deposit: ModelDeposit): Happening[] {
  const { accountId, asset, amount } = deposit;
  const { free } = exchange.money.of(accountId, asset);
  const given = amount - deposit.owed;
  deposit.status = "dropped";
  const enough = accountId === TREASURY_ACCOUNT || free >= given;
  const taken = enough ? given : free;
  exchange.money.pay(accountId, "free", OUTSIDE_ACCOUNT, asset, taken);
  exchange.money.pay(TREASURY_ACCOUNT, "free", OUTSIDE_ACCOUNT, asset, amount - taken);
  deposit.owed = amount - taken;
  const happened = [outcomeOf(deposit, -taken, given - taken)];
  const account = exchange.accounts.get(accountId);
  if (enough || account === undefined || !account.canWithdraw) return happened;
  account.canWithdraw = false;
  return [...happened, plainResult(`account ${accountId} changed`)];
}

/** Returns the amount that the treasury has already paid for a deposit that appears again. */
function owedFor(before: ModelDeposit | undefined, accountId: number, asset: string, amount: bigint): bigint {
  if (before === undefined || before.accountId !== accountId || before.asset !== asset) return 0n;
  return before.owed < amount ? before.owed : amount;
}

function outcomeOf(
  { depositId, accountId, asset, amount, status }: ModelDeposit,
  moved: bigint,
  short: bigint,
): Happening {
  const money = (value: bigint) => `${show(value)} ${asset}`;
  return plainResult(
    `deposit ${depositId} of ${accountId}, ${money(amount)}, ${status} ${status}, moved ${money(moved)} short ${money(short)}`,
  );
}
