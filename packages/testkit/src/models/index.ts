/** An exchange written to be plain, for comparison with engines and whole nodes. */
export { differenceOfAccess } from "./access/differences.ts";
export * from "./amount.ts";
export { ModelExchange } from "./exchange.ts";
export * from "./happening.ts";
export { type ModelMarket, opposite, remaining } from "./market.ts";
export { happeningsOf } from "./translate.ts";
export type { ModelWallet, ModelWithdrawal } from "./state.ts";
export { withdrawnOver } from "./wallet/limits-over-time.ts";
export { isLocked } from "./wallet/locks.ts";
