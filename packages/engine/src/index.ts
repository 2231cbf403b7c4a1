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
export { LISTEN_KEY_LIFE_MS } from "./limits.ts";
export * from "./ledger/posting.ts";
export * from "./market/symbol.ts";
export { decimalsNeeded, formatDecimal, parseDecimal, placePoint } from "./number/decimal.ts";
export { LARGEST, WIRE_PLACES, fromScale, toScale } from "./number/scale.ts";
export * from "./order/order.ts";
export * from "./reject.ts";
export type { EngineOptions } from "./state.ts";
export * from "./view.ts";
