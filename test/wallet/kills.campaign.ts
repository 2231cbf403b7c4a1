/** Many withdrawals, and every second life ends by a kill instead of one in six. */
process.env["WALLET_KILLED_OF"] ??= "2";
await import("./kills.test.ts");
