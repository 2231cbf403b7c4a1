/** The test of this name with sequences of five commands, four and three among them. */
process.env["BRUTE_COMMANDS"] ??= "5";
await import("./brute-force.test.ts");
