/** Clients as anybody writes them, and how their requests are signed. */
export * from "./client.ts";
export * from "./signing.ts";
