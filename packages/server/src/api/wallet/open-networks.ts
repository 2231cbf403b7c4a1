/** On which networks an asset's coins move now: by its listing, by what this node serves, and by what operators stopped. */
import type { AssetNetwork, EngineView } from "@pricetime/engine";
import type { Call } from "../call.ts";

export interface OpenNetworks {
  takesDeposits(asset: string, network: AssetNetwork): boolean;
  paysWithdrawals(asset: string, network: AssetNetwork): boolean;
}

export function openNetworks(call: Call): OpenNetworks {
  const served = new Set(call.venue.walletPorts.wallet.networks().map(({ network }) => network));
  const { engine } = call.venue;
  const { nowMs } = call;
  return {
    takesDeposits: (asset, network) => served.has(network.network) && takesDeposits(engine, asset, network, nowMs),
    paysWithdrawals: (asset, { network, withdrawEnabled }) =>
      served.has(network) && withdrawEnabled && !engine.venue.stopsWithdrawing(asset, network, nowMs),
  };
}

/** What comes meanwhile is credited when the stop is lifted, but nobody should be told to send it. */
export function takesDeposits(
  engine: EngineView,
  asset: string,
  { network, depositEnabled }: AssetNetwork,
  nowMs: number,
): boolean {
  return depositEnabled && !engine.venue.stopsCoin(asset, network, nowMs);
}
