/** The public interface of the wire contract. */
export { integerOf, limitOf, symbolsOf, timeOf } from "./check-parameter.ts";
export * from "./endpoint.ts";
export {
  type Answer,
  type Answers,
  CONFIRM_PATH,
  type EndpointId,
  ENDPOINTS,
  EndpointTable,
  findEndpoint,
  findMethod,
  type KnownEndpoint,
  METHODS,
  methodsOf,
  WS_API_PATH,
} from "./endpoints.ts";
export { DEPTH_LIMITS } from "./endpoints/market.ts";
export { MAX_DEPTH_LIMIT, MAX_LIST_LIMIT } from "./endpoints/parameters.ts";
export * from "./errors.ts";
export * from "./microseconds.ts";
export * from "./openapi/document.ts";
export * from "./list-request.ts";
export { amountFault, decimalsOf, orderRequest, type OrderRequest } from "./order-request.ts";
export * from "./interfaces.ts";
export { LIMIT_LEG_TYPES, nameOf } from "./order-types.ts";
export * from "./parse.ts";
export * from "./patterns.ts";
export * from "./rejects.ts";
export { MAX_PARAMETERS } from "./scan.ts";
export * from "./shapes/account.ts";
export * from "./shapes/enums.ts";
export * from "./shapes/kline-interval.ts";
export type * from "./shapes/lab.ts";
export * from "./shapes/market.ts";
export * from "./shapes/orders.ts";
export * from "./shapes/wallet.ts";
export * from "./sign-in-work.ts";
export { showBrowser } from "./user-agent.ts";
