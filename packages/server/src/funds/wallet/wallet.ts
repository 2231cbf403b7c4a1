/**
 * The node's wallet, built from its configuration: one object and its metrics per network. Add new kinds of networks
 * here.
 */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { CoinId, DepositAddress, EngineView } from "@pricetime/engine";
import type { Config } from "../../platform/config/config.ts";
import type { Logger } from "../../platform/observe/log.ts";
import type { World } from "../../platform/world/port.ts";
import { SavedStateUnreadable } from "../../platform/world/saved-state.ts";
import { type Chain, ChainUnreachable } from "./chain.ts";
import { ChainNetwork, type ChainNetworkOptions, type Network } from "./network.ts";
import { assetByName, type RunCommand, SANDBOX_POLL_MS } from "./follower-parts.ts";
import {
  type CoinFaults,
  type ManualControl,
  type NetworkHoldings,
  type NetworkStatus,
  NetworkUnusable,
  NoSuchNetwork,
  type SandboxControl,
  type SweepControl,
  type Wallet,
  type WalletControls,
} from "./port.ts";
import { ManualNetwork } from "./manual-network.ts";
import { openSandbox, SandboxNetwork } from "./sandbox/sandbox.ts";
import { WorldFile } from "./sandbox/world-file.ts";
import { z } from "zod";
import type { Sample } from "../../platform/observe/histogram.ts";
import type { Metrics } from "../../platform/observe/metrics.ts";

type NetworkSettings = Config["wallet"]["networks"][number];

interface NetworkOptions {
  readonly view: EngineView;
  readonly sequencer: RunCommand;
  readonly log: Logger;
  /** The data folder. Sandbox chains are stored in its subfolder `sandbox`, unless `sandboxFolder` is given. */
  readonly dataFolder: string;
  /** The folder for sandbox chains, shared by the nodes on one machine. */
  readonly sandboxFolder?: string | undefined;
  /** In a cluster: the name of the node that owns a task, "" if none does. Default: a single node. */
  readonly holderOf?: ((role: string) => string) | undefined;
  /** This node's name in a cluster. */
  readonly node?: string;
  /** The seed of sandbox addresses. */
  readonly seed: string;
  readonly world: World;
  /** Called on a bug; the node must stop. */
  readonly onFatal: (error: Error) => void;
  /** See `Sender`. */
  readonly whyHeld?: () => string;
  /** Called with the error when a sandbox's file cannot be written, and with null when it can be written again. */
  readonly onSandboxTrouble: (error: Error | null) => void;
  /** See `WorldFile.open`. */
  readonly isOfLab?: boolean;
  /** Faults for deposits and withdrawals on sandboxes; only in a lab. */
  readonly faults?: CoinFaults | undefined;
}

/** The task of running a network, which one node at a time owns. */
interface NetworkPart {
  readonly role: string;
  readonly whyNot: () => Promise<string>;
  start(sequencer: RunCommand): void;
  stop(): Promise<void>;
}

/** The name of the task of running a network. */
function roleOf(network: string): string {
  return `network:${network}`;
}

/** A network, and the controls that its kind supports. */
interface MadeNetwork {
  readonly network: Network;
  /** Absent if the network has no chain: there is no task to run. */
  readonly running?: { readonly chain: Chain; readonly part: NetworkPart };
  readonly sandbox?: SandboxControl;
  readonly manual?: ManualControl;
  readonly sweeps?: SweepControl;
}

