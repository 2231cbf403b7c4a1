/** Payments in the model: adjustments by operators, transfers, dividends, network costs, and dust. */
import {
  type Command,
  DUST_ACCOUNT,
  FEE_ACCOUNT,
  type HouseAccount,
  OUTSIDE_ACCOUNT,
  type RejectReason,
  TREASURY_ACCOUNT,
} from "@pricetime/engine";
import { type Amount, amount as read, fits, ONE, show } from "./money.ts";
import { type Answer, type Happening, plainResult } from "./happening.ts";
import { familyOf, inWords, type ModelDustRules, type ModelState, type ModelWallet } from "./state.ts";
import { lastPrice } from "./market.ts";

const HOUSES: Readonly<Record<HouseAccount, number>> = {
  treasury: TREASURY_ACCOUNT,
  fees: FEE_ACCOUNT,
  dust: DUST_ACCOUNT,
};

export function adjust(exchange: ModelState, command: Command<"adjust">): Answer {
  const { accountId, asset, direction, house, category, reference, why, by } = command;
  if (!exchange.accounts.has(accountId)) return "UNKNOWN_ACCOUNT";
  const value = positive(exchange, asset, command.amount);
  if (typeof value === "string") return value;
  const contents = ["adjust", accountId, asset, direction, value, house, category, why];
  const repeat = exchange.references.repeat(exchange.edition, reference, contents);
  if (repeat !== null) return repeat;
  const [payer, payee] = direction === "credit" ? [HOUSES[house], accountId] : [accountId, HOUSES[house]];
  const mayOwe = payer === TREASURY_ACCOUNT;
  if (!mayOwe && exchange.money.of(payer, asset).free < value) return "INSUFFICIENT_BALANCE";
  exchange.references.add(exchange.edition, reference, contents);
  exchange.money.pay(payer, "free", payee, asset, value);
  const moved = direction === "credit" ? value : -value;
  return [adjusted({ accountId, asset, moved, house, category, reference, why, by })];
}

export interface ModelAdjustment {
  readonly accountId: number;
  readonly asset: string;
  /** The amount that was posted to the account; negative if the account paid. */
  readonly moved: Amount;
  readonly house: string;
  readonly category: string;
  readonly reference: string;
  readonly why: string;
  readonly by: string;
}

export function adjusted(one: ModelAdjustment): Happening {
  const { accountId, asset, moved, house, category, reference, why, by } = one;
  return plainResult(
    `${accountId} adjusted by ${show(moved)} ${asset} of ${house}, ${category} ${reference} by ${by}, ${why}`,
  );
}

/** Parses a positive amount of a listed asset. Returns the reason if the text is not one. */
export function positive(exchange: ModelState, asset: string, text: string): Amount | RejectReason {
  const listed = exchange.assets.find((known) => known.asset === asset);
  if (listed === undefined) return "UNKNOWN_ASSET";
  if (!fits(exchange, text, listed.precision) || read(text) === 0n) return "INVALID_VALUE";
  return read(text);
}

export function transfer(wallet: ModelWallet, command: Command<"transfer">): Answer {
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
    plainResult(
      `${tranId}: ${accountId} transfers ${show(value)} ${asset} from ${fromAccountId} to ${toAccountId}${under}`,
    ),
  ];
}

export function payNetworkCost(wallet: ModelWallet, command: Command<"payNetworkCost">): Answer {
  const { network, txId, asset } = command;
  const value = valueOf(wallet.exchange, asset, command.amount);
  if (typeof value === "string") return value;
  const cost = JSON.stringify([network, txId]);
  const { edition } = wallet.exchange;
  const repeat = wallet.costs.repeat(edition, cost, [asset, value]);
  if (repeat !== null) return repeat;
  wallet.costs.add(edition, cost, [asset, value]);
  wallet.exchange.money.pay(TREASURY_ACCOUNT, "free", OUTSIDE_ACCOUNT, asset, value);
  return [plainResult(`network ${network}`)];
}

export function distributeDividend(wallet: ModelWallet, command: Command<"distributeDividend">): Answer {
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
    return plainResult(`${tranId}: ${accountId} gets ${show(share)} ${paidAsset}, ${info}`);
  });
}

function valueOf(exchange: ModelState, asset: string, text: string): Amount | RejectReason {
  const listed = exchange.assets.find((known) => known.asset === asset);
  if (listed === undefined) return "UNKNOWN_ASSET";
  return fits(exchange, text, listed.precision) ? read(text) : "INVALID_VALUE";
}

/** Returns the smallest unit of the asset. */
function unitOf(exchange: ModelState, asset: string): Amount {
  return 10n ** BigInt(8 - exchange.assets.find((known) => known.asset === asset)!.precision);
}

// Dust. Interface 4.6: net is gross minus the charge.

export function setDustRules(wallet: ModelWallet, { rules }: Command<"setDustRules">): Answer {
  const listed = (name: string) => wallet.exchange.assets.find(({ asset }) => asset === name);
  const limitAsset = listed(rules.limitAsset);
  if (limitAsset === undefined || listed(rules.dustAsset) === undefined) return "UNKNOWN_ASSET";
  if (!fits(wallet.exchange, rules.limit, limitAsset.precision)) return "INVALID_VALUE";
  wallet.dustRules = { ...rules, limit: read(rules.limit) };
  return [];
}

