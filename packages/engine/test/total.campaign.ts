/** Five thousand histories of odd commands instead of three hundred. */
process.env["TOTAL_RUNS"] ??= "5000";
await import("./total.test.ts");
