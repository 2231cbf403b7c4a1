/** Scenario lines of the operator: listings, accounts and changes. */
import {
  type Command,
  type ExchangeFilters,
  ORDER_TYPES,
  type OrderType,
  type PriceRangeRule,
  type SelfTradePreventionMode,
  type SymbolSpec,
  type SymbolStatus,
} from "@pricetime/engine";
import { EXCHANGE_FILTERS, eachField, SYMBOL_FILTERS, type SymbolFilters } from "@pricetime/engine/filters";
import type { Words } from "./words.ts";

const BY = "scenario";

/** Account numbers by name. */
export type Accounts = Map<string, number>;

export function operatorCommands(verb: string, words: Words, accounts: Accounts, nowMs: number): Command[] {
  switch (verb) {
    case "asset":
      return [
        {
          type: "listAsset",
          by: BY,
          asset: { asset: words.take(), name: "", precision: Number(words.take()), networks: [] },
        },
      ];
    case "symbol":
      return [{ type: "listSymbol", by: BY, symbol: readSymbol(words) }];
    case "account":
      return openAccount(words, accounts);
    case "deposit":
    case "debit":
      return [readMove(verb, words, accounts)];
    case "status":
      return [{ type: "setSymbolStatus", by: BY, symbol: words.take(), status: words.take() as SymbolStatus }];
    case "filters":
      return [{ type: "setSymbolFilters", by: BY, symbol: words.take(), filters: readFilters(words).filters }];
    case "modes":
      return [readModes(words)];
    case "range":
      return [readRange(words)];
    case "trade-group": {
      const accountId = accountOf(accounts, words.take());
      return [{ type: "changeAccount", by: BY, accountId, isTradeGroup: words.take() === "on" }];
    }
    case "discount":
      return [readDiscount(words)];
    case "pays-discounted": {
      const accountId = accountOf(accounts, words.take());
      return [{ type: "changeAccount", by: BY, accountId, paysInDiscountAsset: words.take() === "on" }];
    }
    case "exchange-filters":
      return [{ type: "setExchangeFilters", by: BY, filters: readExchangeFilters(words) }];
    case "fees":
      return [readFees(words, accounts)];
    case "trading":
      return [
        {
          type: "changeAccount",
          by: BY,
          accountId: accountOf(accounts, words.take()),
          canTrade: words.take() === "on",
          ...(words.has("ending-orders") ? { endOrders: true } : {}),
        },
      ];
    case "freeze":
      return [{ type: "freezeAccount", by: BY, accountId: accountOf(accounts, words.take()) }];
    case "suspend":
      return [{ type: "setStop", by: BY, scope: words.take(), why: "a test", untilMs: null }];
    case "end":
      return [readEnd(words.take(), words, accounts)];
    case "delist": {
      const symbol = words.take();
      const atMs = words.has("never") ? null : nowMs + words.duration();
      return [{ type: "setDelisting", by: BY, symbol, atMs, why: "a test" }];
    }
    case "tick":
      return [{ type: "tick" }];
    default:
      throw new Error(`unknown line '${verb}'`);
  }
}

/** `modes BTCUSDT default EXPIRE_MAKER allowed EXPIRE_MAKER+EXPIRE_TAKER`. */
function readModes(words: Words): Command {
  const symbol = words.take();
  words.must("default");
  const defaultMode = words.take() as SelfTradePreventionMode;
  words.must("allowed");
  const allowedModes = words.take().split("+") as SelfTradePreventionMode[];
  return { type: "setSelfTradePrevention", by: BY, symbol, defaultMode, allowedModes };
}

/** `discount BNB 7500`, `discount BNB 7500 except BTCUSDT+ETHUSDT`, `discount none`. */
function readDiscount(words: Words): Command {
  if (words.has("none")) return { type: "setCommissionDiscount", by: BY, discount: null };
  const [asset, factorBps] = [words.take(), Number(words.take())];
  const excludedSymbols = words.after("except")?.split("+") ?? [];
  return { type: "setCommissionDiscount", by: BY, discount: { asset, factorBps, excludedSymbols } };
}

