/** Twenty-five misfortunes of holders beside a real chain and a real mail server. */
process.env["ROLE_FAULTS"] ??= "25";
await import("./real-handover.test.ts");
