/** A real EVM chain, a signer that is started as operators start it, and the program on both. */
export * from "./anvil.ts";
export * from "./dear-gas.ts";
export * from "./program.ts";