/** `range BTCUSDT bid 0.9/1.1 ask -/1.1 buckets 10 1s` (a bound of `-` is absent), or `range BTCUSDT off`. */
function readRange(words: Words): Command {
  const symbol = words.take();
  if (words.has("off")) return { type: "setPriceRange", by: BY, symbol, priceRange: null };
  words.must("bid");
  const [bidLimitMultDown, bidLimitMultUp] = bounds(words.take());
  words.must("ask");
  const [askLimitMultDown, askLimitMultUp] = bounds(words.take());
  words.must("buckets");
  const priceRange: PriceRangeRule = {
    ...(bidLimitMultDown !== undefined && { bidLimitMultDown }),
    ...(bidLimitMultUp !== undefined && { bidLimitMultUp }),
    ...(askLimitMultDown !== undefined && { askLimitMultDown }),
    ...(askLimitMultUp !== undefined && { askLimitMultUp }),
    ...{ bucketCount: Number(words.take()), bucketWidthMs: words.duration() },
  };
  return { type: "setPriceRange", by: BY, symbol, priceRange };
}

function bounds(text: string): (string | undefined)[] {
  return text.split("/").map((bound) => (bound === "-" ? undefined : bound));
}

export function accountOf(accounts: Accounts, name: string): number {
  const accountId = accounts.get(name);
  if (accountId === undefined) throw new Error(`no account '${name}'`);
  return accountId;
}

/** `end order-3`, `end alice`, `end alice on BTCUSDT`, `end BTCUSDT`. */
function readEnd(what: string, words: Words, accounts: Accounts): Command {
  const said = { by: BY, why: "a test" };
  if (what.startsWith("order-")) return { type: "endOrder", ...said, orderId: Number(what.slice(6)) };
  const accountId = accounts.get(what);
  if (accountId === undefined) return { type: "endSymbolOrders", ...said, symbol: what };
  const symbol = words.after("on");
  return { type: "endAccountOrders", ...said, accountId, ...(symbol === undefined ? {} : { symbol }) };
}

function openAccount(words: Words, accounts: Accounts): Command[] {
  const name = words.take();
  const makerBps = Number(words.after("maker") ?? 0);
  const takerBps = Number(words.after("taker") ?? 0);
  // Customers are numbered from 100; FEES and OUTSIDE exist from the start.
  const accountId = 100 + [...accounts.values()].filter((id) => id >= 100).length;
  accounts.set(name, accountId);
  const master = words.after("of");
  const masterId = master === undefined ? {} : { masterId: accountOf(accounts, master) };
  const email = `${name}@example.org`;
  const commands: Command[] = [{ type: "openAccount", by: BY, email, name, makerBps, takerBps, ...masterId }];
  if (words.has("with")) {
    while (!words.done) {
      const amount = words.take();
      const asset = words.take().replace(",", "");
      commands.push({ type: "deposit", by: BY, accountId, asset, amount, reference: `${name} ${asset}` });
    }
  }
  return commands;
}

function readMove(type: "deposit" | "debit", words: Words, accounts: Accounts): Command {
  const accountId = accountOf(accounts, words.take());
  const amount = words.take();
  const asset = words.take();
  return {
    type,
    by: BY,
    accountId,
    amount,
    asset,
    reference: words.after("ref") ?? `${type} ${accountId} ${amount} ${asset}`,
  };
}

function readFees(words: Words, accounts: Accounts): Command {
  const accountId = accountOf(accounts, words.take());
  const symbol = words.after("on");
  if (symbol !== undefined && words.has("none")) {
    return { type: "setSymbolFee", by: BY, accountId, symbol, makerBps: null, takerBps: null };
  }
  words.must("maker");
  const makerBps = Number(words.take());
  words.must("taker");
  const takerBps = Number(words.take());
  if (symbol === undefined) return { type: "changeAccount", by: BY, accountId, makerBps, takerBps };
  return { type: "setSymbolFee", by: BY, accountId, symbol, makerBps, takerBps };
}

