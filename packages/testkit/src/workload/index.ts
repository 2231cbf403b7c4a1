/** Random exchanges, and plausible next commands of their customers and operators. */
export * from "./access-commands.ts";
export * from "./commands.ts";
export * from "./node-commands.ts";
export * from "./random-exchange.ts";
export * from "./venue-commands.ts";
export * from "./wallet-commands.ts";
export * from "./world.ts";
