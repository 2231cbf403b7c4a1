/** The test of this name with sequences of five commands, the shorter ones among them. */
process.env["BRUTE_COMMANDS"] ??= "5";
await import("./brute-force.test.ts");
