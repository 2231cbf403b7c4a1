/** The networks that the node runs, and their kinds. */
import type { NetworkState } from "@pricetime/server/answers";
import { type Context, OFTEN_MS, useFetched } from "./context.ts";

export function useNetworks(context: Context) {
  return useFetched<readonly NetworkState[]>(context, "/v1/networks", { everyMs: OFTEN_MS });
}

/** The kind of a network; undefined if it is not loaded yet, or the node does not run the network. */
export function useNetworkKind(context: Context, network: string | undefined): string | undefined {
  return useNetworks(context).value?.find((one) => one.network === network)?.kind;
}
