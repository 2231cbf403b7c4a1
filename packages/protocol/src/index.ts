/** The public face of the wire contract. */
export * from "./endpoint.ts";
