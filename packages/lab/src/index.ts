/** `pricetime/lab`: an exchange for tests, which control its clock, markets, faults and checkpoints. */
export { LabError } from "./client/admin.ts";
export { fixture, startExchange } from "./start/start-exchange.ts";
export type * from "./types.ts";
