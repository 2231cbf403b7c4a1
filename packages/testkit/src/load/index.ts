/** Orders of all kinds from several connections at once, and a record of what was answered. */
export * from "./load.ts";
export * from "./random-order.ts";
