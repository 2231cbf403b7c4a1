/** Runs `histories.test.ts` with sixty histories. */
process.env["WALLET_HISTORIES"] ??= "60";
await import("./histories.test.ts");
