/** Random exchanges, and what their customers and operators may do next. */
export * from "./commands.ts";
export * from "./wallet-commands.ts";
export * from "./wallet-world.ts";
export * from "./world.ts";
