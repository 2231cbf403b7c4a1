/** The public face of the engine. */
export * from "./access/api-key.ts";
export * from "./command.ts";
export * from "./event.ts";
export * from "./ledger/posting.ts";
export * from "./market/symbol.ts";
export * from "./order/order.ts";
export * from "./reject.ts";
export * from "./view.ts";
