/** Operators' definitions of assets and symbols. Interface 2.7, 2.8. Decimals are strings, as in exchangeInfo. */
import {
  eachField,
  EXCHANGE_FILTERS,
  type ExchangeFilters,
  type FieldKind,
  SYMBOL_FILTERS,
  type SymbolFilters,
} from "../filters.ts";
import { MAX_ALLOWED_ADDRESSES, MAX_CONFIRMATIONS, MAX_NETWORKS_PER_ASSET } from "../limits.ts";
import { INTERFACE_RULES, type InterfaceName } from "./edition.ts";
import { type OrderType, SELF_TRADE_PREVENTION_MODES, type SelfTradePreventionMode } from "./order-record.ts";
import {
  type Check,
  fields,
  integer,
  isBoolean,
  isNumber,
  isString,
  listOf,
  name,
  note,
  optional,
  type Shaped,
  stringAs,
} from "./shape.ts";

export const SYMBOL_STATUSES = [
  "PRE_TRADING",
  "TRADING",
  "POST_TRADING",
  "END_OF_DAY",
  "HALT",
  "AUCTION_MATCH",
  "BREAK",
  "CANCEL_ONLY",
] as const;
export type SymbolStatus = (typeof SYMBOL_STATUSES)[number];

/**
 * Maximum length of lists in operator commands, such as permissions and addresses of keys, or order types of a symbol.
 */
export const MAX_LIST_LENGTH = MAX_ALLOWED_ADDRESSES;

const confirmations = integer(1, MAX_CONFIRMATIONS);
const NETWORK = {
  network: name,
  isDefault: isBoolean,
  depositEnabled: isBoolean,
  withdrawEnabled: isBoolean,
  withdrawFee: isString,
  withdrawMin: isString,
  withdrawMax: isString,
  /** Withdrawals must be multiples of this amount. Default: the asset's smallest unit. */
  withdrawStep: optional(isString),
  /** Deposits that an operator reports must be multiples of this amount. Default: the asset's smallest unit. */
  depositStep: optional(isString),
  /** Deposits below this amount are not credited. Default: no minimum. */
  depositMin: optional(isString),
  /** Blocks, including the one with the transaction, until a deposit can be traded (6). Default: 1. */
  creditConfirmations: optional(confirmations),
  /**
   * Blocks until a deposit can be withdrawn again (1), or a withdrawal by the exchange is done (6). Default:
   * `creditConfirmations`.
   */
  finalConfirmations: optional(confirmations),
  /** Whether customers share addresses and are distinguished by a tag. */
  isTagged: optional(isBoolean),
  /** Whether withdrawals wait for the link in an email. */
  confirmsByMail: optional(isBoolean),
  /** Withdrawals above this amount wait for an operator's approval. Default: no limit. */
  approvalAbove: optional(isString),
  /** Message to customers while deposits are suspended. */
  depositTip: optional(note),
};
/** The rules of an asset on one network. Amounts are decimal strings of the asset. */
export type AssetNetwork = Shaped<typeof NETWORK>;
export const networks = listOf(fields(NETWORK), MAX_NETWORKS_PER_ASSET);

/** The windows over which withdrawals are summed, in hours. */
export const WITHDRAWAL_WINDOWS = { per24h: 24, per72h: 72 } as const;
export type WithdrawalWindow = keyof typeof WITHDRAWAL_WINDOWS;

const LIMITS = { per24h: optional(isString), per72h: optional(isString) };
/** The maximum that may be withdrawn over each window without approval, in decimals of the asset. Default: no limit. */
export type LimitsOverTime = Shaped<typeof LIMITS>;
export const limitsOverTime = fields(LIMITS);

const WITHDRAWAL_LIMITS = {
  /** Limits of each account without its own; a master and its sub-accounts count together. */
  account: optional(limitsOverTime),
  /** Limits of all customers together, as a budget of the hot wallet. */
  allCustomers: optional(limitsOverTime),
};
/** Withdrawals above a limit wait for approval (decision 72). Default: no limit. */
export type WithdrawalLimits = Shaped<typeof WITHDRAWAL_LIMITS>;
export const withdrawalLimits = fields(WITHDRAWAL_LIMITS);

export const ASSET = {
  /** For example `BTC`: 1 to 20 of A-Z and 0-9. */
  asset: isString,
  name: isString,
  /** Decimals of the smallest unit, 0 to 8. */
  precision: isNumber,
  networks,
  withdrawalLimits: optional(withdrawalLimits),
};
export type AssetSpec = Shaped<typeof ASSET>;

