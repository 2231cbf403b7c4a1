/** How deep a block must lie, according to the asset's settings. The head has a depth of 1. */
import type { AssetNetwork, AssetView, EngineView } from "@pricetime/engine";
import { MIN_MARGIN_BLOCKS } from "./limits.ts";

export interface Depths {
  /** At this depth a deposit can be traded with. */
  readonly credit: number;
  /** At this depth nothing is taken back any more. */
  readonly final: number;
}

export function networkOf(asset: AssetView, network: string): AssetNetwork | undefined {
  return asset.spec.networks.find((each) => each.network === network);
}

export function assetByName(view: Pick<EngineView, "assets">, name: string): AssetView | undefined {
  return view.assets().find(({ spec }) => spec.asset === name);
}

/** Returns an asset's depths; for one that has left the network, those of the most careful asset still on it. */
export function depths(view: Pick<EngineView, "assets" | "asset">, assetId: number, network: string): Depths {
  const spec = networkOf(view.asset(assetId), network);
  if (spec === undefined) return { credit: margin(view, network), final: margin(view, network) };
  const credit = spec.creditConfirmations ?? 1;
  return { credit, final: Math.max(credit, spec.finalConfirmations ?? credit) };
}

/** Returns the greatest depth at which anything on the network becomes final: no deeper block can leave the chain. */
export function margin(view: Pick<EngineView, "assets">, network: string): number {
  let deepest = MIN_MARGIN_BLOCKS;
  for (const asset of view.assets()) {
    const spec = networkOf(asset, network);
    deepest = Math.max(deepest, spec?.creditConfirmations ?? 1, spec?.finalConfirmations ?? 1);
  }
  return deepest;
}
