/**
 * The parts of a random exchange: symbols, filters and networks with limits that random orders and withdrawals reach,
 * and its operators and customers.
 */
import {
  type AssetNetwork,
  type Command,
  DUST_ACCOUNT,
  eachField,
  type ExchangeFilters,
  type LimitsOverTime,
  type PriceRangeRule,
  SYMBOL_FILTERS,
  type SymbolFilters,
  type SymbolSpec,
  TREASURY_ACCOUNT,
  type WithdrawalLimits,
} from "@pricetime/engine";
import { scaled, show } from "../models/money.ts";
import type { Dice } from "../dice.ts";
import type { ModelExchange } from "../models/exchange.ts";
import type { ModelOperator } from "../models/state.ts";

/** Typical prices and quantities of a symbol, in its ticks and lots. */
export interface Habit {
  readonly midTicks: number;
  readonly stepTicks: number;
  readonly minTicks: number;
  readonly stepLots: number;
  readonly minLots: number;
  readonly priceDecimals: number;
  readonly quantityDecimals: number;
  readonly quotePlaces: number;
  /** A symbol has one in so many of the filters, and fewer of the rarer ones. */
  readonly filterOneIn: number;
}

export interface World {
  readonly opening: readonly Command[];
  readonly symbols: readonly SymbolSpec[];
  readonly habits: readonly Habit[];
  readonly assets: readonly { readonly asset: string; readonly precision: number }[];
  readonly accountIds: readonly number[];
}

/** Returns filters that the symbol's scale can represent and that random orders sometimes violate. */
export function makeFilters(dice: Dice, habit: Habit): SymbolFilters {
  const ticks = (value: number) => show(scaled(value, habit.priceDecimals));
  const lots = (value: number) => show(scaled(value, habit.quantityDecimals));
  const { midTicks, stepTicks, minTicks, stepLots, minLots } = habit;
  const notional = scaled(midTicks, habit.priceDecimals) * scaled(minLots + stepLots, habit.quantityDecimals);
  const unit = 10n ** BigInt(16 - habit.quotePlaces);
  const amount = (product: bigint) => show(((product / unit) * unit) / 10n ** 8n);
  const filters: SymbolFilters = {
    ...eachField<string | number | boolean>(SYMBOL_FILTERS, {
      ...{ price: ticks(midTicks), quantity: lots(minLots), amount: amount(20n * notional), multiplier: "1" },
      ...{ minutes: 5, count: 4, flag: true },
    }),
    priceFilter: {
      minPrice: ticks(minTicks),
      maxPrice: dice.oneIn(3) ? "0" : ticks(minTicks + stepTicks * Math.ceil(midTicks / stepTicks + 12)),
      tickSize: dice.oneIn(6) ? "0" : ticks(stepTicks),
    },
    lotSize: {
      minQty: lots(minLots),
      maxQty: lots(minLots + stepLots * 60),
      stepSize: dice.oneIn(6) ? "0.00000000" : lots(stepLots),
    },
    marketLotSize: { minQty: lots(minLots), maxQty: lots(minLots + stepLots * 25), stepSize: "0.00000000" },
    percentPrice: {
      multiplierUp: dice.pick(["1.2", "5", "1.02"]),
      multiplierDown: dice.pick(["0.8", "0.2", "0.98"]),
      avgPriceMins: dice.pick([0, 1, 5, 30]),
    },
    percentPriceBySide: {
      bidMultiplierUp: dice.pick(["1.1", "5", "1.02"]),
      bidMultiplierDown: dice.pick(["0.7", "0.2", "0.98"]),
      askMultiplierUp: dice.pick(["1.3", "5", "1.01"]),
      askMultiplierDown: dice.pick(["0.9", "0.2", "0.99"]),
      avgPriceMins: dice.pick([0, 1, 5, 30]),
    },
    trailingDelta: {
      ...{ minTrailingAboveDelta: dice.pick([1, 20]), maxTrailingAboveDelta: dice.pick([300, 2_000]) },
      ...{ minTrailingBelowDelta: dice.pick([1, 20]), maxTrailingBelowDelta: dice.pick([300, 2_000]) },
    },
    notional: {
      minNotional: amount(notional),
      applyMinToMarket: dice.oneIn(2),
      maxNotional: dice.oneIn(4) ? "0" : amount(dice.pick([5n, 30n]) * notional),
      applyMaxToMarket: dice.oneIn(2),
      avgPriceMins: dice.pick([0, 1, 5, 30]),
    },
    maxPosition: { maxPosition: lots(dice.pick([100, 1_000, 1_000_000]) * (minLots + stepLots)) },
    maxNumOrderLists: { maxNumOrderLists: 1 },
    minNotional: {
      minNotional: amount(notional),
      applyToMarket: dice.oneIn(2),
      avgPriceMins: dice.pick([0, 1, 5, 30]),
    },
    icebergParts: { limit: dice.pick([2, 5, 10]) },
    maxNumOrders: { limit: dice.pick([4, 10]) },
    maxNumAlgoOrders: { maxNumAlgoOrders: dice.pick([2, 5]) },
    maxNumIcebergOrders: { maxNumIcebergOrders: 2 },
    maxNumOrderAmends: { maxNumOrderAmends: dice.pick([0, 1, 2]) },
  };
  return Object.fromEntries(
    Object.entries(filters).filter(([key]) => dice.oneIn(Math.max(habit.filterOneIn, LATER[key] ?? 0))),
  );
}

