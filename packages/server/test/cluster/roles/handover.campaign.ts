/** Two hundred histories of nodes whose task owners are killed, suspended, cut off and stopped. */
process.env["ROLE_RUNS"] ??= "200";
await import("./handover.test.ts");
