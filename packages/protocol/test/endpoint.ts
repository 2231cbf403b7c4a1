import assert from "node:assert/strict";
import { findEndpoint, type KnownEndpoint } from "@pricetime/protocol";

/** The row of an existing path. */
export function endpointOf(method: string, path: string): KnownEndpoint {
  const found = findEndpoint(method, path);
  assert.ok(typeof found === "object", `${method} ${path}: ${found as string}`);
  return found;
}
