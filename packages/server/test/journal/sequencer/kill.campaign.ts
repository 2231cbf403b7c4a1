/** Eight kills instead of two. */
process.env["KILL_ROUNDS"] ??= "8";
await import("./kill.test.ts");