/** How rare a filter is, if it is rarer than others, so that enough orders pass. */
const LATER: Readonly<Record<string, number>> = {
  ...{ percentPriceBySide: 11, notional: 11, maxPosition: 11, maxNumOrderLists: 6 },
};

export function makeExchangeFilters(dice: Dice): ExchangeFilters {
  return {
    ...(dice.oneIn(2) ? {} : { maxNumOrders: { maxNumOrders: dice.pick([6, 15]) } }),
    ...(dice.oneIn(2) ? {} : { maxNumAlgoOrders: { maxNumAlgoOrders: dice.pick([3, 8]) } }),
    ...(dice.oneIn(4) ? { maxNumIcebergOrders: { maxNumIcebergOrders: dice.pick([1, 3]) } } : {}),
    ...(dice.oneIn(3) ? { maxNumOrderLists: { maxNumOrderLists: dice.pick([1, 2]) } } : {}),
  };
}

/** Mostly buckets that are long enough for some trades, and bounds within the usual prices; sometimes an invalid rule. */
export function randomRange(dice: Dice, symbol: string): Command {
  if (dice.oneIn(6)) return { type: "setPriceRange", by: BY, symbol, priceRange: null };
  const up = () => dice.pick(["1", "1.01", "1.05", "1.05", "1.2", "3"]);
  const down = () => dice.pick(["1", "0.99", "0.95", "0.95", "0.8", dice.oneIn(9) ? "1.5" : "0.2"]);
  const priceRange: PriceRangeRule = {
    ...(dice.oneIn(4) ? {} : { bidLimitMultUp: up() }),
    ...(dice.oneIn(3) ? {} : { bidLimitMultDown: down() }),
    ...(dice.oneIn(3) ? {} : { askLimitMultUp: up() }),
    ...(dice.oneIn(4) ? {} : { askLimitMultDown: down() }),
    bucketCount: dice.pick([1, 2, 7, 100, dice.oneIn(9) ? 0 : 10]),
    bucketWidthMs: dice.pick([60_000, 700_000, 3_600_000, 86_400_000, dice.oneIn(9) ? 99 : 1001]),
  };
  return { type: "setPriceRange", by: BY, symbol, priceRange };
}

// The wallet: networks with rules, addresses, dust conversion, and the house accounts.

export const BY = "test";
export const NETWORKS = ["ONE", "TWO"] as const;
export const WIRE_MOST = "99999999999999999999";
const MINUTE_MS = 60_000;

type Assets = readonly { readonly asset: string; readonly precision: number }[];

/** Returns networks with rules that random amounts sometimes violate. */
export function makeNetworks(dice: Dice, precision: number): AssetNetwork[] {
  const places = Math.min(precision, 3);
  const money = (...units: readonly number[]) => show(scaled(dice.pick(units), places));
  const stepped = (step: string) => ({ withdrawStep: step, depositStep: step });
  const named = (network: string, isDefault: boolean): AssetNetwork => ({
    network,
    isDefault,
    depositEnabled: !dice.oneIn(6),
    withdrawEnabled: !dice.oneIn(8),
    withdrawFee: money(0, 1, 7),
    withdrawMin: money(0, 5, 20),
    withdrawMax: money(0, 0, 900, 5_000),
    ...(dice.oneIn(3) ? stepped(money(1, 5, 10)) : {}),
    ...(dice.oneIn(3) ? { depositMin: money(0, 2, 50) } : {}),
    ...(dice.oneIn(2) ? { confirmsByMail: dice.oneIn(2) } : {}),
    ...(dice.oneIn(2) ? { approvalAbove: money(0, 30, 400) } : {}),
  });
  if (dice.oneIn(10)) return [];
  const isDefault = dice.oneIn(2);
  const both = [named("ONE", isDefault), named("TWO", !isDefault && dice.oneIn(2))];
  return dice.oneIn(3) ? both.slice(0, 1) : both;
}