interface Sale {
  readonly asset: string;
  readonly sold: Amount;
  readonly gross: Amount;
  readonly charge: Amount;
}

export function convertDust(wallet: ModelWallet, { accountId, assets }: Command<"convertDust">): Answer {
  const { exchange, dustRules: rules } = wallet;
  if (wallet.isInMaintenance) return "MAINTENANCE";
  const account = exchange.accounts.get(accountId);
  if (account === undefined) return "UNKNOWN_ACCOUNT";
  const { venue } = exchange;
  if (rules === null || venue.isStopped("trading") || venue.isStopped("placing")) return "DUST_NOT_OFFERED";
  if (!account.canTrade || !account.isEnabled) return "ACCOUNT_MAY_NOT_TRADE";
  const isRecent = (sale: { accountId: number; timeMs: number }) =>
    sale.accountId === accountId && exchange.nowMs - sale.timeMs < rules.pauseMs;
  if (wallet.dustSales.some(isRecent)) return "DUST_TOO_SOON";
  if (assets.length === 0 || assets.some((asset, at) => assets.indexOf(asset) !== at)) return "INVALID_VALUE";
  const refusals = assets.map((asset) => saleOf(exchange, rules, accountId, asset));
  const firstOf = (names: readonly string[]) =>
    names.map((name) => refusals[assets.indexOf(name)]).find((sale) => typeof sale === "string");
  // Unlisted assets come first, then listed ones in the order of their listing.
  const listed = exchange.assets.map(({ asset }) => asset);
  const unlisted = assets.filter((asset) => !listed.includes(asset));
  const refusal =
    exchange.edition < 2
      ? firstOf(assets)
      : firstOf([...unlisted, ...listed.filter((asset) => assets.includes(asset))]);
  if (typeof refusal === "string") return refusal;
  const sales = refusals as Sale[];
  const cost = sales.reduce((sum, { gross }) => sum + gross, 0n);
  if (exchange.money.of(DUST_ACCOUNT, rules.dustAsset).free < cost) return "TREASURY_SHORT";
  wallet.dustSales.push({ accountId, timeMs: exchange.nowMs });
  const tranId = ++wallet.tranId;
  return sales.map(({ asset, sold, gross, charge }) => {
    exchange.money.pay(accountId, "free", DUST_ACCOUNT, asset, sold);
    exchange.money.pay(DUST_ACCOUNT, "free", accountId, rules.dustAsset, gross - charge);
    exchange.money.pay(DUST_ACCOUNT, "free", FEE_ACCOUNT, rules.dustAsset, charge);
    const price = `${show(gross - charge)} ${rules.dustAsset} charge ${show(charge)} ${rules.dustAsset}`;
    return plainResult(`${tranId}: ${accountId} sells ${show(sold)} ${asset} of dust for ${price}`);
  });
}

function saleOf(exchange: ModelState, rules: ModelDustRules, accountId: number, asset: string): Sale | RejectReason {
  if (!exchange.assets.some((listed) => listed.asset === asset)) return "UNKNOWN_ASSET";
  if (asset === rules.dustAsset) return "DUST_ASSET_ITSELF";
  const sold = exchange.money.of(accountId, asset).free;
  if (sold === 0n) return "INSUFFICIENT_BALANCE";
  const toLimit = worth(exchange, asset, rules.limitAsset);
  const toDust = worth(exchange, asset, rules.dustAsset);
  if (toLimit === null || toDust === null) return "NO_PRICE";
  if (sold * toLimit[0] > rules.limit * toLimit[1]) return "DUST_TOO_MUCH";
  const unit = unitOf(exchange, rules.dustAsset);
  const grossUnits = (sold * toDust[0]) / (toDust[1] * unit);
  // The charge is rounded up to a whole unit.
  let chargeUnits = (grossUnits * BigInt(rules.chargeBps)) / 10_000n;
  if (chargeUnits * 10_000n < grossUnits * BigInt(rules.chargeBps)) chargeUnits += 1n;
  if (chargeUnits >= grossUnits) return "DUST_TOO_LITTLE";
  return { asset, sold, gross: grossUnits * unit, charge: chargeUnits * unit };
}

type Fraction = readonly [bigint, bigint];

/** Returns the value of one unit in another asset, converted directly or through one other asset. */
function worth(exchange: ModelState, from: string, to: string): Fraction | null {
  if (from === to) return [1n, 1n];
  const direct = priceOf(exchange, from, to);
  if (direct !== null) return direct;
  for (const { asset: bridge } of exchange.assets) {
    const there = priceOf(exchange, from, bridge);
    const on = priceOf(exchange, bridge, to);
    if (there !== null && on !== null) return [there[0] * on[0], there[1] * on[1]];
  }
  return null;
}

function priceOf(exchange: ModelState, from: string, to: string): Fraction | null {
  for (const market of exchange.markets) {
    const last = lastPrice(market);
    if (last === null) continue;
    if (market.base === from && market.quote === to) return [last, ONE];
    if (market.base === to && market.quote === from) return [ONE, last];
  }
  return null;
}
