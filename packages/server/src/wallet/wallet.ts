/** The node's wallet, built from its configuration: one object per network. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { DepositAddress, EngineView } from "@pricetime/engine";
import type { Config } from "../config/config.ts";
import type { Logger } from "../observe/log.ts";
import { z } from "zod";
import type { KeptValue, Keeping } from "../world/kept.ts";
import type { World } from "../world/port.ts";
import { keptPart, KeptUnreadable, readKept } from "../world/read-kept.ts";
import { type Chain, ChainUnreachable } from "./chain.ts";
import { ChainNetwork, type ChainNetworkOptions } from "./chain-network.ts";
import type { RunCommand } from "./commands.ts";
import type { ManualControl, NetworkHoldings, SandboxControl, SweepControl, WalletControls } from "./control.ts";
import { assetByName } from "./depths.ts";
import type { CoinFaults } from "./faults-port.ts";
import { SANDBOX_POLL_MS } from "./limits.ts";
import { ManualNetwork } from "./manual/manual-network.ts";
import type { Network } from "./network.ts";
import { type NetworkStatus, NetworkUnusable, NoSuchNetwork, type Wallet } from "./port.ts";
import { openSandbox } from "./sandbox/open.ts";
import { KEPT_SANDBOX, SandboxNetwork } from "./sandbox/sandbox-network.ts";
import { WorldFile } from "./sandbox/world-file.ts";

type NetworkSettings = Config["wallet"]["networks"][number];

export interface WalletOptions {
  readonly networks: readonly NetworkSettings[];
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
  /** Called when worlds of sandboxes cannot be written, or with null when all can be again. */
  readonly onSandboxTrouble?: (error: Error | null) => void;
  /** See `WorldFile.open`. */
  readonly isOfLab?: boolean;
  /** What another wallet with the same networks kept. */
  readonly kept?: KeptValue | undefined;
  /** What a lab does to coins of sandboxes on purpose; absent elsewhere. */
  readonly faults?: CoinFaults | undefined;
}

/** By network; null: it keeps nothing. */
const KEPT = z.record(z.string(), keptPart);

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

export class NodeWallet implements Wallet, WalletControls, Keeping {
  readonly #networks = new Map<string, Network>();
  readonly #parts: NetworkPart[] = [];
  readonly #sandboxes = new Map<string, SandboxControl>();
  /** The sandboxes whose world cannot be written. */
  readonly #troubled = new Set<string>();
  readonly #manuals = new Map<string, ManualControl>();
  readonly #sweeps = new Map<string, SweepControl>();
  readonly #chains = new Map<string, Chain>();
  #stopping: Promise<unknown> | undefined;

  private constructor() {}

  /** Opens the networks; nothing runs before `start`. Rejects with `NetworkUnusable`, `KeptUnreadable`. */
  static async open(options: WalletOptions): Promise<NodeWallet> {
    const wallet = new NodeWallet();
    const kept = keptNetworks(options);
    for (const settings of options.networks) {
      const { network } = settings;
      try {
        wallet.#networks.set(network, await wallet.#make(settings, { ...options, kept: kept?.[network] }));
      } catch (error) {
        if (error instanceof KeptUnreadable) throw error;
        const [why] = (error as Error).message.split("\n");
        throw new NetworkUnusable(`wallet.networks: ${network}: ${why}`, { cause: error });
      }
    }
    return wallet;
  }

