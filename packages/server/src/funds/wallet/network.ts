/**
 * A network of the node, of any kind, and the implementation for networks with a chain. Every node assigns addresses.
 * In a cluster, one node at a time runs the network: it reads the chain and pays.
 */
import type { CoinId, DepositAddress, EngineView } from "@pricetime/engine";
import { NOTHING_SAVED } from "../../platform/world/port.ts";
import { refusalOf, type RunCommand } from "./follower-parts.ts";
import { ControlRefused, type NetworkStatus, NoSuchNetwork } from "./port.ts";
import { type ChainCoin, ChainUnreachable } from "./chain.ts";
import { ChainFollower, type ChainFollowerOptions } from "./chain-follower.ts";

export interface Network {
  readonly network: string;
  status(): NetworkStatus;
  isAddress(address: string, tag: string): boolean;
  /** See `Wallet`; absent if only the operator knows the confirmations. */
  depthOf?(coin: Pick<CoinId, "txId" | "output">): number | undefined;
  /** See `Wallet`. */
  depositAddress(accountId: number): Promise<DepositAddress>;
  /** See `WalletControls`. Rejects with `ControlRefused` if there is no chain. */
  rescan(fromHeight: number, by: string, toHeight?: number): Promise<number | null>;
  /** Signs a stuck payment again with a higher fee. Rejects with `ControlRefused` or `ChainUnreachable`. */
  raiseFee(withdrawalId: string, by: string): Promise<void>;
  /** Reads the chain and pays on it until `stop`. `sequencer` receives the commands. */
  start(sequencer?: RunCommand): void;
  /** Resolves when nothing runs and everything is journaled. The network may be started again. */
  stop(): Promise<void>;
  /** Stops the network permanently. */
  close(): Promise<void>;
}

export interface AddressBook {
  readonly view: EngineView;
  readonly sequencer: RunCommand;
  readonly network: string;
}

/** Returns the account's address; if it has none, assigns the one returned by `make`. */
export async function assignedAddress(
  { view, sequencer, network }: AddressBook,
  accountId: number,
  make: () => Promise<{ readonly address: string; readonly tag: string }>,
): Promise<DepositAddress> {
  const known = view.funds.depositAddress(accountId, network);
  if (known !== undefined) return known;
  for (let last = ""; ; ) {
    const made = await make();
    const refusal = await refusalOf(sequencer, { type: "assignDepositAddress", accountId, network, ...made });
    // The command may have been rejected because a concurrent request has just assigned an address.
    const assigned = view.funds.depositAddress(accountId, network);
    if (assigned !== undefined) return assigned;
    // Another node has assigned the same free address to another account; retry with the next one.
    const isTaken = view.funds.addressOwner(network, made.address, made.tag) !== undefined;
    if (refusal === "UNKNOWN_NETWORK") throw new NoSuchNetwork(`no asset is listed with the network ${network}`);
    if (!isTaken || made.address === last) {
      throw new Error(`account ${accountId} gets no address on ${network}: ${refusal}`);
    }
    last = made.address;
  }
}

export interface ChainNetworkOptions extends Omit<ChainFollowerOptions, "saved"> {
  /** In a cluster: the name of the node that runs the network, "" if none does. Default: a single node. */
  readonly holder?: () => string;
}

export class ChainNetwork implements Network {
  readonly network: string;
  readonly #options: ChainNetworkOptions;
  readonly #book: AddressBook;
  /** The current follower; while the network does not run here, the one for the next start. */
  #follower: ChainFollower;
  #isRunning = false;

  constructor(options: ChainNetworkOptions) {
    const { chain, view, sequencer } = options;
    this.#options = options;
    this.network = chain.network;
    this.#book = { view, sequencer, network: chain.network };
    this.#follower = new ChainFollower({ ...options, saved: NOTHING_SAVED });
  }

  status(): NetworkStatus {
    const { network } = this;
    const { holder, chain } = this.#options;
    const about = { network, kind: chain.kind };
    if (this.#isHere) return { ...about, ...this.#follower.status() };
    const height = this.#journaledHeight ?? 0;
    return { ...about, isUp: false, height, readHeight: height, trouble: "", holder: holder?.() ?? "" };
  }

  isAddress(address: string, tag: string): boolean {
    return this.#options.chain.isAddress(address, tag);
  }

  depositAddress(accountId: number): Promise<DepositAddress> {
    return assignedAddress(this.#book, accountId, async () => {
      await this.#begin();
      return this.#options.chain.addressOf(accountId);
    });
  }

  depthOf(coin: Pick<ChainCoin, "txId" | "output">): number | undefined {
    return this.#isHere ? this.#follower.depthOf(coin) : undefined;
  }

  async rescan(fromHeight: number, by: string, toHeight?: number): Promise<number | null> {
    this.#mustBeHere();
    return this.#follower.rescan(fromHeight, by, toHeight);
  }

  async raiseFee(withdrawalId: string, by: string): Promise<void> {
    this.#mustBeHere();
    await this.#follower.raiseFee(withdrawalId, by);
  }

  /** See `ChainFollower`. */
  wake(): boolean {
    return this.#follower.wake();
  }

  /** `sequencer` receives the commands until `stop`. Starts without state from a previous run. */
  start(sequencer: RunCommand = this.#options.sequencer): void {
    if (this.#isRunning) return;
    const saved = this.#options.world.saved.within(`wallet/${this.network}`);
    this.#follower = new ChainFollower({ ...this.#options, sequencer, saved });
    this.#isRunning = true;
    this.#follower.start();
  }

  async stop(): Promise<void> {
    if (!this.#isRunning) return;
    await this.#follower.stop();
    this.#isRunning = false;
  }

  async close(): Promise<void> {
    await this.stop();
    await this.#options.chain.close();
  }

  /** Whether this node runs the network. A single node runs all its networks. */
  get #isHere(): boolean {
    return this.#isRunning || this.#options.holder === undefined;
  }

  get #journaledHeight(): number | undefined {
    return this.#options.view.funds.networkHeight(this.network)?.height;
  }

  /** Journals where reading begins. Only the node that runs the network decides it. */
  async #begin(): Promise<void> {
    if (this.#isHere) return this.#follower.begin();
    if (this.#journaledHeight === undefined) throw new ChainUnreachable(`${this.network}: no node reads it yet`);
  }

  #mustBeHere(): void {
    if (this.#isHere) return;
    const holder = this.#options.holder?.() ?? "";
    throw new ControlRefused(`${this.network} is run by ${holder === "" ? "no node now" : `${holder}: ask it there`}`);
  }
}
