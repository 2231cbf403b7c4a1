/** What a simulated node has of the world outside: no network, no letters, no rules of API trading. */
import { NoSuchNetwork, type WalletPorts } from "@pricetime/server/parts";

export const NOTHING_OUTSIDE: WalletPorts = {
  wallet: {
    networks: () => [],
    isAddress: () => false,
    depositAddress: (_accountId, network) => Promise.reject(new NoSuchNetwork(network)),
  },
  tradingRules: {
    status: () => Promise.reject(new Error("no simulated client asks for it")),
  },
  checkTotp: () => null,
  confirmations: { secretOf: (withdrawalId) => withdrawalId, hashOf: () => "0".repeat(64) },
};
