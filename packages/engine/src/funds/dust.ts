/** Dust: balances that are too small to trade, sold to the exchange at the last price. Interface S.1, 4.6. */
import type { Market } from "../state/market/market.ts";
import { powerOfTen } from "../numbers.ts";
import type { ExchangeState } from "../state/exchange-state.ts";
import { BPS_IN_WHOLE } from "../limits.ts";
import { present } from "../assert.ts";
import { DUST_ACCOUNT, FEE_ACCOUNT } from "../state/ledger.ts";
import type { RejectReason } from "../entry/reject.ts";
import type { AssetView } from "../engine-view.ts";
import { unitsOf } from "./networks.ts";
import type { Command } from "../entry/command.ts";
import type { DustRules } from "../entry/wallet-record.ts";

// The exact value of one asset in another at the last prices.

/** Units of the target asset for one unit of the source asset: `numerator / denominator`. */
export interface Rate {
  readonly numerator: bigint;
  readonly denominator: bigint;
}

const ONE: Rate = { numerator: 1n, denominator: 1n };

/** The direct rate, or a rate through the first listed asset that has prices to both. Null if there are no prices. */
function rateAtLastPrices(state: ExchangeState, fromAssetId: number, toAssetId: number): Rate | null {
  if (fromAssetId === toAssetId) return ONE;
  const direct = priceOf(state, fromAssetId, toAssetId);
  if (direct !== null) return direct;
  const bridges = new Set(state.marketsOf(fromAssetId).map((market) => otherAsset(market, fromAssetId)));
  for (const bridgeId of [...bridges].sort((a, b) => a - b)) {
    const there = priceOf(state, fromAssetId, bridgeId);
    const on = there && priceOf(state, bridgeId, toAssetId);
    if (there === null || on === null) continue;
    return { numerator: there.numerator * on.numerator, denominator: there.denominator * on.denominator };
  }
  return null;
}

/** The price of the pair itself. If several symbols have the pair, the first listed symbol that has traded counts. */
function priceOf(state: ExchangeState, fromAssetId: number, toAssetId: number): Rate | null {
  const [ofOne, ofOther] = [state.marketsOf(fromAssetId), state.marketsOf(toAssetId)];
  // Searches the shorter list, because a common quote asset has hundreds of markets.
  const [markets, assetId, wanted] =
    ofOne.length <= ofOther.length ? [ofOne, fromAssetId, toAssetId] : [ofOther, toAssetId, fromAssetId];
  const market = markets.find((each) => each.lastTradeTicks !== 0 && otherAsset(each, assetId) === wanted);
  if (market === undefined) return null;
  const { lastTradeTicks, scale, baseAssetId, quoteAssetId } = market;
  const [base, quote] = [state.assetOf(baseAssetId).spec, state.assetOf(quoteAssetId).spec];
  const units = BigInt(lastTradeTicks) * powerOfTen(quote.precision);
  const perUnits = powerOfTen(base.precision + scale.priceDecimals);
  return fromAssetId === baseAssetId
    ? { numerator: units, denominator: perUnits }
    : { numerator: perUnits, denominator: units };
}

function otherAsset({ baseAssetId, quoteAssetId }: Market, assetId: number): number {
  return assetId === baseAssetId ? quoteAssetId : baseAssetId;
}

/** The sale of one asset: `amount` in its own units, `received` and `charge` in units of the dust asset. */
interface Sale {
  readonly assetId: number;
  readonly amount: bigint;
  readonly received: bigint;
  readonly charge: bigint;
}

export function setDustRules(state: ExchangeState, { rules }: Command<"setDustRules">): RejectReason | null {
  const limitAsset = state.assetsByName.get(rules.limitAsset);
  if (limitAsset === undefined || !state.assetsByName.has(rules.dustAsset)) return "UNKNOWN_ASSET";
  if (unitsOf(state, limitAsset, rules.limit) === null) return "INVALID_VALUE";
  state.funds.dustRules = rules;
  state.emit({ type: "done" });
  return null;
}

/**
 * Converts either all of the assets or none. The sales use last prices, so they are suspended together with new orders.
 */
