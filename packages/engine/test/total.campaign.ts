/** Runs `total.test.ts` with five thousand histories instead of three hundred. */
process.env["TOTAL_RUNS"] ??= "5000";
await import("./total.test.ts");
