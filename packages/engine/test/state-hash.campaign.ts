/** Runs `state-hash.test.ts` with six histories and four flips of each kind. */
process.env["STATE_HISTORIES"] ??= "6";
process.env["STATE_FLIPS"] ??= "4";
await import("./state-hash.test.ts");
