/** Commands as tests give them to an engine. */
export { placeOrder, requestWithdrawal } from "./customer.ts";
export { createApiKey, deposit, listAsset, listSymbol, networkOf, openAccount, symbolOf } from "./operator.ts";
export { byTwo, TWO_OPERATORS } from "./two-persons.ts";
