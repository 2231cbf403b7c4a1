/** Thirty kills instead of a few. */
process.env["CRASH_KILLS"] ??= "30";
await import("./crash.test.ts");
