/** A hundred histories instead of a few: so many have met every step. */
process.env["WALLET_RUNS"] ??= "100";
await import("./crash.property.test.ts");
