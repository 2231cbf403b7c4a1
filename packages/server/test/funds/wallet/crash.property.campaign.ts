/** A hundred histories instead of a few: then many have covered every step. */
process.env["WALLET_RUNS"] ??= "100";
await import("./crash.property.test.ts");
