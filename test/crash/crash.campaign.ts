/** Thirty kills instead of one. */
process.env["CRASH_KILLS"] ??= "30";
await import("./crash.test.ts");
