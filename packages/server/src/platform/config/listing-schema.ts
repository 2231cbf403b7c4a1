/** Schemas of assets, symbols and filters in the configuration and the admin API. Interface 2.7, 2.8. */
import {
  eachField,
  EXCHANGE_FILTERS,
  type ExchangeFilters,
  type FieldKind,
  ORDER_TYPES,
  SELF_TRADE_PREVENTION_MODES,
  SYMBOL_FILTERS,
  SYMBOL_STATUSES,
  type SymbolFilters,
  MAX_TEXT_LENGTH,
  MAX_AVERAGE_PRICE_MINS,
  MAX_BUCKET_WIDTH_MS,
  MAX_BUCKETS,
  MIN_BUCKET_WIDTH_MS,
  MINUTE_MS,
  MAX_CONFIRMATIONS,
  MAX_NETWORKS_PER_ASSET,
  MAX_PRECISION,
  MAX_FEE_BPS,
} from "@pricetime/engine";
import { z } from "zod";

export const PLAIN_DECIMAL = /^[0-9]{1,20}(\.[0-9]{1,20})?$/;

/** A decimal as the interface accepts it. Interface 1.9. */
export const decimal = z
  .string()
  .regex(PLAIN_DECIMAL, 'a plain decimal in quotes, as "0.01"')
  .meta({ examples: ["0.01"] });
const count = z.int().min(0).max(1_000_000);
/** Minutes of an average price, at most a day. */
const averageMins = z.int().min(0).max(MAX_AVERAGE_PRICE_MINS);

export const assetName = z
  .string()
  .regex(/^[A-Z0-9]{1,20}$/, "1 to 20 of A-Z and 0-9")
  .meta({ examples: ["BTC"] });
export const symbolName = z
  .string()
  .regex(/^[A-Z0-9\-_.]{1,20}$/, "1 to 20 of A-Z, 0-9, -, _ and .")
  .meta({ examples: ["BTCUSDT"] });

/** A name, label or reference. */
export const text = z
  .string()
  .min(1)
  .max(MAX_TEXT_LENGTH)
  .regex(/^\P{Cc}*$/u, "without control characters");

const confirmations = z.int().min(1).max(MAX_CONFIRMATIONS);

/** An asset's settings on one network. The engine's `AssetNetwork` explains the fields. */
export const networkFields = z.strictObject({
  network: text,
  isDefault: z.boolean().default(false),
  depositEnabled: z.boolean().default(true),
  withdrawEnabled: z.boolean().default(true),
  withdrawFee: decimal.default("0"),
  withdrawMin: decimal.default("0"),
  withdrawMax: decimal.default("0"),
  withdrawStep: decimal.exactOptional(),
  depositStep: decimal.exactOptional(),
  depositMin: decimal.exactOptional(),
  creditConfirmations: confirmations.exactOptional(),
  finalConfirmations: confirmations.exactOptional(),
  isTagged: z.boolean().exactOptional(),
  confirmsByEmail: z.boolean().exactOptional(),
  approvalAbove: decimal.exactOptional(),
  depositTip: text.exactOptional(),
});

/**
 * The journal stores `confirmsByEmail` as `confirmsByMail`, its name in release 0.2.0. Requests may still use the old
 * name.
 */
const networkSchema = z
  .preprocess((given) => renamed(given, "confirmsByMail", "confirmsByEmail"), networkFields)
  .transform(({ confirmsByEmail, ...rest }) => ({
    ...rest,
    ...(confirmsByEmail !== undefined && { confirmsByMail: confirmsByEmail }),
  }));

/**
 * Renames a key. Clients may send back an answer, which contains both names. If their values differ, the object is left
 * unchanged, so that the schema rejects it.
 */
function renamed(given: unknown, from: string, to: string): unknown {
  if (typeof given !== "object" || given === null || !(from in given)) return given;
  const { [from]: value, ...rest } = given as Readonly<Record<string, unknown>>;
  return to in rest && rest[to] !== value ? given : { ...rest, [to]: value };
}

export const networksSchema = z.array(networkSchema).max(MAX_NETWORKS_PER_ASSET);

/** Maximum withdrawals without approval over 24 and 72 hours; absent: no limit. */
export const limitsOverTimeSchema = z.strictObject({
  per24h: decimal.exactOptional(),
  per72h: decimal.exactOptional(),
});

export const withdrawalLimitsSchema = z.strictObject({
  /** The limits of each account together with its sub-accounts. */
  account: limitsOverTimeSchema.exactOptional(),
  /** The limits of all customers together, which customers do not see. */
  allCustomers: limitsOverTimeSchema.exactOptional(),
});

