/**
 * A network without a chain connection: an operator reports deposits and sends withdrawals manually. It has no blocks,
 * so reports take effect immediately.
 */
import type { Command, DepositAddress, Event, WithdrawalRecord } from "@pricetime/engine";
import { refusalOf } from "./follower-parts.ts";
import {
  ActRefused,
  ControlRefused,
  type ManualControl,
  type NetworkStatus,
  NoSuchNetwork,
  type ReportedCoin,
} from "./port.ts";
import { type AddressBook, assignedAddress, type Network } from "./network.ts";

/** Address format accepted on any network: 1 to 128 printable ASCII characters. */
const ADDRESS = /^[\x21-\x7e]{1,128}$/;
const TAG = /^[\x21-\x7e]{0,128}$/;

export interface ManualNetworkOptions extends AddressBook {
  /** The addresses to assign, one per account. */
  readonly addresses: readonly string[];
  /**
   * The address for further accounts once `addresses` are used up, with the account id as tag. "": no shared address.
   */
  readonly sharedAddress: string;
}

export class ManualNetwork implements Network, ManualControl {
  readonly network: string;
  readonly #options: ManualNetworkOptions;
  #lastAddress: Promise<unknown> = Promise.resolve();

  constructor(options: ManualNetworkOptions) {
    this.#options = options;
    this.network = options.network;
  }

  status(): NetworkStatus {
    return { network: this.network, kind: "manual", isUp: true, height: 0, readHeight: 0, trouble: "" };
  }

  isAddress(address: string, tag: string): boolean {
    return ADDRESS.test(address) && TAG.test(tag);
  }

  /** Requests run one after another, so that no two accounts get the same address. */
  depositAddress(accountId: number): Promise<DepositAddress> {
    const assigned = this.#lastAddress.then(() => this.#assign(accountId));
    this.#lastAddress = assigned.catch(() => {});
    return assigned;
  }

  #assign(accountId: number): Promise<DepositAddress> {
    const { view, addresses, sharedAddress } = this.#options;
    return assignedAddress(this.#options, accountId, async () => {
      const free = addresses.find((address) => view.funds.addressOwner(this.network, address, "") === undefined);
      if (free !== undefined) return { address: free, tag: "" };
      if (sharedAddress !== "") return { address: sharedAddress, tag: String(accountId) };
      throw new NoSuchNetwork(`${this.network} has no address to give out`);
    });
  }

  async reportCoin(coin: ReportedCoin, status: "pending" | "credited" | "success", by: string): Promise<void> {
    const { txId, output, asset, address, tag, amount } = coin;
    const id = { network: this.network, txId, output, by };
    const reported = { ...id, asset, address, tag, amount };
    await this.#unlessDone({ type: "seeDeposit", ...reported });
    if (status === "pending") return;
    await this.#unlessDone({ type: status === "credited" ? "creditDeposit" : "finishDeposit", ...reported });
  }

  async dropCoin({ txId, output, asset, address, tag, amount }: ReportedCoin, by: string): Promise<void> {
    const reported = { network: this.network, txId, output, asset, address, tag, amount };
    await this.#unlessDone({ type: "dropDeposit", ...reported, by });
  }

  async completeWithdrawal(withdrawalId: string, txId: string, by: string): Promise<readonly Event[]> {
    this.#ours(withdrawalId);
    return this.#must({ type: "completeWithdrawal", withdrawalId, txId, by });
  }

  /**
   * Fails a payment that was signed before the network became manual. No watcher reads this network, so an operator
   * reports the failure.
   */
  async failWithdrawal(withdrawalId: string, why: string, by: string): Promise<readonly Event[]> {
    const { txId, nonce } = this.#ours(withdrawalId);
    if (txId === "") return this.#must({ type: "failWithdrawal", withdrawalId, why, by });
    return this.#must({ type: "failSignedWithdrawal", withdrawalId, txId, nonce, why, by });
  }

  async rescan(): Promise<never> {
    throw new ControlRefused(`${this.network} is read by hand`);
  }

  async raiseFee(): Promise<void> {
    throw new ControlRefused(`${this.network} is paid by hand`);
  }

  start(): void {}
  async stop(): Promise<void> {}
  async close(): Promise<void> {}

  #ours(withdrawalId: string): WithdrawalRecord {
    const withdrawal = this.#options.view.funds.withdrawal(withdrawalId);
    if (withdrawal?.network === this.network) return withdrawal;
    throw new ControlRefused(`no withdrawal ${withdrawalId} waits on ${this.network}`);
  }

  /** Runs the command, unless an identical report was already accepted. */
  async #unlessDone(command: Command): Promise<void> {
    const refusal = await refusalOf(this.#options.sequencer, command);
    if (refusal === null || refusal === "ALREADY_EXISTS") return;
    // Rules before version 4 reject a repeated step and a late step for the same reason.
    const isOldRules = this.#options.view.edition < 4 && command.type !== "dropDeposit";
    if (refusal === "WRONG_STATUS" && isOldRules) return;
    throw new ActRefused(refusal, command);
  }

  async #must(command: Command): Promise<readonly Event[]> {
    const { events } = await this.#options.sequencer.run(command);
    const [first] = events;
    if (first?.type === "rejected") throw new ActRefused(first.reason, command);
    return events;
  }
}
