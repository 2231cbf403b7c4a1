/** The real program in a process of its own, and its operator. */
export { PRICETIME, pricetime, type RanCommand, ROOT } from "./command.ts";
export { type LabProcess, startLabProcess } from "./lab-process.ts";
export * from "./operator.ts";
export * from "./program.ts";
export { isOnTwoNodes } from "./two-nodes.ts";