export const assetSchema = z.strictObject({
  asset: assetName,
  name: text,
  precision: z.int().min(0).max(MAX_PRECISION).default(MAX_PRECISION),
  networks: networksSchema.default([]),
  withdrawalLimits: withdrawalLimitsSchema.exactOptional(),
});

const FIELDS = {
  ...{ price: decimal, quantity: decimal, amount: decimal, multiplier: decimal },
  ...{ minutes: averageMins, count, flag: z.boolean() },
} satisfies Record<FieldKind, z.ZodType>;

type FilterSchema<Filters> = z.ZodObject<
  { readonly [Key in keyof Filters]-?: z.ZodExactOptional<z.ZodType<NonNullable<Filters[Key]>>> },
  z.core.$strict
>;

/** The schema of a table of filters. An omitted filter does not apply. */
function filtersIn<Filters>(table: typeof SYMBOL_FILTERS | typeof EXCHANGE_FILTERS): FilterSchema<Filters> {
  const filters = Object.entries(eachField<z.ZodType>(table, FIELDS));
  const shape = filters.map(([key, fields]) => [key, z.strictObject(fields).exactOptional()] as const);
  return z.strictObject(Object.fromEntries(shape)) as unknown as FilterSchema<Filters>;
}

export const symbolFiltersSchema = filtersIn<SymbolFilters>(SYMBOL_FILTERS);

/** Whether coarse rounding is accepted; the engine's `SymbolSpec` explains it. */
const acceptRounding = { acceptRounding: z.boolean().exactOptional() };

export const newFiltersSchema = symbolFiltersSchema.extend(acceptRounding);

export const exchangeFiltersSchema = filtersIn<ExchangeFilters>(EXCHANGE_FILTERS);

export const symbolStatusSchema = z.enum(SYMBOL_STATUSES);

const preventionMode = z.enum(SELF_TRADE_PREVENTION_MODES);
/** The modes of self-trade prevention on a symbol. */
export const selfTradePreventionSchema = z
  .strictObject({
    /** The mode of orders that name none. */
    defaultMode: preventionMode,
    allowedModes: z.array(preventionMode).min(1).max(SELF_TRADE_PREVENTION_MODES.length),
  })
  .refine(({ defaultMode, allowedModes }) => allowedModes.includes(defaultMode), {
    message: "allowedModes must contain defaultMode",
  });

const multiplier = decimal.regex(/^[0-9]+(\.[0-9]{1,8})?$/, "at most 8 decimal places");
/** Orders at the reference price itself must be possible. */
const upper = multiplier.refine((text) => Number(text) >= 1, "at least 1").exactOptional();
const lower = multiplier
  .refine((text) => Number(text) > 0 && Number(text) <= 1, "above 0 and at most 1")
  .exactOptional();
/** The execution rule PRICE_RANGE of a symbol. A bound that is omitted does not apply. */
export const priceRangeSchema = z
  .strictObject({
    ...{ bidLimitMultUp: upper, bidLimitMultDown: lower },
    ...{ askLimitMultUp: upper, askLimitMultDown: lower },
    /** The reference price is the mean of the trades in so many buckets of this width. */
    bucketCount: z.int().min(1).max(MAX_BUCKETS).default(30),
    bucketWidthMs: z.int().min(MIN_BUCKET_WIDTH_MS).max(MAX_BUCKET_WIDTH_MS).default(MINUTE_MS),
  })
  .refine(
    ({ bidLimitMultUp, bidLimitMultDown, askLimitMultUp, askLimitMultDown }) =>
      [bidLimitMultUp, bidLimitMultDown, askLimitMultUp, askLimitMultDown].some((bound) => bound !== undefined),
    { message: "a price range needs at least one bound, such as askLimitMultDown" },
  );

export const symbolSchema = z.strictObject({
  symbol: symbolName,
  status: symbolStatusSchema.default("TRADING"),
  baseAsset: assetName,
  quoteAsset: assetName,
  orderTypes: z
    .array(z.enum(ORDER_TYPES))
    .min(1)
    .default([...ORDER_TYPES]),
  icebergAllowed: z.boolean().default(true),
  ocoAllowed: z.boolean().default(true),
  quoteOrderQtyMarketAllowed: z.boolean().default(true),
  filters: symbolFiltersSchema.default({}),
  ...acceptRounding,
  selfTradePrevention: selfTradePreventionSchema.exactOptional(),
  priceRange: priceRangeSchema.exactOptional(),
  allowTrailingStop: z.boolean().exactOptional(),
  otoAllowed: z.boolean().exactOptional(),
  opoAllowed: z.boolean().exactOptional(),
  pegInstructionsAllowed: z.boolean().exactOptional(),
});

/** A fee rate in basis points of the received amount. */
export const bps = z.int().min(0).max(MAX_FEE_BPS);