  /** Call it between the rounds of all networks. */
  kept(): KeptValue {
    return Object.fromEntries([...this.#networks].map(([name, network]) => [name, network.kept?.() ?? null]));
  }

  networks(): readonly NetworkStatus[] {
    return [...this.#networks.values()].map((each) => each.status());
  }

  isAddress(network: string, address: string, tag: string): boolean {
    return this.#networks.get(network)?.isAddress(address, tag) ?? false;
  }

  async depositAddress(accountId: number, network: string): Promise<DepositAddress> {
    return this.#named(network).depositAddress(accountId);
  }

  sandbox(network: string): SandboxControl | undefined {
    return this.#sandboxes.get(network);
  }

  manual(network: string): ManualControl | undefined {
    return this.#manuals.get(network);
  }

  sweeps(network: string): SweepControl | undefined {
    return this.#sweeps.get(network);
  }

  async rescan(network: string, fromHeight: number, by: string): Promise<void> {
    await this.#named(network).rescan(fromHeight, by);
  }

  async raiseFee(network: string, withdrawalId: string, by: string): Promise<void> {
    await this.#named(network).raiseFee(withdrawalId, by);
  }

  holdings(): Promise<readonly NetworkHoldings[]> {
    return Promise.all([...this.#networks.keys()].map((network) => holdingsOf(network, this.#chains.get(network))));
  }

  /** Returns what an operator should look at, by network. */
  troubles(): Record<string, string> {
    const inTrouble = this.networks().filter(({ trouble }) => trouble !== "");
    return Object.fromEntries(inTrouble.map(({ network, trouble }) => [network, trouble]));
  }

  /** What one node at a time does of it; the others leave it alone. */
  get parts(): readonly NetworkPart[] {
    return this.#parts;
  }

  /** Runs all networks; for a node that is alone. */
  start(): void {
    for (const network of this.#networks.values()) network.start();
  }

  /** Call it before the sequencer stops: the latest observations are journaled. */
  async stop(): Promise<void> {
    this.#stopping ??= Promise.all([...this.#networks.values()].map((network) => network.close()));
    await this.#stopping;
  }

  #named(network: string): Network {
    const found = this.#networks.get(network);
    if (found !== undefined) return found;
    const known = [...this.#networks.keys()].join(", ");
    throw new NoSuchNetwork(`the node has no network ${network}: there is ${known === "" ? "none" : known}`);
  }

  async #make(settings: NetworkSettings, options: WalletOptions): Promise<Network> {
    const { view, sequencer } = options;
    const { network } = settings;
    if (settings.kind === "manual") {
      const manual = new ManualNetwork({ ...settings, view, sequencer });
      this.#manuals.set(network, manual);
      return manual;
    }
    if (settings.kind === "sandbox") return this.#makeSandbox(settings, options);
    // Loaded only when needed: it brings a library that most nodes never use.
    const { EvmChain } = await import("./evm/evm-chain.ts");
    const chain = new EvmChain(settings, options.world, (asset) => assetByName(view, asset)?.spec.precision);
    this.#sweeps.set(network, chain.sweeps);
    return this.#asPart(new ChainNetwork(following(chain, settings, options)), chain);
  }

  #asPart<N extends ChainNetwork>(network: N, chain: Chain): N {
    const whyNot = (): Promise<string> => chain.whyNoPayments?.() ?? Promise.resolve("");
    const start = (sequencer: RunCommand): void => network.start(sequencer);
    this.#chains.set(network.network, chain);
    this.#parts.push({ role: roleOf(network.network), whyNot, start, stop: () => network.stop() });
    return network;
  }

  #sandboxTrouble(network: string, error: Error | null, { onSandboxTrouble }: WalletOptions): void {
    if (error !== null) this.#troubled.add(network);
    else if (!this.#troubled.delete(network) || this.#troubled.size > 0) return;
    onSandboxTrouble?.(error);
  }

  #makeSandbox(settings: Extract<NetworkSettings, { kind: "sandbox" }>, options: WalletOptions): Network {
    const { seed, view, world, holderOf, node = "" } = options;
    const kept = options.kept === undefined ? undefined : readKept(settings.network, KEPT_SANDBOX, options.kept);
    const { network, blockMs, cost = null } = settings;
    const folder = sandboxFolderOf(options);
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const path = join(folder, `${encodeURIComponent(network)}.sqlite`);
    let onChange = (): boolean => false;
    const onTrouble = (error: Error | null): void => this.#sandboxTrouble(network, error, options);
    const file = WorldFile.open(path, world, kept?.file, options.isOfLab);
    const holder = (): string => holderOf?.(roleOf(network)) ?? "";
    const elsewhere = (): string => (holder() === node ? "" : holder());
    const reachableFromMs = kept?.reachableFromMs;
    const parts = { file, network, blockMs, cost, seed, view, world, onTrouble, elsewhere, reachableFromMs };
    const { chain, world: sandbox } = openSandbox({ ...parts, onChange: () => onChange() });
    const pace = { ...settings, pollMs: SANDBOX_POLL_MS, raiseFeeAfterMs: 0 };
    const follow = following(chain, pace, { ...options, kept: kept?.follower });
    const faulty = { ...follow, faults: options.faults };
    const running = this.#asPart(new SandboxNetwork(faulty, sandbox, file), chain);
    onChange = () => running.wake();
    this.#sandboxes.set(network, sandbox);
    return running;
  }
}

async function holdingsOf(network: string, chain: Chain | undefined): Promise<NetworkHoldings> {
  try {
    const wallets = (await chain?.holdings?.()) ?? null;
    return { network, wallets, trouble: wallets === null ? "it has no wallets that the node could look into" : "" };
  } catch (error) {
    if (!(error instanceof ChainUnreachable)) throw error;
    return { network, wallets: null, trouble: error.message };
  }
}

/** Throws `KeptUnreadable`. */
function keptNetworks({ kept, networks }: WalletOptions): Readonly<Record<string, KeptValue>> | undefined {
  if (kept === undefined) return undefined;
  const byNetwork = readKept("networks", KEPT, kept);
  const there = Object.keys(byNetwork).toSorted().join(", ");
  const here = networks
    .map(({ network }) => network)
    .toSorted()
    .join(", ");
  if (there === here) return byNetwork;
  throw new KeptUnreadable(`the checkpoint has the networks ${there || "none"}, and this node ${here || "none"}`);
}

interface Following {
  readonly pollMs: number;
  readonly startBlock?: number;
  readonly paymentsUnderWay: number;
  readonly raiseFeeAfterMs: number;
}

/** Nodes that each had a world of their own would take each other's coins for lost. */
function sandboxFolderOf({ dataFolder, sandboxFolder, holderOf }: WalletOptions): string {
  if (sandboxFolder !== undefined) return sandboxFolder;
  if (holderOf !== undefined)
    throw new Error("among several nodes a sandbox needs wallet.sandboxFolder, which they share");
  return join(dataFolder, "sandbox");
}

function following(chain: Chain, settings: Following, options: WalletOptions): ChainNetworkOptions {
  const { startBlock, pollMs, paymentsUnderWay, raiseFeeAfterMs } = settings;
  const { view, sequencer, log, onFatal, world, whyHeld = () => "", holderOf } = options;
  const holder = holderOf && { holder: () => holderOf(roleOf(chain.network)) };
  const parts = { chain, view, sequencer, log, onFatal, pollMs, paymentsUnderWay, raiseFeeAfterMs, world, whyHeld };
  const kept = options.kept === null ? undefined : options.kept;
  return { ...parts, ...holder, kept, ...(startBlock === undefined ? {} : { startHeight: startBlock }) };
}
