/** Twelve kills instead of two. */
process.env["STREAM_KILLS"] ??= "12";
await import("./user-crash.test.ts");