function readSymbol(words: Words): SymbolSpec {
  const symbol = words.take();
  words.must("of");
  const [baseAsset, quoteAsset] = words.take().split("/") as [string, string];
  const { filters, rest } = readFilters(words);
  return {
    symbol,
    status: "TRADING",
    baseAsset,
    quoteAsset,
    orderTypes: (rest.get("types")?.split("+") ?? ORDER_TYPES) as OrderType[],
    icebergAllowed: rest.get("icebergs-allowed") !== "no",
    ocoAllowed: rest.get("oco-allowed") !== "no",
    quoteOrderQtyMarketAllowed: rest.get("worth-allowed") !== "no",
    filters,
    ...(rest.get("trailing-allowed") === "no" && { allowTrailingStop: false }),
    ...(rest.get("oto-allowed") === "no" && { otoAllowed: false }),
    ...(rest.get("opo-allowed") === "no" && { opoAllowed: false }),
    ...(rest.get("pegs-allowed") === "no" && { pegInstructionsAllowed: false }),
    ...(rest.get("rounding") !== "checked" && { acceptRounding: true }),
  };
}

/** Filters by name; every other word is followed by its value. */
function readFilters(words: Words): { filters: SymbolFilters; rest: Map<string, string> } {
  const filters: { -readonly [name in keyof SymbolFilters]: SymbolFilters[name] } = {};
  const rest = new Map<string, string>();
  while (!words.done) {
    const name = words.take();
    if (name === "price") {
      const [minPrice, maxPrice, tickSize] = words.range();
      filters.priceFilter = { minPrice, maxPrice, tickSize };
    } else if (name === "lot" || name === "market-lot") {
      const [minQty, maxQty, stepSize] = words.range();
      filters[name === "lot" ? "lotSize" : "marketLotSize"] = { minQty, maxQty, stepSize };
    } else if (name === "percent") {
      const [multiplierDown, multiplierUp] = words.range();
      filters.percentPrice = { multiplierDown, multiplierUp, avgPriceMins: words.duration() / 60_000 };
    } else if (name === "notional") {
      const minNotional = words.take();
      const applyToMarket = words.has("market");
      filters.minNotional = { minNotional, applyToMarket, avgPriceMins: applyToMarket ? words.duration() / 60_000 : 0 };
    } else if (BY_NAME.has(name)) Object.assign(filters, readFilter(words, SYMBOL_FILTERS, BY_NAME.get(name) ?? ""));
    else rest.set(name, words.take());
  }
  return { filters, rest };
}

const WORDS = { orders: "maxNumOrders", "algo-orders": "maxNumAlgoOrders", icebergs: "maxNumIcebergOrders" };
/** Filters by their names in the interface, some also by a word. The values of their fields follow. */
const BY_NAME: ReadonlyMap<string, string> = new Map([
  ...Object.entries(SYMBOL_FILTERS).map(([key, { name }]) => [name, key] as const),
  ...Object.entries({ ...WORDS, parts: "icebergParts" }),
]);
const EXCHANGE_BY_NAME: ReadonlyMap<string, string> = new Map([
  ...Object.entries(EXCHANGE_FILTERS).map(([key, { name }]) => [name, key] as const),
  ...Object.entries(WORDS),
]);

function readFilter(words: Words, table: typeof SYMBOL_FILTERS | typeof EXCHANGE_FILTERS, key: string): object {
  const [text, number] = [() => words.take(), () => Number(words.take())];
  const texts = { price: text, quantity: text, amount: text, multiplier: text };
  const kinds = { ...texts, minutes: number, count: number, flag: () => words.take() === "yes" };
  const fields = Object.entries(eachField<() => unknown>(table, kinds)[key] ?? {});
  return { [key]: Object.fromEntries(fields.map(([field, read]) => [field, read()])) };
}

function readExchangeFilters(words: Words): ExchangeFilters {
  const filters = {};
  while (!words.done) {
    const name = words.take();
    const key = EXCHANGE_BY_NAME.get(name);
    if (key === undefined) throw new Error(`unknown exchange filter '${name}'`);
    Object.assign(filters, readFilter(words, EXCHANGE_FILTERS, key));
  }
  return filters;
}
