/** Twelve kills instead of one. */
process.env["STREAM_KILLS"] ??= "12";
await import("./user-crash.test.ts");
