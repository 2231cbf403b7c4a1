/** Many withdrawals, every second life ends by a kill instead of one in six, and each step is followed by one. */
process.env["WALLET_KILLED_OF"] ??= "2";
process.env["WALLET_KILLED_STEPS"] ??= "every";
await import("./kills.test.ts");