/** Returns the initial commands of a wallet: addresses, dust rules, and the balances of house accounts. */
export function openingOfWallet(dice: Dice, assets: Assets, accountIds: readonly number[]): Command[] {
  const commands: Command[] = [];
  for (const accountId of [TREASURY_ACCOUNT, ...accountIds]) {
    for (const network of NETWORKS) {
      if (dice.oneIn(5)) continue;
      const [address, tag] = [`home${accountId}`, dice.oneIn(4) ? "5" : ""];
      commands.push({ type: "assignDepositAddress", accountId, network, address, tag });
    }
  }
  if (!dice.oneIn(4)) commands.push(dustRules(dice, assets));
  for (const one of assets) if (dice.oneIn(2)) commands.push(limitsOverTime(dice, one, null));
  for (const { asset } of assets) {
    for (const accountId of [TREASURY_ACCOUNT, DUST_ACCOUNT]) {
      if (dice.oneIn(4)) continue;
      const reference = `${accountId} ${asset}`;
      commands.push({ type: "deposit", by: BY, accountId, asset, amount: dice.pick(["40", "9000000000"]), reference });
    }
  }
  return commands;
}

/** Returns limits over time that random amounts reach: for an asset, or for one account if it is given. */
export function limitsOverTime(
  dice: Dice,
  { asset, precision }: Assets[number],
  accountId: number | null,
): Command<"setWithdrawalLimits"> | Command<"setAccountWithdrawalLimits"> {
  const limit = (): string => show(scaled(dice.pick([0, 100, 600, 2_000, 20_000]), Math.min(precision, 3)));
  const some = (): LimitsOverTime => ({
    ...(dice.oneIn(3) ? {} : { per24h: limit() }),
    ...(dice.oneIn(3) ? {} : { per72h: dice.oneIn(20) ? "0.000000001" : limit() }),
  });
  if (accountId !== null) {
    const limits = dice.oneIn(4) ? null : some();
    return { type: "setAccountWithdrawalLimits", by: BY, accountId, asset, limits };
  }
  const limits: WithdrawalLimits = {
    ...(dice.oneIn(3) ? {} : { account: some() }),
    ...(dice.oneIn(2) ? {} : { allCustomers: some() }),
  };
  return { type: "setWithdrawalLimits", by: BY, asset, limits };
}

export function dustRules(dice: Dice, assets: Assets): Command {
  const limitAsset = dice.pick(assets);
  return {
    type: "setDustRules",
    by: BY,
    rules: {
      dustAsset: dice.oneIn(20) ? "ZZZ" : dice.pick(assets).asset,
      chargeBps: dice.pick([0, 200, 200, 3_333, 10_000]),
      limitAsset: limitAsset.asset,
      limit: dice.oneIn(3) ? someAmount(dice, limitAsset.precision) : "999999999",
      pauseMs: dice.pick([0, 1, MINUTE_MS, 60 * MINUTE_MS]),
    },
  };
}

export function someAmount(dice: Dice, precision: number): string {
  if (dice.oneIn(40)) return dice.pick(["0", "0.000000001", WIRE_MOST]);
  const text = show(scaled(dice.pick([1, 5, 20, 40, 100, 500, 6_000]), Math.min(precision, 3)));
  return dice.oneIn(10) ? withZeros(dice, text) : text;
}

/** Returns the same amount with more trailing zeros than most assets have decimals. */
function withZeros(dice: Dice, text: string): string {
  return `${text}${text.includes(".") ? "" : "."}${"0".repeat(dice.between(1, 12))}`;
}

export const NAMES = ["ann", "ben", "tom", "sue", "vic"] as const;

export const nameOf = ({ name }: ModelOperator): string => `operator:${name}`;

/** Picks an author, usually an existing operator. */
export function somebody(dice: Dice, { venue }: ModelExchange): string {
  if (venue.operators.length === 0 || dice.oneIn(20)) {
    return dice.pick([BY, "operator:nobody", "account:100", "account:102"]);
  }
  return nameOf(dice.pick(venue.operators));
}

export function someone(dice: Dice, model: ModelExchange): string {
  return dice.oneIn(2) ? BY : somebody(dice, model);
}

/** Picks a holder, usually the one whom the command concerns. */
export function holderOrOther(dice: Dice, model: ModelExchange, holder: string): string {
  return dice.oneIn(3) ? someone(dice, model) : holder;
}
