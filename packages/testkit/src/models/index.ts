/** A simple model of the exchange. Tests compare engines and complete nodes with it. */
export { ModelExchange } from "./exchange.ts";
export * from "./happening.ts";
export { type ModelMarket, opposite, remaining } from "./market.ts";
export { triggerOf } from "./matching.ts";
export * from "./money.ts";
export type { ModelWallet, ModelWithdrawal } from "./state.ts";
export { differenceOfAccess, happeningsOf } from "./translate.ts";
export { isLocked } from "./wallet.ts";
export { withdrawnOver } from "./withdrawals.ts";
