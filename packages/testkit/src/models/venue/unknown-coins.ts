/** Coins of nobody in the model. */
import {
  type CoinId,
  type NoteUnknownDeposit,
  OUTSIDE_ACCOUNT,
  type RejectReason,
  type SettleUnknownDeposit,
  TREASURY_ACCOUNT,
} from "@pricetime/engine";
import { amount as read } from "../amount.ts";
import { type Happening, said } from "../happening.ts";
import type { ModelVenue } from "../state.ts";
import { comparison, inWords } from "../used-ids.ts";
import { adjusted, positive } from "./adjust.ts";

export const coinOf = ({ network, txId, output }: CoinId): string => JSON.stringify([network, txId, output]);

export function noteUnknown(venue: ModelVenue, command: NoteUnknownDeposit): Happening[] | RejectReason {
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
  return [said(`coin ${coin} of nobody: seen, null `)];
}

function isCustomers({ exchange }: ModelVenue, coin: string): boolean {
  return exchange.wallet.deposits.some((deposit) => deposit.coin === coin && deposit.status !== "dropped");
}

export function wasSettled({ unknownCoins }: ModelVenue, coin: string): boolean {
  return unknownCoins.some((known) => known.coin === coin && known.state === "settled");
}

/** It is a customer's after all; one that was settled stays so. */
export function forgetUnknown(venue: ModelVenue, coin: string): void {
  venue.unknownCoins = venue.unknownCoins.filter((known) => known.coin !== coin || known.state === "settled");
}

export function settleUnknown(venue: ModelVenue, command: SettleUnknownDeposit): Happening[] | RejectReason {
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
  return [...moved, said(`coin ${coin} of nobody: ${how}, ${accountId} ${why}`)];
}

function decisionOf({ exchange }: ModelVenue, command: SettleUnknownDeposit): readonly unknown[] {
  const { how, toAccountId, asset, amount, why } = command;
  const value = asset === null || amount === null ? null : positive(exchange, asset, amount);
  return [how, toAccountId, asset, value, why];
}

function dismissed({ toAccountId, asset, amount }: SettleUnknownDeposit): Happening[] | RejectReason {
  return toAccountId === null && asset === null && amount === null ? [] : "INVALID_VALUE";
}

function taken({ exchange }: ModelVenue, command: SettleUnknownDeposit): Happening[] | RejectReason {
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
