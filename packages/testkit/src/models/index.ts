/** A simple model of the exchange, with which engines and complete nodes are compared. */
export { ModelExchange } from "./exchange.ts";
export * from "./happening.ts";
export { type ModelMarket, opposite, remaining } from "./market.ts";
export * from "./money.ts";
export type { ModelWallet, ModelWithdrawal } from "./state.ts";
export { differenceOfAccess, happeningsOf } from "./translate.ts";
export { isLocked } from "./wallet.ts";
export { withdrawnOver } from "./withdrawals.ts";
