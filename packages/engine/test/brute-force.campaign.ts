/** Runs `brute-force.test.ts` with sequences of five commands, which include the shorter ones. */
process.env["BRUTE_COMMANDS"] ??= "5";
await import("./brute-force.test.ts");
