/** The wallet's state: everything about money on its way in or out, except balances. */
import type { ByteReader, ByteWriter } from "../../bytes.ts";
import { AllowLists } from "./allow-lists.ts";
import { ApiLocks } from "./api-locks.ts";
import { DepositAddresses } from "./deposit-addresses.ts";
import { Deposits } from "./deposits.ts";
import type { DustRules } from "../../entry/wallet-record.ts";
import { TransferIds } from "./transfer-ids.ts";
import { UsedIds } from "./used-ids.ts";
import { WithdrawalCounts } from "./withdrawal-counts.ts";
import { Withdrawals } from "./withdrawals.ts";

// The wallet as a whole.

export interface NetworkHeight {
  readonly height: number;
  readonly blockHash: string;
}

export class Funds {
  isInMaintenance = false;
  dustRules: DustRules | undefined = undefined;
  /** Last id of a transfer, conversion or dividend. */
  lastTranId = 0;
  readonly addresses = new DepositAddresses();
  readonly deposits = new Deposits();
  readonly withdrawals = new Withdrawals();
  /** A part of a snapshot of its own. */
  readonly withdrawalCounts = new WithdrawalCounts();
  readonly allowed = new AllowLists();
  readonly apiLocks = new ApiLocks();
  readonly heights = new Map<string, NetworkHeight>();
  /** Transactions whose cost the treasury has paid. */
  readonly paidCosts = new UsedIds();
  /** References of dividends: each is paid once, under the number of its transfer. */
  readonly distributed = new UsedIds();
  /** Clients' own ids of transfers. */
  readonly transferIds = new TransferIds();
  /** The time step of the last two-factor code accepted, by account. */
  readonly totpSteps = new Map<number, number>();
  /** Time of each account's last conversion of dust. */
  readonly lastDustMs = new Map<number, number>();

  save(writer: ByteWriter): void {
    const { isInMaintenance, dustRules, lastTranId } = this;
    writer.text(JSON.stringify({ isInMaintenance, dustRules, lastTranId }));
    for (const part of this.parts()) part.save(writer);
    writer.text(JSON.stringify([...this.heights]));
    for (const ids of [this.paidCosts, this.distributed]) ids.save(writer);
    for (const numbers of [this.totpSteps, this.lastDustMs]) {
      writer.uint(numbers.size);
      for (const [accountId, number] of numbers) {
        writer.uint(accountId);
        writer.uint(number);
      }
    }
    this.transferIds.save(writer);
  }

  /** `hasContents`: as `UsedIds.load`. */
  load(reader: ByteReader, hasContents: boolean): void {
    const { isInMaintenance, dustRules, lastTranId } = JSON.parse(reader.text());
    this.isInMaintenance = isInMaintenance;
    this.dustRules = dustRules;
    this.lastTranId = lastTranId;
    for (const part of this.parts()) part.load(reader, hasContents);
    for (const [network, height] of JSON.parse(reader.text())) this.heights.set(network, height);
    for (const ids of [this.paidCosts, this.distributed]) ids.load(reader, hasContents);
    for (const numbers of [this.totpSteps, this.lastDustMs]) {
      for (let left = reader.uint(); left > 0; left--) numbers.set(reader.uint(), reader.uint());
    }
    if (hasContents) this.transferIds.load(reader);
  }

  private parts() {
    return [this.addresses, this.deposits, this.withdrawals, this.allowed, this.apiLocks];
  }
}
