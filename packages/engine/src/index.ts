/** The public interface of the engine. */
export { InvariantBroken } from "./assert.ts";
export { type Book, LadderBook, type LevelVisitor } from "./state/book/book.ts";
export { MalformedBytes } from "./bytes.ts";
export { decodeCommands, decodeFirstCommand, encodeCommands } from "./entry/command-codec.ts";
export * from "./entry/command.ts";
export { Engine } from "./engine.ts";
export * from "./entry/event.ts";
export * from "./entry/wallet-record.ts";
export * from "./entry/access.ts";
export * from "./entry/venue.ts";
export { accountIdOf, operatorNameOf } from "./access/holders.ts";
export { hasRight, PROPOSABLE_ACTS, RIGHTS, type Right, rightFor, RULABLE_ACTS } from "./venue/rights.ts";
export {
  BPS_IN_WHOLE,
  BREAK_GLASS_DELAY_MS,
  CONFIRMATION_LIFE_MS,
  LISTEN_KEY_LIFE_MS,
  MAX_APPROVAL_RULES,
  MAX_APPROVALS,
  MAX_ASSETS,
  MAX_AVERAGE_PRICE_MINS,
  MAX_DISCOUNT_FACTOR_BPS,
  MAX_EXCLUDED_SYMBOLS,
  MAX_CANDLE_AMOUNT_DIGITS,
  MAX_CANDLES_A_COMMAND,
  MAX_BUCKET_WIDTH_MS,
  MAX_BUCKETS,
  MAX_CLIENT_LENGTH,
  MAX_CONFIRMATIONS,
  MAX_DUST_ASSETS,
  MAX_FEE_BPS,
  MAX_FILL_CREDIT,
  MAX_NETWORKS_PER_ASSET,
  MAX_ADDRESS_WAIT_MS,
  MAX_NODE_NAME_LENGTH,
  MAX_NOTE_LENGTH,
  MAX_PROPOSALS,
  MAX_PROPOSALS_OF_AUTHOR,
  MAX_OPERATOR_NAME_LENGTH,
  MAX_PEG_LEVEL,
  MAX_PRECISION,
  MAX_ROUNDING_BPS,
  MAX_STATUS_OBJS,
  MAX_TEXT_LENGTH,
  MAX_TRADES_A_CANDLE,
  PROPOSAL_LIFE_MS,
  MIN_BUCKET_WIDTH_MS,
} from "./limits.ts";
export {
  type Bucket,
  DEPOSITS_ACCOUNT,
  DUST_ACCOUNT,
  FEE_ACCOUNT,
  FIRST_CUSTOMER_ACCOUNT,
  OUTSIDE_ACCOUNT,
  type Posting,
  POSTING_REASONS,
  type PostingReason,
  TREASURY_ACCOUNT,
} from "./state/ledger.ts";
export { type Field, wordAt } from "./entry/fields.ts";
export * from "./entry/order-id.ts";
export * from "./entry/order-record.ts";
export * from "./entry/symbol.ts";
export * from "./filters.ts";
export {
  DAY_MS,
  decimalsNeeded,
  formatDecimal,
  fromScale,
  HOUR_MS,
  LARGEST,
  MINUTE_MS,
  OFF_SCALE,
  parseDecimal,
  placePoint,
  SECOND_MS,
  type SymbolScale,
  toScale,
  WIRE_PLACES,
  withoutTrailingZeros,
} from "./numbers.ts";
export {
  type CandleScale,
  type GeneratedPast,
  levelsOf,
  NEWEST_GENERATOR,
  PAST_INTERVALS,
  PAST_WIDTHS_MS,
  type PastAsset,
  type PastCandle,
  type PastInterval,
  type PastLevel,
  type PastReach,
} from "./entry/past-candle.ts";
export { checksFor } from "./trading/check.ts";
export { pricesOf } from "./trading/peg.ts";
export { generatePast, PastGenerator } from "./generate-past-candles.ts";
export {
  ADOPT_NEWEST_RULES,
  FIRST_EDITION,
  INTERFACE_RULES,
  type InterfaceName,
  INTERFACES,
  NEWEST_EDITION,
} from "./entry/edition.ts";
export {
  isRoundingCoarse,
  isRoundingTooCoarse,
  lotsWithoutCommission,
  type Precisions,
  type Rounding,
  roundingOf,
} from "./state/market/rounding.ts";
export type { Executed } from "./state/order/order-copy.ts";
export { OrderTable } from "./state/order/order-table.ts";
export {
  buysAtAnyPrice,
  extrasFor,
  extrasOf,
  Order,
  type OrderExtras,
  type OrderTerms,
} from "./state/order/order.ts";
export * from "./entry/reject.ts";
export { differingParts, type PartHash, type StateHash } from "./snapshot.ts";
export type { EngineOptions } from "./state/exchange-state.ts";
export type { AccessView, EngineView, FundsView, NodesView, VenueView } from "./engine-readers.ts";
export type * from "./engine-view.ts";
