/**
 * A network with a chain. Any node gives out its addresses; the node that runs it reads the chain and pays. Among
 * several nodes one at a time runs it.
 */
import type { DepositAddress } from "@pricetime/engine";
import type { KeptValue, Keeping } from "../../platform/world/kept.ts";
import { type ChainCoin, ChainUnreachable } from "./chain.ts";
import { ChainFollower, type ChainFollowerOptions } from "./chain-follower.ts";
import type { RunCommand } from "./commands.ts";
import { type AddressBook, assignedAddress, type Network } from "./network.ts";
import { ControlRefused, type NetworkStatus } from "./port.ts";

export interface ChainNetworkOptions extends ChainFollowerOptions {
  /** Among several nodes: the name of the node that runs the network, "" when none does. Default: the node is alone. */
  readonly holder?: () => string;
}

export class ChainNetwork implements Network, Keeping {
  readonly network: string;
  readonly #options: ChainNetworkOptions;
  readonly #book: AddressBook;
  /** The present one, or the next while the network does not run here. */
  #follower: ChainFollower;
  #isRunning = false;
  /** What the first follower that runs goes on from. */
  #before: KeptValue | undefined;

  /** Throws `KeptUnreadable`. */
  constructor(options: ChainNetworkOptions) {
    const { chain, view, sequencer } = options;
    this.#options = options;
    this.network = chain.network;
    this.#book = { view, sequencer, network: chain.network };
    this.#before = options.kept;
    this.#follower = new ChainFollower(options);
  }

  /** Null while it does not run here. */
  kept(): KeptValue {
    return this.#isRunning ? this.#follower.kept() : null;
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

  /** `sequencer`: the way of its commands until it is stopped. What it knew of the chain before is forgotten. */
  start(sequencer: RunCommand = this.#options.sequencer): void {
    if (this.#isRunning) return;
    this.#follower = new ChainFollower({ ...this.#options, sequencer, kept: this.#before });
    this.#before = undefined;
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

  /** A node that is alone runs all its networks. */
  get #isHere(): boolean {
    return this.#isRunning || this.#options.holder === undefined;
  }

  get #journaledHeight(): number | undefined {
    return this.#options.view.funds.networkHeight(this.network)?.height;
  }

  /** The node that reads the chain decides where reading begins. */
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
