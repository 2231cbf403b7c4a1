/** The networks of the venue: those on which an asset moves, and those that the node has. */
import { unknownName, asAsset } from "./known-names.ts";
import type { AdminNode } from "./node.ts";

export function knownNetworks({ view, wallet }: Pick<AdminNode, "view" | "wallet">): string[] {
  const listed = view.assets().flatMap(({ spec }) => spec.networks.map((one) => one.network));
  return [...new Set([...listed, ...wallet.networks().map((one) => one.network)])];
}

/** Throws `AdminRefusal` 404 when there is no such network. */
export function findNetwork(node: Pick<AdminNode, "view" | "wallet">, network: string): string {
  const known = knownNetworks(node);
  if (known.includes(network)) return network;
  throw unknownName("UNKNOWN_NETWORK", "network", network, known, asAsset(node.view, network));
}