export function convertDust(state: ExchangeState, command: Command<"convertDust">): RejectReason | null {
  const { accountId } = command;
  const rules = state.funds.dustRules;
  if (state.funds.isInMaintenance) return "MAINTENANCE";
  const account = state.accounts.get(accountId);
  if (account === undefined) return "UNKNOWN_ACCOUNT";
  if (rules === undefined || state.stops.stopsPlacing(state.nowMs)) return "DUST_NOT_OFFERED";
  if (!account.canTrade || !account.isEnabled) return "ACCOUNT_MAY_NOT_TRADE";
  const lastMs = state.funds.lastDustMs.get(accountId);
  if (lastMs !== undefined && state.nowMs < lastMs + rules.pauseMs) return "DUST_TOO_SOON";
  const sales = salesOf(state, command, rules);
  if (typeof sales === "string") return sales;
  const dustAssetId = assetNamed(state, rules.dustAsset).assetId;
  let cost = 0n;
  for (const { received, charge } of sales) cost += received + charge;
  if (state.ledger.balance(DUST_ACCOUNT, dustAssetId).free < cost) return "TREASURY_SHORT";
  state.funds.lastDustMs.set(accountId, state.nowMs);
  const tranId = ++state.funds.lastTranId;
  for (const { assetId, amount, received, charge } of sales) {
    state.ledger.pay({ assetId, amount, from: accountId, to: DUST_ACCOUNT, reason: "dust" });
    state.ledger.pay({ assetId: dustAssetId, amount: received, from: DUST_ACCOUNT, to: accountId, reason: "dust" });
    state.ledger.pay({
      assetId: dustAssetId,
      amount: charge,
      from: DUST_ACCOUNT,
      to: FEE_ACCOUNT,
      reason: "dustCharge",
    });
    state.emit({ type: "dustConverted", tranId, accountId, assetId, amount, dustAssetId, received, charge });
  }
  return null;
}

/**
 * The sales of the assets, in the order in which they were named. The reason for a rejection does not depend on that
 * order.
 */
function salesOf(
  state: ExchangeState,
  { accountId, assets }: Command<"convertDust">,
  rules: DustRules,
): Sale[] | RejectReason {
  if (assets.length === 0 || new Set(assets).size !== assets.length) return "INVALID_VALUE";
  if (state.edition >= 2 && assets.some((name) => !state.assetsByName.has(name))) return "UNKNOWN_ASSET";
  const sales = new Map<string, Sale>();
  for (const name of state.edition >= 2 ? asListed(state, assets) : assets) {
    const asset = state.assetsByName.get(name);
    if (asset === undefined) return "UNKNOWN_ASSET";
    const sale = saleOf(state, accountId, asset, rules);
    if (typeof sale === "string") return sale;
    sales.set(name, sale);
  }
  return assets.map((name) => present(sales.get(name), "every asset is sold"));
}

function asListed(state: ExchangeState, assets: readonly string[]): string[] {
  return [...assets].sort((a, b) => assetNamed(state, a).assetId - assetNamed(state, b).assetId);
}

/** The reasons why assets cannot be converted, by asset name. Convertible assets are omitted. */
export function dustFaults(
  state: ExchangeState,
  accountId: number,
  assets: readonly string[],
): ReadonlyMap<string, RejectReason> {
  const faults = new Map<string, RejectReason>();
  const rules = state.funds.dustRules;
  if (rules === undefined) return faults;
  for (const name of assets) {
    const asset = state.assetsByName.get(name);
    const sale = asset === undefined ? "UNKNOWN_ASSET" : saleOf(state, accountId, asset, rules);
    if (typeof sale === "string") faults.set(name, sale);
  }
  return faults;
}

/** The sale of one asset. The proceeds are rounded down and the charge up, so the remainder stays with the exchange. */
function saleOf(
  state: ExchangeState,
  accountId: number,
  { assetId, spec }: AssetView,
  rules: DustRules,
): Sale | RejectReason {
  if (spec.asset === rules.dustAsset) return "DUST_ASSET_ITSELF";
  const amount = state.ledger.balance(accountId, assetId).free;
  if (amount === 0n) return "INSUFFICIENT_BALANCE";
  const limitAsset = assetNamed(state, rules.limitAsset);
  const limitRate = rateAtLastPrices(state, assetId, limitAsset.assetId);
  const rate = rateAtLastPrices(state, assetId, assetNamed(state, rules.dustAsset).assetId);
  if (limitRate === null || rate === null) return "NO_PRICE";
  const limit = unitsOf(state, limitAsset, rules.limit) ?? 0n;
  if (amount * limitRate.numerator > limit * limitRate.denominator) return "DUST_TOO_MUCH";
  const gross = (amount * rate.numerator) / rate.denominator;
  const charge = (gross * BigInt(rules.chargeBps) + BPS_IN_WHOLE - 1n) / BPS_IN_WHOLE;
  if (gross <= charge) return "DUST_TOO_LITTLE";
  return { assetId, amount, received: gross - charge, charge };
}

/** A listed asset. Assets are never unlisted. */
function assetNamed(state: ExchangeState, name: string): AssetView {
  return present(state.assetsByName.get(name), "the asset is listed");
}
