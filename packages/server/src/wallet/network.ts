/** One network of the node, however it is followed. */
import type { DepositAddress, EngineView } from "@pricetime/engine";
import { refusalOf, type RunCommand } from "./commands.ts";
import type { NetworkStatus } from "./port.ts";

export interface Network {
  readonly network: string;
  status(): NetworkStatus;
  isAddress(address: string, tag: string): boolean;
  /** As in `Wallet`. */
  depositAddress(accountId: number): Promise<DepositAddress>;
  /** Reads again from this height on. Rejects with `ControlRefused` where nothing is read. */
  rescan(fromHeight: number, by: string): Promise<void>;
  /** Signs what is stuck again, for a higher fee. Rejects with `ControlRefused`, `ChainUnreachable`. */
  raiseFee(withdrawalId: string, by: string): Promise<void>;
  start(): void;
  /** Resolves when nothing runs any more and all is journaled. */
  stop(): Promise<void>;
}

export interface AddressBook {
  readonly view: EngineView;
  readonly sequencer: RunCommand;
  readonly network: string;
}

/** The account's address, or the one that `make` makes, which is the account's from now on. */
export async function assignedAddress(
  { view, sequencer, network }: AddressBook,
  accountId: number,
  make: () => Promise<{ readonly address: string; readonly tag: string }>,
): Promise<DepositAddress> {
  const known = view.funds.depositAddress(accountId, network);
  if (known !== undefined) return known;
  const made = await make();
  const refusal = await refusalOf(sequencer, { type: "assignDepositAddress", accountId, network, ...made });
  // Refused because it was assigned meanwhile: then it is there.
  const assigned = view.funds.depositAddress(accountId, network);
  if (assigned === undefined) throw new Error(`account ${accountId} gets no address on ${network}: ${refusal}`);
  return assigned;
}
