/** Transfers, dividends and networks' costs in the model. */
import {
  type DistributeDividend,
  OUTSIDE_ACCOUNT,
  type PayNetworkCost,
  type RejectReason,
  type Transfer,
  TREASURY_ACCOUNT,
} from "@pricetime/engine";
import { type Amount, amount as read, fits, show } from "../amount.ts";
import { type Happening, said } from "../happening.ts";
import { type ModelState, familyOf, type ModelWallet } from "../state.ts";
import { inWords } from "../used-ids.ts";

export function transfer(wallet: ModelWallet, command: Transfer): Happening[] | RejectReason {
  const { exchange } = wallet;
  const { accountId, fromAccountId, toAccountId, asset } = command;
  if (wallet.isInMaintenance) return "MAINTENANCE";
  const ids = [accountId, fromAccountId, toAccountId];
  if (ids.some((id) => !exchange.accounts.has(id))) return "UNKNOWN_ACCOUNT";
  if (exchange.accounts.get(accountId)!.masterId !== null) return "MASTER_ONLY";
  if (fromAccountId === toAccountId) return "SAME_ACCOUNT";
  if (ids.some((id) => familyOf(exchange, id) !== accountId)) return "NOT_RELATED";
  const value = valueOf(exchange, asset, command.amount);
  if (typeof value === "string") return value;
  if (value === 0n) return "INVALID_VALUE";
  const clientTranId = exchange.edition < 4 ? undefined : command.clientTranId;
  const contents = inWords([fromAccountId, toAccountId, asset, value]);
  const before = wallet.transferIds.find(
    (known) => known.masterId === accountId && known.clientTranId === clientTranId,
  );
  if (before !== undefined) return before.contents === contents ? "ALREADY_EXISTS" : "REPEAT_DIFFERS";
  if (!exchange.accounts.get(fromAccountId)!.canWithdraw) return "ACCOUNT_MAY_NOT_WITHDRAW";
  if (wallet.withdrawable(fromAccountId, asset) < value) return "INSUFFICIENT_BALANCE";
  exchange.money.pay(fromAccountId, "free", toAccountId, asset, value);
  const tranId = ++wallet.tranId;
  if (clientTranId !== undefined) wallet.transferIds.push({ masterId: accountId, clientTranId, contents });
  const under = clientTranId === undefined ? "" : ` as ${clientTranId}`;
  return [
    said(`${tranId}: ${accountId} transfers ${show(value)} ${asset} from ${fromAccountId} to ${toAccountId}${under}`),
  ];
}

export function payNetworkCost(wallet: ModelWallet, command: PayNetworkCost): Happening[] | RejectReason {
  const { network, txId, asset } = command;
  const value = valueOf(wallet.exchange, asset, command.amount);
  if (typeof value === "string") return value;
  const cost = JSON.stringify([network, txId]);
  const { edition } = wallet.exchange;
  const repeat = wallet.costs.repeat(edition, cost, [asset, value]);
  if (repeat !== null) return repeat;
  wallet.costs.add(edition, cost, [asset, value]);
  wallet.exchange.money.pay(TREASURY_ACCOUNT, "free", OUTSIDE_ACCOUNT, asset, value);
  return [said(`network ${network}`)];
}

export function distributeDividend(wallet: ModelWallet, command: DistributeDividend): Happening[] | RejectReason {
  const { exchange } = wallet;
  const { heldAsset, paidAsset, reference, info } = command;
  if (!exchange.assets.some(({ asset }) => asset === heldAsset)) return "UNKNOWN_ASSET";
  const value = valueOf(exchange, paidAsset, command.amount);
  if (typeof value === "string") return value;
  if (value === 0n) return "INVALID_VALUE";
  const contents = [heldAsset, paidAsset, value, info];
  const repeat = wallet.dividends.repeat(exchange.edition, reference, contents);
  if (repeat !== null) return repeat;
  const unit = unitOf(exchange, paidAsset);
  const held = (accountId: number) => {
    const { free, locked } = exchange.money.of(accountId, heldAsset);
    return free + locked;
  };
  const ids = [...exchange.accounts.keys()];
  const total = ids.reduce((sum, accountId) => sum + held(accountId), 0n);
  const shares = ids
    .map((accountId) => ({ accountId, share: total === 0n ? 0n : ((value * held(accountId)) / (total * unit)) * unit }))
    .filter(({ share }) => share > 0n);
  if (shares.length === 0) return "NO_HOLDERS";
  const paid = shares.reduce((sum, { share }) => sum + share, 0n);
  if (exchange.money.of(TREASURY_ACCOUNT, paidAsset).free < paid) return "TREASURY_SHORT";
  wallet.dividends.add(exchange.edition, reference, contents);
  const tranId = ++wallet.tranId;
  return shares.map(({ accountId, share }) => {
    exchange.money.pay(TREASURY_ACCOUNT, "free", accountId, paidAsset, share);
    return said(`${tranId}: ${accountId} gets ${show(share)} ${paidAsset}, ${info}`);
  });
}

function valueOf(exchange: ModelState, asset: string, text: string): Amount | RejectReason {
  const listed = exchange.assets.find((known) => known.asset === asset);
  if (listed === undefined) return "UNKNOWN_ASSET";
  return fits(exchange, text, listed.precision) ? read(text) : "INVALID_VALUE";
}

/** Returns the smallest amount of the asset. */
export function unitOf(exchange: ModelState, asset: string): Amount {
  return 10n ** BigInt(8 - exchange.assets.find((known) => known.asset === asset)!.precision);
}
