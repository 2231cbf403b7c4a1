/** Makes a network of the node's wallet from its settings. A new kind of network is wired in here. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { EngineView } from "@pricetime/engine";
import type { Config } from "../../platform/config/config.ts";
import type { Logger } from "../../platform/observe/log.ts";
import type { KeptValue } from "../../platform/world/kept.ts";
import type { World } from "../../platform/world/port.ts";
import { readKept } from "../../platform/world/read-kept.ts";
import type { Chain } from "./chain.ts";
import { ChainNetwork, type ChainNetworkOptions } from "./chain-network.ts";
import type { RunCommand } from "./commands.ts";
import type { ManualControl, SandboxControl, SweepControl } from "./control.ts";
import { assetByName } from "./depths.ts";
import type { CoinFaults } from "./faults-port.ts";
import { SANDBOX_POLL_MS } from "./limits.ts";
import { ManualNetwork } from "./manual/manual-network.ts";
import type { Network } from "./network.ts";
import { openSandbox } from "./sandbox/open.ts";
import { KEPT_SANDBOX, SandboxNetwork } from "./sandbox/sandbox-network.ts";
import { WorldFile } from "./sandbox/world-file.ts";

export type NetworkSettings = Config["wallet"]["networks"][number];

export interface NetworkOptions {
  readonly view: EngineView;
  readonly sequencer: RunCommand;
  readonly log: Logger;
  /** The data folder; sandbox chains keep their files in `sandbox` below it, unless `sandboxFolder` is given. */
  readonly dataFolder: string;
  /** Where sandbox chains keep their files: several nodes of one machine share it. */
  readonly sandboxFolder?: string | undefined;
  /** Among several nodes: the name of the node that holds a role, "" when none does. Default: the node is alone. */
  readonly holderOf?: ((role: string) => string) | undefined;
  /** The node's own name, where there are several. */
  readonly node?: string;
  /** The addresses of sandboxes are derived from this. */
  readonly seed: string;
  readonly world: World;
  /** Called on a bug of ours: the node must stop. */
  readonly onFatal: (error: Error) => void;
  /** See `Sender`. */
  readonly whyHeld?: () => string;
  /** Called when a sandbox's world cannot be written, or with null when it can be again. */
  readonly onSandboxTrouble: (error: Error | null) => void;
  /** See `WorldFile.open`. */
  readonly isOfLab?: boolean;
  /** What this network kept in another wallet. */
  readonly kept?: KeptValue | undefined;
  /** What a lab does to coins of sandboxes on purpose; absent elsewhere. */
  readonly faults?: CoinFaults | undefined;
}

/** A network that one node at a time runs. */
export interface NetworkPart {
  readonly role: string;
  readonly whyNot: () => Promise<string>;
  start(sequencer: RunCommand): void;
  stop(): Promise<void>;
}

/** Returns the role of the node that runs a network. */
function roleOf(network: string): string {
  return `network:${network}`;
}

/** A network, and the ways in that only its kind has. */
export interface MadeNetwork {
  readonly network: Network;
  /** Absent where the network has no chain, and one node at a time runs nothing of it. */
  readonly running?: { readonly chain: Chain; readonly part: NetworkPart };
  readonly sandbox?: SandboxControl;
  readonly manual?: ManualControl;
  readonly sweeps?: SweepControl;
}

/** Rejects with `KeptUnreadable`, or with the reason why the network cannot be used. */
export async function makeNetwork(settings: NetworkSettings, options: NetworkOptions): Promise<MadeNetwork> {
  const { view, sequencer } = options;
  if (settings.kind === "manual") {
    const manual = new ManualNetwork({ ...settings, view, sequencer });
    return { network: manual, manual };
  }
  if (settings.kind === "sandbox") return makeSandbox(settings, options);
  // Loaded only when needed: it brings a library that most nodes never use.
  const { EvmChain } = await import("./evm/evm-chain.ts");
  const chain = new EvmChain(settings, options.world, (asset) => assetByName(view, asset)?.spec.precision);
  const network = new ChainNetwork(following(chain, settings, options));
  return { network, running: { chain, part: partOf(network, chain) }, sweeps: chain.sweeps };
}

function partOf(network: ChainNetwork, chain: Chain): NetworkPart {
  return {
    role: roleOf(network.network),
    whyNot: () => chain.whyNoPayments?.() ?? Promise.resolve(""),
    start: (sequencer) => network.start(sequencer),
    stop: () => network.stop(),
  };
}

function makeSandbox(settings: Extract<NetworkSettings, { kind: "sandbox" }>, options: NetworkOptions): MadeNetwork {
  const { seed, view, world, holderOf, node = "", onSandboxTrouble: onTrouble } = options;
  const kept = options.kept === undefined ? undefined : readKept(settings.network, KEPT_SANDBOX, options.kept);
  const { network, blockMs, cost = null } = settings;
  const folder = sandboxFolderOf(options);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, `${encodeURIComponent(network)}.sqlite`);
  let onChange = (): boolean => false;
  const file = WorldFile.open(path, world, kept?.file, options.isOfLab);
  const holder = (): string => holderOf?.(roleOf(network)) ?? "";
  const elsewhere = (): string => (holder() === node ? "" : holder());
  const reachableFromMs = kept?.reachableFromMs;
  const parts = { file, network, blockMs, cost, seed, view, world, onTrouble, elsewhere, reachableFromMs };
  const { chain, world: sandbox } = openSandbox({ ...parts, onChange: () => onChange() });
  const pace = { ...settings, pollMs: SANDBOX_POLL_MS, raiseFeeAfterMs: 0 };
  const follow = following(chain, pace, { ...options, kept: kept?.follower });
  const running = new SandboxNetwork({ ...follow, faults: options.faults }, sandbox, file);
  onChange = () => running.wake();
  return { network: running, running: { chain, part: partOf(running, chain) }, sandbox };
}

interface Following {
  readonly pollMs: number;
  readonly startBlock?: number;
  readonly maxPendingPayments: number;
  readonly raiseFeeAfterMs: number;
}

/** Nodes that each had a world of their own would take each other's coins for lost. */
function sandboxFolderOf({ dataFolder, sandboxFolder, holderOf }: NetworkOptions): string {
  if (sandboxFolder !== undefined) return sandboxFolder;
  if (holderOf !== undefined)
    throw new Error("a sandbox network in a cluster needs wallet.sandboxFolder, a folder that all nodes share");
  return join(dataFolder, "sandbox");
}

function following(chain: Chain, settings: Following, options: NetworkOptions): ChainNetworkOptions {
  const { startBlock, pollMs, maxPendingPayments, raiseFeeAfterMs } = settings;
  const { view, sequencer, log, onFatal, world, whyHeld = () => "", holderOf } = options;
  const holder = holderOf && { holder: () => holderOf(roleOf(chain.network)) };
  const parts = { chain, view, sequencer, log, onFatal, pollMs, maxPendingPayments, raiseFeeAfterMs, world, whyHeld };
  const kept = options.kept === null ? undefined : options.kept;
  return { ...parts, ...holder, kept, ...(startBlock === undefined ? {} : { startHeight: startBlock }) };
}
