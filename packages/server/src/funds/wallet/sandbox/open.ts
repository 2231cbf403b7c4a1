/** Opens a sandbox: its world, and the chain that the node sees. */
import { type EngineView, parseDecimal } from "@pricetime/engine";
import type { World } from "../../../platform/world/port.ts";
import type { StrangersPayment } from "../control.ts";
import { assetByName, networkOf } from "../depths.ts";
import { SandboxChain, type SandboxChainOptions } from "./sandbox-chain.ts";
import { SandboxWorld } from "./world.ts";
import type { WorldFile } from "./world-file.ts";

export interface OpenSandboxOptions extends Pick<SandboxChainOptions, "network" | "seed" | "cost"> {
  readonly file: WorldFile;
  readonly blockMs: number;
  readonly view: Pick<EngineView, "assets">;
  readonly onChange: () => unknown;
  readonly elsewhere?: () => string;
  readonly onTrouble?: (error: Error | null) => void;
  /** See `SandboxWorld`. */
  readonly reachableFromMs?: number | undefined;
  readonly world: World;
}

export interface Sandbox {
  readonly chain: SandboxChain;
  readonly world: SandboxWorld;
}

export function openSandbox(options: OpenSandboxOptions): Sandbox {
  const { file, network, seed, cost, view, world: dice } = options;
  const world = new SandboxWorld({ ...options, checkPayment: (payment) => whyNot(payment, options) });
  const isTagged = (): boolean => view.assets().some((asset) => networkOf(asset, network)?.isTagged === true);
  return { chain: new SandboxChain({ network, seed, cost, isTagged, dice, file, world }), world };
}

/** Explains what moves on the network: its name and an asset's are easily confused. */
function whatMoves(name: string, network: string, view: OpenSandboxOptions["view"]): string {
  const here = view.assets().filter((asset) => networkOf(asset, network) !== undefined);
  const there = assetByName(view, name)?.spec.networks.map((on) => on.network) ?? [];
  const elsewhere = there.length === 0 ? "" : `; ${name} moves on ${there.join(", ")}`;
  return `${network} has no ${name}, but ${here.map(({ spec }) => spec.asset).join(", ") || "nothing"}${elsewhere}`;
}

/** Returns why nobody can pay this here, or null when somebody can. */
function whyNot(
  { asset, address, tag, amount }: StrangersPayment,
  { view, network }: Pick<OpenSandboxOptions, "view" | "network">,
): string | null {
  const listed = assetByName(view, asset);
  if (listed === undefined || networkOf(listed, network) === undefined)
    return `asset: ${whatMoves(asset, network, view)}`;
  const units = parseDecimal(amount, listed.spec.precision);
  if (units === null || units === 0n) return `amount: a decimal of ${asset}, more than 0`;
  return SandboxChain.isAddress(address, tag) ? null : "address: the network has no such address";
}
