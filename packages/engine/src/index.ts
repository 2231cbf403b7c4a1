/** The public interface of the engine. */
export * from "./entry/api-key.ts";
export { InvariantBroken } from "./assert.ts";
export type { Book, LevelVisitor } from "./state/book/book.ts";
export { LadderBook } from "./state/book/ladder-book.ts";
export { MalformedBytes } from "./bytes.ts";
export { decodeCommands, decodeFirstCommand, encodeCommands } from "./entry/command-codec.ts";
export * from "./entry/command.ts";
export { Engine } from "./engine.ts";
export { foldedEmail } from "./entry/email.ts";
export * from "./entry/event.ts";
export * from "./entry/wallet-record.ts";
export type { FundsView } from "./view/funds-view.ts";
export type * from "./view/nodes-view.ts";
export type { AccessView } from "./view/access-view.ts";
export type { VenueView } from "./view/venue-view.ts";
export * from "./entry/access-record.ts";
export * from "./entry/venue-record.ts";
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
  MAX_CANDLE_AMOUNT_DIGITS,
  MAX_CANDLES_A_COMMAND,
  MAX_CLIENT_LENGTH,
  MAX_CONFIRMATIONS,
  MAX_DUST_ASSETS,
  MAX_FEE_BPS,
  MAX_NETWORKS_PER_ASSET,
  MAX_ADDRESS_WAIT_MS,
  MAX_NODE_NAME_LENGTH,
  MAX_NOTE_LENGTH,
  MAX_PROPOSALS,
  MAX_PROPOSALS_OF_AUTHOR,
  MAX_OPERATOR_NAME_LENGTH,
  MAX_PRECISION,
  MAX_ROUNDING_BPS,
  MAX_STATUS_OBJS,
  MAX_TEXT_LENGTH,
  MAX_TRADES_A_CANDLE,
  ORDERS_OF_A_LIST,
  PROPOSAL_LIFE_MS,
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
} from "./state/ledger/posting.ts";
export type { Field } from "./entry/fields.ts";
export * from "./entry/order-record.ts";
export * from "./entry/order-words.ts";
export * from "./entry/symbol.ts";
export { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from "./number/duration.ts";
export { decimalsNeeded, formatDecimal, parseDecimal, placePoint, withoutTrailingZeros } from "./number/decimal.ts";
export { LARGEST, OFF_SCALE, WIRE_PLACES, fromScale, toScale } from "./number/scale.ts";
export type { SymbolScale } from "./number/symbol-scale.ts";
export {
  type CandleScale,
  PAST_INTERVALS,
  PAST_WIDTHS_MS,
  type PastCandle,
  type PastInterval,
  type PastReach,
} from "./entry/past-candle.ts";
export { generatePast, PastGenerator } from "./past/generate.ts";
export {
  type GeneratedPast,
  levelsOf,
  type PastLevel,
  NEWEST_GENERATOR,
  type PastAsset,
} from "./entry/generated-past.ts";
export { ADOPT_NEWEST_RULES, FIRST_EDITION, NEWEST_EDITION } from "./entry/edition.ts";
export {
  isRoundingCoarse,
  isRoundingTooCoarse,
  lotsWithoutCommission,
  type Precisions,
  type Rounding,
  roundingOf,
} from "./state/market/rounding.ts";
export { OrderTable } from "./state/order/order-table.ts";
export { buysAtAnyPrice, extrasFor, extrasOf, Order } from "./state/order/order.ts";
export type { Executed, OrderExtras, OrderTerms } from "./state/order/order-parts.ts";
export * from "./entry/reject.ts";
export { differingParts, type PartHash, type StateHash } from "./state-hash.ts";
export type { EngineOptions } from "./state/exchange-state.ts";
export * from "./view/engine-view.ts";