/** Opens one network. Rejects with `SavedStateUnreadable`, or with the reason why the network cannot be used. */
async function makeNetwork(settings: NetworkSettings, options: NetworkOptions): Promise<MadeNetwork> {
  const { view, sequencer } = options;
  if (settings.kind === "manual") {
    const manual = new ManualNetwork({ ...settings, view, sequencer });
    return { network: manual, manual };
  }
  if (settings.kind === "sandbox") return makeSandbox(settings, options);
  // Loaded lazily, because it imports a library that most nodes never use.
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
  const { network, blockMs, cost = null } = settings;
  const folder = sandboxFolderOf(options);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, `${encodeURIComponent(network)}.sqlite`);
  let onChange = (): boolean => false;
  const saved = world.saved.within(`wallet/${network}`);
  const file = WorldFile.open(path, { randomBytes: world.randomBytes, saved }, options.isOfLab);
  const holder = (): string => holderOf?.(roleOf(network)) ?? "";
  const elsewhere = (): string => (holder() === node ? "" : holder());
  const parts = { file, network, blockMs, cost, seed, view, world, onTrouble, elsewhere };
  const { chain, world: sandbox } = openSandbox({ ...parts, onChange: () => onChange() });
  const pace = { ...settings, pollMs: SANDBOX_POLL_MS, raiseFeeAfterMs: 0 };
  const follow = following(chain, pace, options);
  const running = new SandboxNetwork({ ...follow, faults: options.faults }, sandbox);
  onChange = () => running.wake();
  return { network: running, running: { chain, part: partOf(running, chain) }, sandbox };
}

interface Following {
  readonly pollMs: number;
  readonly startBlock?: number;
  readonly maxPendingPayments: number;
  readonly raiseFeeAfterMs: number;
}

/**
 * Cluster nodes must share the sandbox files; otherwise a node would consider deposits on another node's chain lost.
 */
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
  return { ...parts, ...holder, ...(startBlock === undefined ? {} : { startHeight: startBlock }) };
}

export interface WalletOptions extends Omit<NetworkOptions, "onSandboxTrouble"> {
  readonly networks: readonly NetworkSettings[];
  /** Called with an error when sandbox files cannot be written, and with null when all of them can be written again. */
  readonly onSandboxTrouble?: (error: Error | null) => void;
}

/** The names of the networks, sorted. */
const SAVED_NETWORKS = z.array(z.string());

export class NodeWallet implements Wallet, WalletControls {
  readonly #made = new Map<string, MadeNetwork>();
  /** The sandboxes whose files cannot be written. */
  readonly #troubled = new Set<string>();
  #stopping: Promise<unknown> | undefined;

  private constructor() {}

  /** Opens the networks; nothing runs before `start`. Rejects with `NetworkUnusable` or `SavedStateUnreadable`. */
  static async open(options: WalletOptions): Promise<NodeWallet> {
    const wallet = new NodeWallet();
    checkSameNetworks(options);
    for (const settings of options.networks) {
      const { network } = settings;
      try {
        const onSandboxTrouble = (error: Error | null): void => wallet.#sandboxTrouble(network, error, options);
        wallet.#made.set(network, await makeNetwork(settings, { ...options, onSandboxTrouble }));
      } catch (error) {
        if (error instanceof SavedStateUnreadable) throw error;
        const [why] = (error as Error).message.split("\n");
        throw new NetworkUnusable(`wallet.networks: ${network}: ${why}`, { cause: error });
      }
    }
    return wallet;
  }

