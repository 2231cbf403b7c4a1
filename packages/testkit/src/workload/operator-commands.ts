/** Random commands about accounts, symbols and keys. */
import { type Command, SELF_TRADE_PREVENTION_MODES, SYMBOL_STATUSES, type SymbolFilters } from "@pricetime/engine";
import { scaled, show } from "../models/money.ts";
import type { Dice } from "../dice.ts";
import { BY, makeExchangeFilters, makeFilters, randomRange, type World } from "./world.ts";

type Maker = (dice: Dice, world: World) => Command;

const move: Maker = (dice, world) => {
  const { asset, precision } = dice.pick(world.assets);
  const units = dice.pick([1, 999, 5_000, 100_000]);
  return {
    type: dice.oneIn(4) ? "debit" : "deposit",
    by: BY,
    accountId: dice.oneIn(40) ? 9_999 : dice.pick(world.accountIds),
    asset: dice.oneIn(40) ? "ZZZ" : asset,
    amount: dice.oneIn(40) ? dice.pick(["0", "0.000000001"]) : show(scaled(units, Math.min(precision, 3))),
    reference: `r${dice.below(100_000)}`,
  };
};

const changeAccount: Maker = (dice, world) => {
  const accountId = dice.oneIn(30) ? 9_999 : dice.pick(world.accountIds);
  const bps = () => (dice.oneIn(10) ? dice.pick([9_999, 10_000]) : dice.pick([0, 1, 10, 100]));
  if (dice.oneIn(4)) {
    const endOrders = dice.oneIn(2) ? { endOrders: true as const } : {};
    return { type: "changeAccount", by: BY, accountId, ...(dice.oneIn(12) ? {} : { canTrade: false }), ...endOrders };
  }
  if (dice.oneIn(6)) return { type: "changeAccount", by: BY, accountId, isTradeGroup: !dice.oneIn(6) };
  if (dice.oneIn(3)) {
    const by = dice.pick([BY, `account:${accountId}`, `account:${dice.oneIn(9) ? 101 : accountId}`]);
    return { type: "changeAccount", by, accountId, paysInDiscountAsset: !dice.oneIn(5) };
  }
  if (dice.oneIn(2)) {
    return { type: "changeAccount", by: BY, accountId, makerBps: bps(), takerBps: dice.oneIn(20) ? 10_001 : bps() };
  }
  const { symbol } = dice.pick(world.symbols);
  const [makerBps, takerBps] = dice.oneIn(3) ? [null, null] : [bps(), dice.oneIn(20) ? null : bps()];
  return { type: "setSymbolFee", by: BY, accountId, symbol, makerBps, takerBps };
};

const changeSymbol: Maker = (dice, world) => {
  const at = dice.below(world.symbols.length);
  const { symbol } = world.symbols[at]!;
  const named = dice.oneIn(40) ? "NOSUCH" : symbol;
  const filters = makeFilters(dice, world.habits[at]!);
  return dice.weighted<Command>([
    [3, { type: "setSymbolStatus", by: BY, symbol: named, status: dice.pick([...SYMBOL_STATUSES, "TRADING"]) }],
    [2, { type: "setSymbolFilters", by: BY, symbol: named, filters, ...acceptanceWith(filters) }],
    [1, randomPrevention(dice, named)],
    [3, randomRange(dice, named)],
    [1, { type: "setExchangeFilters", by: BY, filters: makeExchangeFilters(dice) }],
    [1, world.opening[dice.below(world.opening.length)]!],
  ]);
};

/** Mostly allows most modes; sometimes the default is not among them. */
function randomPrevention(dice: Dice, symbol: string): Command {
  const allowedModes = SELF_TRADE_PREVENTION_MODES.filter(() => !dice.oneIn(5));
  const defaultMode = dice.pick(SELF_TRADE_PREVENTION_MODES);
  return { type: "setSelfTradePrevention", by: BY, symbol, defaultMode, allowedModes };
}

const setDiscount: Maker = (dice, world) => {
  if (dice.oneIn(6)) return { type: "setCommissionDiscount", by: BY, discount: null };
  const asset = dice.oneIn(20) ? "ZZZ" : dice.pick(world.assets).asset;
  const excluded = world.symbols.filter(() => dice.oneIn(8)).map(({ symbol }) => symbol);
  const excludedSymbols = dice.oneIn(20) ? [...excluded, dice.pick(["NOSUCH", ...excluded])] : excluded;
  const factorBps = dice.pick([1, 5_000, 7_500, 7_500, 9_999]);
  return { type: "setCommissionDiscount", by: BY, discount: { asset, factorBps, excludedSymbols } };
};

/** Most changes of filters accept rounding, some revoke this, and some do not change it. */
function acceptanceWith({ icebergParts, maxNumOrders }: SymbolFilters): { readonly acceptRounding?: boolean } {
  if (icebergParts === undefined) return { acceptRounding: true };
  return maxNumOrders === undefined ? {} : { acceptRounding: false };
}

const keys: Maker = (dice, world) => {
  const accountId = dice.pick(world.accountIds);
  const listenKey = `l${dice.below(8)}`;
  const apiKey = `k${dice.below(8)}`;
  const permissions = ["TRADE", "USER_DATA"] as const;
  return dice.pick<Command>([
    { type: "openListenKey", accountId, listenKey },
    { type: "keepListenKey", accountId, listenKey },
    { type: "closeListenKey", accountId, listenKey },
    { type: "createApiKey", by: BY, accountId, apiKey, sealedSecret: "s", permissions, ipAllowList: [], label: "" },
    { type: "deleteApiKey", by: BY, apiKey },
  ]);
};

export const OPERATOR_MAKERS: readonly (readonly [number, Maker])[] = [
  [40, move],
  [18, changeAccount],
  [6, setDiscount],
  [12, changeSymbol],
  [20, keys],
];
