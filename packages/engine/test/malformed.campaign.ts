/** Runs `malformed.test.ts` with every odd value in every field. */
process.env["MALFORMED_EVERY"] ??= "1";
await import("./malformed.test.ts");
