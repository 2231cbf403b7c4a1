/** The real program in a process of its own, and its operator. */
export * from "./operator.ts";
export * from "./program.ts";
