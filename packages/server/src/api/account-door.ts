/** The account API, as the gateway knows it: what it answers beside the endpoints, and whom it knows by their sessions. */
import type { ApiKey } from "@pricetime/engine";
import type { GatewayRequest } from "./edge/request.ts";
import type { Document } from "./document.ts";

/** Below this path stands what it answers. */
export const ACCOUNT_API = "/account/v1/";

export interface AccountDoor {
  /** What a request counts of its address's limit. */
  weightOf(method: string, path: string): number;
  /** Rejects with what is no refusal of its own. `method` is GET for HEAD. */
  answer(request: GatewayRequest, method: string): Promise<Document>;
  /** What somebody who is signed in may do, in the form of a key without a name. Throws `Refused`. */
  keyOf(request: GatewayRequest): ApiKey;
}
