/** Random journals, and the histories made from them. */
export * from "./dump-history.ts";
export * from "./flow.ts";
export * from "./history-over.ts";
export * from "./random-command.ts";