  networks(): readonly NetworkStatus[] {
    return [...this.#made.values()].map((each) => each.network.status());
  }

  isAddress(network: string, address: string, tag: string): boolean {
    return this.#made.get(network)?.network.isAddress(address, tag) ?? false;
  }

  depthOf({ network, ...coin }: CoinId): number | undefined {
    return this.#made.get(network)?.network.depthOf?.(coin);
  }

  async depositAddress(accountId: number, network: string): Promise<DepositAddress> {
    return this.#named(network).depositAddress(accountId);
  }

  sandbox(network: string): SandboxControl | undefined {
    return this.#made.get(network)?.sandbox;
  }

  manual(network: string): ManualControl | undefined {
    return this.#made.get(network)?.manual;
  }

  sweeps(network: string): SweepControl | undefined {
    return this.#made.get(network)?.sweeps;
  }

  async rescan(network: string, fromHeight: number, by: string, toHeight?: number): Promise<number | null> {
    return this.#named(network).rescan(fromHeight, by, toHeight);
  }

  async raiseFee(network: string, withdrawalId: string, by: string): Promise<void> {
    await this.#named(network).raiseFee(withdrawalId, by);
  }

  holdings(): Promise<readonly NetworkHoldings[]> {
    return Promise.all([...this.#made].map(([network, { running }]) => holdingsOf(network, running?.chain)));
  }

  /** The errors of networks, by network. */
  troubles(): Record<string, string> {
    const inTrouble = this.networks().filter(({ trouble }) => trouble !== "");
    return Object.fromEntries(inTrouble.map(({ network, trouble }) => [network, trouble]));
  }

  /** The tasks that one node at a time owns. */
  get parts(): readonly NetworkPart[] {
    return [...this.#made.values()].flatMap(({ running }) => running?.part ?? []);
  }

  /** Runs all networks, on a single node. */
  start(): void {
    for (const { network } of this.#made.values()) network.start();
  }

  /** Call it before the sequencer stops, so that the latest observations are journaled. */
  async stop(): Promise<void> {
    this.#stopping ??= Promise.all([...this.#made.values()].map(({ network }) => network.close()));
    await this.#stopping;
  }

  #named(network: string): Network {
    const found = this.#made.get(network);
    if (found !== undefined) return found.network;
    const known = [...this.#made.keys()].join(", ");
    throw new NoSuchNetwork(`the node has no network ${network}: there is ${known === "" ? "none" : known}`);
  }

  #sandboxTrouble(network: string, error: Error | null, { onSandboxTrouble }: WalletOptions): void {
    if (error !== null) this.#troubled.add(network);
    else if (!this.#troubled.delete(network) || this.#troubled.size > 0) return;
    onSandboxTrouble?.(error);
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

/** Checks that a checkpoint has the same networks as the configuration. Throws `SavedStateUnreadable`. */
function checkSameNetworks({ networks, world }: WalletOptions): void {
  const names = networks.map(({ network }) => network).toSorted();
  const [there, here] = [world.saved.restore("wallet", SAVED_NETWORKS, () => names)?.join(", "), names.join(", ")];
  if (there === undefined || there === here) return;
  throw new SavedStateUnreadable(`the checkpoint has the networks ${there || "none"}, and this node ${here || "none"}`);
}

export interface NodeWalletParts
  extends Omit<WalletOptions, "networks" | "sandboxFolder" | "seed" | "node" | "holderOf">,
    Pick<Config, "wallet" | "seed" | "node"> {
  /** Returns the node that owns a task; undefined for a single node. */
  readonly cluster: { readonly holderOf: (role: string) => string } | undefined;
}

/** Opens a node's wallet. Rejects with the errors of `NodeWallet.open`. */
export function openWallet({ wallet, seed, node, cluster, ...parts }: NodeWalletParts): Promise<NodeWallet> {
  const among = cluster && { node, holderOf: cluster.holderOf };
  return NodeWallet.open({ ...wallet, ...among, seed: String(seed), ...parts });
}

/** The networks that this node reports: in a cluster, those that it runs. */
function runHere(wallet: Pick<NodeWallet, "networks">): readonly NetworkStatus[] {
  return wallet.networks().filter(({ holder }) => holder === undefined);
}

export function watchNetworks(
  metrics: Pick<Metrics, "gauge" | "gauges">,
  wallet: Pick<NodeWallet, "networks" | "troubles">,
  view: Pick<EngineView, "funds">,
): void {
  metrics.gauge("pricetime_networks_degraded", "Networks with errors", () => Object.keys(wallet.troubles()).length);
  const gauges = (name: string, help: string, value: (status: NetworkStatus) => number): void => {
    metrics.gauges(`pricetime_network_${name}`, help, () =>
      runHere(wallet).map((status): Sample => ({ labels: { network: status.network }, value: value(status) })),
    );
  };
  gauges("up", "1 if the network is reachable", ({ isUp }) => Number(isUp));
  gauges("height", "Height of the newest block", ({ height }) => height);
  gauges("lag_blocks", "Blocks not scanned yet", ({ height, readHeight }) => Math.max(0, height - readHeight));
  gauges("pending_deposits", "Pending deposits", ({ network }) => view.funds.openDeposits(network).length);
  const toBePaid = (network: string) =>
    view.funds.openWithdrawals().filter((each) => each.network === network && each.status === "processing");
  gauges("open_withdrawals", "Approved withdrawals without a final payment", ({ network }) => toBePaid(network).length);
  gauges("pending_payments", "Signed payments that are not final", ({ network }) => {
    return toBePaid(network).filter(({ txIds }) => txIds.length > 0).length;
  });
}
