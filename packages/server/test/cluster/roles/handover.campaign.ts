/** Two hundred histories of nodes whose holders are killed, paused, cut off and stopped. */
process.env["ROLE_RUNS"] ??= "200";
await import("./handover.test.ts");
