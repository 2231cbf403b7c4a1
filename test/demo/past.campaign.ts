/** The pasts of every symbol of the demo instead of three. */
process.env["PAST_SYMBOLS"] ??= "every";
await import("./past.test.ts");
