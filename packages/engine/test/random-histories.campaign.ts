/** The test of this name with three hundred histories, and how often in them each thing happened. */
process.env["HISTORIES"] ??= "300";
await import("./random-histories.test.ts");
