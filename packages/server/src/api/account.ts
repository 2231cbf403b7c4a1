/** The endpoints of an account: balances, trades and listen keys. Interface 2.4, 2.5, 3.7, 4.4. */
import {
  type AccountView,
  type AssetView,
  type BalanceView,
  BPS_IN_WHOLE,
  type EngineView,
  formatDecimal,
  type MarketView,
  NO_TRADE_GROUP,
} from "@pricetime/engine";
import {
  type Account,
  type AccountFilters,
  BAD_COMBINATION,
  type Balance,
  type Commission,
  type CommissionRates,
  type Discount,
  type OrderCommission,
  UNSUPPORTED_OPERATION,
} from "@pricetime/protocol";
import { type Call, type DEFERRED, json, submit } from "./call.ts";
import { Refused } from "./edge/refusals.ts";
import { longList, type MaybeLong } from "./answers/long-list.ts";
import { exchangeFilters, symbolFilters } from "./exchange-info.ts";
import { amountText } from "../history/shapes/amounts.ts";
import { ACCOUNT_LIST_MAX_HOURS, marketOf, windowOf, orderIdOf } from "./parameters.ts";
import type { Outcome } from "../journal/sequencer/port.ts";

export interface AssetBalance {
  readonly asset: AssetView;
  readonly balance: BalanceView;
}

export function readBalance(engine: EngineView, accountId: number, asset: AssetView): AssetBalance {
  // Copied, because the engine's own record changes.
  const { free, locked } = engine.balance(accountId, asset.assetId);
  return { asset, balance: { free, locked } };
}

export function readBalances(engine: EngineView, accountId: number): AssetBalance[] {
  return engine.assets().map((asset) => readBalance(engine, accountId, asset));
}

/** Number of rows per piece of a long response. */
const BALANCES_A_PIECE = 200;

function balanceShape(engine: EngineView, { assetId, spec }: AssetView, { free, locked }: BalanceView): Balance {
  return {
    asset: spec.asset,
    free: amountText(engine, assetId, free),
    locked: amountText(engine, assetId, locked),
  };
}

function isSome({ free, locked }: BalanceView): boolean {
  return free !== 0n || locked !== 0n;
}

/** The fields of the account before `balances`. */
function accountHead(owner: AccountView): Omit<Account, "balances" | "permissions" | "uid"> {
  const { makerBps, takerBps } = owner;
  return {
    makerCommission: makerBps,
    takerCommission: takerBps,
    buyerCommission: 0,
    sellerCommission: 0,
    commissionRates: { maker: rateText(makerBps), taker: rateText(takerBps), buyer: NO_RATE, seller: NO_RATE },
    canTrade: owner.canTrade,
    canWithdraw: owner.canWithdraw,
    canDeposit: owner.canDeposit,
    brokered: false,
    requireSelfTradePrevention: false,
    preventSor: false,
    updateTime: owner.updateTimeMs,
    accountType: "SPOT",
  };
}

/** The trade group as later clients read it; absent if the account has none. */
function groupText(tradeGroupId: number): string {
  return tradeGroupId === NO_TRADE_GROUP ? "" : `,"tradeGroupId":${tradeGroupId}`;
}

export function account(call: Call): MaybeLong {
  const { engine, turns } = call.venue;
  const { accountId } = call.account();
  const omitsZero = call.optionalText("omitZeroBalances") === "true";
  return longList(turns, {
    key: `account ${accountId} ${omitsZero}`,
    count: engine.assets().length,
    rowsAPiece: BALANCES_A_PIECE,
    read: () => ({
      rows: readBalances(engine, accountId).filter(({ balance }) => !omitsZero || isSome(balance)),
      before: `${JSON.stringify(accountHead(call.account())).slice(0, -1)},"balances":[`,
      after: `],"permissions":["SPOT"],"uid":${accountId}${groupText(engine.tradeGroupOf(accountId))}}`,
    }),
    write: ({ asset, balance }) => JSON.stringify(balanceShape(engine, asset, balance)),
  });
}

// The rates of commission. Only the standard rate is charged; there is no special rate or tax.

/** Number of decimals of a rate: 1 basis point is "0.00010000". */
const RATE_DECIMALS = 8;
const UNITS_A_BPS = 10n ** BigInt(RATE_DECIMALS) / BPS_IN_WHOLE;

function rateText(bps: number): string {
  return formatDecimal(BigInt(bps) * UNITS_A_BPS, RATE_DECIMALS);
}

const NO_RATE = rateText(0);
const NO_RATES = { maker: NO_RATE, taker: NO_RATE } as const;
const NOBODY_PAYS = { ...NO_RATES, buyer: NO_RATE, seller: NO_RATE } as const;

/** What the account's switch and the venue's discount mean on a symbol. `discount` is the part that remains. */
function discountOn(call: Call, { spec }: MarketView): Discount {
  const { commissionDiscount } = call.venue.engine;
  const { paysInDiscountAsset = false } = call.account();
  if (commissionDiscount === null) {
    return { enabledForAccount: paysInDiscountAsset, enabledForSymbol: false, discountAsset: null, discount: NO_RATE };
  }
  const { asset, factorBps, excludedSymbols } = commissionDiscount;
  return {
    enabledForAccount: paysInDiscountAsset,
    enabledForSymbol: !excludedSymbols.includes(spec.symbol),
    discountAsset: asset,
    discount: rateText(factorBps),
  };
}

