/** What a simulated node has of the world outside: no network, no letters, no rules of API trading. */
import type { WalletPorts } from "../../packages/server/src/api/wallet-ports.ts";
import { NoSuchNetwork } from "../../packages/server/src/wallet/port.ts";

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
