/** Every bound of the engine, by name. Reaching one is a refusal, never a surprise. */

/** Open orders of the whole exchange. */
export const MAX_OPEN_ORDERS = 1 << 22;
/** Slices of one iceberg, whatever ICEBERG_PARTS allows: one taker may have to trade with each of them. */
export const MAX_ICEBERG_PARTS = 1000;
/** Orders above this many lots are checked against MAX_LEVEL_LOTS; smaller ones cannot overflow a level. */
export const LARGE_ORDER_LOTS = 2 ** 30;
/** Lots that large orders may bring one price of a book to: half of what a safe integer holds. */
export const MAX_LEVEL_LOTS = 2 ** 52;
export const MAX_ACCOUNTS = 10_000_000;
export const MAX_ASSETS = 10_000;
export const MAX_SYMBOLS = 20_000;
export const MAX_API_KEYS_PER_ACCOUNT = 100;
/** Longest averaging window of a filter. */
export const MAX_AVERAGE_PRICE_MINS = 1440;
/** Decimals of the smallest unit of an asset: what the wire shows. */
export const MAX_PRECISION = 8;
/** Rates are basis points of what is received. */
export const MAX_FEE_BPS = 10_000;
/** Amounts of one deposit or debit, in units of the asset. */
export const MAX_MOVE_UNITS = 10n ** 30n;
/** A user stream lives this long after it was opened or kept alive. Interface 4.4. */
export const LISTEN_KEY_LIFE_MS = 60 * 60 * 1000;
/** Text that an operator sends: names, labels, references, mail addresses. */
export const MAX_TEXT_LENGTH = 256;
