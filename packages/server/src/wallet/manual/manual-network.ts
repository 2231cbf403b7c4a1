/**
 * A network that no program reads: an operator says which coins came, and sends withdrawals by hand. It
 * has no blocks, so what it says is believed at once, and an operator's mistake is an operator's to mend.
 */
import type { DepositAddress, RejectReason, WithdrawalRecord } from "@pricetime/engine";
import { refusalOf } from "../commands.ts";
import type { ManualControl, ReportedCoin } from "../control.ts";
import { type AddressBook, assignedAddress, type Network } from "../network.ts";
import { ControlRefused, type NetworkStatus, NoSuchNetwork } from "../port.ts";

/** Visible characters: what a network of any kind may call an address. */
const ADDRESS = /^[\x21-\x7e]{1,128}$/;
const TAG = /^[\x21-\x7e]{0,128}$/;

export interface ManualNetworkOptions extends AddressBook {
  /** Addresses to give out, one to each account; they are used up. */
  readonly addresses: readonly string[];
  /** Given out to every account when `addresses` are used up, with the account's number as its tag. "": nothing is. */
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

  /** One after the other, so that no two are given the same. */
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
    const refusal = await this.#run({ type: "seeDeposit", ...id, asset, address, tag, amount });
    if (refusal !== null && refusal !== "ALREADY_EXISTS") throw refused(refusal);
    if (status === "pending") return;
    const step = await this.#run({ type: status === "credited" ? "creditDeposit" : "finishDeposit", ...id });
    if (step !== null && step !== "WRONG_STATUS") throw refused(step);
  }

  async dropCoin({ txId, output }: Pick<ReportedCoin, "txId" | "output">, by: string): Promise<void> {
    await this.#must({ type: "dropDeposit", network: this.network, txId, output, by });
  }

  async completeWithdrawal(withdrawalId: string, txId: string, by: string): Promise<void> {
    this.#ours(withdrawalId);
    await this.#must({ type: "completeWithdrawal", withdrawalId, txId, by });
  }

  /** Nobody else looks at this network: what was signed for it, before it was kept by hand, fails by its operator's word. */
  async failWithdrawal(withdrawalId: string, why: string, by: string): Promise<void> {
    const { txId, nonce } = this.#ours(withdrawalId);
    if (txId === "") await this.#must({ type: "failWithdrawal", withdrawalId, why, by });
    else await this.#must({ type: "failSignedWithdrawal", withdrawalId, txId, nonce, why, by });
  }

  async rescan(): Promise<void> {
    throw new ControlRefused(`${this.network} is read by hand`);
  }

  async raiseFee(): Promise<void> {
    throw new ControlRefused(`${this.network} is paid by hand`);
  }

  start(): void {}
  async stop(): Promise<void> {}

  #ours(withdrawalId: string): Readonly<WithdrawalRecord> {
    const withdrawal = this.#options.view.funds.withdrawal(withdrawalId);
    if (withdrawal?.network === this.network) return withdrawal;
    throw new ControlRefused(`no withdrawal ${withdrawalId} waits on ${this.network}`);
  }

  #run(command: Parameters<typeof refusalOf>[1]): Promise<RejectReason | null> {
    return refusalOf(this.#options.sequencer, command);
  }

  async #must(command: Parameters<typeof refusalOf>[1]): Promise<void> {
    const refusal = await this.#run(command);
    if (refusal !== null) throw refused(refusal);
  }
}

function refused(reason: RejectReason): ControlRefused {
  return new ControlRefused(`the exchange refused: ${reason}`);
}
