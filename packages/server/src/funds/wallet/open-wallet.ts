/** The wallet of a node, from its configuration. */
import type { Config } from "../../platform/config/config.ts";
import { NodeWallet, type WalletOptions } from "./wallet.ts";

export interface NodeWalletParts
  extends Omit<WalletOptions, "networks" | "sandboxFolder" | "seed" | "node" | "holderOf">,
    Pick<Config, "wallet" | "seed" | "node"> {
  /** Who holds a role among several nodes; undefined where the node is alone. */
  readonly cluster: { readonly holderOf: (role: string) => string } | undefined;
}

/** Rejects as `NodeWallet.open` does. */
export function openWallet({ wallet, seed, node, cluster, ...parts }: NodeWalletParts): Promise<NodeWallet> {
  const among = cluster && { node, holderOf: cluster.holderOf };
  return NodeWallet.open({ ...wallet, ...among, seed: String(seed), ...parts });
}
