/** Runs `random-histories.test.ts` with three hundred histories, and checks how often each outcome occurs. */
process.env["HISTORIES"] ??= "300";
await import("./random-histories.test.ts");
