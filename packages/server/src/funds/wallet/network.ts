/** One network of the node, of any kind. */
import type { CoinId, DepositAddress, EngineView } from "@pricetime/engine";
import type { KeptValue } from "../../platform/world/kept.ts";
import { refusalOf, type RunCommand } from "./commands.ts";
import { NoSuchNetwork, type NetworkStatus } from "./port.ts";

export interface Network {
  readonly network: string;
  status(): NetworkStatus;
  isAddress(address: string, tag: string): boolean;
  /** See `Wallet`; absent: nobody but the operator knows. */
  depthOf?(coin: Pick<CoinId, "txId" | "output">): number | undefined;
  /** See `Wallet`. */
  depositAddress(accountId: number): Promise<DepositAddress>;
  /** See `WalletControls`. Rejects with `ControlRefused` where there is no chain to read. */
  rescan(fromHeight: number, by: string, toHeight?: number): Promise<number | null>;
  /** Signs a stuck payment again for a higher fee. Rejects with `ControlRefused`, `ChainUnreachable`. */
  raiseFee(withdrawalId: string, by: string): Promise<void>;
  /** Reads the chain and pays on it until it is stopped; `sequencer` is the way of its commands. */
  start(sequencer?: RunCommand): void;
  /** Resolves when nothing runs any more and everything is journaled. It may be started again. */
  stop(): Promise<void>;
  /** See `Keeping`; absent: the network keeps nothing beside journal and chain. */
  kept?(): KeptValue;
  /** Stops for good. */
  close(): Promise<void>;
}

export interface AddressBook {
  readonly view: EngineView;
  readonly sequencer: RunCommand;
  readonly network: string;
}

/** Returns the account's address; if it has none, it is assigned the one that `make` makes. */
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
    // The command was refused because another one had just assigned an address, which is there now.
    const assigned = view.funds.depositAddress(accountId, network);
    if (assigned !== undefined) return assigned;
    // Another node has given the same free address to another account: there may be one more.
    const isTaken = view.funds.addressOwner(network, made.address, made.tag) !== undefined;
    if (refusal === "UNKNOWN_NETWORK") throw new NoSuchNetwork(`no asset is listed with the network ${network}`);
    if (!isTaken || made.address === last) {
      throw new Error(`account ${accountId} gets no address on ${network}: ${refusal}`);
    }
    last = made.address;
  }
}
