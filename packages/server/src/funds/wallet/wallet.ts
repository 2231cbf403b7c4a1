/** The node's wallet, built from its configuration: one object per network. */
import type { CoinId, DepositAddress } from "@pricetime/engine";
import { z } from "zod";
import type { KeptValue, Keeping } from "../../platform/world/kept.ts";
import { keptPart, KeptUnreadable, readKept } from "../../platform/world/read-kept.ts";
import { type Chain, ChainUnreachable } from "./chain.ts";
import type { ManualControl, NetworkHoldings, SandboxControl, SweepControl, WalletControls } from "./control.ts";
import {
  type MadeNetwork,
  makeNetwork,
  type NetworkOptions,
  type NetworkPart,
  type NetworkSettings,
} from "./make-network.ts";
import type { Network } from "./network.ts";
import { type NetworkStatus, NetworkUnusable, NoSuchNetwork, type Wallet } from "./port.ts";

export interface WalletOptions extends Omit<NetworkOptions, "onSandboxTrouble"> {
  readonly networks: readonly NetworkSettings[];
  /** Called when worlds of sandboxes cannot be written, or with null when all can be again. */
  readonly onSandboxTrouble?: (error: Error | null) => void;
  /** What another wallet with the same networks kept. */
  readonly kept?: KeptValue | undefined;
}

/** State by network; null: the network keeps nothing. */
const KEPT = z.record(z.string(), keptPart);

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
        const onSandboxTrouble = (error: Error | null): void => wallet.#sandboxTrouble(network, error, options);
        wallet.#add(await makeNetwork(settings, { ...options, onSandboxTrouble, kept: kept?.[network] }));
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

  depthOf({ network, ...coin }: CoinId): number | undefined {
    return this.#networks.get(network)?.depthOf?.(coin);
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

  async rescan(network: string, fromHeight: number, by: string, toHeight?: number): Promise<number | null> {
    return this.#named(network).rescan(fromHeight, by, toHeight);
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

  #add({ network, running, sandbox, manual, sweeps }: MadeNetwork): void {
    const name = network.network;
    this.#networks.set(name, network);
    if (running !== undefined) {
      this.#chains.set(name, running.chain);
      this.#parts.push(running.part);
    }
    if (sandbox !== undefined) this.#sandboxes.set(name, sandbox);
    if (manual !== undefined) this.#manuals.set(name, manual);
    if (sweeps !== undefined) this.#sweeps.set(name, sweeps);
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
