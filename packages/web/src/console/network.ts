/** The networks that the node runs, as several pages ask for them. */
import { OFTEN_MS, useAsked } from "./asked.ts";
import type { Desk } from "./desk.ts";

export interface Network {
  readonly network: string;
  /** `manual`, `sandbox` or `evm`. */
  readonly kind: string;
  readonly isUp: boolean;
  readonly height: number;
  readonly readHeight: number;
  readonly error: string;
  readonly owner?: string;
}

export function useNetworks(desk: Desk) {
  return useAsked<readonly Network[]>(desk, "/v1/networks", { everyMs: OFTEN_MS });
}

/** Undefined: not known yet, or the node does not run it. */
export function useNetworkKind(desk: Desk, network: string | undefined): string | undefined {
  return useNetworks(desk).value?.find((one) => one.network === network)?.kind;
}
