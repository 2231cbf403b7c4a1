/** The real program in a process of its own, and what its operator does. */
export * from "./operator.ts";
export * from "./program.ts";
