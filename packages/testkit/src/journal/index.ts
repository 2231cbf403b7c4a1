/** What a node journals, at random, and what history makes of it. */
export * from "./dump-history.ts";
export * from "./flow.ts";
export * from "./history-over.ts";
export * from "./random-command.ts";
