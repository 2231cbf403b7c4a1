/** Random but plausible exchanges: assets, symbols of various scales with some of the filters, and funded accounts. */
import { ADOPT_NEWEST_RULES, type Command, type ImportedCandle, ORDER_TYPES, type SymbolSpec } from "@pricetime/engine";
import { listAsset, openAccount } from "../commands.ts";
import { scaled, show } from "../models/money.ts";
import type { Dice } from "../dice.ts";
import { openingOfVenue } from "./venue-commands.ts";
import { BY, type Habit, makeFilters, makeNetworks, openingOfWallet, randomRange, type World } from "./world.ts";

const FIRST_CUSTOMER = 100;

export function makeWorld(dice: Dice): World {
  const assets = ["AAA", "BBB", "CCC", "DDD"].map((asset) => ({ asset, precision: dice.pick([0, 2, 3, 8, 8]) }));
  const symbols: SymbolSpec[] = [];
  const habits: Habit[] = [];
  for (const [base, quote] of dice.pick(PAIRS)) {
    const habit = makeHabit(dice, assets[base]!.precision, assets[quote]!.precision);
    habits.push(habit);
    symbols.push(makeSymbol(dice, assets[base]!.asset, assets[quote]!.asset, habit));
  }
  const opening: Command[] = assets.map(({ asset, precision }) =>
    listAsset(asset, precision, makeNetworks(dice, precision)),
  );
  for (const [at, symbol] of symbols.entries()) {
    // The newest rules may reject the first symbol; in that case, the second one is listed.
    if (symbol.icebergAllowed) opening.push({ type: "listSymbol", by: BY, symbol });
    opening.push({ type: "listSymbol", by: BY, symbol: { ...symbol, acceptRounding: true } });
    opening.push(...pastOf(symbol.symbol, habits[at] as Habit));
  }
  const accountIds = [0, 1, 2, 3].map((i) => FIRST_CUSTOMER + i);
  for (const accountId of accountIds) opening.push(...openingOf(dice, accountId, assets));
  opening.push(...openingOfWallet(dice, assets, accountIds));
  opening.push(...openingOfDiscount(dice, symbols, accountIds));
  // Half of the histories start like new journals. Most of the others adopt the newest rules later.
  if (dice.oneIn(2)) {
    opening.unshift(ADOPT_NEWEST_RULES);
    for (const { symbol } of symbols) if (dice.oneIn(3)) opening.push(randomRange(dice, symbol));
  } else shareEmail(opening);
  opening.push(...openingOfVenue(dice, symbols.length === 3));
  return { opening, symbols, habits, assets, accountIds };
}

/** The assets of the symbols, base and quote. Some assets are shared. */
const PAIRS: readonly (readonly (readonly [number, number])[])[] = [
  [[0, 1]],
  [
    [0, 1],
    [2, 1],
  ],
  [
    [0, 1],
    [2, 1],
    [0, 2],
  ],
  [
    [0, 3],
    [1, 0],
  ],
];

function makeHabit(dice: Dice, basePlaces: number, quotePlaces: number): Habit {
  const stepTicks = dice.pick([1, 1, 5]);
  const stepLots = dice.pick([1, 1, 10, 3]);
  return {
    midTicks: stepTicks * dice.pick([40, 300, 12_345]),
    stepTicks,
    minTicks: stepTicks * dice.pick([0, 1, 7]),
    stepLots,
    minLots: stepLots * dice.pick([1, 2]) + dice.pick([0, 0, 1]),
    priceDecimals: dice.between(0, quotePlaces),
    quantityDecimals: dice.between(0, basePlaces),
    quotePlaces,
    // With few filters, most orders are placed, and many trade.
    filterOneIn: dice.pick([3, 12]),
  };
}

/** The end of the synthetic history, which is before the start of any random history. */
const PAST_END_MS = 1_699_999_980_000;
const MINUTE_MS = 60_000;

/**
 * Gives some symbols earlier candles: recorded ones in two batches with a gap, some of them finer than the symbol's
 * steps; or generated ones.
 */
