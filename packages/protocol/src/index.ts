/** The public face of the wire contract. */
export * from "./endpoint.ts";
export * from "./endpoints.ts";
export * from "./errors.ts";
export * from "./order-request.ts";
export * from "./parse.ts";
export * from "./parsed-request.ts";
export * from "./patterns.ts";
export * from "./refusals.ts";
export * from "./rejects.ts";
export * from "./sent-values.ts";
export * from "./shapes/enums.ts";
export * from "./shapes/kline-interval.ts";
export * from "./timing.ts";
