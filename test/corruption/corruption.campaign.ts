/** A hundred damaged folders of each kind instead of twenty-five. */
process.env["CORRUPTION_RUNS"] ??= "100";
await import("./corruption.test.ts");
