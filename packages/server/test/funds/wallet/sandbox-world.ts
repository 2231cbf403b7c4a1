/** A sandbox in its own folder, and an exchange with the listings that it needs. */
import { rmSync } from "node:fs";
import { join } from "node:path";
import { type AssetNetwork, Engine, type EngineView } from "@pricetime/engine";
import { networkOf } from "@pricetime/testkit/commands";
import { temporaryFolder } from "@pricetime/testkit/scratch";
import { openSandbox, type Sandbox } from "../../../src/funds/wallet/sandbox/sandbox.ts";
import { MACHINE } from "../../../src/platform/world/machine.ts";
import { WorldFile } from "../../../src/funds/wallet/sandbox/world-file.ts";

export const NETWORK = "SBX";
export const CHAIN_FILE = "chain.sqlite";

export function scratch(): { readonly folder: string; remove(): void } {
  const folder = temporaryFolder();
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

export function assetNetwork(change: Partial<AssetNetwork> = {}): AssetNetwork {
  return networkOf(NETWORK, { withdrawFee: "0.5", withdrawMin: "1", withdrawMax: "0", ...change });
}

/** An exchange that lists COIN on the network, and nothing else. */
export function listing(change: Partial<AssetNetwork> = {}): EngineView {
  const engine = new Engine();
  const asset = { asset: "COIN", name: "Coin", precision: 8, networks: [assetNetwork(change)] };
  engine.apply({ seq: 1, timeMs: 1, command: { type: "listAsset", by: "test", asset } });
  return engine;
}

export interface SandboxSettings {
  readonly cost?: { readonly asset: string; readonly amount: string };
  readonly clockMs?: () => number;
  readonly onChange?: () => void;
}

export function sandboxIn(folder: string, view: Pick<EngineView, "assets">, settings: SandboxSettings = {}): Sandbox {
  const { cost = null, onChange = () => {}, clockMs = MACHINE.nowMs } = settings;
  const world = { ...MACHINE, nowMs: clockMs };
  const file = WorldFile.open(join(folder, CHAIN_FILE), world);
  return openSandbox({ file, network: NETWORK, blockMs: 0, seed: "seed", view, cost, onChange, world });
}
