/** Orders of all kinds from several connections at once, and a record of the answers. */
export * from "./load.ts";
export * from "./random-order.ts";
