/** The edge's own answers, given without looking at the request. */
import { errorBody, SERVER_BUSY, SHUTTING_DOWN, TOO_MANY_QUEUED } from "@pricetime/protocol";
import type { ApiError } from "@pricetime/protocol";
import type { GatewayResponse } from "../request.ts";

/** More requests are in flight than the edge accepts. */
export const OVERLOADED = later(SERVER_BUSY);
/** More requests of one address are in flight than it may have. */
export const TOO_MANY_WAIT = later(TOO_MANY_QUEUED);
/** The node has given its last answer. */
export const STOPPING = later(SHUTTING_DOWN);

function later(error: ApiError): GatewayResponse {
  return { status: error.status, headers: ["Retry-After", "1"], body: JSON.stringify(errorBody(error, "api")) };
}
