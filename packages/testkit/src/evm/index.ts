/** A real EVM chain, a signer started as operators start it, and the program over both. */
export * from "./anvil.ts";
export * from "./dear-gas.ts";
export * from "./program.ts";
