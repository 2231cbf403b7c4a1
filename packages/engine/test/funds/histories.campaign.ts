/** The test of this name with sixty histories. */
process.env["WALLET_HISTORIES"] ??= "60";
await import("./histories.test.ts");