function ratesOn(call: Call, { symbolId }: MarketView): CommissionRates {
  const { makerBps, takerBps } = call.venue.engine.fees(call.accountId(), symbolId);
  return { maker: rateText(makerBps), taker: rateText(takerBps) };
}

/** The rates of the account on a symbol. */
export function commission(call: Call): string {
  const market = marketOf(call);
  const rates: Commission = {
    symbol: market.spec.symbol,
    standardCommission: { ...NOBODY_PAYS, ...ratesOn(call, market) },
    specialCommission: NOBODY_PAYS,
    taxCommission: NOBODY_PAYS,
    discount: discountOn(call, market),
  };
  return JSON.stringify(rates);
}

/** The rates that an order would pay. */
export function commissionForOrder(call: Call, market: MarketView): string {
  const rates: OrderCommission = {
    standardCommissionForOrder: ratesOn(call, market),
    specialCommissionForOrder: NO_RATES,
    taxCommissionForOrder: NO_RATES,
    discount: discountOn(call, market),
  };
  return JSON.stringify(rates);
}

/** Whether the account pays commission in the venue's discount asset where it can. */
export function discountSwitch(call: Call): string {
  const { paysInDiscountAsset = false } = call.account();
  return json<"discount.show">({ spotBNBBurn: paysInDiscountAsset, interestBNBBurn: false });
}

/** Journals nothing if the switch does not change, because each change adds a row to the audit log. */
export function switchDiscount(call: Call): string | typeof DEFERRED {
  if (call.optionalText("interestBNBBurn") === "true") throw new Refused(UNSUPPORTED_OPERATION);
  const { accountId, paysInDiscountAsset: now = false } = call.account();
  const spot = call.optionalText("spotBNBBurn");
  const paysInDiscountAsset = spot === undefined ? now : spot === "true";
  if (paysInDiscountAsset === now) return discountSwitch(call);
  return submit(
    call,
    { type: "changeAccount", accountId, paysInDiscountAsset, by: `account:${accountId}` },
    { refusal: () => UNSUPPORTED_OPERATION, body: () => discountSwitch(call) },
  );
}

/** The limits on orders, with the orders that count against each now. */
export function orderLimits(call: Call): string {
  const { orderLimiter } = call.venue;
  const counts = orderLimiter.counts(call.accountId(), call.nowMs);
  return json<"account.rateLimits.orders">(
    orderLimiter.rules.map((rule, i) => ({
      rateLimitType: rule.rateLimitType,
      interval: rule.interval,
      intervalNum: rule.intervalNum,
      limit: rule.limit,
      count: counts[i] ?? 0,
    })),
  );
}

/** The filters of a symbol and of the exchange. They are the same for all accounts, and no asset has filters. */
export function myFilters(call: Call): string {
  const filters: AccountFilters = {
    exchangeFilters: exchangeFilters(call.venue.engine.exchangeFilters),
    symbolFilters: symbolFilters(marketOf(call).spec.filters),
    assetFilters: [],
  };
  return JSON.stringify(filters);
}

export async function myTrades(call: Call): Promise<string> {
  const { engine, history } = call.venue;
  const market = marketOf(call);
  const window = windowOf(call, {
    fromId: call.integer("fromId"),
    maxHours: ACCOUNT_LIST_MAX_HOURS,
    backwards: "refused",
  });
  if (window === null) return "[]";
  const orderId = orderIdOf(call, market);
  const of = { accountId: call.accountId(), symbolId: market.symbolId, orderId };
  return history.query(engine.seq, "accountTradePage", { ...of, ...window });
}

/** One prevented match, or those of one order. */
export async function myPreventedMatches(call: Call): Promise<string> {
  const { engine, history } = call.venue;
  const market = marketOf(call);
  const of = { accountId: call.accountId(), symbolId: market.symbolId };
  const preventedMatchId = call.integer("preventedMatchId");
  if (preventedMatchId !== undefined) return history.query(engine.seq, "preventedMatch", { ...of, preventedMatchId });
  const orderId = orderIdOf(call, market);
  if (orderId === undefined) throw new Refused(BAD_COMBINATION);
  const fromId = call.integer("fromPreventedMatchId") ?? 0;
  return history.query(engine.seq, "preventedMatchPage", { ...of, orderId, fromId, limit: call.limit() });
}

// Listen keys. Interface 3.7, 4.4.

function openedKey(outcome: Outcome): string {
  for (const event of outcome.events) {
    if (event.type === "listenKeyOpened") return `{"listenKey":"${event.listenKey}"}`;
  }
  throw new TypeError("an opened stream has a key");
}

/** Opens a user data stream: returns the account's open listen key, or a new one. */
export function openStream(call: Call): typeof DEFERRED {
  const listenKey = call.venue.ids.listenKey();
  const command = { type: "openListenKey", accountId: call.accountId(), listenKey } as const;
  return submit(call, command, { context: "other", body: openedKey });
}

export function keepStream(call: Call): typeof DEFERRED {
  const command = { type: "keepListenKey", accountId: call.accountId(), listenKey: call.text("listenKey") } as const;
  return submit(call, command, { context: "other", body: () => "{}" });
}

export function closeStream(call: Call): typeof DEFERRED {
  const command = { type: "closeListenKey", accountId: call.accountId(), listenKey: call.text("listenKey") } as const;
  return submit(call, command, { context: "other", body: () => "{}" });
}
