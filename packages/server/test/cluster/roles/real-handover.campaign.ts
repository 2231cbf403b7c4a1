/** Forty misfortunes of holders beside a real chain and a real mail server. */
process.env["ROLE_FAULTS"] ??= "40";
await import("./real-handover.test.ts");
