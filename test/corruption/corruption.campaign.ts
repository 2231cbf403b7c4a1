/** Fifty damaged folders of each kind instead of a few. */
process.env["CORRUPTION_RUNS"] ??= "50";
await import("./corruption.test.ts");
