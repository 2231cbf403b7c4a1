/** Dust in the model. Interface 4.6: net is gross less the charge. */
import { type ConvertDust, DUST_ACCOUNT, FEE_ACCOUNT, type RejectReason, type SetDustRules } from "@pricetime/engine";
import { type Amount, amount as read, fits, ONE, show } from "../amount.ts";
import { type Happening, said } from "../happening.ts";
import { lastPrice } from "../market.ts";
import type { ModelState, ModelWallet, ModelDustRules } from "../state.ts";
import { unitOf } from "./payments.ts";

export function setDustRules(wallet: ModelWallet, { rules }: SetDustRules): Happening[] | RejectReason {
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

export function convertDust(wallet: ModelWallet, { accountId, assets }: ConvertDust): Happening[] | RejectReason {
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
  // The order is that of listing, with assets that are not listed first.
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
    return said(`${tranId}: ${accountId} sells ${show(sold)} ${asset} of dust for ${price}`);
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
  // rounded up to a whole unit
  let chargeUnits = (grossUnits * BigInt(rules.chargeBps)) / 10_000n;
  if (chargeUnits * 10_000n < grossUnits * BigInt(rules.chargeBps)) chargeUnits += 1n;
  if (chargeUnits >= grossUnits) return "DUST_TOO_LITTLE";
  return { asset, sold, gross: grossUnits * unit, charge: chargeUnits * unit };
}

type Fraction = readonly [bigint, bigint];

/** Returns the value of one unit in another asset: directly, or through one other. */
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