const FIELD_CHECKS: Readonly<Record<FieldKind, Check>> = {
  ...{ price: isString, quantity: isString, amount: isString, multiplier: isString },
  ...{ minutes: isNumber, count: isNumber, flag: isBoolean },
};
/** The check of an object with the filters of a table. */
function filtersIn<T>(table: typeof SYMBOL_FILTERS | typeof EXCHANGE_FILTERS): Check<T> {
  const shapes = Object.entries(eachField(table, FIELD_CHECKS));
  return fields(Object.fromEntries(shapes.map(([key, shape]) => [key, optional(fields(shape))]))) as Check as Check<T>;
}
export const symbolFilters = filtersIn<SymbolFilters>(SYMBOL_FILTERS);
export const exchangeFilters = filtersIn<ExchangeFilters>(EXCHANGE_FILTERS);

export const SELF_TRADE_PREVENTION = {
  /** The mode of orders that name none. One of the allowed modes. */
  defaultMode: stringAs<SelfTradePreventionMode>(),
  allowedModes: listOf(stringAs<SelfTradePreventionMode>(), MAX_LIST_LENGTH),
};
/** The modes of self-trade prevention on a symbol. Decision 93. */
export type SelfTradePreventionRules = Shaped<typeof SELF_TRADE_PREVENTION>;

function rulesOf(interfaceName: InterfaceName): SelfTradePreventionRules {
  return { defaultMode: INTERFACE_RULES[interfaceName].selfTradePrevention, allowedModes: SELF_TRADE_PREVENTION_MODES };
}

// Made once, because every placement looks them up. No table by name: "2019" would be an index in it, and V8 finds
// those slowly.
const RULES_OF_2019 = rulesOf("2019");
const RULES_OF_TODAY = rulesOf("today");

/** The rules in force on a symbol. One without its own allows all modes; its default is that of the interface. */
export function preventionRulesOf(
  { selfTradePrevention }: SymbolSpec,
  interfaceName: InterfaceName,
): SelfTradePreventionRules {
  return selfTradePrevention ?? (interfaceName === "today" ? RULES_OF_TODAY : RULES_OF_2019);
}

/** The execution rule PRICE_RANGE, and how its reference price is computed. Decision 105. */
export const PRICE_RANGE_RULE = {
  /** A BUY executes up to this multiple of the reference price; absent: at any price. */
  bidLimitMultUp: optional(isString),
  bidLimitMultDown: optional(isString),
  askLimitMultUp: optional(isString),
  askLimitMultDown: optional(isString),
  bucketCount: isNumber,
  bucketWidthMs: isNumber,
};
export type PriceRangeRule = Shaped<typeof PRICE_RANGE_RULE>;

export const SYMBOL = {
  /** For example `BTCUSDT`: 1 to 20 of A-Z, 0-9, `-`, `_`, `.`. */
  symbol: isString,
  status: stringAs<SymbolStatus>(),
  baseAsset: isString,
  quoteAsset: isString,
  orderTypes: listOf(stringAs<OrderType>(), MAX_LIST_LENGTH),
  icebergAllowed: isBoolean,
  ocoAllowed: isBoolean,
  quoteOrderQtyMarketAllowed: isBoolean,
  filters: symbolFilters,
  /**
   * Whether an operator accepts that one unit of the quote asset is a large part of the smallest trade. Decision 70.
   */
  acceptRounding: optional(isBoolean),
  /** Whether stop orders may have a `trailingDelta`. Default: true. */
  allowTrailingStop: optional(isBoolean),
  /** Default: all modes are allowed, and orders that name none have the default of the interface. */
  selfTradePrevention: optional(fields(SELF_TRADE_PREVENTION)),
  /** Default: orders execute at any price of the book. */
  priceRange: optional(fields(PRICE_RANGE_RULE)),
  /** Whether lists with a working order are allowed: OTO, and OTOCO if `ocoAllowed`. Default: yes. */
  otoAllowed: optional(isBoolean),
  /** Whether their pending orders may sell what the working order bought: OPO and OPOCO. Default: yes. */
  opoAllowed: optional(isBoolean),
  /** Whether orders may be pegged to a price of the book. Default: yes. */
  pegInstructionsAllowed: optional(isBoolean),
};
export type SymbolSpec = Shaped<typeof SYMBOL>;
