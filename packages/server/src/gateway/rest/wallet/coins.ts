/** Coins and networks: what clients of later years ask for while they load. CLIENTS, FACTS 0.16. */
import { formatDecimal } from "@pricetime/engine";
import type { AssetNetwork, AssetSpec } from "@pricetime/engine";
import type { Coin, CoinNetwork } from "@pricetime/protocol";
import type { Call } from "../call.ts";
import { amountText, fixedText } from "./amounts.ts";

function networkShape(spec: AssetSpec, network: AssetNetwork): CoinNetwork {
  return {
    network: network.network,
    coin: spec.asset,
    name: network.network,
    isDefault: network.isDefault,
    depositEnable: network.depositEnabled,
    withdrawEnable: network.withdrawEnabled,
    withdrawFee: fixedText(network.withdrawFee),
    withdrawMin: fixedText(network.withdrawMin),
    withdrawMax: fixedText(network.withdrawMax),
    withdrawIntegerMultiple: formatDecimal(1n, spec.precision),
  };
}

export function coins(call: Call): string {
  const { engine } = call.venue;
  const accountId = call.accountId();
  return JSON.stringify(
    engine.assets().map(({ assetId, spec }): Coin => {
      const { free, locked } = engine.balance(accountId, assetId);
      return {
        coin: spec.asset,
        name: spec.name,
        depositAllEnable: spec.networks.some((network) => network.depositEnabled),
        withdrawAllEnable: spec.networks.some((network) => network.withdrawEnabled),
        trading: true,
        isLegalMoney: false,
        free: amountText(engine, assetId, free),
        locked: amountText(engine, assetId, locked),
        networkList: spec.networks.map((network) => networkShape(spec, network)),
      };
    }),
  );
}
