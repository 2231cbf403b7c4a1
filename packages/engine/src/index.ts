/** The public face of the engine. */
export * from "./access/api-key.ts";
export { InvariantBroken } from "./assert.ts";
export type { Book, LevelVisitor } from "./book/book.ts";
export { LadderBook } from "./book/ladder-book.ts";
export { MalformedBytes } from "./bytes.ts";
export { decodeCommands, encodeCommands } from "./codec.ts";
export * from "./command.ts";
export { Engine } from "./engine.ts";
export * from "./event.ts";
export * from "./funds/record.ts";
export type { WalletView } from "./funds/view.ts";
export {
  CONFIRMATION_LIFE_MS,
  LISTEN_KEY_LIFE_MS,
  MAX_CANDLE_AMOUNT_DIGITS,
  MAX_CANDLES_A_COMMAND,
  MAX_DUST_ASSETS,
  MAX_TRADES_A_CANDLE,
} from "./limits.ts";
export * from "./ledger/posting.ts";
export * from "./market/symbol.ts";
export { decimalsNeeded, formatDecimal, parseDecimal, placePoint } from "./number/decimal.ts";
export { LARGEST, WIRE_PLACES, fromScale, toScale } from "./number/scale.ts";
export * from "./past/candle.ts";
export { generatePast, PastGenerator } from "./past/generate.ts";
export {
  type GeneratedPast,
  levelsOf,
  type PastLevel,
  NEWEST_GENERATOR,
  type PastAsset,
} from "./past/generated-past.ts";
export { ADOPT_NEWEST_RULES, FIRST_EDITION, NEWEST_EDITION } from "./edition.ts";
export type { OrderList } from "./order/order-lists.ts";
export { OrderTable } from "./order/order-table.ts";
export * from "./order/order.ts";
export * from "./reject.ts";
export type { EngineOptions } from "./state.ts";
export * from "./view.ts";
