/** Clients as any user would write them, and the signing of their requests. */
export * from "./client.ts";
export * from "./signing.ts";
