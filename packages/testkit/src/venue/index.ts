/** The real program in a separate process, and its operator. */
export * from "./operator.ts";
export * from "./program.ts";
