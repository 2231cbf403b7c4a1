/** An answer beside the endpoints. */
import type { GatewayResponse } from "./edge/request.ts";

export type Document = Omit<GatewayResponse, "headers"> & { readonly headers?: readonly string[] };
