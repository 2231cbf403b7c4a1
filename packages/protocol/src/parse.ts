import type { Endpoint } from "./endpoint.ts";
import type { ApiError } from "./errors.ts";
import type { ParsedRequest } from "./parsed-request.ts";

export function parseRequest(_endpoint: Endpoint, _query: string, _body: string): ParsedRequest | ApiError {
  throw new Error("not yet");
}
/** Request weight of an endpoint for the parameters as sent, before they are checked. */
export function weightOf(_endpoint: Endpoint, _query: string, _body: string): number {
  throw new Error("not yet");
}
