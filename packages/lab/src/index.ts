/** `pricetime/lab`: an exchange in the hands of a test: its clock, market, faults, and moments to go back to. */
export { LabError } from "./client/admin.ts";
export { fixture, startExchange } from "./start/start-exchange.ts";
export type * from "./types.ts";