function pastOf(symbol: string, { midTicks, stepTicks, stepLots, priceDecimals, quantityDecimals }: Habit): Command[] {
  const price = (steps: number): string => show(scaled(midTicks + steps * stepTicks, priceDecimals));
  const volume = show(scaled(1000 * stepLots, quantityDecimals));
  const what = { by: BY, symbol } as const;
  if (midTicks === 300 * stepTicks) {
    const minute = (ago: number, close: number): ImportedCandle => {
      const prices = [price(0), price(3), price(-3), price(close)] as const;
      return [PAST_END_MS - ago * MINUTE_MS, ...prices, volume, "0", 5, "0", "0"];
    };
    const half = show(scaled(2 * midTicks + stepTicks, priceDecimals) / 2n);
    const [openMs, open, high, low] = minute(1, 0);
    const finer: ImportedCandle = [openMs, open, high, low, half, "0.00000123", "0.00000001", 5, "0", "0"];
    return [[minute(700, 1), minute(699, 2)], [minute(9, -2), minute(8, 3)], [finer]].map(
      (candles): Command => ({ type: "importKlines", ...what, interval: "1m", candles }),
    );
  }
  if (midTicks !== 40 * stepTicks) return [];
  const moves = { dayMoveBps: 300, marketPercent: 50 };
  // The generated candles cover only a part of the last day.
  const endMs = PAST_END_MS - 1430 * MINUTE_MS;
  const end = { endMs, endPrice: price(0), dayVolume: volume, dayTrades: 900 };
  return [{ type: "addPast", ...what, generator: 1, seed: 5, ...end, base: moves, quote: moves }];
}

function makeSymbol(dice: Dice, baseAsset: string, quoteAsset: string, habit: Habit): SymbolSpec {
  return {
    symbol: `${baseAsset}${quoteAsset}`,
    status: "TRADING",
    baseAsset,
    quoteAsset,
    orderTypes: dice.oneIn(8) ? ["LIMIT", "MARKET", "STOP_LOSS"] : ORDER_TYPES,
    icebergAllowed: !dice.oneIn(6),
    ocoAllowed: !dice.oneIn(6),
    ...(dice.oneIn(8) && { otoAllowed: dice.oneIn(2) }),
    ...(dice.oneIn(4) && { opoAllowed: dice.oneIn(2) }),
    ...(dice.oneIn(8) && { pegInstructionsAllowed: dice.oneIn(2) }),
    quoteOrderQtyMarketAllowed: !dice.oneIn(4),
    filters: makeFilters(dice, habit),
  };
}

/** Gives two accounts email addresses that differ only in case, which was possible before rules version 4. */
function shareEmail(opening: Command[]): void {
  const at = opening.findIndex((command) => command.type === "openAccount" && command.email === "101@example.org");
  opening[at] = { ...(opening[at] as Command<"openAccount">), email: "100@EXAMPLE.org" };
}

function openingOf(dice: Dice, accountId: number, assets: World["assets"]): Command[] {
  const email = `${accountId}@example.org`;
  const bps = () => (dice.oneIn(20) ? 10_000 : dice.pick([0, 10, 25, 333]));
  const commands: Command[] = [openAccount(email, { makerBps: bps(), takerBps: bps(), ...masterOf(accountId) })];
  for (const { asset, precision } of assets) {
    const units = dice.pick([30_000, 20_000_000, 10_000_000_000]);
    const value = show(scaled(units, Math.min(precision, 3)));
    commands.push({ type: "deposit", by: BY, accountId, asset, amount: value, reference: `${accountId} ${asset}` });
  }
  return commands;
}

/** Returns a discount on commission in an asset that is traded, and the accounts that pay with it. */
function openingOfDiscount(dice: Dice, symbols: readonly SymbolSpec[], accountIds: readonly number[]): Command[] {
  const { baseAsset, quoteAsset } = dice.pick(symbols);
  const asset = dice.pick([baseAsset, quoteAsset]);
  const discount = { asset, factorBps: 7_500, excludedSymbols: [] };
  return [
    { type: "setCommissionDiscount", by: BY, discount },
    ...accountIds
      .filter(() => dice.oneIn(2))
      .map((accountId): Command => ({ type: "changeAccount", by: BY, accountId, paysInDiscountAsset: true })),
  ];
}

/** Returns the master account: the last two accounts are sub-accounts of the first one. */
function masterOf(accountId: number): { readonly masterId?: number } {
  return accountId < FIRST_CUSTOMER + 2 ? {} : { masterId: FIRST_CUSTOMER };
}
